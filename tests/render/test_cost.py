"""No page chooses its cost: nested elements, siblings and long attributes are each read a bounded number of times."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.html import build
from scrapy_blockfilter.html.permalinks import without_permalinks
from scrapy_blockfilter.render import render_html, render_markdown
from scrapy_blockfilter.render.spelled import spell_text
from tests.support.counted import MOST, growth
from tests.support.pages import segmented, texts
from tests.support.work import work_of

pytestmark = pytest.mark.usefixtures("implementation")

WRITERS: dict[str, Callable[[str], object]] = {
    "text": lambda html: spell_text(build(html)),
    "markdown": render_markdown,
}
SHAPES: dict[str, Callable[[int], str]] = {
    "readings of a RUBY": lambda n: "<ruby>" + "a<rt>b</rt>" * n,
    "formulas in each other": lambda n: "<math>" * n + "<mi>x</mi>" * n,
    "formulas before comments": lambda n: f"<p><span>{'<math><mi>x</mi></math>' * n}</span>{'<!---->' * n}",
    "formulas before a long class": lambda n: f"<p>{'<math><mi>x</mi></math>' * n}</p><p class='{'a ' * n}'>b",
    "links in each other": lambda n: "<h2>" + "<a class=anchor href='#a'><div>" * n + "<b></b>" * n,
    "gutters in each other": lambda n: "<pre class=gutter><div class=gutter>" * n + "<b>1</b>" * n,
    "code in a long class": lambda n: f"<div class='{'a ' * n}'>{'<pre>a</pre>' * n}",
    "listings in each other": lambda n: "<pre><div>" * n + "<b>1</b>" * n,
    "lines in each other": lambda n: f"<pre>{'<div>' * n}{'<b>1</b>' * n}{'</div>' * n}</pre>",
    "code in each other": lambda n: "<code><div>" * n + "<b>1</b>" * n,
    "code beside code": lambda n: f"<p>a<sup>2</sup>{'<code>a</code>' * n}",
    "rows in each other": lambda n: f"<table>{'<tr><td class=blob-code><span>' * n}{'<b>1</b>' * n}",
    "labels of code": lambda n: "<span class=copy>Kotlin</span><pre></pre>" * n + "<pre>a</pre>" * n,
    "labels beside each other": lambda n: "<label>a</label>" * n,
    "boxes in each other": lambda n: "<span class='flex badge'>a" * n + "<b>1</b>" * n,
    "boxes of two classes": lambda n: "<p>" + "<span class=a>oak</span><span class=b>elm</span>" * n,
    "elements of other names in each other": lambda n: "<p>" + "a <x-b>" * n + "<b>1</b>" * n,
    "notes of links": lambda n: "<p>a" + "<span><a href='#fn'>1</a>" * n,
    "raised numbers in boxes": lambda n: "<p>1" + "<span><sup>1</sup>" * n,
    "players in each other": lambda n: "<video src=a>" * n + "<source src=b>" * n,
    "tables in each other": lambda n: "<table><tr><td class=blob-code>" * n + "<b>1</b>" * n,
    "tables without rows": lambda n: "<table><caption>" * n + "<b>1</b>" * n,
    "styles in each other": lambda n: "<span style='white-space:pre'>" * n + "<b>1\n2</b>" * n,
    "formulas named in each other": lambda n: "<span data-math='x^2'>" * n + "<b>1</b>" * n,
    "images before a NOSCRIPT": lambda n: f"<p>{'<img>' * n}</p><noscript>{'<b>1</b>' * n}</noscript>",
    "raised numbers of links": lambda n: "<sup>" * n + "<a>1</a>" * n,
    "images of a long source": lambda n: f"<source srcset='{'a.png 1x, ' * n}'>{'<img alt=a>' * n}",
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("form", WRITERS)
def test_twice_the_page_is_twice_the_work(shape: str, form: str) -> None:
    assert growth(WRITERS[form], SHAPES[shape], 200) < MOST


def test_formulas_whose_signs_are_long_are_their_text_alone() -> None:
    mathml = f"<math>{f'<mfenced open={chr(40) * 1_000}>' * 50}<mi>x</mi></math>"
    assert render_markdown(f"<p>{mathml}") == "x"
    few = "<math><mfenced open='[' close=']'><mi>x</mi></mfenced></math>"
    assert render_markdown(f"<p>{few}") == "$[x]$"


def test_headings_in_each_other_are_looked_through_for_links_once() -> None:
    def without_signs(html: str) -> None:
        for heading in list(build(html).iter("h1")):
            assert without_permalinks("# a", heading) == "# a"

    assert growth(without_signs, lambda n: "<h1>#<a href='#b'>" * n + "<b></b>" * n, 200) < MOST


def test_elements_that_go_between_texts_are_found_once() -> None:
    def work(count: int) -> int:
        html = "<div>" + "a<p>b</p>" * count
        page = segmented(html)
        keep = [text != "b" for text in texts(page)]
        assert render_html(page, keep, html).count("<p></p>") == count
        return work_of(lambda: render_html(page, keep, html))

    assert work(200) < MOST * work(100)


def test_links_to_a_base_too_long_to_be_repeated_stay_as_they_are() -> None:
    def linked(base: str, url: str = "") -> str:
        return bf.clean(f"<base href='{base}'><p>a <a href=b>c</a>", url=url).markdown

    assert "[c](http://a.example/d/b)" in linked("http://a.example/d/")
    assert "[c](b)" in linked(f"http://a.example/{'d' * 1_000}/")
    assert "[c](http://a.example/b)" in linked("", f"http://a.example/?{'d' * 1_000}")
