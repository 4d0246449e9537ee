"""Statistics of a site: each page counts once, and a page never counts for itself."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_blockfilter.consensus import SiteStatistics
from scrapy_blockfilter.consensus.features.of_blocks import SUBTREE
from scrapy_blockfilter.sample import MAX_BLOCKS
from tests.support.networks import statistics
from tests.support.pages import document, recorded, segmented


def words(start: int, count: int = 25) -> str:
    return " ".join(f"word{number}" for number in range(100 * start, 100 * start + count))


def page(number: int, *more: str) -> str:
    """A page with a menu and two paragraphs of its own, long enough to tell it."""
    return document(
        "<ul class=menu><li><a href=/>Home</a></li><li><a href=/news>News</a></li></ul>",
        f"<p>{words(2 * number)}</p><p>{words(2 * number + 1)}</p>",
        *more,
    )


def frequencies(site: SiteStatistics, html: str) -> tuple[list[float], ...]:
    """Of each block on how many other pages it is, it in its slot, its slot, and its tag path."""
    made = segmented(html)
    found = site.compare(made)
    slots, tags = found.style_paths[made.nodes], found.tag_paths[made.nodes]
    return found.keys.tolist(), found.keys_in_slots.tolist(), slots.tolist(), tags.tolist()


def others(site: SiteStatistics, html: str) -> int:
    return site.compare(segmented(html)).others


def slot_rows(site: SiteStatistics, html: str) -> tuple[np.ndarray, np.ndarray]:
    found = site.compare(segmented(html))
    return found.style_rows, found.tag_rows


def test_frequencies_by_hand() -> None:
    site = statistics(page(0), page(1, "<p>Imprint</p>"), page(2, "<div class=end>Imprint</div>"))
    new = page(3, "<div>Imprint</div>", "<h2>New</h2>")
    # Home, News, two paragraphs, Imprint, New. A DIV is on one of the pages, with a class.
    assert frequencies(site, new) == ([3, 3, 0, 0, 2, 0], [3, 3, 0, 0, 0, 0], [3, 3, 3, 3, 0, 0], [3, 3, 3, 3, 1, 0])


def test_a_text_that_stands_twice_on_a_page_counts_once() -> None:
    site = statistics(page(0, "<p>More</p><p>More</p>"), page(1))
    assert frequencies(site, page(2, "<p>More</p>"))[0] == [2, 2, 0, 0, 1]


@pytest.mark.parametrize(("quoting", "counted"), [(1, 0), (3, 0), (4, 4)])
def test_a_text_that_a_third_of_the_pages_have_elsewhere_is_not_repeated(quoting: int, counted: int) -> None:
    quotes = [page(number, "<div>Imprint</div>", "<h2>Notes</h2>") for number in range(quoting)]
    site = statistics(*quotes, *(page(number, "<h2>Notes</h2>") for number in range(quoting, 10)))
    assert frequencies(site, page(20, "<h2>Imprint</h2>"))[0][-1] == counted


def test_a_slot_that_no_other_page_has_is_known_by_its_tag_path() -> None:
    pages = [page(0, "<h2 class=sun>Imprint</h2>"), page(1, "<h2 class=rain>Imprint</h2>"), page(2, "<p>Imprint</p>")]
    site = statistics(*pages, *(page(number) for number in range(3, 10)))
    assert [of_blocks[-1] for of_blocks in frequencies(site, page(20, "<h2 class=fog>Imprint</h2>"))] == [2, 0, 0, 2]


def test_what_pages_quote_is_no_repetition_of_their_slots() -> None:
    pages = [page(number, f"<h2>{words(number, 3)}</h2>") for number in range(1, 10)]
    site = statistics(page(0, *(f"<div>{words(number, 3)}</div>" for number in range(1, 10))), *pages)
    styles, _ = slot_rows(site, pages[0])
    heading = styles[segmented(pages[0]).tags.index("h2")]
    assert site.of_subtrees[heading, SUBTREE.index("repeated")] == 0


def test_a_page_is_not_judged_by_itself() -> None:
    pages = [page(number) for number in range(3)]
    site = statistics(*pages)
    assert others(site, pages[1]) == 2
    # Its own paragraphs are on no other page, though they are on a page that was learnt from.
    assert frequencies(site, pages[1])[0] == [2, 2, 0, 0]
    assert others(site, page(9)) == 3


def test_a_page_is_not_judged_by_a_copy_of_it_with_another_date() -> None:
    site = statistics(page(0, "<p>Monday</p>"), page(1), page(2))
    assert others(site, page(0, "<p>Tuesday</p>")) == 2
    assert frequencies(site, page(0, "<p>Tuesday</p>"))[0] == [2, 2, 0, 0, 0]


def test_the_only_page_that_is_known_is_known_again_when_a_line_of_it_has_changed() -> None:
    def made_at(time: str, *more: str) -> str:
        return document("<p>Menu</p>", "<h1>Widgets</h1>", "<p>A range</p>", f"<p>Made at {time}.</p>", *more)

    only = statistics(made_at("12:00"))
    assert others(only, made_at("12:05")) == 0
    assert others(only, made_at("12:05", "<p>A bar</p>")) == 1
    assert others(only, made_at("12:05, which is told " + "at length " * 8)) == 1
    assert others(only, document("<p>Menu</p>", "<p>A bar</p>")) == 1
    assert others(statistics(made_at("12:00"), document("<p>Menu</p>", words(0))), made_at("12:05")) == 2


def test_copies_of_a_page_count_once() -> None:
    copies = [page(0, f"<p>visitor {number}</p>") for number in range(3)]
    site = statistics(*copies, *(page(number) for number in range(1, 5)))
    assert (site.pages, site.kept) == (5, [0, 3, 4, 5, 6])
    assert frequencies(site, page(5))[0] == [5, 5, 0, 0]
    # What stands on the copies has not been repeated.
    assert frequencies(site, page(0))[0] == [4, 4, 0, 0]


def test_a_page_that_is_all_that_was_seen_counts_once() -> None:
    assert statistics(*[page(0)] * 4).pages == 1


def test_pages_are_one_from_seven_tenths_of_their_telling_texts_on() -> None:
    others = [page(number) for number in range(1, 5)]
    shared = f"<p>{words(50)}</p>"
    one, more, other = (page(0, shared, rest) for rest in ("", f"<p>{words(60)}</p>", f"<p>{words(70)}</p>"))
    assert statistics(one, more, *others).pages == 5  # three of four
    assert statistics(more, other, *others).pages == 6  # three of five


def test_pages_with_hardly_any_text_of_their_own_are_compared_by_all_their_texts() -> None:
    def site(items: int) -> int:
        menu = "".join(f"<li>item {number}</li>" for number in range(items))
        return statistics(*(document(f"<ul>{menu}</ul><p>{text}</p>") for text in ("sun", "rain", "fog"))).pages

    assert site(30) == 3  # 30 of 32 texts
    assert site(38) == 1  # 38 of 40: .95


def test_what_most_pages_have_does_not_make_them_copies() -> None:
    # Long texts of the template are no sign: three pages of a shop with the same terms at length.
    terms = "".join(f"<p>{words(number)}</p>" for number in range(20, 32))
    site = statistics(*(document(terms, f"<p>{words(number)}</p><p>{words(number + 9)}</p>") for number in range(4)))
    assert site.pages == 4


def test_a_linked_text_does_not_tell_a_page() -> None:
    links = "".join(f"<p><a href=/x>{words(number)}</a></p>" for number in range(20, 32))
    pages = [document(links, f"<p>{words(number)}</p><p>{words(number + 9)}</p>") for number in range(2)]
    assert statistics(*pages, page(5), page(6), page(7)).pages == 5


def test_a_page_longer_than_its_record_is_not_judged_by_itself() -> None:
    long = document("".join(f"<p>{words(number)}</p>" for number in range(MAX_BLOCKS + 1_500)))
    pages = [long, page(-1), page(-2), page(-3)]
    site = SiteStatistics(recorded(pages))
    assert others(site, long) == 3
    assert not site.compare(segmented(long)).keys.any()
