"""Words of markup in text, Markdown and chunks: formulas, raised signs, notes, ruby, spans; and dirt that goes.

A case of ``markup_cases.json`` is a part of an article. A form is right if it has the sentences around the part,
matches each pattern that it must, and none that it must not.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import scrapy_blockfilter as bf

pytestmark = pytest.mark.usefixtures("implementation")

BEFORE = (
    "The harbour of the small town was built by hand, stone upon stone, in the years before the railway came, and its "
    "keepers have written down every ship that came in since then, with the weather and the cargo of the day.",
    "Most of these books are still there, in the attic of the customs house, and two people read them every winter.",
)
AFTER = (
    "When the ice breaks up in spring, the first boats go out again, and the keepers open a new book, as their mothers "
    "and fathers did, and note the hour and the wind before they write the name of the boat.",
    "Visitors may read the old books on weekdays, if they ask for them at the door and have clean hands.",
)
CASES: dict[str, dict[str, Any]] = {
    case["name"]: case for case in json.loads(Path(__file__).with_name("markup_cases.json").read_text("utf-8"))
}


def cleaned_page(name: str) -> bf.Cleaned:
    """Return the page of a case, with all its blocks."""
    before, after = ("".join(f"<p>{line}</p>" for line in lines) for lines in (BEFORE, AFTER))
    body = f"<article><h1>The harbour books</h1>{before}{CASES[name]['html']}{after}</article>"
    html = f"<!DOCTYPE html><html lang=en><head><title>The harbour books</title></head><body>{body}</body></html>"
    return bf.learn(["<p>Another page of the site.</p>"]).clean(html, url="https://example.com/harbour/page.html")


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "markdown", "chunks"])
@pytest.mark.parametrize("name", CASES)
def test_words_of_markup_are_in_every_form(name: str, form: str) -> None:
    case, made = CASES[name], cleaned_page(name).form(form)
    if form == "chunks":
        made = "\n".join(chunk["text"] for chunk in made)
    own = "markdown" if form == "markdown" else "text"
    for pattern in case["has"] + case.get(own, []):
        assert re.search(pattern, made), made
    for pattern in case["has_not"] + case.get(f"{own}_not", []):
        assert not re.search(pattern, made), made
    assert all(" ".join(line.split()[:6]) in " ".join(made.split()) for line in (*BEFORE, *AFTER)), made


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "headings" in case])
def test_deep_headings_are_in_the_path_of_their_chunk_and_once_in_its_text(name: str) -> None:
    headings, cleaned = CASES[name]["headings"], cleaned_page(name)
    for chunks, form in ((cleaned.chunks, "text"), (cleaned.markdown_chunks, "markdown")):
        assert [chunk["headings"][1:] for chunk in chunks if chunk["headings"][-1] == headings[-1]] == [headings]
        written = "\n".join(chunk[form] for chunk in chunks)
        assert [written.count(heading) for heading in headings] == [1] * len(headings)


def text_of(html: str) -> str:
    return bf.learn(["<p>Another page.</p>"]).clean(html).text


# Markup, and the text that it means.
MEANT: dict[str, str] = json.loads(Path(__file__).with_name("meant_texts.json").read_text("utf-8"))


@pytest.mark.parametrize(("html", "text"), MEANT.items())
def test_text_says_what_markup_means(html: str, text: str) -> None:
    assert text_of(html) == text


def test_formulas_of_any_depth_are_written_or_left_as_their_text() -> None:
    html = "<p>" + "<math>" + "<msqrt>" * 150 + "<mi>x</mi>" + "</msqrt>" * 150 + "</math> end"
    assert text_of(html).count("x") == 1
    long = f"<p><math><mi>{'x' * 5_000}</mi></math> end"
    assert text_of(long) == f"{'x' * 5_000} end"


def test_blocks_and_html_are_those_of_the_page() -> None:
    html = "<p>x<sup>2</sup></p>"
    cleaned = bf.learn(["<p>Another page.</p>"]).clean(html)
    assert [block.text for block in cleaned.blocks] == ["x2"]
    assert cleaned.html == html


def test_formula_counts_by_what_it_writes_and_not_by_its_indentation() -> None:
    summand = "<msub><mi>a</mi><mi>k</mi></msub><mo>+</mo>".replace("<", "\n" + " " * 90 + "<")
    math = f"<math display=block>{summand * 20}<mi>c</mi></math>"
    cleaned = bf.clean(f"<h1>Sums of the quay</h1><p>A sum that everyone knows well.</p>{math}<p>It converges.</p>")
    assert cleaned.markdown.count("$$") == 2
    assert cleaned.text.count("a_k") == 20
