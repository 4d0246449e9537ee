"""The majority of the papers' three methods: text that a site repeats, exactly or nearly."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.methods import METHOD_NAMES, Verdict, get_method
from scrapy_blockfilter.options import METHODS, Options
from tests.support.made_sites import LAYOUTS, make_site
from tests.support.pages import EVERY_METHOD, document, fitted, recorded, segmented

THREE = ("chunk_frequency", "ibdf", "entropy")


def judged(method: str, pages: list[str], html: str) -> dict[str, Verdict]:
    page = segmented(html)
    return {
        block.text: verdict
        for block, verdict in zip(page.blocks, fitted(method, pages).judge(page, whole=True), strict=True)
    }


def votes(pages: list[str], text: str) -> list[bool]:
    return [judged(method, pages, pages[0])[text].keep for method in THREE]


def words(start: int, count: int) -> str:
    return " ".join(f"w{number}" for number in range(start, start + count))


def site(*rows: list[str]) -> list[str]:
    """Ten pages with the texts of each row and two paragraphs of their own, long enough to be refined."""
    return [
        document(
            *(row[number] for row in rows),
            f"<p>{words(1_000 + 200 * number, 60)}</p><p>{words(1_100 + 200 * number, 60)}</p>",
            language="xx",
        )
        for number in range(10)
    ]


def test_two_against_one_strip_a_block_with_a_date_in_it() -> None:
    # As a chunk it is on one page; like blocks are on ten; 19 of its 20 features are on all pages.
    pages = site([f"<p>{words(0, 19)} day{number}</p>" for number in range(10)])
    dated = f"{words(0, 19)} day0"
    assert votes(pages, dated) == [True, False, False]
    verdict = judged("majority", pages, pages[0])[dated]
    assert not verdict.keep
    assert "a block like it on 10 of 10 pages" in verdict.reason
    assert "entropy 0.95" in verdict.reason
    assert "no other page" not in verdict.reason


def test_two_against_one_strip_a_block_that_moves() -> None:
    # Another tag path on every page: for the chunk frequency, with its second key, ten different chunks.
    tags = ("p", "div", "section", "aside", "nav", "footer", "header", "main", "article", "center")
    pages = site([f"<{tag}>walrus otter seal</{tag}>" for tag in tags])
    assert votes(pages, "walrus otter seal") == [True, False, False]
    assert not judged("majority", pages, pages[0])["walrus otter seal"].keep


def test_two_against_one_keep_a_new_sentence_of_the_sites_own_words() -> None:
    # Each page has the words of the site in a form of its own: no chunk nor block twice, but no new feature either.
    common = [f"<p>{words(0, 20)}</p>"] * 10
    own = [f"<p>w{number} w{number + 1} w{number + 5}</p>" for number in range(10)]
    pages = site(common, own)
    assert votes(pages, "w0 w1 w5") == [True, True, False]
    verdict = judged("majority", pages, pages[0])["w0 w1 w5"]
    assert verdict.keep
    assert "entropy" not in verdict.reason


def test_all_agree_on_a_menu_and_on_an_article() -> None:
    pages = site(["<ul><li>Home</li><li>News</li></ul>"] * 10)
    assert votes(pages, "Home") == [False] * 3
    assert votes(pages, words(1_000, 60)) == [True] * 3
    verdicts = judged("majority", pages, pages[0])
    assert [verdicts[text].keep for text in ("Home", "News", words(1_000, 60), words(1_100, 60))] == [
        False,
        False,
        True,
        True,
    ]
    assert "on 10 of 10 pages" in verdicts["Home"].reason


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_unanimous_verdict_is_the_verdict(layout: str) -> None:
    site = make_site(layout, pages=10, rich=True)
    pages = recorded(page.html for page in site.pages)
    methods = [get_method(name).fit(pages, Options()) for name in (*THREE, "majority")]
    for made in site.pages:
        page = segmented(made.html)
        *three, majority = ([verdict.keep for verdict in method.judge(page, whole=True)] for method in methods)
        for *ballot, outcome in zip(*three, majority, strict=True):
            assert outcome == ballot[0] or len(set(ballot)) == 2


@pytest.mark.parametrize("method", EVERY_METHOD)
def test_each_method_scores_from_nought_to_one_with_a_reason(method: str) -> None:
    site = make_site("table", pages=6, rich=True)
    page = segmented(site.pages[0].html)
    for verdict in fitted(method, [made.html for made in site.pages]).judge(page, whole=True):
        assert 0 <= verdict.score <= 1
        assert verdict.reason
        assert verdict.reason in repr(verdict)


def test_methods_are_got_by_the_names_of_the_setting() -> None:
    assert set(METHODS) <= set(EVERY_METHOD) <= set(METHOD_NAMES)
    assert [get_method(name).name for name in EVERY_METHOD] == list(EVERY_METHOD)
    with pytest.raises(KeyError):
        get_method("minority")
