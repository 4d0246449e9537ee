"""What a block is by itself, by hand."""

from __future__ import annotations

import math

import pytest

from scrapy_blockfilter.evidence.blocks import OWN, TAGS
from tests.evidencing import evidence, feature
from tests.segmenting import document


def own(html: str, block: int = 0) -> dict[str, float]:
    found = evidence(html)
    return {name: feature(found, f"text: {name}")[block] for name in OWN}


def test_a_text_by_hand() -> None:
    found = own("<p>In 1962, <a href=/ada>Ada</a> wrote: “No.” <br><img src=/i/ada.jpg><input></p>")
    # In 1962, Ada wrote: “No.”
    assert found == pytest.approx(
        {
            "weight": math.log(26),
            "link density": 3 / 25,
            "sentence ends": 100 / 25,
            "number of sentence ends": math.log(2),
            "commas": 200 / 25,
            "number of commas": math.log(3),
            "digits": 4 / 25,
            "upper case": 3 / 25,
            "symbols": 2 / 25,
            "spaces": 4 / 25,
            "wide": 0,
            "ends a sentence": 0,
            "images": 1,
            "links": 1,
            "controls": 1,
            "lines": 0,
            "title": 0,
            "date-like": 1,
            "before or after the headline": 0,
            "below a rival headline": 0,
            "same text here": 0,
            "records like it": 0,
            "share of records": 0,
            "long text before": 0,
            "long text behind": 0,
        },
        abs=1e-4,
    )


def test_a_text_of_a_script_without_spaces_by_hand() -> None:
    found = own("<p>港口<a href=/>开放</a>了。</p>")
    # Five characters that weigh three, a stop that weighs one.
    assert found["weight"] == pytest.approx(math.log(17), abs=1e-4)
    assert found["link density"] == pytest.approx(2 * 16 / 6 / 16, abs=1e-4)
    assert (found["wide"], found["ends a sentence"]) == (1, 1)


def test_counts_of_a_block_are_bounded() -> None:
    found = own(f"<p>{'<a href=/x>a</a><img src=/i.jpg><input><br>' * 50} b</p>")
    assert (found["images"], found["links"], found["controls"], found["lines"]) == (5, 10, 3, 10)


@pytest.mark.parametrize(
    ("text", "is_date"),
    [
        ("12 March 2009", 1),
        ("Posted by Ada at 10:45", 1),
        ("2009年3月12日", 1),
        ("٢٠٠٩", 1),
        ("12 March", 0),  # too few figures
        ("In 1962 the harbour was closed for a winter and a spring", 0),  # too small a share
        ("1" * 90, 0),  # too long
    ],
)
def test_a_short_line_with_figures_is_like_a_date(text: str, is_date: int) -> None:
    assert own(f"<p>{text}</p>")["date-like"] == is_date


@pytest.mark.parametrize("tag", [*TAGS[1:16], "section", "h5"])
def test_a_block_has_the_tag_of_its_element(tag: str) -> None:
    inner = {"li": "<ul><li>x</ul>", "td": "<table><tr><td>x", "th": "<table><tr><th>x", "option": "<select><option>x"}
    found = evidence(document(inner.get(tag, f"<{tag}>x</{tag}>")))
    told = [name for name in TAGS if feature(found, f"tag: {name}")[-1]]
    assert told == ([tag] if tag in TAGS and tag != "option" else [])


def test_text_is_before_or_behind_the_headline_and_below_those_of_other_articles() -> None:
    html = document(
        "<h2>Menu</h2><p>before</p><h1>Harbour reopens</h1><p>text</p><h1>Mill burns</h1><p>other</p>",
        "<h2>Below</h2><h1>Road closed</h1><p>third</p><h1>Mayor resigns</h1>",
        title="Harbour reopens | Daily Example",
    )
    found = evidence(html)
    assert feature(found, "text: before or after the headline") == [-1, -1, -1, 1, 1, 1, 1, 1, 1, 1, 1]
    assert feature(found, "text: below a rival headline") == [0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2]


@pytest.mark.parametrize(
    "page",
    [
        document("<h1>Mill burns</h1><p>text</p>", title="Harbour reopens | Daily Example"),
        document("<h1>Harbour reopens</h1><p>text</p>"),
        document("<p>Harbour reopens</p><p>text</p>", title="Harbour reopens"),
    ],
    ids=["another title", "no title", "no heading"],
)
def test_without_a_heading_like_the_title_there_is_no_headline(page: str) -> None:
    found = evidence(page)
    assert not any(feature(found, "text: before or after the headline"))
    assert not any(feature(found, "text: below a rival headline"))


def test_the_same_text_again_on_the_page_is_counted() -> None:
    found = evidence("<p>Reply</p><p>first</p><div>Reply</div><p>Reply</p>")
    assert feature(found, "text: same text here") == pytest.approx([math.log(3), 0, math.log(3), math.log(3)], abs=1e-4)


def test_long_text_before_and_behind_is_unlinked_and_of_long_blocks_alone() -> None:
    long, half = "x" * 200, "y" * 100
    found = evidence(f"<p>{long}</p><p>short</p><p>{half}<a href=/>{half}</a></p><p>end</p>")
    before = [0, math.log(201), math.log(201), math.log(301)]
    behind = [math.log(101), math.log(101), 0, 0]
    assert feature(found, "text: long text before") == pytest.approx(before, abs=1e-4)
    assert feature(found, "text: long text behind") == pytest.approx(behind, abs=1e-4)
