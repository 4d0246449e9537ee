"""Cleaned pages as Markdown: the form of each element, and no active content in any viewer."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.render import render_markdown

URL = "https://example.com/docs/page.html"
CASES: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name("markdown_cases.json").read_text("utf-8"))


@pytest.mark.parametrize(("html", "markdown"), CASES["things"].items())
def test_each_thing_has_its_form_and_permanent_links_of_headings_have_none(html: str, markdown: str) -> None:
    assert render_markdown(html) == markdown


@pytest.mark.parametrize(("html", "markdown"), CASES["addresses"].items())
def test_links_and_images_are_absolute_and_lead_somewhere(html: str, markdown: str) -> None:
    assert render_markdown(html, URL) == markdown


def test_links_of_a_file_stay_as_they_are() -> None:
    assert render_markdown("<a href=/a>x</a> <a href=b>y</a>", "file:///home/archive/page.html") == "[x](/a) [y](b)"


@pytest.mark.parametrize(("html", "language"), CASES["languages"].items())
def test_code_has_the_language_that_the_page_names(html: str, language: str) -> None:
    assert render_markdown(html) == f"```{language}\nx\n```"


HEXO = """<figure class="highlight python"><table><tr><td class="gutter"><pre><span class="line">1</span><br>
<span class="line">2</span><br></pre></td><td class="code"><pre><span class="line">a</span><br>b</pre></td></tr></table>
</figure>"""


def test_numbers_of_lines_go_and_the_language_of_their_figure_stays() -> None:
    assert render_markdown(HEXO) == "```python\na\nb\n```"
    assert render_markdown(HEXO.replace(">2<", ">two<")).count("two") == 1
    assert render_markdown("<figure class='wide python'><div><div><pre>x</pre></div></div></figure>") == "```\nx\n```"


def test_language_around_a_table_with_numbers_of_lines_is_that_of_its_code() -> None:
    for name in ("language-go highlight", "highlight-go wide"):
        table = HEXO.replace("highlight python", name).replace("figure", "div")
        assert render_markdown(table) == render_markdown(f"<div>{table}</div>") == "```go\na\nb\n```"
    wide = "<div class=language-go><p>One</p><p>Two</p><div><div><pre>x</pre></div></div></div>"
    assert render_markdown(wide) == "One\n\nTwo\n\n```\nx\n```"


@pytest.mark.parametrize(("html", "markdown"), CASES["strong"].items())
def test_strong_text_beside_letters_has_asterisks_where_they_mark(html: str, markdown: str) -> None:
    assert render_markdown(f"<p>{html}</p>") == markdown


@pytest.mark.parametrize(("html", "markdown"), CASES["formulas"].items())
def test_formulas_are_written_without_escapes_where_nothing_in_them_acts(html: str, markdown: str) -> None:
    assert render_markdown(f"<p>{html}</p>") == markdown


@pytest.mark.parametrize(("html", "markdown"), CASES["tables"].items())
def test_tables_of_values_are_tables_and_those_that_lay_out_are_none(html: str, markdown: str) -> None:
    assert render_markdown(f"<table>{html}</table>") == markdown


@pytest.mark.parametrize(
    "make",
    [
        "<div>a".__mul__,
        "<ul><li>a".__mul__,
        "<blockquote><p>a</p>".__mul__,
        "<table><tr><td>a".__mul__,
        "<b>a".__mul__,
        "<table><tr><td colspan=9999 rowspan=9999>a".__mul__,
        lambda n: "<table>" + "<tr><td colspan=9999 rowspan=9999>a<td>a" * n,
        lambda n: "<ul><li><ol><li><blockquote><pre>a</pre>" * (n // 4),
    ],
)
def test_pages_that_are_deep_or_wide_come_out_whole_and_in_bounds(make: Callable[[int], str]) -> None:
    html = make(400)
    markdown = render_markdown(html)
    assert "<" not in markdown.replace("<strong>", "").replace("</strong>", "")
    assert markdown.count("a") == html.count(">a")
    assert len(markdown) < 30 * len(html)


@pytest.mark.parametrize(
    "html",
    [
        "<frameset><frame src=x><noframes>Hello <b>you</b> all<script>alert(1)</script></noframes></frameset>",
        "<frameset><frame src=x><noframes><body><p>Hello <b>you</b> all</p></body></noframes></frameset>",
        "<html><head><title>T</title></head><frameset><frame src=x><p>Hello <b>you</b> all</p></frameset></html>",
        "<html><frameset><frame src=x></frameset><body><p>Hello <b>you</b> all</p></body></html>",
        "<p><noembed>Hello <b>you</b> all</noembed>",
        "<object data=x><param name=a value=b><embed src=x>Hello <b>you</b> all</object>",
    ],
)
def test_what_stands_in_for_frames_is_there(html: str) -> None:
    assert render_markdown(html) == "Hello **you** all"


def test_what_stands_in_for_frames_and_is_too_deep_is_there_as_text() -> None:
    markup = "<i>" * 3_000 + "deep"
    assert markup in render_markdown(f"<frameset><noframes>{markup}</noframes></frameset>")
    assert render_markdown("a<noframes> </noframes><noembed><!-- b --></noembed>c") == "a\n\nc"


def wide_table(rows: int) -> str:
    return "<table><tr>" + "<td>w" * 100 + "<tr><td>a" * rows + "</table>"


def test_tables_of_mostly_empty_cells_are_plain_blocks_and_that_is_told() -> None:
    told: list[str] = []
    assert render_markdown(wide_table(20), tell=told.append).count("|") == 101 * 22
    assert told == []
    many = wide_table(20_000)
    markdown = render_markdown(many, tell=told.append)
    assert told == ["wide_table"]
    assert "|" not in markdown
    assert markdown.count("a") == 20_000
    assert len(markdown) < len(many)
    assert render_markdown(f"<table><tr>{'<td>a' * 101}</table>") == "\n\n".join("a" * 101)


@pytest.mark.parametrize(
    "row", ["<tr><td>a", "<tr><td>a<td>b", "<tr><td colspan=99>a<td>", "<tr><td rowspan=99>a", "<tr>"]
)
def test_many_tables_together_stay_within_bounds(row: str) -> None:
    table = "<table><tr><td colspan=100>w<td>" + row * 9 + "</table>"
    assert len(render_markdown(table * 300)) < 6 * len(table * 300)


def test_a_page_says_that_its_markdown_is_simpler() -> None:
    cleaned = bf.learn(PAGES).clean(wide_table(20_000))
    assert cleaned.simplified == []
    assert "|" not in cleaned.markdown
    assert cleaned.simplified == ["wide_table"]


PAGES = [
    f"<p>Menu</p><h1>On {word}</h1><p>All <a href='{word}'>of {word}</a>.</p><ul><li>Foot</ul>"
    for word in ("a", "b", "c")
]


def test_cleaned_pages_give_markdown_by_their_address() -> None:
    cleaned = bf.learn(PAGES).clean(PAGES[1], url="http://example.com/x/")
    assert cleaned.markdown == "# On b\n\nAll [of b](http://example.com/x/b)."
    assert cleaned.markdown is cleaned.markdown


@pytest.mark.parametrize("base", ["http://[", "http://\ud800/", "//]"])
def test_a_base_that_is_no_address_leaves_links_as_they_are(base: str) -> None:
    page = f"<html><head><base href='{base}'></head><body>{PAGES[1]}</body></html>"
    assert "[of b](b)" in bf.learn(PAGES).clean(page).markdown
    assert "[of b](b)" in bf.learn(PAGES).clean(PAGES[1], url=base).markdown


@pytest.mark.parametrize("start", ["<x-card>One</x-card>", "<x-card>One", "<title>T</title><x-card>One<p>Two"])
def test_page_whose_body_begins_with_an_unknown_element_keeps_it(start: str) -> None:
    html = f"<!DOCTYPE html><title>Title</title><style>p{{}}</style><noscript>No</noscript>{start}<p>Three"
    markdown = render_markdown(html)
    assert markdown.startswith("One")
    assert markdown.endswith("Three")
    assert not {"Title", "No", "p{}"} & set(markdown.split())


@pytest.mark.parametrize("odd", ["\x01", "\x08", "&#x1f;", "\ufffe", "\ufdd0", "&#1;"])
def test_control_characters_beside_formulas_do_not_raise(odd: str) -> None:
    for text in (f"a {odd} $x^2$ b", f"$x^2$ {odd}", f"a{odd} \\(x^2\\)", f"<b>q</b> $x^2$ {odd}"):
        assert "$x^2$" in render_markdown(f"<p>{text}</p>")
    assert "^2" in render_markdown(f"<p>$x{odd}^2$</p>")
