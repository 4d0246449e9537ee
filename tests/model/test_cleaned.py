"""A cleaned page: blocks with verdicts, HTML and text, each made on demand."""

from __future__ import annotations

import gc
import json
from pathlib import PurePosixPath

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.methods import Reason, Verdict
from scrapy_blockfilter.model import Cleaned
from tests.support.made_sites import make_site
from tests.support.pages import document, segmented

HTML = document("<p id=p1>Menu</p><p>Text</p><p>Foot</p>", title="Name")


def cleaned(unchanged: str = "") -> Cleaned:
    page = segmented(HTML)
    verdicts = [
        Verdict(block.text in ("Name", "Text"), 0.75, Reason("other", f"of {block.text}")) for block in page.blocks
    ]
    return Cleaned(HTML, page, verdicts, unchanged)


def test_blocks_are_in_document_order_with_verdict_and_place() -> None:
    blocks = cleaned().blocks
    assert [(block.text, block.keep, block.score, block.reason) for block in blocks] == [
        ("Name", True, 0.75, "of Name"),
        ("Menu", False, 0.75, "of Menu"),
        ("Text", True, 0.75, "of Text"),
        ("Foot", False, 0.75, "of Foot"),
    ]
    assert [block.path for block in blocks[:2]] == ["html/head/title", "html/body/p#p0"]
    assert len({block.key for block in blocks}) == 4
    assert repr(blocks[1]) == "<JudgedBlock strip 'Menu': of Menu>"
    assert repr(blocks[2]) == "<JudgedBlock keep 'Text': of Text>"


def test_what_was_removed_can_be_written_as_json() -> None:
    removed = [
        {"text": "Menu", "reason": "of Menu", "score": 0.75},
        {"text": "Foot", "reason": "of Foot", "score": 0.75},
    ]
    assert json.loads(json.dumps(cleaned().removed)) == removed


def test_an_image_that_was_removed_is_told_by_its_words() -> None:
    html = document('<p><img src="/i/spring-sale.jpg" alt="All tulips"></p><p>Text</p>', title="Name")
    page = segmented(html)
    verdicts = [Verdict(block.text == "Text", 0.25, Reason("other", "repeats")) for block in page.blocks]
    (gone,) = Cleaned(html, page, verdicts, "").removed
    assert {"spring", "sale", "tulips"} <= set(gone["text"].lower().replace("-", " ").replace(".", " ").split())


def test_blocks_tell_their_place_when_only_they_are_held() -> None:
    pages = [f"<p>Menu</p><div class='text'>about {word}</div>" for word in ("mills", "locks", "weirs")]
    blocks = bf.learn(pages).clean(pages[0]).blocks
    gc.collect()
    assert [block.path for block in blocks] == ["html/body/p", "html/body/div.text"]


@pytest.mark.parametrize("url", [7, b"http://a.example/", PurePosixPath("/a")])
def test_address_that_is_no_text_is_refused(url: object) -> None:
    for clean in (bf.clean, bf.learn([HTML]).clean):
        with pytest.raises(TypeError, match=f"the url of a page is text, not a {type(url).__name__}"):
            clean(HTML, url)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["links", "markdown", "base"])
def test_error_within_a_form_is_told_as_it_is(name: str) -> None:
    page = cleaned()
    page.url = None  # type: ignore[assignment]
    with pytest.raises(AttributeError, match="'NoneType' object has no attribute"):
        getattr(page, name)


def test_sizes_are_bytes_of_the_texts() -> None:
    site = make_site(pages=4, rich=True)
    cleaned = bf.learn(page.html for page in site.pages).clean(
        site.pages[0].html.replace("<body>", "<body><p>Größe 名")
    )
    assert list(cleaned.sizes()) == [(len(block.text.encode()), block.keep) for block in cleaned.blocks]
