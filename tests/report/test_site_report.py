"""The site report: its facts, and its look in a browser."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from lxml import html as lxml_html

from scrapy_blockfilter import Options, SiteModel
from scrapy_blockfilter.html import Reader
from scrapy_blockfilter.model import fit
from scrapy_blockfilter.report import site_facts, site_report
from scrapy_blockfilter.sample import SiteSample
from tests.support.browser import Browser, needs_browser
from tests.support.hostile import hostile_page
from tests.support.made_sites import make_site
from tests.support.mockserver import MockServer
from tests.support.pages import document, sampled

SITE = make_site("div", 8)
PAGES = [page.html for page in SITE.pages]


def learnt(pages: list[str], **options: object) -> tuple[SiteModel, SiteSample]:
    sample = sampled(pages)
    return fit(sample, Reader(Options(**options))), sample  # type: ignore[arg-type]


def test_facts_are_json_and_the_same_each_time() -> None:
    facts = site_facts(*learnt(PAGES))
    assert json.loads(json.dumps(facts)) == facts == site_facts(*learnt(PAGES))
    assert (facts["pages"], facts["different_pages"], facts["method"]) == (8, 8, "consensus")


def test_texts_of_the_template_are_stripped_on_all_pages() -> None:
    facts = site_facts(*learnt(PAGES))
    everywhere = {text["text"] for text in facts["texts"] if text["share"] == 1}
    assert everywhere == set(SITE.pages[0].template)
    assert [text["pages"] for text in facts["texts"]] == sorted(
        (text["pages"] for text in facts["texts"]), reverse=True
    )
    assert {text["kind"] for text in facts["texts"] if text["pages"] == 8} == {"menu", "repeated"}


def test_share_stripped_is_what_the_pages_lose() -> None:
    facts = site_facts(*learnt(PAGES, method="chunk_frequency", method_args={"df_share": 0.9}))
    template = sum(map(len, SITE.pages[0].template)) * len(PAGES)
    total = template + sum(len(text) for page in SITE.pages for text in (*page.content, *page.related))
    assert facts["stripped"] == pytest.approx(template / total, abs=1e-4)


def test_slots_are_a_tree_with_their_numbers() -> None:
    slots = site_facts(*learnt(PAGES))["slots"]
    root = slots[0]
    assert (root["depth"], root["label"], root["share"]) == (0, "html / body", 1.0)
    assert all(slot["depth"] <= before["depth"] + 1 for before, slot in pairwise(slots))
    menu = next(slot for slot in slots if slot["label"] == "ul.nav / li")
    assert (menu["blocks"], menu["stripped"], menu["pages"]) == (3.0, 1.0, 8)
    assert menu["example"] == SITE.pages[0].template[1]
    assert "on 7 of 7 other pages" in menu["reason"]
    content = next(slot for slot in slots if slot["label"] == "div.content")
    assert content["stripped"] == 0
    inside = [slot for slot in slots if slot["depth"] == 1]
    assert sum(slot["blocks"] for slot in inside) == root["blocks"] == 17


@pytest.mark.slow
def test_pages_that_may_have_lost_content_are_told_first_and_their_urls_are_text() -> None:
    model, sample = learnt(PAGES)
    pages = [
        ("javascript:alert(1)", "keeps 3% of its text"),
        ("http://a.example/?a=<b>&c='\"", "loses 81% of <i>it</i>"),
    ]
    assert site_facts(model, sample)["suspicious"] == []
    assert site_facts(model, sample, pages)["suspicious"] == [{"url": url, "reason": reason} for url, reason in pages]
    tree = lxml_html.document_fromstring(site_report(model, sample, suspicious=pages))
    sections = tree.findall(".//body/section")
    headings = [section.findtext("h2") for section in sections]
    assert headings[:2] == ["Pages to look at first", "What is stripped on which share of pages"]
    rows = [[cell.text_content() for cell in row] for row in sections[0].iterfind(".//tbody/tr")]
    assert rows == [[url, f"It {reason}."] for url, reason in pages]
    assert not list(sections[0].iter("a", "b", "i", "script"))
    assert "Pages to look at first" not in site_report(model, sample)


def test_an_empty_sample_is_refused() -> None:
    model, _ = learnt(PAGES[:2])
    with pytest.raises(ValueError, match="no page in the sample"):
        site_facts(model, SiteSample(10))


def test_without_html_the_gallery_says_so_and_shows_texts() -> None:
    tree = lxml_html.document_fromstring(site_report(*learnt(PAGES), site="news.example"))
    assert "The records of pages hold no HTML" in tree.text_content()
    assert len(tree.findall(".//iframe")) == 0
    galleries = tree.findall(".//article")
    assert len(galleries) == 5
    before, after = (side.text_content() for side in galleries[0].findall("div"))
    assert SITE.pages[0].template[0] in before
    assert SITE.pages[0].template[0] not in after
    assert SITE.pages[0].title in before
    assert SITE.pages[0].title in after


def test_with_html_the_gallery_shows_five_pages_before_and_after() -> None:
    model, sample = learnt(PAGES)
    report = site_report(model, sample, pages=((f"/page/{number}", page) for number, page in enumerate(PAGES)))
    frames = [frame.get("srcdoc", "") for frame in lxml_html.document_fromstring(report).iter("iframe")]
    assert len(frames) == 10
    for page, before, after in zip(SITE.pages[:5], frames[::2], frames[1::2], strict=True):
        assert page.template[0] in before
        assert page.template[0] not in after
        assert page.content[1] in after


@pytest.mark.slow
def test_a_report_on_a_site_of_many_blocks_stays_small() -> None:
    pages = [
        document(*(f"<div class='c{number}-{page}x'><p>Text {number} of {page}</p></div>" for number in range(1500)))
        for page in "abc"
    ]
    report = site_report(*learnt(pages))
    assert len(report) < 3_000_000
    assert report.count("<tr") < 300


def hostile(address: str, *, with_html: bool) -> str:
    pages = [hostile_page(address, story=f"Story of {word}") for word in ("mills", "locks", "weirs", "tides")]
    given = [(f"{address}/<script>", page) for page in pages] if with_html else []
    evil = "'\"><script>document.title='pwned'"
    suspicious = [(f"{address}/{evil}", evil), ("javascript:document.title='pwned'", "x" * 400)]
    return site_report(*learnt(pages), pages=given, site=evil, suspicious=suspicious)


def test_copies_of_a_page_count_once_in_counts_and_reasons() -> None:
    model, sample = learnt([*PAGES, PAGES[0], PAGES[1]])
    facts = site_facts(model, sample)
    assert (facts["pages"], facts["different_pages"]) == (10, 8)
    assert (facts["texts"][0]["pages"], facts["texts"][0]["share"]) == (8, 1)
    assert "on 7 of 7 other pages" in facts["texts"][0]["reason"]
    lengths = [len(text["text"]) for text in facts["texts"] if text["pages"] == 8]
    assert lengths == sorted(lengths, reverse=True)
    report = site_report(model, sample)
    assert "8 of 8" in report
    assert "2 of them the same as another" in report


@needs_browser
def test_on_a_phone_a_text_and_its_reason_stand_below_each_other(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "site.html"
    path.write_text(site_report(*learnt(PAGES)), encoding="utf-8")
    browser.open(path, width=390)
    share, text, why = browser.run(
        "return [...document.querySelectorAll('.texts-stripped tbody tr')[0].children].map((cell) => {"
        "const box = cell.getBoundingClientRect(); return [box.top, box.bottom, box.width]; })"
    )
    assert share[1] <= text[0] + 1
    assert text[1] <= why[0] + 1
    assert min(text[2], why[2]) > 300


@needs_browser
@pytest.mark.parametrize("with_html", [False, True])
@pytest.mark.parametrize("width", [390, 1400])
def test_a_browser_shows_it_and_nothing_hostile_acts(
    browser: Browser, tmp_path: Path, *, with_html: bool, width: int
) -> None:
    path = tmp_path / "site.html"
    with MockServer() as canary:
        path.write_text(hostile(canary.url, with_html=with_html), encoding="utf-8")
        browser.open(path, width=width)
        if with_html:
            browser.wait(
                "return [...document.querySelectorAll('.viewer')].every((v) => v.querySelector('button.shade'))"
            )
        else:
            assert browser.run("return document.querySelectorAll('.texts p').length") > 20
        assert browser.run("return document.documentElement.scrollWidth") == width
        assert "document.title" in browser.run("return document.title")
        assert not browser.run("return window.pwned")
        assert canary.requests == []
        assert browser.requests() == []
        assert browser.console() == []
