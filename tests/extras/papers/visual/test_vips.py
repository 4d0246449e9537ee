"""Blocks as a browser has shown them, by boxes written by hand, and the values that boxes are read of."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scrapy_blockfilter as bf
from scrapy_blockfilter.extras.papers.visual.boxes import Rectangle, read_annotation
from scrapy_blockfilter.html import Page, Reader, parse
from scrapy_blockfilter.html.boxes import take_boxes
from scrapy_blockfilter.options import OptionError, Options
from scrapy_blockfilter.render import render_text
from stress.hostile import KINDS, mutated
from stress.invariants import broken
from tests.support.any_html import ANY_HTML
from tests.support.boxes import at, boxed
from tests.support.made_sites import make_site
from tests.support.pages import texts

SENTENCE = "The harbour reopened a week earlier than the council had said."


def divided(body: str, coherence: int = 9, name: str = "vips", *, height: int = 2_000) -> Page:
    html = f"<html {at(0, 0, 1280, height, 'f16 w400 c000 bfff')}><body {at(0, 0, 1280, height, '')}>{body}"
    return Reader(Options(segmenter=name, method_args={"coherence": coherence})).read(html)


def blocks(body: str, coherence: int = 9, name: str = "vips", *, height: int = 2_000) -> list[str]:
    return texts(divided(body, coherence, name, height=height))


def rows(*, gap: int, count: int = 3, height: int = 20, tag: str = "p", more: str = "l") -> str:
    return "".join(
        f"<{tag} {at(0, number * (height + gap), 600, height, more)}>row {number}</{tag}>" for number in range(count)
    )


MENU = f"<ul {at(0, 0, 600, 20, 'l')}><li>News</li><li>Sport</li></ul>"
COLUMNS = "".join(
    f"<div {at(*place, 400, '')}>{rows(gap=0, tag='div')}</div>" for place in ((0, 0, 300), (360, 0, 900))
)
BAR = f"<div {at(0, 0, 1280, 60, 'l b222')}>Bar</div><div {at(0, 60, 1280, 60)}>Text</div>"
HEADING = (
    f"<p {at(0, 0, 600, 20)}>Before</p><h2 {at(0, 30, 600, 30, 'l f24 w700')}>Heading</h2>"
    f"<p {at(0, 70, 600, 20)}>Behind</p>"
)
LOOSE = (
    f"<div {at(0, 0, 1280, 700, 't0,0,0,300,20 t1,0,340,300,20')}>Loose"
    f"<div {at(0, 100, 1280, 140)}>Box</div>behind it</div>"
)


def one_above_two(tag: str, below: int) -> str:
    return f"<{tag} {at(0, 0, 600, 20)}>One</{tag}><p {at(0, below, 600, 20)}>Two</p>"


@pytest.mark.parametrize(
    ("body", "coherence", "expected"),
    [
        # An element with inline content is one block, also if its tags are structural.
        (f"{MENU}<div {at(0, 300, 600, 20)}>Text</div>", 10, ["News\nSport", "Text"]),
        (rows(gap=0), 10, ["row 0\nrow 1\nrow 2"]),
        (rows(gap=80), 10, ["row 0", "row 1", "row 2"]),
        (COLUMNS, 9, ["row 0\nrow 1\nrow 2"] * 2),
        # Another background divides what touches.
        (BAR, 9, ["Bar", "Text"]),
        (BAR.replace(" b222", ""), 9, ["Bar\nText"]),
        (HEADING, 9, ["Before", "Heading\nBehind"]),
        # The same space divides a list from text, and not text from text.
        (one_above_two("p", 36), 8, ["One\nTwo"]),
        (one_above_two("ul", 36), 8, ["One", "Two"]),
        (one_above_two("ul", 20), 8, ["One\nTwo"]),
        (LOOSE, 9, ["Loose", "Box", "behind it"]),
        (LOOSE.replace("100 1280 140", "20 1280 20").replace("t1,0,340", "t1,0,40"), 9, ["Loose\nBox\nbehind it"]),
    ],
)
def test_blocks_are_what_lies_close_together_and_looks_alike(body: str, coherence: int, expected: list[str]) -> None:
    assert blocks(body, coherence) == expected


@pytest.mark.parametrize(("gap", "coherences"), [(16, [10]), (40, [8, 9, 10]), (90, [6, 7, 8, 9, 10])])
def test_the_wider_the_space_the_lower_the_coherence_of_what_is_around_it(gap: int, coherences: list[int]) -> None:
    found = [coherence for coherence in range(1, 11) if len(blocks(rows(gap=gap), coherence)) > 1]
    assert found == coherences


def test_a_line_divides_a_block_that_would_be_whole() -> None:
    def page(line: str) -> str:
        parts = "".join(f"<p {at(0, number * 45, 600, 20)}>row {number}</p>{line}" for number in range(3))
        text = f"<div {at(0, 0, 1280, 1900, '')}><p {at(0, 500, 600, 900)}>Text</p></div>"
        return f"{text}<div {at(0, 1950, 600, 130, '')}>{parts}</div>"

    assert blocks(page(""), 8)[-1] == "row 0\nrow 1\nrow 2"
    assert blocks(page(f"<hr {at(0, 30, 600, 1, 'l')}>"), 8)[-2:] == ["row 0", "row 1\nrow 2"]
    assert blocks(page(f"<hr {at(700, 30, 90, 1, 'l')}>"), 8)[-1] == "row 0\nrow 1\nrow 2"


# What pages do


@pytest.mark.parametrize("position", ["p", "a"])
def test_what_lies_over_the_page_is_a_block_by_itself_and_hides_no_space(position: str) -> None:
    wall = f"<div {at(200, -100, 800, 1800, position)}><p {at(10, 10, 700, 1600)}>Cookies</p></div>"
    assert blocks(f"<main {at(0, 0, 1280, 700, '')}>{rows(gap=80)}{wall}</main>") == [
        *("row 0", "row 1", "row 2"),
        "Cookies",
    ]


def test_text_that_is_not_shown_is_divided_by_the_dom() -> None:
    menu = "<ul><li>News<li>Sport</ul><p>Hidden</p><p>too</p>"
    assert blocks(f"{rows(gap=0, count=9)}{menu}")[1:] == ["News\nSport", "Hidden", "too"]
    for box in (at(0, 0, 1, 1), at(-9000, 0, 90, 20), at(0, 0, 90, 0)):
        assert blocks(f"{rows(gap=0, count=9)}<p {box}>{'x' * 9}</p>")[1:] == ["x" * 9]


@pytest.mark.parametrize("name", ["vips", "combined"])
def test_pages_with_boxes_for_less_than_half_of_their_text_are_divided_by_the_dom(name: str) -> None:
    body = f"<p {at(0, 0, 600, 20)}>one</p><p {at(0, 20, 600, 20)}>two</p>"
    for rest, lacks in (("<p>three</p>", False), (f"<p>{SENTENCE}</p>", True)):
        page = divided(body + rest, name=name)
        assert page.lacks_boxes is lacks
        assert texts(page)[0] == ("one" if lacks else "one\ntwo")
    by_dom = Reader(Options(segmenter="dom")).read("<title>a</title><p>one<p>two")
    without = Reader(Options(segmenter=name)).read("<title>a</title><p>one<p>two")
    assert (texts(without), without.lacks_boxes) == (texts(by_dom), True)


def test_combined_divides_long_blocks_at_two_hundred_words() -> None:
    page = rows(gap=0, count=7, more="l").replace("row", "row " + "word " * 58)
    assert len(blocks(page)) == 1
    assert [text.count("\n") + 1 for text in blocks(page, name="combined")] == [4, 3]
    wide = rows(gap=0, count=4, more="l").replace("row", "港口城市" * 30)
    assert len(blocks(wide, name="combined")) == 1
    assert len(blocks(wide.replace("港口城市" * 30, "港口城市" * 60), name="combined")) == 2


# Boxes that no browser writes


@given(ANY_HTML, st.integers(0, 99), st.sampled_from([1, 5, 9, 10]), st.sampled_from(["vips", "combined"]))
def test_whatever_the_boxes_are_all_chunks_stay_in_order(html: str, seed: int, coherence: int, name: str) -> None:
    source = boxed(f"<html><body>{html}</body></html>", seed)
    page, chunks = (
        Reader(options).read(source)
        for options in (Options(segmenter=name, method_args={"coherence": coherence}), Options())
    )
    assert page.chunks.keys.tolist() == chunks.keys.tolist()
    assert [text for text in "\n".join(texts(page)).split("\n") if text] == [
        text for text in "\n".join(texts(chunks)).split("\n") if text
    ]
    assert render_text(page, [True] * len(page.blocks)) == render_text(chunks, [True] * len(chunks.blocks))
    again = Reader(Options(segmenter=name, method_args={"coherence": coherence})).read(source)
    assert texts(again) == texts(page)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["vips", "combined"])
def test_hostile_pages_with_boxes_keep_what_is_kept(name: str) -> None:
    site = make_site(pages=12, rich=True, seed=8)
    options = bf.Options(method="chunk_frequency", segmenter=name)
    model = bf.learn((boxed(page.html, page.title) for page in site.pages[:10]), options)
    for number in range(60):
        random = Random(f"{name} {number}")
        html = boxed(mutated(site.pages[-1].html, random, random.choice((1, 4, 16))), number)
        cleaned = model.clean(html)
        assert cleaned.unchanged or take_boxes(parse(cleaned.html)) == {}
    for kind, repeated in KINDS.items():
        assert broken(model, repeated(5_000)) == [], kind


@pytest.mark.slow
def test_boxes_that_are_made_to_be_slow_are_not() -> None:
    # A spiral: each round takes one block off, along another side.
    x, y, width, height = 0, 0, 100_000, 100_000
    parts = []
    for number in range(1_500):
        side = number % 4
        if side in (0, 2):
            parts.append((x, y if side == 0 else y + height - 10, width, 10))
            y, height = y + (30 if side == 0 else 0), height - 30
        else:
            parts.append((x + width - 10 if side == 1 else x, y, 10, height))
            x, width = x + (30 if side == 3 else 0), width - 30
    body = "".join(f"<p {at(*part)}>part {number}</p>" for number, part in enumerate(parts))
    page = divided(body, 10, height=100_000)
    assert sum(text.count("\n") + 1 for text in texts(page)) == len(parts)
    deep = "".join(f"<div {at(1, 1, 9_000 - level, 9_000 - level, '')}>" for level in range(900))
    assert texts(divided(f"{deep}<p {at(0, 0, 90, 90)}>deep</p>", 10)) == ["deep"]


# The values that a browser writes


def test_a_value_tells_box_flags_style_and_texts() -> None:
    read = read_annotation("-3 8 640 20 m i f18 w700 c333 bfff t0,0,0,120,20 t2,-5,40,9,9")
    assert read.box == Rectangle(-3, 8, 640, 20)
    assert read.flags == {"m", "i"}
    assert read.style == {"f": "18", "w": "700", "c": "333", "b": "fff"}
    assert read.texts == {0: Rectangle(0, 0, 120, 20), 2: Rectangle(-5, 40, 9, 9)}


@pytest.mark.parametrize(
    "value", ["1 2 3 4 t", "1 2 3 4 t1", "1 2 3 4 t1,2,3", "1 2 3 4 t--1,2,3,4,5", "1 2 3 4 t,,,,"]
)
def test_texts_that_nothing_has_written_are_none(value: str) -> None:
    assert read_annotation(value).texts == {}


def test_coherence_is_an_argument_of_visual_segmenters() -> None:
    assert str(Options(segmenter="vips").segmentation) == "vips 8"
    assert str(Options(segmenter="combined", method_args={"coherence": "3"}).segmentation) == "combined 3"
    for value in (0, 11, 8.5, "high", None, True):
        with pytest.raises(OptionError, match=r'^BLOCKFILTER_METHOD_ARGS\["coherence"\] is .* from 1 to 10$'):
            Options(segmenter="vips", method_args={"coherence": value})
