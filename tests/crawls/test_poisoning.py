"""Pages that mislead the crawl: walls before the site, one page at many addresses, quotations, lists, tiny sites."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import pytest

import scrapy_blockfilter as bf
from tests.support.made_crawler import MakeFilter
from tests.support.made_sites import LAYOUTS, make_site
from tests.support.pages import SITE_METHODS

N = 10
SITE = make_site("semantic", 40, seed=8)
QUOTED = (
    "Any person who takes part in the public consultation may inspect the plans at the town hall during opening hours, "
    "and may raise objections in writing within four weeks of their publication. Objections that arrive later are not "
    "considered. Whoever raises an objection in time is invited to the hearing."
)


@pytest.mark.slow
@pytest.mark.parametrize("method", SITE_METHODS)
@pytest.mark.parametrize("varying", [False, True], ids=["the same", "a line changes"])
def test_one_page_under_many_session_ids_counts_once(make_filter: MakeFilter, method: str, varying: bool) -> None:
    filtering = make_filter(warmup="pass", pages=N, method=method, fields={"html": "html", "words": "text"})
    first, *others = SITE.pages[:21]
    for number in range(20):
        line = f"<p>Made at 12:{number + 10}</p></body>" if varying else "</body>"
        filtering.meet(f"/page/0?id={number}", first.html.replace("</body>", line))
    for page in others:
        filtering.meet(page.url_path, page.html)
    words = "\n".join((*first.template, *first.content))
    for item in ({"html": first.html}, {"html": first.markup[1] * 2}, {"words": words}):
        cleaned = filtering.pipeline.process_item({"url": "http://news.example/page/0?id=3", **item})
        (text,) = (value for name, value in cleaned.items() if name != "url")
        expected = [part for part in first.content if part in next(iter(item.values()))]
        assert [part for part in expected if part not in text] == []


@pytest.mark.parametrize("layout", LAYOUTS)
def test_text_quoted_on_half_of_the_pages_is_kept_and_listed(
    make_filter: MakeFilter, caplog: pytest.LogCaptureFixture, layout: str
) -> None:
    caplog.set_level(logging.DEBUG)
    filtering = make_filter(warmup="pass", pages=N, fields={"html": "html", "words": "text"})
    site = make_site(layout, 2 * N, seed=5)
    for number, page in enumerate(site.pages):
        html = page.html.replace(page.markup[2], f"{page.markup[2]}<p>{QUOTED}</p>") if number % 2 else page.html
        cleaned = filtering.meet(page.url_path, html)
        assert (QUOTED in cleaned) == (number % 2 == 1)
    words = filtering.pipeline.process_item(
        {"url": "http://news.example/page/1", "words": "\n".join((*page.template, *page.content, QUOTED))}
    )["words"]
    assert QUOTED in words
    assert page.left(words) == []
    assert filtering.stats["blockfilter/texts/quoted"] == 1
    listed = [record for record in caplog.records if "keeps a text as content" in record.getMessage()]
    assert [record.levelname for record in listed] == ["DEBUG"]
    assert QUOTED[:60] in listed[0].getMessage()


def test_lists_before_articles(make_filter: MakeFilter) -> None:
    filtering = make_filter(warmup="pass", pages=N)
    teased = make_site("semantic", 100, seed=9).pages
    for number in range(N):
        ten = teased[10 * number : 10 * number + 10]
        teasers = "".join(f"<li><h2>{page.title}</h2><p>{page.content[1][:90]}</p></li>" for page in ten)
        article = "\n".join(SITE.pages[0].markup)
        filtering.meet(f"/list/{number}", SITE.pages[0].html.replace(article, f"<ul>{teasers}</ul>"))
    for page in SITE.pages:
        html = filtering.meet(page.url_path, page.html)
        page.assert_cleaned(html)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("count", range(1, N))
def test_tiny_sites_lose_nothing(layout: str, count: int) -> None:
    pages = make_site(layout, count, seed=4).pages
    model = bf.learn([page.html for page in pages])
    for page in pages:
        assert page.missing(model.clean(page.html).text) == []


def test_another_site_changes_nothing(make_filter: MakeFilter) -> None:
    def clean(folder: str, others: Sequence[str]) -> list[str]:
        filtering = make_filter(folder, warmup="pass", pages=4)
        html: list[str] = []
        for page in SITE.pages[:12]:
            for other in others:
                filtering.meet(page.url_path, page.html.replace("<h1>", "<h1>Stolen: "), other)
                filtering.meet(
                    f"/wall{page.url_path}", f"<!DOCTYPE html><title>Wall</title><p>Reference {len(html)}</p>", other
                )
            html.append(filtering.meet(page.url_path, page.html))
        return html

    alone = clean("alone", [])
    others = ["other.example", "sub.news.example", "news.example.evil", "news.example%09layout"]
    assert clean("together", others) == alone
    assert alone[0] == SITE.pages[0].html
    assert all(page.left(html) == [] for page, html in zip(SITE.pages[3:12], alone[3:], strict=True))
