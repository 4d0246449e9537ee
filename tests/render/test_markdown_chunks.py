"""Markdown in chunks: bounded, each Markdown by itself, nothing lost, and nothing that was text becomes markup."""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import Any

import pytest

pytest.importorskip("markdown_it")

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.render import render_markdown
from scrapy_blockfilter.render.markdown_chunks import render_markdown_chunks
from stress.hostile import soup
from tests.support.any_html import ANY_HTML
from tests.support.inert import live_markup

SENTENCE = "The harbour reopened on Monday. "


def chunks(*body: str, characters: int = 100) -> list[dict[str, Any]]:
    markdown = render_markdown("".join(body), "http://example.com/")
    made = render_markdown_chunks(markdown, characters)
    check(made, markdown, characters)
    return made


def check(made: list[dict[str, Any]], markdown: str, characters: int) -> None:
    before = -1
    for chunk in made:
        assert chunk.keys() == {"markdown", "headings", "position", "characters"}
        assert 0 < chunk["characters"] == len(chunk["markdown"]) <= characters
        assert before < chunk["position"] < len(markdown)
        before = chunk["position"]


def texts(made: list[dict[str, Any]]) -> list[str]:
    return [chunk["markdown"] for chunk in made]


def words(*markdown: str) -> Counter[str]:
    """The words that a reader sees."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    seen: list[str] = []
    for text in markdown:
        for token in parser.parse(text):
            seen += [token.content] if token.type == "fence" else []
            seen += [child.content for child in token.children or () if child.type in ("text", "code_inline")]
    return Counter(re.findall(r"\w+", " ".join(seen)))


def fences(markdown: str) -> list[tuple[str, str]]:
    return [(token.info, token.content) for token in MarkdownIt().parse(markdown) if token.type == "fence"]


def test_headings_begin_chunks_that_name_them_and_those_above() -> None:
    made = chunks(
        "<p>Before all</p><h1>All <em>Harbours</em></h1><p>Each.</p><h2>In C# of <a href=/n>1999</a></h2><p>Cold.</p>",
        "<pre># no heading</pre><h2>South</h2><h3>East</h3><p>Warm.</p>",
    )
    assert [(chunk["headings"], chunk["markdown"]) for chunk in made] == [
        ([], "Before all"),
        (["All Harbours"], "# All *Harbours*\n\nEach."),
        (
            ["All Harbours", "In C# of 1999"],
            "## In C# of [1999](http://example.com/n)\n\nCold.\n\n```\n# no heading\n```",
        ),
        (["All Harbours", "South", "East"], "## South\n\n### East\n\nWarm."),
    ]


@pytest.mark.parametrize(
    "whole",
    [
        "<ul><li>One</li><li>Two<ul><li>Three</li></ul></li></ul>",
        "<table><tr><th>Day</th><th>Ships</th></tr><tr><td>Monday</td><td>12</td></tr></table>",
        "<pre>def f():\n\n    return 1\n</pre>",
        "<blockquote><p>One</p><p>Two</p></blockquote>",
    ],
)
def test_lists_tables_code_and_quotations_that_fit_are_whole(whole: str) -> None:
    alone = render_markdown(whole)
    assert texts(chunks(f"<p>{SENTENCE * 3}</p>", whole, f"<p>{SENTENCE * 3}</p>"))[1].strip() == alone.strip()


def test_each_part_of_a_long_table_has_its_header() -> None:
    table = "<table><tr><th>Day</th><th>Ships</th></tr>{}</table>"
    made = chunks(table.format("".join(f"<tr><td>Day {n}</td><td>{n} ships</td></tr>" for n in range(12))))
    assert len(made) > 2
    for text in texts(made):
        header, delimiters, *lines = text.split("\n")
        assert (header, set(delimiters)) == ("| Day | Ships |", {"|", " ", "-"})
        assert all(re.fullmatch(r"\| Day \d+ \| \d+ ships \|", line) for line in lines)
    assert sum(text.count(" ships ") for text in texts(made)) == 12
    assert texts(chunks(table.format(f"<tr><td>Monday<td>{SENTENCE * 9}")))[0].startswith("| Day | Ships |\n")


@pytest.mark.parametrize("inside", ["{}", "<ul><li>A{}</li></ul>", "<blockquote>{}</blockquote>"])
def test_each_part_of_long_code_is_a_fence(inside: str) -> None:
    code = "".join(f"line_{number}()\n" for number in range(30))
    made = chunks(inside.format(f"<pre><code class=language-py>{code}</code></pre>"))
    found = [fence for text in texts(made) for fence in fences(text)]
    assert len(found) > 3
    assert {language for language, _ in found} == {"py"}
    assert "".join(content for _, content in found) == code
    assert not any("line_" in re.sub(r"(?s)```.*?```", "", text) for text in texts(made))


def test_long_lists_are_divided_between_items_which_keep_their_numbers() -> None:
    items = "".join(f"<li>{SENTENCE}</li>" for _ in range(8))
    made = texts(chunks(f"<ol>{items}<li><p>{SENTENCE * 5}</p></li><li>Last</li></ol>"))
    assert [re.findall(r"^\d+", text, re.MULTILINE) for text in made][:4] == [
        ["1", "2"],
        ["3", "4"],
        ["5", "6"],
        ["7", "8"],
    ]
    assert made[4].startswith("9. The harbour")
    assert made[-1].endswith("10. Last")


def test_links_emphasis_and_code_are_not_cut_open() -> None:
    link = '<a href="/harbours">The harbour. It is open</a>'
    for part in (link, "<b>The harbour. It is open</b>", "<code>The harbour. It is open</code>"):
        alone = render_markdown(part, "http://example.com/").strip()
        for before in range(40, 100, 7):
            assert any(alone in text for text in texts(chunks(f"<p>{'x ' * (before // 2)}{part} {SENTENCE * 3}</p>")))


def test_a_part_of_a_paragraph_does_not_become_a_block() -> None:
    for mark in ("#", "-", "12.", "&gt;", "|", "~~~"):
        made = texts(chunks(f"<p>{SENTENCE * 3}{mark} {SENTENCE * 3}</p>", characters=100))
        assert [fence for text in made for fence in fences(text)] == []
        tokens = {token.type for text in made for token in MarkdownIt().parse(text)}
        assert tokens == {"paragraph_open", "inline", "paragraph_close"}


@given(ANY_HTML, st.integers(100, 160))
def test_no_word_is_lost(html: str, characters: int) -> None:
    try:
        markdown = render_markdown(html, "http://example.com/")
    except UnfitPage:
        return
    made = render_markdown_chunks(markdown, characters)
    check(made, markdown, characters)
    # What is longer than a chunk is cut anywhere, and headers of tables are repeated.
    if all(len(word) < characters // 4 for word in markdown.split()):
        assert not words(markdown) - words(*texts(made))
        if "|" not in markdown:
            assert words(markdown) == words(*texts(made))


ATTACK = "&lt;img onerror=x&gt;"


@pytest.mark.parametrize(
    "html",
    [
        f"<p><code>{ATTACK * 30}</code></p>",
        f"<p><code>{'`' * 90}{ATTACK * 9}</code></p>",
        f"<pre>{'`' * 90}{ATTACK * 9}</pre>",
        f"<pre>{ATTACK * 30}</pre>",
        "<ul><li>" * 30 + f"<pre>{ATTACK * 9}\n\n{ATTACK * 9}</pre>",
        "<blockquote>" * 30 + f"<pre>{ATTACK * 9}\n\n{ATTACK * 9}</pre>",
        f"<table><tr><th>a<th>b<tr><td><code>{ATTACK * 9}</code><td>{'x. ' * 50}</table>",
        f"<p>{'x' * 97}{ATTACK * 30}",
        *(f"<p>{'x' * number}{ATTACK}{'x' * 100}" for number in range(80, 100)),
        f"<p>{SENTENCE * 3}<code>`` {ATTACK}</code> {SENTENCE * 3}",
        f"<h2><code>{ATTACK * 30}</code></h2>",
        f"<p>{'`' * 5} \\` <code>{ATTACK}. {ATTACK}. {ATTACK}. {ATTACK}. {ATTACK}.</code> {'x. ' * 40}",
    ],
)
def test_text_and_code_that_are_cut_do_not_become_markup(html: str) -> None:
    assert [found for text in texts(chunks(html)) for found in live_markup(text)] == []


@pytest.mark.parametrize("seed", range(60))
def test_nothing_of_a_hostile_page_acts_in_a_chunk(seed: int) -> None:
    html = soup(Random(seed), 60)
    try:
        markdown = render_markdown(html, "http://example.com/")
    except UnfitPage:
        return
    made = render_markdown_chunks(markdown, 100)
    check(made, markdown, 100)
    if not live_markup(markdown):
        assert [found for text in texts(made) for found in live_markup(text)] == []
