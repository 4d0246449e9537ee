"""Ma, Goharian, Chowdhury 2003, figure 2, on pages small enough to count by hand."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.methods import Verdict
from scrapy_blockfilter.options import Options
from tests.support.pages import document, fitted, kept, segmented

# Three pages of a site of tables. The chunks, and on how many pages each is:
#
#   chunk              page 1    page 2    page 3    document frequency
#   Home               twice     once      once      3: counted once a page ("if textChunk is in a different document")
#   News               once      once      -         2: an optional chunk
#   Sport              -         -         once      1
#   Rain in Ghent      once      -         -         1
#   Sun in Bruges      -         once      -         1
#   Fog in Ypres       -         -         once      1
_ONE = (
    "<table><tr><td>Home</td><td>News</td></tr></table>"
    "<table><tr><td>Rain <b>in</b> Ghent</td></tr></table>"
    "<table><tr><td>Home</td></tr></table>"
)
_TWO = "<table><tr><td>Home</td><td>News</td></tr></table><table><tr><td>Sun in Bruges</td></tr></table>"
_THREE = "<table><tr><td>Home</td><td>Sport</td></tr></table><table><tr><td>Fog in Ypres</td></tr></table>"
PAGES = [document(page) for page in (_ONE, _TWO, _THREE)]


def by_count(least: int) -> Options:
    return Options(method="chunk_frequency", method_args={"df_count": least, "df_share": 0})


def verdicts(pages: list[str], html: str, options: Options) -> dict[str, Verdict]:
    page = segmented(html)
    judged = fitted("chunk_frequency", pages, options).judge(page, whole=page.whole)
    return {block.text: verdict for block, verdict in zip(page.blocks, judged, strict=True)}


def test_the_second_pass_leaves_out_chunks_whose_frequency_reaches_the_threshold() -> None:
    strict, loose = (fitted("chunk_frequency", PAGES, by_count(least)) for least in (3, 2))
    assert [kept(strict, page) for page in PAGES] == [
        ["News", "Rain in Ghent"],
        ["News", "Sun in Bruges"],
        ["Sport", "Fog in Ypres"],
    ]
    assert [kept(loose, page) for page in PAGES] == [["Rain in Ghent"], ["Sun in Bruges"], ["Sport", "Fog in Ypres"]]


def test_a_chunk_that_stands_twice_on_a_page_counts_once() -> None:
    # Counted by occurrence, Home would be on four of three pages.
    assert verdicts(PAGES, PAGES[0], by_count(3))["Home"].reason == "on 3 of 3 pages"
    twice = [
        document("<table><tr><td>Yes</td><td>Yes</td></tr></table>"),
        document("<table><tr><td>No</td></tr></table>"),
    ]
    assert verdicts(twice, twice[0], by_count(2))["Yes"].keep


@pytest.mark.parametrize(
    ("share", "stripped"),
    [
        (1.0, {"Home"}),  # 3 of 3
        (0.67, {"Home"}),  # 2.01 pages: 3
        (0.66, {"Home", "News"}),  # 1.98 pages: 2
        (0.1, {"Home", "News"}),  # less than one page: the count of 2 holds
    ],
)
def test_the_threshold_as_a_share_of_the_pages(share: float, stripped: set[str]) -> None:
    options = Options(method="chunk_frequency", method_args={"df_share": share, "df_count": 2})
    judged = [verdicts(PAGES, page, options) for page in PAGES]
    assert {text for page in judged for text, verdict in page.items() if not verdict.keep} == stripped


def test_the_tag_path_is_a_second_key() -> None:
    # Section 4.2. Home as a cell of the outer table is on all pages, in the nested one on page 1 alone.
    nested = "<table><tr><td><table><tr><td>Home</td></tr></table></td></tr></table>"
    pages = [document(_TWO, nested), document(_TWO), document(_THREE)]
    page = segmented(pages[0])
    judged = fitted("chunk_frequency", pages, by_count(2)).judge(page, whole=True)
    home = [verdict for block, verdict in zip(page.blocks, judged, strict=True) if block.text == "Home"]
    assert [verdict.keep for verdict in home] == [False, True]
    assert home[0].reason == "on 3 of 3 pages"


def test_a_fragment_has_lost_the_start_of_its_paths_and_goes_by_text() -> None:
    pages = [document(f"<div><p>Menu</p><p>{word}</p></div>") for word in ("rain", "sun", "fog")]
    method = fitted("chunk_frequency", pages, by_count(3))
    assert kept(method, "<p>Menu</p><p>new</p>") == ["new"]
    assert kept(method, document("<p>Menu</p><p>new</p>")) == ["Menu", "new"]


def test_a_new_page_is_judged_by_what_was_learnt() -> None:
    new = document("<table><tr><td>Home</td><td>Culture</td></tr></table><table><tr><td>Snow in Mons</td></tr></table>")
    judged = verdicts(PAGES, new, by_count(3))
    assert {text: verdict.keep for text, verdict in judged.items()} == {
        "Home": False,
        "Culture": True,
        "Snow in Mons": True,
    }
    assert judged["Culture"].reason == "on no other page learnt from"


def test_scores_fall_with_the_frequency() -> None:
    judged = verdicts(PAGES, PAGES[0], by_count(2))
    assert judged["Home"].score == 0
    assert judged["News"].score == pytest.approx(1 / 3)
    assert judged["Rain in Ghent"].score == 1


def test_by_the_papers_defaults_a_template_text_goes_wherever_it_stands() -> None:
    # Figure 2's second pass asks for the text alone; section 4.2 has the tag path as a second key.
    pages = [document("<ul><li>Home</li></ul>", f"<p>{word}</p>") for word in ("rain", "sun", "fog")]
    page = document("<ul><li>Home</li></ul>", "<p>Home</p>")
    assert kept(fitted("chunk_frequency", pages), page) == ["Home"]
    assert kept(fitted("chunk_frequency", pages, Options(method_args={"paper_defaults": True})), page) == []
