"""Whole crawls of hostile pages: every item comes out in time, with all that is not template."""

from __future__ import annotations

from scrapy_blockfilter.options import DEFAULT_LIMITS
from tests.support.crawls import CrawlFunction, list_spider
from tests.support.made_sites import make_site
from tests.support.mockserver import MockServer, Reply

SITE = make_site(pages=10, seed=13)
LEARNT_FROM, TRIED = SITE.pages[:8], SITE.pages[8:]


def in_content(html: str) -> str:
    """A page of the site that has ``html`` before its content."""
    before, content, behind = TRIED[0].html.partition('<div class="content">')
    return f"{before}{content}{html}{behind}"


def test_pages_beyond_the_limits_come_out_as_they_went_in(crawl: CrawlFunction, server: MockServer) -> None:
    host = server.add_site(SITE)
    pages = {
        "/characters": in_content("word " * 800_000),
        "/elements": in_content("<b>x</b>" * DEFAULT_LIMITS.elements),
        "/depth": in_content("<div>" * DEFAULT_LIMITS.depth + "x" + "</div>" * DEFAULT_LIMITS.depth),
        "/tag": in_content(f"<p {'a ' * 8_000}>x</p>"),
        "/blocks": in_content("<p>x</p>" * DEFAULT_LIMITS.blocks),
    }
    for path, html in pages.items():
        server.add(host, path, html)
    settings = {"BLOCKFILTER_MAX_CHARACTERS": 4_000_000}
    # Nothing is learnt from them while the site is learnt, and they wait for it.
    urls = [f"http://{host}{path}" for path in (*pages, *(page.url_path for page in LEARNT_FROM), TRIED[1].url_path)]
    result = crawl(list_spider(urls), settings).check()

    assert {path: html for path, html in result.by_path().items() if path in pages} == pages
    reasons = {"too_large": 1, "too_many_elements": 1, "too_deep": 1, "long_tag": 1, "too_many_blocks": 1}
    assert result.reasons() == reasons
    assert result.reasons("pages/skipped") == reasons
    assert result.by_path()[TRIED[1].url_path] != TRIED[1].html

    # Text has characters and lines alone.
    lines = "<p>x</p>\n" * (DEFAULT_LIMITS.blocks + 1)
    urls.append(server.add(host, "/lines", lines))
    result = crawl(list_spider(urls), {**settings, "BLOCKFILTER_FIELDS": {"html": "text"}}, folder="text").check()
    assert (result.by_path()["/characters"], result.by_path()["/lines"]) == (pages["/characters"], lines)
    assert (result.reasons()["too_large"], result.reasons()["too_many_blocks"]) == (1, 1)


def test_encodings_guessed_otherwise_on_each_page_cost_no_content(crawl: CrawlFunction, server: MockServer) -> None:
    site = make_site(pages=10, seed=14, language="fr")
    host = server.new_host()
    odd = {2, 5, 9}
    urls = []
    for number, page in enumerate(site.pages):
        # No page names its encoding. One byte that is no UTF-8 makes the whole page Windows-1252 for who guesses.
        body = page.html.replace('<meta charset="utf-8">', "").encode()
        body = body.replace(b"</h1>", b"</h1><p>caf\xe9</p>") if number in odd else body
        urls.append(server.add(host, page.url_path, Reply(body, "text/html")))
    source = list_spider(urls, '{"url": response.url, "html": response.text, "encoding": response.encoding}')
    result = crawl(source, {"BLOCKFILTER_PAGES": 6}).check()
    html, encodings = result.by_path(), result.by_path("encoding")
    assert len(set(encodings.values())) > 1
    for number, page in enumerate(site.pages):
        read = [text.encode().decode(encodings[page.url_path], "replace") for text in page.content]
        assert [text for text in read if text not in html[page.url_path]] == [], page.url_path
        if number > 5 and number not in odd:
            assert page.left(html[page.url_path]) == []
    assert result.stat("items/cleaned") >= 3
