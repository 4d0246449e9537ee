"""Larger blocks from the text chunks of a page: by the DOM, and by length."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.extras.papers.segmenters import FixedLength
from scrapy_blockfilter.html import Page, PageCaches, parse, segment
from scrapy_blockfilter.options import Segmenter
from scrapy_blockfilter.render import render_html, render_text
from stress.hostile import KINDS, mutated, soup
from stress.invariants import broken
from tests.support.made_sites import make_site
from tests.support.pages import EVERY_METHOD, document, texts


def fixed_length(characters: int) -> Segmenter:
    return Segmenter("fixed_length", FixedLength(characters))


def segmented(html: str, segmenter: Segmenter) -> Page:
    return segment(parse(html), PageCaches(), segmenter=segmenter)


PAGE = document(
    "<div id=top><a href=/>Gazette</a><div>Since 1871</div></div>",
    "<ul class=menu><li>News</li><li>Sport<ul><li>Golf</li></ul></li></ul>",
    "<h1>Harbour reopens</h1><dl><dt>By</dt><dd>Ann</dd></dl><address>Quay 1</address><center>Monday</center>",
    "<p>Boats returned.</p><p>A week early.</p>",
    "<table><tr><td>Boats</td><td>12</td></tr></table>",
    "<details><summary>About</summary>Imprint</details>",
    title="Harbour reopens",
)


def test_dom_divides_at_paragraphs_headings_lists_and_tables_and_joins_what_is_between() -> None:
    page = segmented(PAGE, Segmenter("dom"))
    assert [(block.tag, block.text) for block in page.blocks] == [
        ("title", "Harbour reopens"),
        ("div", "Gazette"),
        ("div", "Since 1871"),
        ("ul", "News\nSport"),
        ("li", "Golf"),
        ("h1", "Harbour reopens"),
        ("dl", "By\nAnn"),
        ("body", "Quay 1\nMonday"),
        ("p", "Boats returned."),
        ("p", "A week early."),
        ("tr", "Boats\n12"),
        ("details", "About\nImprint"),
    ]


def test_fixed_length_ends_a_block_with_the_chunk_that_fills_it() -> None:
    html = document("<p>aaaa</p><p>bbbb</p><p>cccc</p><p>dddddddddddd</p><p>e</p>", title="a title of any length")
    # 4 + 4 + 4 characters reach ten, the 12 of the next alone, and one is left over. TITLE counts by itself.
    assert texts(segmented(html, fixed_length(10))) == [
        "a title of any length",
        "aaaa\nbbbb\ncccc",
        "dddddddddddd",
        "e",
    ]


def test_a_block_of_several_chunks_has_all_that_is_in_them() -> None:
    html = '<div class="box"><address><a href="/a">Old port</a> <img src="/quay.png"></address>New<input></div>'
    page = segmented(f"<p>Before</p>{html}<p>Behind</p>", Segmenter("dom"))
    block = page.blocks[1]
    assert (block.text, block.images, block.chars, block.link_chars) == ("Old port\nNew", ("quay",), 12, 8)
    assert block.counts == (1, 1, 0, 1)
    assert block.path == "html/body/div.box"
    assert block.words == "Old port\nNew quay"
    _, first, second, _ = page.chunks.blocks
    assert block.terms == [*first.terms[:2], *second.terms, *first.terms[2:]]
    assert list(block.pieces) == [*first.pieces, *second.pieces]
    assert page.keys.tolist() == [block.key for block in page.blocks]


def test_blocks_of_the_same_chunks_are_the_same_and_of_others_are_not() -> None:
    one, same, other, turned = (
        segmented(f"<h1>{title}</h1><pre>{first}</pre><pre>{second}</pre>", Segmenter("dom")).blocks[1].key
        for title, first, second in (("a", "x", "y"), ("b", "x", "y"), ("a", "x", "z"), ("a", "y", "x"))
    )
    assert one == same
    assert len({one, other, turned}) == 3


def test_a_block_goes_with_the_elements_of_all_its_chunks() -> None:
    page = segmented(PAGE, Segmenter("dom"))
    gone = {"Gazette", "Since 1871", "News\nSport", "About\nImprint", "By\nAnn", "Quay 1\nMonday", "Boats\n12"}
    keep = [block.text not in gone for block in page.blocks]
    assert render_text(page, keep) == "  - Golf\nHarbour reopens\nBoats returned.\nA week early."
    whole, chunks = segmented(PAGE, fixed_length(1_000)), segmented(PAGE, Segmenter())
    assert render_text(whole, [True] * 2) == render_text(chunks, [True] * len(chunks.blocks))
    assert render_html(page, keep, PAGE) == document(
        "<ul class=menu><li><ul><li>Golf</li></ul></li></ul>",
        "<h1>Harbour reopens</h1><p>Boats returned.</p><p>A week early.</p>",
        title="Harbour reopens",
    ).replace("=menu", '="menu"').replace("<html", "\n<html")


def test_selectors_overrule_the_part_of_a_block_that_they_match() -> None:
    pages = [
        f"<html><body><dl><dt>{word}</dt><dd class=ad>Buy {word}</dd><dd>more {word}</dd></dl><p>{word} end</p>"
        for word in ("harbours", "windmills", "railways", "lighthouses")
    ]
    options: dict[str, Any] = {"method": "chunk_frequency", "segmenter": "dom"}
    plain = bf.learn(pages, bf.Options(**options)).clean(pages[0])
    assert [block.text for block in plain.blocks] == ["harbours\nBuy harbours\nmore harbours", "harbours end"]
    dropped = bf.learn(pages, bf.Options(**options, drop=(".ad",))).clean(pages[0])
    assert [(block.text, block.keep, block.reason) for block in dropped.blocks] == [
        ("harbours", True, "on no other page learnt from"),
        ("Buy harbours", False, "dropped by selector .ad"),
        ("more harbours", True, "on no other page learnt from"),
        ("harbours end", True, "on no other page learnt from"),
    ]
    assert "Buy" not in dropped.html
    whole = bf.learn(pages, bf.Options(**options, drop=("dl", ".none"), min_kept=0)).clean(pages[0])
    assert [block.text for block in whole.blocks if not block.keep] == ["harbours\nBuy harbours\nmore harbours"]


@pytest.mark.parametrize("method", EVERY_METHOD)
def test_dom_blocks_are_judged_by_every_method(method: str) -> None:
    site = make_site(pages=12, seed=5)
    model = bf.learn((page.html for page in site.pages[:10]), bf.Options(method=method, segmenter="dom"))
    for page in site.pages[10:]:
        cleaned = model.clean(page.html)
        assert [text for text in page.content[1:] if text not in cleaned.text] == []
        assert max(block.text.count("\n") for block in cleaned.blocks) >= 2
        assert all(block.reason for block in cleaned.blocks)


@pytest.mark.slow
@pytest.mark.parametrize("segmenter", ["dom", "fixed_length"])
def test_hostile_pages_keep_what_is_kept(segmenter: str) -> None:
    site = make_site(pages=12, rich=True, seed=8)
    options = bf.Options(
        method="chunk_frequency",
        segmenter=segmenter,
        method_args={"segment_length": 60} if segmenter == "fixed_length" else {},
    )
    model = bf.learn((page.html for page in site.pages[:10]), options)
    menu = "".join(f"<p>{text}</p>" for text in site.pages[0].template)
    cleaned = 0
    for number in range(50):
        random = Random(f"{segmenter} {number}")
        html = mutated(site.pages[-1].html, random, random.choice((1, 2, 4, 8, 16)))
        cleaned += not model.clean(html).unchanged
        assert broken(model, html) == [], html
        tags = soup(random, random.choice((3, 30, 100)))
        assert broken(model, menu + tags) == [], tags
    assert cleaned > 25
    before, content, behind = site.pages[-1].html.partition('<div class="content">')
    for kind, repeated in KINDS.items():
        assert broken(model, f"{before}{content}{repeated(1_500)}{behind}") == [], kind


def test_block_of_several_chunks_loses_its_hidden_parts() -> None:
    prose = "<p>The mill on the upper brook grinds spelt again, as it did for three hundred years.</p>"
    html = document(f"{prose}<p>Flour is sold <span hidden>secret</span> on Fridays.</p>{prose}")
    cleaned = bf.clean(html, options=bf.Options(segmenter="fixed_length"))
    assert cleaned.text.splitlines()[1] == "Flour is sold on Fridays."
    assert "secret" in cleaned.html


def test_text_that_goes_in_and_out_of_a_deep_place_is_joined() -> None:
    html = "<div>" * 1_000 + "".join(f"deep{'</div>' * 900}high{'<div>' * 900}" for _ in range(50))
    page = segmented(html, fixed_length(1_000_000))
    assert [block.text for block in page.blocks] == ["\n".join(["deep", "high"] * 50)]
    assert page.blocks[0].path == "html/body" + 100 * "/div"
