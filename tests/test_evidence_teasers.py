"""Teasers of further articles: told from a page's own sections, and from lists that are what the page is about."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_blockfilter.evidence.features import evidence_of
from scrapy_blockfilter.evidence.teasers import TeaserPaths
from tests.evidencing import statistics
from tests.segmenting import columns, document, segmented

TEXT = "The harbour reopened on day {}, a week early, and the boats came in by noon, all of them at once. "
SUMMARY = "What else happened on day {} at the harbour, and to whom of us."


def article(number: int, *, times: int = 5) -> str:
    return f"<p>{TEXT.format(number) * times}</p>"


def teaser(number: int, *, headline: str = "<h3><a href=/{0}>Report {0}</a></h3>", summary: str = SUMMARY) -> str:
    return f"<div class=item><div>{headline.format(number)}<p>{summary.format(number)}</p></div></div>"


def teasers(number: int, count: int = 2, **parts: str) -> str:
    return f"<div class=more>{''.join(teaser(100 * number + place, **parts) for place in range(count))}</div>"


def learnt(*htmls: str, dropped: str = "") -> TeaserPaths:
    site = statistics(*htmls)
    return TeaserPaths((columns(html), evidence_of(columns(html), site), kept(html, dropped)) for html in htmls)


def kept(html: str, dropped: str = "") -> np.ndarray:
    return np.array([not dropped or not block.text.startswith(dropped) for block in segmented(html).blocks], np.bool_)


def found(paths: TeaserPaths, html: str, dropped: str = "") -> list[str]:
    page = columns(html)
    blocks = paths.blocks_in(page, evidence_of(page, statistics(html)), kept(html, dropped))
    return [segmented(html).blocks[block].text for block in blocks]


USUAL = learnt(*(document(article(number), teasers(number)) for number in range(3)))


def test_what_several_pages_have_below_their_text_are_teasers() -> None:
    assert found(USUAL, document(article(7), teasers(7))) == [
        *("Report 700", SUMMARY.format(700), "Report 701", SUMMARY.format(701)),
    ]


def test_where_a_site_has_them_one_alone_is_a_teaser() -> None:
    assert found(USUAL, document(article(7), teasers(7, 1))) == ["Report 700", SUMMARY.format(700)]


def test_a_headline_may_stand_alone() -> None:
    pages = [document(article(number), teasers(number, summary="")) for number in range(2)]
    assert found(learnt(*pages), document(article(7), teasers(7, summary=""))) == ["Report 700", "Report 701"]


def test_only_what_is_kept_is_found() -> None:
    assert found(USUAL, document(article(7), teasers(7, 1)), "Report") == [SUMMARY.format(700)]
    stripped = learnt(*(document(article(1), teasers(2, summary="Report.")) for _ in range(3)), dropped="Report")
    assert found(stripped, document(article(7), teasers(7))) == []


@pytest.mark.parametrize(
    "html",
    [document(), document(teasers(7)), document(article(7, times=2), teasers(7, 12))],
    ids=["empty", "nothing else", "a line beside them"],
)
def test_a_page_that_is_nothing_else_keeps_them(html: str) -> None:
    assert found(USUAL, html) == []


@pytest.mark.parametrize(
    "pages",
    [
        [document(article(number), teasers(number)) for number in range(1)],
        [document(article(number), teasers(number, 1)) for number in range(3)],
        [document(teasers(number), article(number)) for number in range(3)],
        [document(article(number), teasers(number), article(number + 9)) for number in range(3)],
        [document(article(number, times=3), teasers(number)) for number in range(3)],
        [document(article(number), teasers(number, headline="<h3>Report {}</h3>")) for number in range(3)],
        [document(article(number), teasers(number, headline="<b><a href=/{0}>{0}</a></b>")) for number in range(3)],
        [document(article(number), teasers(number, summary="<h4>Too</h4>" + SUMMARY)) for number in range(3)],
        [document(article(number), teasers(number, summary="<p>One.</p>" * 12 + SUMMARY)) for number in range(3)],
    ],
    ids=[
        *("one page", "one a page", "above the text", "text behind", "little text", "no link", "no heading"),
        *("two headings", "whole articles"),
    ],
)
def test_what_does_not_look_like_them_is_none(pages: list[str]) -> None:
    assert found(learnt(*pages), pages[0]) == []
    assert found(learnt(*pages), document(article(7), teasers(7))) == []
