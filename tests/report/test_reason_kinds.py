"""Kinds of reasons to strip a block: each that a verdict can have has a label and a colour."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.report.page_facts import KINDS

PACKAGE = Path(bf.__file__).parent
CSS = (PACKAGE / "report" / "assets" / "report.css").read_text(encoding="utf-8")
# Of reasons for which a block stays, which nothing shows by kind.
KEEPING = {"content", "title", "whole", "guard"}


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def text(node: ast.expr | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def stripping_kinds(path: Path) -> set[str]:
    """Names of kinds that a module gives to verdicts, without those by which a block always stays."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    reasons = {text(call.args[0]) for call in calls(tree) if name_of(call) in ("Reason", "reason_later")}
    steps = [call.args for call in calls(tree) if name_of(call) == "Step"]
    stripping = {text(kind) for kind, keep, _ in steps if ast.unparse(keep) == "False"}
    return (reasons | stripping) - KEEPING - {""}


def test_every_kind_that_a_stripping_verdict_of_the_package_may_have_has_a_label() -> None:
    found = {kind for path in PACKAGE.rglob("*.py") for kind in stripping_kinds(path)}
    assert {"repeated", "entropy", "menu", "element", "selector"} <= found
    assert found <= KINDS.keys()
    assert not KINDS.keys() & KEEPING


@pytest.mark.slow
@pytest.mark.skipif(not (PACKAGE / "extras").is_dir(), reason="there are no extras")
def test_every_label_is_of_a_kind_that_a_stripping_verdict_may_have() -> None:
    found = {kind for path in PACKAGE.rglob("*.py") for kind in stripping_kinds(path)}
    assert KINDS.keys() - found <= {"other"}


def test_names_of_kinds_are_letters_and_labels_are_a_few_words() -> None:
    assert all(name.isalpha() and name.islower() for name in KINDS)
    assert len(set(KINDS.values())) == len(KINDS)


def test_style_sheet_has_a_colour_for_kinds_that_stand_side_by_side_and_for_no_others() -> None:
    themes = [set(re.findall(r"--(\w+): #", theme)) for theme in CSS.split("prefers-color-scheme: dark")[:2]]
    shown = [
        set(re.findall(rule, CSS))
        for rule in (
            r"(?m)(?:^| )\[data-kind=(\w+)\] { --kind: var\(--\w+\)",
            r"\.picture \[data-kind=(\w+)\] { --kind: #",
        )
    ]
    # Those of the methods that have one measure each share a colour, as no page has two of them.
    of_the_default = set(list(KINDS)[: list(KINDS).index("entropy")])
    for kinds in shown:
        assert kinds == of_the_default | {"kept"}
    for theme in themes:
        assert theme >= of_the_default | {"kept", "measure"}
    used = set(re.findall(r"var\(--(\w+)", CSS))
    assert of_the_default | {"measure"} <= used
    assert used <= themes[0] | {"kind", "of", "depth", "share"}
