"""The blocks of the page on scale, run in their order, and what comes of them."""

from __future__ import annotations

from typing import Any

import pytest

import scrapy_blockfilter as bf
from tests.docs.pages import DOCS, blocks
from tests.support.made_sites import make_site

SITE = make_site("semantic", pages=12, seed=4, rich=True)
PAGES = {f"http://gazette.example{page.url_path}": page for page in SITE.pages}
PYTHON = blocks(DOCS / "scale.md", "python")


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    """The names of the first block, which needs no engine."""
    names: dict[str, Any] = {"__name__": "scale", "pages": {url: page.html for url, page in PAGES.items()}}
    exec(compile(PYTHON[0], "scale.md", "exec"), names)
    return names


def test_parts_are_learnt_as_the_whole(made: dict[str, Any]) -> None:
    whole = bf.fit(bf.sample_of(made["rows"]))
    assert made["model"].digest == whole.digest
    assert made["text"] == whole.clean(made["rows"][0].html).text


def test_one_pass_cleans_each_page(made: dict[str, Any]) -> None:
    assert made["cleaned"].keys() == PAGES.keys()
    for url, text in made["cleaned"].items():
        assert [part for part in PAGES[url].content if part not in text] == []
        assert [part for part in PAGES[url].template if part in text] == []
