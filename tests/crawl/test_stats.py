"""The names of the statistics and what is said of each."""

from __future__ import annotations

import ast
from pathlib import Path

from scrapy_blockfilter.crawl import stats
from scrapy_blockfilter.crawl.stats import REASONS, STATS

PACKAGE = Path(stats.__file__).parents[1]


def constants() -> dict[str, str]:
    """Name -> value of each constant that is a statistic or the beginning of some."""
    return {name: value for name, value in vars(stats).items() if name[0].isupper() and isinstance(value, str)}


def test_every_statistic_is_described_in_a_line() -> None:
    described = {name.removesuffix("/REASON") for name in STATS}
    assert described == set(constants().values())
    for text in (*STATS.values(), *REASONS.values()):
        assert text
        assert "\n" not in text
        assert not text.endswith(".")


def test_names_begin_with_the_name_of_the_filter_and_differ() -> None:
    values = list(constants().values())
    assert len(set(values)) == len(values)
    assert all(value.startswith("blockfilter/") for value in values)


def test_every_statistic_is_counted_somewhere() -> None:
    used = {
        node.attr
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "names"
    }
    assert set(constants()) <= used


def test_every_reason_is_given_somewhere_and_none_that_is_not_described() -> None:
    given = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _name(node.func) in ("UnfitPage", "_skip", "_count_unchanged", "append"):
                given.update(_texts(node.args[:1]))
            elif isinstance(node, ast.Call) and _name(node.func) in ("_release", "_release_all"):
                given.update(_texts(node.args[-1:]))
            elif isinstance(node, ast.Assign) and any(_name(target) in _REASON_NAMES for target in node.targets):
                given.update(_texts([node.value]))
    given.discard("")
    assert set(REASONS) <= given
    # ``append`` is also said of what is no reason; all other reasons that are given must be described.
    assert {reason for reason in given if reason.isidentifier()} <= set(REASONS)


_REASON_NAMES = ("unchanged", "_no_model")


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _texts(nodes: list[ast.expr]) -> list[str]:
    found = []
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.append(node.value)
        elif isinstance(node, ast.IfExp):
            found += _texts([node.body, node.orelse])
    return found
