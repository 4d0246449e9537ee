"""Parts of a block that no reader sees are in no form that shows them, and HTML has them as they were."""

from __future__ import annotations

from itertools import repeat

import parsel
import pytest

import scrapy_blockfilter as bf
from tests.support.pages import document
from tests.support.work import work_of

TEXT = "The mill on the upper brook grinds spelt again, as it did for three hundred years, and sells flour on Fridays."
MORE = "Its wheel was mended by two sisters from the valley, who had learnt the trade from the last miller there."
FORMS = ("text", "markdown", "chunks", "markdown_chunks")


def page_with(part: str) -> str:
    """A page that keeps all its text."""
    return document(f"<article><h1>The mill</h1><p>{TEXT}</p>{part}<p>{MORE}</p></article>", title="The mill")


def said(cleaned: bf.Cleaned) -> set[bool]:
    """Whether each of the forms has the word."""
    return {"secret" in str(cleaned.form(form)) for form in FORMS}


@pytest.mark.parametrize("attributes", ["hidden", "style='display:none'", "style='color: red; VISIBILITY : hidden'"])
@pytest.mark.parametrize(
    "part",
    [
        "<p>Flour is sold <span {}>secret</span> on Fridays.</p>",
        "<p>Flour is sold <span {0}>a secret <b>day</b></span> on <i {0}>secret</i> Fridays alone, in bags of 5.</p>",
        "<ul><li>Flour<small {}>, secret</small> on Fridays</li><li>Bread on Mondays</li></ul>",
        "<table><tr><td>Spelt</td><td><span {}>0secret</span> 2 kilograms, or 5</td></tr></table>",
        "Flour is sold <span {}><a href=/secret>secret</a></span> on Fridays, the miller says.",
    ],
)
def test_hidden_part_of_a_block_is_in_html_alone(part: str, attributes: str) -> None:
    cleaned = bf.clean(page_with(part.format(attributes)))
    assert said(cleaned) | {bool(cleaned.links)} == {False}
    assert "secret" in cleaned.html
    assert "Fridays" in cleaned.text.replace(TEXT, "") or "kilograms" in cleaned.text


@pytest.mark.parametrize(
    "part",
    [
        "<p>Flour is sold <span aria-hidden=true>secret</span> on Fridays.</p>",
        "<p>Flour is sold <span hidden=until-found>secret</span> on Fridays.</p>",
        "<p>Flour is sold <span hidden>for $ 19.90, secret</span> on Fridays, by the sack, at the mill.</p>",
        "<p>Flour <span hidden>is sold on Fridays, and the day is a secret</span> here.</p>",
        "<p>Flour is sold <a href='#'>…</a><span hidden>secret</span> on Fridays.</p>",
        "<p class=accordion>Flour is sold <span hidden>secret</span> on Fridays.</p>",
        "<script>show('#day')</script><p>Flour is sold <span id=day hidden>secret</span> on Fridays.</p>",
        "<p>Flour, bread and cakes <i hidden>secret</i> are <i hidden>sold</i> on <i hidden>most</i> Fridays.</p>",
    ],
)
def test_part_that_readers_see_or_that_a_click_or_script_shows_stays(part: str) -> None:
    assert said(bf.clean(page_with(part))) == {True}


def test_part_is_no_text_of_a_page_whose_selector_has_changed_since() -> None:
    selector = parsel.Selector(page_with("<p>Flour is sold <span hidden>secret</span> on Fridays.</p>"))
    cleaned = bf.clean(selector)
    selector.root.find(".//h1").text = "Another mill"
    assert said(cleaned) == {False}
    assert "The mill" in cleaned.text


@pytest.mark.parametrize(
    "part", ["<span hidden>a ", "word <span hidden>a</span> ", "<p>word <b hidden id=a>a</b> word</p>"]
)
def test_hidden_parts_are_found_in_linear_time(part: str) -> None:
    def work(count: int) -> int:
        html = page_with(f"<p>{TEXT} {''.join(repeat(part, count))} {MORE}</p>")
        return work_of(lambda: bf.clean(html).text)

    assert work(500) < 2.5 * work(250)


@pytest.mark.parametrize("part", ["<div hidden><img></div><p hidden></p>", "<dialog></dialog><i aria-hidden=true></i>"])
def test_page_of_hidden_elements_without_text_has_each_form(part: str) -> None:
    html = f"<html><body>{part}</body></html>"
    cleaned = bf.learn([html, document("<p>Menu</p>")]).clean(html)
    assert {form: cleaned.form(form) for form in FORMS} == {
        "text": "",
        "markdown": "",
        "chunks": [],
        "markdown_chunks": [],
    }
