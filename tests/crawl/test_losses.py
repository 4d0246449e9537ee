"""Pages that may have lost content: which ones a site remembers, and which sites the log names."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.crawl import losses
from scrapy_blockfilter.crawl.losses import Losses
from scrapy_blockfilter.model import Cleaned
from scrapy_blockfilter.model.losses import OwnText
from scrapy_blockfilter.store.template_store import MAX_URL, plain_url
from tests.support.made_crawler import CountingStats


def judged(suspicious: str = "", chars: int = 0, kept: int = 0, *, has_own_text: bool = True) -> Cleaned:
    page = Cleaned("", None, (), "", own_text=OwnText(chars, kept), has_own_text=has_own_text)
    page.suspicious = suspicious
    return page


def test_end_of_the_log_has_a_line_for_each_site_the_worst_first(caplog: pytest.LogCaptureFixture) -> None:
    stats = CountingStats()
    log = Losses(stats)
    of_sites = {"few": (1, 900), "most": (3, 900), "much": (2, 90), "some": (2, 300), "none": (0, 900), "bare": (3, 0)}
    for site, (suspicious, chars) in of_sites.items():
        for number in range(4):
            odd = number < suspicious
            page = judged("keeps 3%" if odd else "", chars=1000 if odd else chars, kept=20 if odd else chars)
            log.note(f"{site}.example", None, page)
    log.note("a b.example", None, judged("keeps 3%"))
    log.tell()
    assert [line.partition(":")[0].partition(".")[0] for line in caplog.messages] == [
        *("a b", "bare", "most", "much", "some", "few")
    ]
    assert caplog.messages[0] == (
        "a b.example: 1 of 1 items may have lost content: see `scrapy blockfilter show 'a b.example'`"
    )
    assert caplog.messages[2] == (
        "most.example: 3 of 4 items may have lost content; it keeps 25% of its pages' own text: "
        "see `scrapy blockfilter show most.example`"
    )
    assert stats == {"blockfilter/items/suspicious": 12, "blockfilter/sites/suspicious": 6}


@pytest.mark.parametrize(("sites", "more"), [(100, "90 more sites"), (11, "1 more site")])
def test_end_of_the_log_is_bounded(caplog: pytest.LogCaptureFixture, sites: int, more: str) -> None:
    log = Losses(CountingStats())
    log.tell()
    assert caplog.messages == []
    for number in range(sites):
        log.note(f"site{number:02}.example", None, judged("keeps 3%"))
    log.tell()
    assert len(caplog.messages) == 11
    assert caplog.messages[0].startswith("site00.example: ")
    assert caplog.messages[-1] == f"{more} may have lost content: see `scrapy blockfilter sites`"


def test_sites_that_are_counted_are_bounded(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(losses, "_MOST_SITES", 5)
    stats = CountingStats()
    log = Losses(stats)
    for number in range(100):
        log.note(f"{number:03}.example", None, judged(has_own_text=False))
    log.tell()
    assert len(caplog.messages) == 5
    assert stats == {"blockfilter/items/without_text": 100}


@pytest.mark.parametrize(
    ("url", "plain"),
    [
        ("http://a.example/p?q=1&r=%20#x", "http://a.example/p?q=1&r=%20#x"),
        ("http://me:secret@a.example/p", "http://a.example/p"),
        ("http://me:s@cret@a.example/@p", "http://a.example/@p"),
        ("http://a.example/\x1b[31m\r\nGET /", "http://a.example/%1B[31m%0D%0AGET%20/"),
        ("http://a.example/é\u202e\ud800", "http://a.example/%C3%A9%E2%80%AE?"),
        ("javascript:alert(1)", "javascript:alert(1)"),
    ],
)
def test_urls_are_printable_and_hold_no_password(url: str, plain: str) -> None:
    assert plain_url(url) == plain


def test_urls_are_not_endless() -> None:
    assert len(plain_url("http://a.example/" + "é" * 100_000)) == MAX_URL
