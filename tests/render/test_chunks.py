"""The text in chunks: bounded, cut at headings, with the path of headings, and nothing lost."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scrapy_blockfilter as bf
from scrapy_blockfilter.render import render_chunks, render_text
from scrapy_blockfilter.render.chunks import LONGEST_HEADING
from tests.support.any_html import ANY_HTML
from tests.support.pages import document, segmented

SENTENCE = "The harbour reopened on Monday. "


def chunks(*body: str, characters: int = 100) -> list[dict[str, Any]]:
    page = segmented(document(*body))
    keep = [True] * len(page.blocks)
    made = render_chunks(page, keep, characters)
    assert_whole(made, render_text(page, keep), characters)
    return made


def assert_whole(made: Sequence[dict[str, Any]], text: str, characters: int) -> None:
    """Assert that chunks are the text in its order, but for white space between them."""
    end = 0
    for chunk in made:
        assert chunk.keys() == {"text", "headings", "position", "characters"}
        position = chunk["position"]
        assert 0 < chunk["characters"] == len(chunk["text"]) <= characters
        assert text[position : position + chunk["characters"]] == chunk["text"]
        assert position >= end
        assert not text[end:position].strip()
        end = position + chunk["characters"]
    assert not text[end:].strip()


def texts(made: Sequence[dict[str, Any]]) -> list[str]:
    return [chunk["text"] for chunk in made]


def test_headings_begin_chunks_that_name_them_and_those_above() -> None:
    made = chunks(
        "<p>Before all</p><h1>Harbours</h1><p>All of them.</p><h2>North</h2><p>Cold.</p><p>Wet.</p>",
        "<h3>Far north</h3><p>Ice.</p><h2>South</h2><p>Warm.</p>",
    )
    assert [(chunk["headings"], chunk["text"]) for chunk in made] == [
        ([], "Before all"),
        (["Harbours"], "Harbours\nAll of them."),
        (["Harbours", "North"], "North\nCold.\nWet."),
        (["Harbours", "North", "Far north"], "Far north\nIce."),
        (["Harbours", "South"], "South\nWarm."),
    ]


def test_headings_that_follow_each_other_begin_one_chunk() -> None:
    made = chunks("<h1>Harbours</h1><h2>North</h2><p>Cold.</p><h2>The warm south</h2><h2>East</h2><p>Dry air.</p>")
    assert [(chunk["headings"], chunk["text"]) for chunk in made] == [
        (["Harbours", "North"], "Harbours\nNorth\nCold."),
        (["Harbours", "The warm south"], "The warm south"),
        (["Harbours", "East"], "East\nDry air."),
    ]


LONG, FEW = f"<p>{SENTENCE * 4}</p>", "<p>Wet.</p>"


@pytest.mark.parametrize(
    ("body", "headings"),
    [
        (f"<p>May 2</p><h1>Harbours</h1>{LONG}", [["Harbours"]]),
        (f"<h1>Harbours</h1>{FEW}<h2>North</h2>{LONG}<h2>South</h2>{LONG}", [["Harbours"], ["Harbours", "South"]]),
        (f"<h1>A</h1><h2>B</h2>{LONG}<h3>C</h3>{FEW}<h2>D</h2>{LONG}", [["A", "B"], ["A", "D"]]),
        (f"<h1>A</h1><h2>B</h2><h3>C</h3>{LONG}<h2>D</h2>{FEW}<h3>E</h3>{LONG}", [["A", "B", "C"], ["A", "D"]]),
        ("<h1>A</h1>" + "".join(f"<h2>{n}</h2>{FEW}" for n in range(4)), [["A"]]),
        (f"<h1>A</h1>{FEW}<h1>B</h1>{LONG}", [[]]),
        (FEW, [[]]),
    ],
)
def test_a_few_characters_join_a_neighbour_under_the_headings_of_both(body: str, headings: list[list[str]]) -> None:
    assert [chunk["headings"] for chunk in chunks(body, characters=400)] == headings
    page = bf.clean(f"<body>{body}", options=bf.Options(chunk_characters=400))
    assert [chunk["headings"] for chunk in page.markdown_chunks] == headings
    assert all(chunk["characters"] <= 400 for chunk in page.markdown_chunks)
    assert "".join(re.findall(r"\w+", "".join(chunk["markdown"] for chunk in page.markdown_chunks))) == "".join(
        re.findall(r"\w+", page.markdown)
    )


def test_a_heading_in_parts_is_one_heading() -> None:
    (made,) = chunks("<h1><div>Part 1</div><div>Harbours</div></h1><p>All of them.</p>")
    assert made["headings"] == ["Part 1 Harbours"]


def test_permanent_links_are_no_part_of_headings_and_names_with_signs_are() -> None:
    made = chunks(
        '<h1>Harbours<a class="headerlink" href="#harbours">¶</a></h1><p>All of them.</p>',
        '<h2><span><a href="#c"> # </a></span>In C#</h2><p>Sharp.</p><h2>§ 12 <a href="/law">¶</a></h2><p>Law.</p>',
    )
    assert [chunk["headings"] for chunk in made] == [["Harbours"], ["Harbours", "In C#"], ["Harbours", "§ 12 ¶"]]
    assert texts(made)[0] == "Harbours¶\nAll of them."


def test_the_mark_of_an_item_is_no_part_of_its_heading() -> None:
    made = chunks("<ol><li><h2>Moor</h2><p>Well.</p></li><li><h2>2001. A year</h2><p>Then.</p></li></ol>")
    assert [chunk["headings"] for chunk in made] == [["Moor"], ["2001. A year"]]
    assert texts(made) == ["1. Moor\n  Well.", "2. 2001. A year\n  Then."]


def test_long_headings_are_short_in_paths_and_whole_in_the_text() -> None:
    made = chunks(f"<h1>{SENTENCE * 20}</h1>{'<p>Text.</p>' * 60}")
    paths = {heading for chunk in made for heading in chunk["headings"]}
    assert [len(heading) for heading in paths] == [LONGEST_HEADING]
    assert " ".join(texts(made)).count("reopened") == 20


@pytest.mark.parametrize("tag", ["ul", "ol"])
def test_lists_stay_whole_where_they_fit(tag: str) -> None:
    items = "".join(f"<li>Item of a list {number}</li>" for number in range(4))
    made = chunks(f"<p>{SENTENCE * 2}</p><{tag}>{items}</{tag}>")
    assert [text.count("Item") for text in texts(made)] == [0, 4]


def test_tables_stay_whole_where_they_fit_and_else_their_rows() -> None:
    def table(rows: int) -> str:
        return f"<table>{'<tr><td>Weight of it<td>12 kg and a half' * rows}</table>"

    assert [text.count("Weight") for text in texts(chunks(f"<p>{SENTENCE * 2}", table(3)))] == [0, 3]
    made = chunks(table(7))
    assert [text.count("Weight") for text in texts(made)] == [3, 3, 1]
    assert all(text.count("\t") == text.count("Weight") for text in texts(made))


def test_items_of_several_blocks_stay_whole_where_lists_do_not_fit() -> None:
    made = chunks(f"<ul>{'<li><p>One of the two.</p><p>The other of them.</p></li>' * 4}</ul>")
    assert [(text.count("One"), text.count("other")) for text in texts(made)] == [(2, 2), (2, 2)]


def test_a_heading_is_not_left_alone_before_a_long_paragraph() -> None:
    first, *others = texts(chunks(f"<h2>Harbours</h2><p>{SENTENCE * 6}</p>"))
    assert first == f"Harbours\n{SENTENCE * 2}".strip()
    assert all(text.endswith(".") for text in others)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (SENTENCE * 9, (SENTENCE * 3).strip()),
        (f"It is so! {'Is it “so?” ' * 20}", f"It is so! {'Is it “so?” ' * 7}".strip()),
        ("word " * 60, ("word " * 20).strip()),
        ("港口在星期一重新开放。" * 20, "港口在星期一重新开放。" * 9),
        ("彼は「港だ。」と言った。" * 20, "彼は「港だ。」と言った。" * 8),
        ("x" * 250, "x" * 100),
        ("港" * 250, "港" * 100),
        ("नमस्ते दुनिया।" * 20, "नमस्ते दुनिया।" * 7),
    ],
)
def test_longer_paragraphs_are_cut_at_sentences_else_at_white_space(text: str, first: str) -> None:
    assert texts(chunks(f"<p>{text}</p>"))[0] == first


def test_what_is_written_as_one_character_is_not_cut() -> None:
    for text in ("e" * 99 + "\u0301" * 3 + "e" * 20, "กี่" * 99):
        assert not chunks(f"<p>{text}</p>")[1]["text"].startswith(("\u0301", "ี", "่"))


def test_code_is_cut_at_lines_and_keeps_its_indentation() -> None:
    code = "".join(f"def function_{number}():\n    return {number}\n\n" for number in range(9))
    made = chunks(f"<pre>{code}</pre>")
    assert len(made) > 2
    assert all(re.match(r"def |    return", text) for text in texts(made))


def test_stripped_headings_are_in_no_path() -> None:
    page = segmented(document("<h2>Menu</h2><p>Home</p><p>Text</p>"))
    keep = [block.text == "Text" for block in page.blocks]
    assert render_chunks(page, keep, 100) == [{"text": "Text", "headings": [], "position": 0, "characters": 4}]


@given(ANY_HTML, st.integers(100, 160), st.randoms(use_true_random=False))
def test_no_text_is_lost_or_doubled(html: str, characters: int, random: Any) -> None:
    page = segmented(f"<div>{html * 3}</div>")
    keep = [random.random() < 0.8 for _ in page.blocks]
    assert_whole(render_chunks(page, keep, characters), render_text(page, keep), characters)
