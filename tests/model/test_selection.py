"""The user's CSS selectors overrule any method; keeping wins."""

from __future__ import annotations

import pytest
from lxml import etree

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.methods import Reason, Verdict
from scrapy_blockfilter.model.selection import Selection
from tests.support.pages import document, segmented


def verdicts_on(page: Page, *, keep: bool = True) -> list[Verdict]:
    return [Verdict(keep, 0.5, Reason("other", "method"))] * len(page.blocks)


def applied(
    html: str, *, keep: list[str] | None = None, drop: list[str] | None = None, otherwise: bool = True
) -> dict[str, bool]:
    page = segmented(html)
    assert page.root is not None
    before = etree.tostring(page.root)
    page, verdicts = Selection(keep or [], drop or []).apply(page, verdicts_on(page, keep=otherwise))
    assert page.root is not None
    assert etree.tostring(page.root) == before
    return {block.text: verdict.keep for block, verdict in zip(page.blocks, verdicts, strict=True)}


HTML = (
    '<div id="top">Top <span class="ad">ad</span></div>'
    '<div class="box"><h2>Head</h2><p>Text <b class="ad">one</b> more</p>'
    '<p><b class="ad">All</b> <i class="ad">of it</i></p></div>tail'
)


@pytest.mark.parametrize(
    ("selector", "stripped"),
    [
        ("#top", {"Top ad"}),
        (".box", {"Head", "Text one more", "All of it"}),
        (".box > p, h2", {"Head", "Text one more", "All of it"}),
        ("h2", {"Head"}),
        ("body", {"Top ad", "Head", "Text one more", "All of it", "tail"}),
        ("html", {"Top ad", "Head", "Text one more", "All of it", "tail"}),
        ("div:not(.box)", {"Top ad"}),
        ("p:nth-of-type(2)", {"All of it"}),
        ("[class=box] b", set()),
        ("aside", set()),
        ("//div[@class='box']/p[2]", {"All of it"}),
        ("(//h2 | //div[@id='top'])", {"Top ad", "Head"}),
        ("//h2/text()", set()),
        ("//*[contains(concat(' ', @class, ' '), ' f(x:y$ ') or self::h2]", {"Head"}),
    ],
)
def test_a_block_inside_a_drop_selector_goes(selector: str, stripped: set[str]) -> None:
    assert {text for text, keep in applied(HTML, drop=[selector]).items() if not keep} == stripped


def test_a_block_that_is_partly_inside_a_keep_selector_stays_and_not_the_text_behind() -> None:
    kept = applied(HTML, keep=[".ad"], otherwise=False)
    assert {text for text, keep in kept.items() if keep} == {"Top ad", "Text one more", "All of it"}
    kept = applied("<div><p>in</p>behind</div>", keep=["p"], otherwise=False)
    assert kept == {"in": True, "behind": False}


def test_keeping_wins_over_dropping() -> None:
    assert applied(HTML, keep=["h2"], drop=[".box"]) == {
        "Top ad": True,
        "Head": True,
        "Text one more": False,
        "All of it": False,
        "tail": True,
    }


def test_the_reason_names_the_selector_and_the_score_is_sure() -> None:
    page = segmented(HTML)
    _, verdicts = Selection(["h2"], ["#top"]).apply(page, verdicts_on(page))
    assert [(verdict.score, verdict.reason) for verdict in verdicts[:3]] == [
        (0.0, "dropped by selector #top"),
        (1.0, "kept by selector h2"),
        (0.5, "method"),
    ]


def test_an_image_can_be_kept_and_dropped() -> None:
    page = segmented('<div><img class="ad" src="/i/spring-sale.jpg"></div><div><img src="/i/harbour.jpg"></div>')
    _, verdicts = Selection([], ["img.ad"]).apply(page, verdicts_on(page))
    assert [verdict.keep for verdict in verdicts] == [False, True]


@pytest.mark.slow
def test_very_many_selectors_are_left_out_on_a_large_page_and_told_once(caplog: pytest.LogCaptureFixture) -> None:
    page = segmented(document("<p class=a>One</p>" + "<p>Text</p>" * 5_000))
    selectors = [".a", *(f"//p[@class = 'no-{number}']" for number in range(700))]
    selection = Selection([], selectors)
    for _ in range(2):
        assert [verdict.keep for verdict in selection.apply(page, verdicts_on(page))[1]][:2] == [False, True]
    left_out = [record.args[0] for record in caplog.records if isinstance(record.args, tuple)]
    assert left_out == selectors[-len(left_out) :]
    assert 100 < len(left_out) < 600


@pytest.mark.parametrize("asking", ["//b[. = 'a']", "//b[normalize-space() = 'a']", "b:contains('a')"])
def test_the_text_of_elements_in_each_other_counts_for_each_of_them(
    asking: str, caplog: pytest.LogCaptureFixture
) -> None:
    page = segmented(document("<div>" * 500 + "<p>Text</p>" * 10_000))
    Selection([], ["b", "//b[@id = 'a']", *[asking] * 6]).apply(page, verdicts_on(page))
    assert 1 < len(caplog.records) < 6
