"""The inputs of parser tests, alone and in the middle of a page: all are cleaned, and none loses content."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import pytest

from scrapy_blockfilter import Options, SiteModel, learn
from scrapy_blockfilter.html.charsets import decode
from stress.invariants import broken
from tests.support import parser_inputs
from tests.support.made_sites import make_site

SITE = make_site(pages=9, seed=5)


@pytest.fixture(scope="module")
def model() -> SiteModel:
    return learn((page.html for page in SITE.pages[:8]), Options(method="chunk_frequency", pages=8))


def faults_of(model: SiteModel, inputs: Iterable[str]) -> list[tuple[str, list[str]]]:
    found = [(html, broken(model, html)) for html in inputs]
    return [(html, faults) for html, faults in found if faults]


def within(inputs: Sequence[str]) -> list[str]:
    """Each input in the content of a page, with something to strip before it and behind it."""
    before, menu, behind = SITE.pages[8].html.partition('<div class="content">')
    return [f"{before}{menu}{html}{behind}" for html in inputs]


@pytest.mark.parametrize(
    ("inputs", "least"),
    [(parser_inputs.tokenizer_inputs, 6_000), (parser_inputs.tree_inputs, 1_500)],
    ids=["tokenizer", "tree construction"],
)
def test_inputs_of_parser_tests_are_cleaned(model: SiteModel, inputs: Callable[[], list[str]], least: int) -> None:
    pages = inputs()
    assert len(pages) >= least
    assert faults_of(model, pages) == []
    # Entities by the thousand differ in their names alone.
    assert faults_of(model, within(pages[:: 1 + len(pages) // 2_000])) == []


def test_inputs_of_encoding_tests_are_cleaned(model: SiteModel) -> None:
    bodies = parser_inputs.encoding_inputs()
    assert len(bodies) >= 50
    for body in bodies:
        assert model.clean(body).html == model.clean(decode(body)).html
    assert faults_of(model, [decode(body) for body in bodies]) == []
