"""At the end of a crawl the user is told which selectors and fields were in vain, and which sites have no text."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import Any

import pytest

from scrapy_blockfilter.crawl import in_vain
from scrapy_blockfilter.crawl.in_vain import InVain
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.store.corrections import add
from tests.support.made_crawler import CountingStats, Filter, MakeFilter, html_response
from tests.support.made_sites import make_site

SITE = make_site(pages=6, seed=3, rich=True)


def shell(number: int) -> str:
    return (
        f"<html><head><title>Story {number} of an app</title></head><body><noscript>This needs JavaScript.</noscript>"
        "<header><p>The name of the app</p></header><div id=root></div><script src=/main.js></script></body></html>"
    )


def crawl(filtering: Filter, page_of: Callable[[int], str] = lambda number: SITE.pages[number].html) -> None:
    """Learn six pages and clean an item of each."""
    for number in range(6):
        filtering.get(f"http://news.example/{number}", page_of(number))
    for number in range(6):
        filtering.pipeline.process_item({"url": f"http://news.example/{number}", "html": page_of(number)})


def ended(filtering: Filter, caplog: pytest.LogCaptureFixture) -> list[str]:
    """End the crawl and return the warnings of its end."""
    caplog.clear()
    filtering.pipeline.close_spider()
    filtering.close()
    return [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]


def test_crawl_without_mistakes_says_nothing(make_filter: MakeFilter, caplog: pytest.LogCaptureFixture) -> None:
    filtering = make_filter(keep=["h1"], drop=["#footer"], fields={"html": "html"})
    crawl(filtering)
    assert ended(filtering, caplog) == []
    assert not [name for name in filtering.stats if name.endswith(("unmatched", "absent", "without_text"))]


def test_no_fields_to_clean_beside_those_to_add_are_no_mistake(
    make_filter: MakeFilter, caplog: pytest.LogCaptureFixture
) -> None:
    filtering = make_filter(fields={}, output_fields={"text": "text"})
    for page in SITE.pages:
        filtering.get(f"http://news.example{page.url_path}", page.html)
    item = filtering.scrape({"html": page.html}, html_response("http://news.example/9", page.html))
    page.assert_cleaned(item["text"])
    assert item["html"] == page.html
    assert filtering.stats["blockfilter/items/cleaned"] == 1
    assert not caplog.messages


def test_selectors_that_never_matched_are_told(make_filter: MakeFilter, caplog: pytest.LogCaptureFixture) -> None:
    filtering = make_filter(keep=["h1", ".no-such"], drop=["//nothing"])
    crawl(filtering)
    assert ended(filtering, caplog) == [
        "Selectors of BLOCKFILTER_KEEP and BLOCKFILTER_DROP that matched nothing: .no-such (items: 6), "
        "//nothing (items: 6)"
    ]
    assert filtering.stats["blockfilter/selectors/unmatched"] == 2


def test_corrections_that_never_matched_are_told_with_their_site(
    make_filter: MakeFilter, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = make_filter()
    first.learn(SITE)
    first.close()
    second = make_filter()
    store: Any = second.session.store
    add(store, "news.example", [("drop", ".gone"), ("keep", "h1")])
    crawl(second)
    assert ended(second, caplog) == [
        "Corrections that matched nothing: news.example .gone (items: 6). "
        "`scrapy blockfilter undo SITE SELECTOR` takes one back."
    ]


def test_fields_that_no_item_has_are_told_twice(make_filter: MakeFilter, caplog: pytest.LogCaptureFixture) -> None:
    filtering = make_filter(fields={"body": "html"}, output_fields={"text": "text"})
    filtering.learn(SITE)
    for page in SITE.pages:
        response = filtering.get(f"http://news.example{page.url_path}", page.html)
        item = filtering.scrape({"html": page.html}, response)
        assert item["text"]
        assert item["html"] == page.html
    assert any("cleaned (text), but not all of it: the item has none of the fields" in line for line in caplog.messages)
    assert filtering.stats["blockfilter/items/cleaned"] == 0
    assert filtering.stats.of("items/unchanged") == {"no_field": 6}
    assert ended(filtering, caplog) == [
        "BLOCKFILTER_FIELDS names 'body', which none of 6 items had. Fields of items: 'html'."
    ]
    assert filtering.stats["blockfilter/fields/absent"] == 1


LINES = {
    "menu first": lambda number, own: f"Home News Sport Weather {own} Read more {number}",
    "footer last": lambda number, own: f"{number}. {own} © The Gazette, all rights reserved",
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_whole_pages_in_one_line_are_told_with_the_field_to_make_or_the_join_to_write(
    make_filter: MakeFilter, caplog: pytest.LogCaptureFixture, line: Callable[[int, str], str]
) -> None:
    filtering = make_filter(fields={"words": "text", "intro": "text", "lines": "text"})
    filtering.learn(SITE)
    for number, page in enumerate(SITE.pages):
        own = " ".join(page.content * 3)
        words = line(number, own)
        as_loaded = [words] if number % 2 else words  # item loaders make lists
        texts = {"words": as_loaded, "intro": own, "lines": words.replace(" ", "\n")}
        for _ in range(2):  # two items of a page are no evidence
            filtering.pipeline.process_item({"url": f"http://news.example/{number}", **texts})
    (told,) = [text for text in caplog.messages if "in one line" in text]
    assert told.startswith("The field 'words' of items of news.example is a whole page in one line")
    assert """BLOCKFILTER_OUTPUT_FIELDS = {'words': "text"}""" in told
    assert 'as "\\n".join(response.css("body ::text").getall()) does' in told


def test_end_says_what_was_saved_for_which_sites(make_filter: MakeFilter, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    filtering = make_filter()
    crawl(filtering)
    for number in range(3):
        filtering.get(f"http://young.example/{number}", SITE.pages[number].html)
    ended(filtering, caplog)
    tokens = filtering.stats["blockfilter/bytes/stripped"] // 4
    assert tokens > 0
    assert f"of the text of items was stripped: some {tokens} tokens less to read, by bytes / 4; " in caplog.text
    (young,) = [text for text in caplog.messages if "provisional" in text]
    assert young.startswith("Sites that stayed provisional, with fewer than 4 pages")
    assert young.endswith(": 1 of the 2 met last. young.example (3)")


def test_end_says_what_single_pages_would_leave(make_filter: MakeFilter, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    filtering = make_filter(strip="template")  # by which a page alone keeps everything
    site = make_site(pages=80)
    filtering.learn(site)
    for page in site.pages:
        filtering.pipeline.process_item({"url": f"http://news.example{page.url_path}", "html": page.html})
    ended(filtering, caplog)
    seen, stripped = (filtering.stats[f"blockfilter/bytes/{name}"] for name in ("seen", "stripped"))
    left = (seen - stripped) // 4
    (line,) = [text for text in caplog.messages if "tokens less" in text]
    found = re.search(
        rf"; {left} are left, and one page at a time would have left about (\d+) \(pages judged alone: 3\)", line
    )
    assert found
    assert left < 0.9 * seen / 4 < int(found[1]) <= seen / 4


def test_field_of_one_class_of_items_is_not_absent(make_filter: MakeFilter, caplog: pytest.LogCaptureFixture) -> None:
    filtering = make_filter(fields={"html": "html", "body": "html"})
    crawl(filtering)
    filtering.pipeline.process_item({"url": "http://news.example/0", "body": SITE.pages[0].html})
    assert ended(filtering, caplog) == []


def test_item_that_takes_no_output_field_is_not_counted_as_cleaned(make_filter: MakeFilter) -> None:
    filtering = make_filter(output_fields={"text": "text"})
    filtering.learn(SITE)
    response = filtering.get("http://news.example/page/0", SITE.pages[0].html)
    filtering.scrape(Options(), response)  # a dataclass, with other fields
    assert filtering.stats["blockfilter/items/cleaned"] == 0
    assert filtering.stats.of("items/unchanged") == {"unsettable": 1}


@pytest.mark.parametrize("page_of", [shell, lambda number: f"<html><title>{number}</title><div id=root></div>"])
def test_site_built_by_scripts_is_told(
    make_filter: MakeFilter, caplog: pytest.LogCaptureFixture, page_of: Callable[[int], str]
) -> None:
    filtering = make_filter()
    crawl(filtering, page_of)
    (line,) = ended(filtering, caplog)
    assert line.startswith("The pages of 6 of 6 items of news.example have no text of their own: built by scripts? ")
    assert "scrapy-playwright" in line
    assert filtering.stats["blockfilter/items/without_text"] == 6


def test_what_is_watched_is_bounded(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_vain, "_MOST_WATCHED", 20)
    stats = CountingStats()
    watching = InVain(Options(), {}, stats)
    for number in range(100):
        watching.take_selectors(f"{number:03}.example", {".x": False})
    watching.tell()
    assert len(caplog.messages) == 1
    assert "009.example .x (items: 1) and 10 more" in caplog.messages[0]
    assert stats == {"blockfilter/selectors/unmatched": 20}
