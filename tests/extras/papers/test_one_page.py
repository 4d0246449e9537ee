"""Methods that look at each page by itself: ready from the first page; nothing waits, nothing is stored."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from scrapy_blockfilter import Options, learn
from scrapy_blockfilter.crawl import STATS
from scrapy_blockfilter.store import SqliteStore
from scrapy_blockfilter.store.corrections import add
from tests.extras.papers.names import SINGLE
from tests.support.crawls import CrawlFunction, chain_spider
from tests.support.made_crawler import Filter
from tests.support.made_sites import make_site
from tests.support.mockserver import MockServer
from tests.support.pages import document

SITE = make_site(pages=6, seed=2)


def news(number: int) -> str:
    """A page of a menu, an article in two parts and a footer."""
    menu = "".join(f"<li><a href=/m{item}>section{number}x{item}</a></li>" for item in range(12))
    paragraph = f"<p>{'Story of some words, told at length. ' * 8}</p>"
    article = f"<div>{paragraph * 3}</div>" * 2
    return document(f"<ul>{menu}</ul><div>{article}</div><div><a href=/i>imprint{number}</a></div>")


@pytest.mark.parametrize("warmup", ["hold", "pass"])
def test_whole_crawl_is_clean_from_its_very_first_item(crawl: CrawlFunction, server: MockServer, warmup: str) -> None:
    host = server.add_site(SITE)
    result = crawl(
        chain_spider(f"http://{host}{SITE.pages[0].url_path}"),
        {"BLOCKFILTER_WARMUP": warmup},
        arguments=("-s", "BLOCKFILTER_METHOD=tag_ratio"),
    ).check()
    html = result.by_path()
    assert list(html) == [page.url_path for page in SITE.pages]
    for page in SITE.pages:
        assert page.content[1] in html[page.url_path]
        assert page.template[0] not in html[page.url_path]
    learnt = [one for one in STATS if one.split("/")[1] in ("pages", "sites", "models", "layouts", "warmup", "store")]
    assert [name for name in learnt if name in result.stats] == []
    assert result.stat("items/cleaned") == len(SITE.pages)
    assert not result.store.exists()
    alone, _ = result.log_lines()  # and at the end, what was saved
    assert alone == "tag_ratio looks at each page by itself: no site is learnt, and no item waits"


@pytest.mark.parametrize("method", SINGLE)
def test_a_model_is_the_same_whatever_it_was_learnt_from(method: str) -> None:
    options = Options(method=method)
    models = [learn(pages, options) for pages in ([], [news(0)], [page.html for page in SITE.pages])]
    assert len({model.digest for model in models}) == 1
    assert {(model.pages, model.usual_kept, len(model.templates)) for model in models} == {(0, 1.0, 0)}
    cleaned = {model.clean(news(1)).html for model in models}
    assert len(cleaned) == 1


@pytest.mark.parametrize("method", SINGLE)
def test_fragments_and_plain_text_stay_as_they_are(method: str, make_filter: Callable[..., Filter]) -> None:
    filtering = make_filter(method=method, fields={"html": "html", "words": "text"})
    fragment = news(0).partition("<body>")[2].removesuffix("</body></html>")
    for item in ({"html": fragment}, {"words": "Home\nNews\n\nA story"}):
        assert filtering.pipeline.process_item({"url": "http://news.example/", **item}) == {
            "url": "http://news.example/",
            **item,
        }
    assert filtering.stats.of("items/unchanged") == {"nothing_to_strip": 2}


def test_store_that_is_there_is_read_for_corrections(tmp_path: Path, make_filter: Callable[..., Filter]) -> None:
    path = tmp_path / "templates.db"
    store = SqliteStore(path)
    add(store, "news.example", [("drop", "p:nth-of-type(2)")])
    store.close()
    corrected, plain = (
        make_filter(folder, method="tag_ratio").pipeline.process_item({"url": "http://news.example/", "html": news(0)})
        for folder in (tmp_path, tmp_path / "empty")
    )
    assert plain["html"].count("<p>") == 6
    assert corrected["html"].count("<p>") == 4
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT count(*) FROM sites").fetchone() == (0,)
