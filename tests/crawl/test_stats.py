"""The names of the statistics, and their descriptions."""

from __future__ import annotations

import ast
from importlib.util import find_spec
from pathlib import Path

import pytest

from scrapy_blockfilter.crawl import REASONS, STATS, stats

PACKAGE = Path(stats.__file__).parents[1]
# Extras count some, which the core's tests run without.
needs_extras = pytest.mark.skipif(find_spec("scrapy_blockfilter.extras") is None, reason="there are no extras")


def constants() -> dict[str, str]:
    """Name -> value of each constant that is a statistic or the beginning of some."""
    return {name: value for name, value in vars(stats).items() if name[0].isupper() and isinstance(value, str)}


def test_every_statistic_is_described_in_a_line() -> None:
    described = {name.removesuffix("/REASON").removesuffix("/FORM") for name in STATS}
    assert described == set(constants().values()), "edit STATS in scrapy_blockfilter/crawl/stats.py"
    for text in (*STATS.values(), *REASONS.values()):
        assert text
        assert "\n" not in text
        assert not text.endswith(".")


def test_names_begin_with_the_name_of_the_filter_and_differ() -> None:
    values = list(constants().values())
    assert len(set(values)) == len(values)
    assert all(value.startswith("blockfilter/") for value in values)


@needs_extras
def test_every_statistic_is_counted_somewhere() -> None:
    used = {
        node.id if isinstance(node, ast.Name) else node.attr
        for path in PACKAGE.rglob("*.py")
        if path != Path(stats.__file__)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Name | ast.Attribute)
    }
    assert set(constants()) <= used


@needs_extras
def test_every_reason_is_named_somewhere_and_each_of_an_unfit_page_is_described() -> None:
    named: set[str] = set()
    unfit: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        if path == Path(stats.__file__):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            named.update(_text(node))
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "UnfitPage":
                unfit.update(_text(node.args[0]))
    of_extras = {"bad_json_ld", "cut_metadata", "price_differs"}
    assert set(REASONS) - of_extras <= named
    assert {"empty", "too_deep"} <= unfit <= set(REASONS)


def _text(node: ast.AST) -> list[str]:
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []
