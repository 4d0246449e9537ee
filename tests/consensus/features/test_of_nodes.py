"""Features of a block's surroundings on page and site, and of similar records."""

from __future__ import annotations

import math

import pytest

from scrapy_blockfilter.consensus import Evidence
from tests.support.networks import evidence, feature
from tests.support.pages import document


def level(found: Evidence, number: int, name: str, block: int = 0) -> float:
    return feature(found, f"level {number}: {name}")[block]


PAGE = document(
    "<div class=story><p>A harbour.</p><p>A boat.</p></div>",
    "<ul><li><a href=/>Home</a></li><li><a href=/news>News</a></li></ul>",
)


def test_each_level_out_holds_more_of_the_page() -> None:
    found = evidence(PAGE)
    total = len("A harbour.A boat.HomeNews")
    shares = [level(found, number, "here: share of page") for number in range(4)]
    assert shares == pytest.approx([10 / total, 17 / total, 1, 1], abs=1e-4)
    links = [level(found, number, "here: link density") for number in range(4)]
    assert links == pytest.approx([0, 0, 8 / total, 8 / total], abs=1e-4)
    item = [level(found, number, "here: link density", 2) for number in range(4)]
    assert item == pytest.approx([1, 1, 8 / total, 8 / total], abs=1e-4)
    assert level(found, 1, "here: blocks") == pytest.approx(math.log(3), abs=1e-4)
    assert level(found, 1, "here: weight") == pytest.approx(math.log(18), abs=1e-4)


def test_levels_on_the_site_tell_what_the_slot_holds_on_other_pages() -> None:
    other = document("<div class=story><p><a href=/x>One of the links</a></p><p>A boat.</p></div>")
    found = evidence(PAGE, other)
    assert level(found, 1, "here: link density") == 0
    assert level(found, 1, "on the site: link density") == pytest.approx(16 / 23, abs=1e-4)
    assert level(found, 1, "on share of pages") == 1
    menu = [level(found, number, name, 2) for number in (0, 1) for name in ("on the site: weight", "on share of pages")]
    assert menu == [0, 0, 0, 0]


def test_repeated_text_is_told_at_each_level() -> None:
    found = evidence(PAGE, document("<div class=story><p>A boat.</p></div>"))
    assert [level(found, 0, "here: repeated", block) for block in range(4)] == [0, 1, 0, 0]
    assert level(found, 1, "here: repeated") == pytest.approx(7 / 17, abs=1e-4)


def test_a_page_of_a_slot_with_other_names_is_known_by_its_tags() -> None:
    pages = [document(f"<div class=post-{name}><p>Text about {name}.</p></div>") for name in ("ada", "bob")]
    found = evidence(document("<div class=post-cyd><p>Text about Cyd.</p></div>"), *pages)
    assert level(found, 0, "on share of pages") == 1
    assert level(found, 0, "on the site: weight") == pytest.approx(math.log1p(len("Text about Ada.")), abs=1e-4)


def test_nodes_like_it_share_the_style_path() -> None:
    found = evidence(PAGE)
    assert [level(found, 0, "nodes like it", block) for block in range(4)] == pytest.approx([math.log(2)] * 4, abs=1e-4)
    assert level(found, 1, "nodes like it") == 0


def test_the_title_is_told_in_or_beside() -> None:
    html = document(
        "<div><h1>Harbour reopens</h1><p>text</p></div><div><h1>Mill burns</h1><p>more</p></div>",
        title="Harbour reopens",
    )
    found = evidence(html)
    assert [level(found, 1, "title", block) for block in range(1, 5)] == [1, 1, 0, 0]
    assert [level(found, 1, "title elsewhere", block) for block in range(1, 5)] == [0, 0, 1, 1]
    # The TITLE itself is no headline.
    assert level(found, 0, "title", 0) == 0
    assert [level(found, 1, "headings", block) for block in range(1, 5)] == pytest.approx([math.log(2)] * 4, abs=1e-4)


def comments(count: int, *, date: str = "12 March 2009", text: str = "What a fine harbour it is, I say.") -> str:
    return "".join(
        f"<div class={'odd' if number % 2 else 'even'}><h4>Reader</h4><p>{date}</p><p>{text}</p></div>"
        for number in range(count)
    )


def records(html: str) -> list[float]:
    return [round(math.expm1(value), 2) for value in feature(evidence(html), "text: records like it")]


def test_like_subtrees_with_a_date_and_text_are_records() -> None:
    html = document(f"<p>Content of the page.</p>{comments(3)}")
    assert records(html) == [0] + 9 * [3]
    share = feature(evidence(html), "text: share of records")
    inside = 3 * len("Reader12 March 2009What a fine harbour it is, I say.")
    assert share[0] == 0
    assert share[1:] == pytest.approx([inside / (inside + len("Content of the page."))] * 9, abs=1e-4)


@pytest.mark.parametrize(
    "html",
    [
        comments(1),
        comments(3, date="March"),
        comments(3, text=""),
        comments(3, text="<a href=/x>What a fine harbour it is, I say.</a>"),
        comments(3, text="</p><p>10:45</p><p>10:46</p><p>10:47</p><p>What a fine harbour it is, I say."),
    ],
    ids=["alone", "no date", "hardly any text", "links", "a table of dates"],
)
def test_what_is_alone_or_lacks_date_or_text_is_no_record(html: str) -> None:
    assert not any(records(document(html)))


def test_a_record_in_another_counts_as_the_one_with_more_like_it() -> None:
    # Two threads of two replies each, in a list of their own: all are in one of two.
    reply = "<div><p>12 March 2009</p><p>What a fine harbour it is, I say.</p></div>"
    assert records(document(f"<ul><li>{reply}</li><li>{reply}</li><li>{reply}</li></ul>")) == [3] * 6


def run(html: str, name: str, block: int = 0, number: int = 0) -> float:
    return level(evidence(html), number, name, block)


def test_siblings_of_one_tag_are_a_run_whatever_their_names() -> None:
    html = document("<ul><li class=odd>one</li><li class=even>two</li><li>three</li></ul><p>alone</p><div>other</div>")
    found = evidence(html)
    assert [level(found, 0, "run", block) for block in range(5)] == pytest.approx([math.log(3)] * 3 + [0, 0], abs=1e-4)


def test_nodes_without_text_and_those_elsewhere_make_no_run() -> None:
    apart = document("<div><p>one</p></div><div><p>two</p><p></p></div>")
    assert run(apart, "run") == run(apart, "run", 1) == 0
    # Where the elements around them hold more, they are a run.
    items = document("<ul><li><h4>one</h4><p>first</p></li><li><h4>two</h4><p>second</p></li></ul>")
    assert [run(items, "run", block, 1) for block in range(4)] == pytest.approx([math.log(2)] * 4, abs=1e-4)


def test_a_run_is_told_by_its_share_of_the_unlinked_text() -> None:
    html = document("<ul><li>four</li><li>four<a href=/>link</a></li></ul><p>12345678</p>")
    assert [run(html, "run: share of plain text", block) for block in range(3)] == [0.5] * 3
    assert [level(evidence(html), 0, "share of plain text", block) for block in range(3)] == [0.25, 0.25, 0.5]


def test_a_run_is_told_by_how_unlike_its_nodes_are() -> None:
    alike = document("<ul><li><p>a</p><p>b</p></li><li><p>c</p><p>d</p></li></ul>")
    assert run(alike, "run: unlike", 0, 1) == 0
    # One block and three: two in the mean, one off.
    unlike = document("<ul><li><p>a</p></li><li><p>b</p><p>c</p><p>d</p></li></ul>")
    assert run(unlike, "run: unlike", 1, 1) == pytest.approx(0.5, abs=1e-4)
    # So unlike is one of very many.
    most = "".join("<li>x</li>" for _ in range(200))
    assert run(document(f"<ul>{most}<li>{'<p>y</p>' * 4000}</li></ul>"), "run: unlike") == 3


def test_a_run_is_told_by_its_dates_and_what_stands_before_it() -> None:
    posts = "".join(f"<div><p>{day} March 2009, 10:45</p><p>A post.</p></div>" for day in (1, 2))
    text = "x" * 200
    below = document(f"<p>{text}</p><section>{posts}</section>")
    assert run(below, "run: dates", 1, 1) == 1
    # What stands before the first is told of all.
    assert [run(below, "run: long text before", block, 1) for block in (1, 3)] == pytest.approx(
        [math.log(201)] * 2, abs=1e-4
    )
    assert run(below, "run: long text before") == 0
    long_posts = document("".join(f"<div><p>{text}</p><p>{part}</p></div>" for part in "ab"))
    assert [run(long_posts, "run: long text before", block, 1) for block in (1, 3)] == [0, 0]


def test_many_dates_of_a_record_count_no_more_than_three() -> None:
    times = "".join(f"<p>10:4{minute}</p>" for minute in range(9))
    assert run(document(f"<div>{times}</div><div>{times}</div>"), "run: dates", 0, 1) == 3


def test_prices_in_a_node_are_counted() -> None:
    tile = "<div><p>A kettle</p><p>$ 19.99</p><p>5 in stock</p><p>€ 20</p></div>"
    found = evidence(document(tile, "<div><p>SKU 48213</p><p>1,204 views</p></div>"))
    assert [level(found, 1, "prices", block) for block in (0, 4)] == pytest.approx([math.log(3), 0], abs=1e-4)
    assert [level(found, 1, "share of prices", block) for block in (0, 4)] == [0.5, 0]
    assert [level(found, 0, "share of prices", block) for block in range(4)] == [0, 1, 0, 1]
    assert level(found, 1, "dates") == level(found, 1, "share of dates") == 0


def test_dates_in_a_node_are_counted() -> None:
    found = evidence(document("<div><p>12 March 2009</p><p>Ada</p><p>Bob</p><p>Cyd</p></div>"))
    assert level(found, 1, "dates") == pytest.approx(math.log(2), abs=1e-4)
    assert level(found, 1, "share of dates") == 0.25


def test_a_shops_tiles_are_no_readers_comments() -> None:
    # Prices and article numbers were once taken for dates, and tiles for comments.
    tiles = "".join(f"<div><p>A kettle of steel, number {n}</p><p>$ {n}9.99</p><p>SKU 4821{n}</p></div>" for n in "123")
    assert not any(records(document(tiles)))
    assert any(records(document(tiles.replace("SKU 4821", "12:3"))))
