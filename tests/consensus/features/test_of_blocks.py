"""Features of a block by itself, worked out by hand."""

from __future__ import annotations

import math

import pytest

from scrapy_blockfilter.consensus.features.of_blocks import OWN, TAGS
from tests.support.networks import evidence, feature
from tests.support.pages import document


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
            "date": 1,
            "price": 0,
            "label": 0,
            "before or after the headline": 0,
            "below a rival headline": 0,
            "same text here": 0,
            "same text before": 0,
            "records like it": 0,
            "share of records": 0,
            "long text before": 0,
            "long text behind": 0,
            "heading above: weight": -1,
            "heading above: title": -1,
            "heading above: on share of pages": -1,
            "since the heading": 0,
            "section: plain text": math.log(23),
            "section: link density": 3 / 25,
            "section: blocks": math.log(2),
            "before it: on share of pages": 0,
            "behind it: on share of pages": 0,
            "before it: weight": 0,
            "behind it: weight": 0,
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
    ("text", "is_date", "is_price", "is_label"),
    [
        ("12 March 2009", 1, 0, 0),
        ("$ 19.99", 0, 1, 0),
        ("12 March: £5", 1, 1, 0),
        ("Weight:", 0, 0, 1),
        ("重量：", 0, 0, 1),
        ("SKU 48213", 0, 0, 0),
        ("Weight: 5 kg", 0, 0, 0),
    ],
)
def test_dates_prices_and_labels_are_told(text: str, is_date: int, is_price: int, is_label: int) -> None:
    found = own(f"<p>{text}</p>")
    assert (found["date"], found["price"], found["label"]) == (is_date, is_price, is_label)


# Without the TITLE, and those in whose place the element around counts.
_BOXES = [tag for tag in TAGS if tag not in ("title", "option", "a", "span", "button", "label")]


@pytest.mark.parametrize("tag", [*_BOXES, "section", "address"])
def test_a_block_has_the_tag_of_its_element(tag: str) -> None:
    inner = {"li": "<ul><li>x</ul>", "td": "<table><tr><td>x", "th": "<table><tr><th>x"}
    found = evidence(document(inner.get(tag, f"<{tag}>x</{tag}>")))
    told = [name for name in TAGS if feature(found, f"tag: {name}")[-1]]
    assert told == ([tag] if tag in TAGS else [])


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
    found = evidence("<p>Reply</p><p>first</p><div>Reply</div><p>Reply</p><p>first</p>")
    two, three = math.log(2), math.log(3)
    assert feature(found, "text: same text here") == pytest.approx([three, two, three, three, two], abs=1e-4)
    assert feature(found, "text: same text before") == pytest.approx([0, 0, two, three, two], abs=1e-4)


def test_long_text_before_and_behind_is_unlinked_and_of_long_blocks_alone() -> None:
    long, half = "x" * 200, "y" * 100
    found = evidence(f"<p>{long}</p><p>short</p><p>{half}<a href=/>{half}</a></p><p>end</p>")
    before = [0, math.log(201), math.log(201), math.log(301)]
    behind = [math.log(101), math.log(101), 0, 0]
    assert feature(found, "text: long text before") == pytest.approx(before, abs=1e-4)
    assert feature(found, "text: long text behind") == pytest.approx(behind, abs=1e-4)


# Three other pages, of which two have the heading of the second section.
SECTIONS = document(
    "<p>Before all.</p>",
    "<h2>Boats of the harbour</h2><p>Ten of them lie <a href=/in>in it.</a></p><p>Small ones</p><ul><li>Two</li></ul>",
    "<div><h3>Prices</h3></div>",
    "<table><tr><th>Berth</th><td>$ 5</td></tr></table>",
    title="Boats of the harbour",
)
OTHERS = (
    document("<h3>Prices</h3>"),
    document("<p>Prices</p><table><tr><th>Berth</th></tr></table>"),
    document("<p>Something else</p>"),
)
BOATS, PRICES = 2, 6


def told(name: str) -> list[float]:
    return feature(evidence(SECTIONS, *OTHERS), f"text: {name}")


def test_the_last_heading_before_a_block_is_that_above() -> None:
    assert evidence(SECTIONS, *OTHERS).headings.tolist() == [-1, -1, *[BOATS] * 4, *[PRICES] * 3]


@pytest.mark.parametrize(("tag", "is_heading"), [(f"h{rank}", True) for rank in range(1, 7)] + [("p", False)])
def test_headings_of_every_rank_are_above(tag: str, is_heading: bool) -> None:
    found = evidence(document(f"<p>Intro</p><{tag}>Boats</{tag}><div><p>Text</p></div>"))
    assert found.headings.tolist() == ([-1, 1, 1] if is_heading else [-1, -1, -1])


def test_a_block_is_told_what_the_heading_above_is_like() -> None:
    boats, prices = (pytest.approx(math.log1p(len(text)), abs=1e-4) for text in ("Boats of the harbour", "Prices"))
    assert told("heading above: weight") == [-1, -1, *[boats] * 4, *[prices] * 3]
    assert told("heading above: title") == [-1, -1, *[1] * 4, *[0] * 3]
    share = pytest.approx(2 / 3, abs=1e-4)
    assert told("heading above: on share of pages") == [-1, -1, *[0] * 4, *[share] * 3]


def test_text_between_the_heading_and_a_block_is_counted() -> None:
    title, ten, small = (len(text) for text in ("Boats of the harbour", "Ten of them lie in it.", "Small ones"))
    # A heading itself stands right above what follows; without one it is the start of the page.
    since = [0, title, 0, 0, ten, ten + small, 0, 0, len("Berth")]
    assert told("since the heading") == pytest.approx([math.log1p(chars) for chars in since], abs=1e-4)


def test_a_section_is_what_follows_a_heading_up_to_the_next() -> None:
    plain = [len("Boats of the harbour") + len("Before all."), len("Ten of them lie Small onesTwo"), len("Berth$ 5")]
    of_blocks = [plain[0]] * 2 + [plain[1]] * 4 + [plain[2]] * 3
    assert told("section: plain text") == pytest.approx([math.log1p(chars) for chars in of_blocks], abs=1e-4)
    linked = len("in it.")
    density = linked / (plain[1] + linked)
    assert told("section: link density") == pytest.approx([0] * 2 + [density] * 4 + [0] * 3, abs=1e-4)
    blocks = [2] * 2 + [4] * 4 + [3] * 3
    assert told("section: blocks") == pytest.approx([math.log1p(count) for count in blocks], abs=1e-4)


def test_a_block_is_told_what_stands_before_and_behind_it() -> None:
    # A label that other pages have before a value that none has.
    label, value = 7, 8
    assert told("behind it: on share of pages")[label - 1 :] == pytest.approx([1 / 3, 0, 0], abs=1e-4)
    assert told("before it: on share of pages")[label:] == pytest.approx([2 / 3, 1 / 3], abs=1e-4)
    weights = [math.log1p(len(text)) for text in ("Berth", "$ 5")]
    assert told("before it: weight")[value] == pytest.approx(weights[0], abs=1e-4)
    assert told("behind it: weight")[label] == pytest.approx(weights[1], abs=1e-4)
    assert (told("before it: weight")[0], told("behind it: weight")[value]) == (0, 0)
