"""Pages that may have lost content: which ones a site remembers and the log names."""

from __future__ import annotations

import logging

import pytest

from scrapy_blockfilter.crawl.suspects import SuspectLog, Suspects
from scrapy_blockfilter.store.suspects import MAX_SUSPECTS, MAX_URL, Suspect, plain_url

URL = "http://news.example/page/"


def test_the_newest_are_remembered_and_what_is_new_of_them_is_written() -> None:
    suspects = Suspects([Suspect(f"{URL}0", "was odd", "2026-01-01 00:00:00")])
    assert not suspects.is_unsaved
    for number in range(1, MAX_SUSPECTS + 2):
        suspects.note(f"{URL}{number}", f"keeps {number}%")
    assert suspects.is_unsaved
    assert [suspect.url for suspect in suspects.unwritten()] == [f"{URL}{number}" for number in range(2, 22)]
    assert suspects.cleared() == []
    suspects.written()
    assert not suspects.is_unsaved
    suspects.note(f"{URL}5", "keeps 6%")
    assert suspects.unwritten() == [Suspect(f"{URL}5", "keeps 6%")]


def test_a_page_that_comes_again_and_loses_nothing_odd_is_none_of_them_any_more() -> None:
    suspects = Suspects([Suspect(f"{URL}0", "was odd"), Suspect(f"{URL}1", "was odd")])
    suspects.note(f"{URL}7", "")
    assert not suspects.is_unsaved
    suspects.note(f"{URL}0", "")
    assert (suspects.unwritten(), suspects.cleared()) == ([], [f"{URL}0"])
    suspects.note(f"{URL}0", "is odd again")
    assert (suspects.unwritten(), suspects.cleared()) == ([Suspect(f"{URL}0", "is odd again")], [])
    suspects.note(f"{URL}0", "")
    assert (suspects.unwritten(), suspects.cleared()) == ([], [f"{URL}0"])


def test_log_names_a_few_pages_of_a_site_each_once_with_what_to_do(caplog: pytest.LogCaptureFixture) -> None:
    log = SuspectLog()
    for number in (0, 0, 1, 2, 3, 4, 0, 5):
        log.tell("news.example", f"{URL}{number}?a=1&b", "keeps 3% of its text")
    log.tell("other.example", "http://other.example/", "loses 81% of its own")
    assert {record.levelno for record in caplog.records} == {logging.WARNING}
    *of_site, more, other = caplog.messages
    assert of_site == [
        f"{URL}{number}?a=1&b may have lost content: it keeps 3% of its text. "
        f"`scrapy blockfilter explain '{URL}{number}?a=1&b'` shows why."
        for number in range(3)
    ]
    assert more == (
        "More pages of news.example may have lost content. Beyond 3 pages of a site and 30 of a crawl they are only "
        "counted, as blockfilter/items/suspicious; `scrapy blockfilter show SITE` lists those of a site."
    )
    assert other.startswith("http://other.example/ may have lost content: it loses 81% of its own. ")


def test_log_of_a_crawl_is_bounded(caplog: pytest.LogCaptureFixture) -> None:
    log = SuspectLog()
    for number in range(100):
        log.tell(f"site{number}.example", f"http://site{number}.example/", "keeps 3%")
    assert len(caplog.messages) == 31
    assert caplog.messages[-1].startswith("More pages of site30.example may have lost content.")


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
