"""Segmenters in crawls: each learns a site separately from the others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from scrapy_blockfilter.crawl import Sites
from scrapy_blockfilter.html import PageCaches, parse, segment
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.store import SqliteStore
from tests.crawls.test_crawl import first_url, learnt_sites
from tests.support.crawls import Crawl, chain_spider
from tests.support.made_crawler import CountingStats
from tests.support.made_sites import GeneratedSite, make_site
from tests.support.mockserver import MockServer

SITE, NEW = make_site("div", 16), make_site("semantic", 16, seed=1)


def test_crawls_with_other_segmenters_learn_anew_and_lose_nothing(
    crawl: Callable[..., Crawl], server: MockServer
) -> None:
    site = make_site(pages=7, seed=3)
    host = server.add_site(site)
    spider = chain_spider(first_url(host))
    by_dom = {"BLOCKFILTER_METHOD": "chunk_frequency", "BLOCKFILTER_SEGMENTER": "dom"}
    first = crawl(spider, by_dom).check()
    for page in site.pages:
        page.assert_cleaned(first.by_path()[page.url_path])
    assert (first.stat("sites/known"), learnt_sites(first.store)) == (0, {f"{host}\tdom": 4})

    by_length = {"BLOCKFILTER_SEGMENTER": "fixed_length", "BLOCKFILTER_METHOD_ARGS": {"segment_length": "60"}}
    second = crawl(spider, by_dom | by_length).check()
    for page in site.pages:
        assert [text for text in page.content if text not in second.by_path()[page.url_path]] == []
    assert second.stat("items/cleaned") > 0

    third = crawl(spider, {"BLOCKFILTER_METHOD": "chunk_frequency"}).check()
    assert learnt_sites(third.store) == {host: 4, f"{host}\tdom": 4, f"{host}\tfixed_length 60": 4}
    assert (second.stat("sites/known"), third.stat("sites/known")) == (0, 0)

    again = crawl(spider, by_dom).check()
    assert (again.stat("sites/known"), again.stat("pages/learnt")) == (1, 0)
    assert again.by_path() == first.by_path()


def _pass_through(path: Path, segmenter: str, sites: list[GeneratedSite]) -> tuple[dict[int, int], CountingStats]:
    """Pages learnt of each layout after a crawl of sites that follow each other at one address."""
    stats = CountingStats()
    options = Options(pages=4, segmenter=segmenter, method="chunk_frequency")
    crawled = Sites(options, SqliteStore(path), stats)
    known = PageCaches()
    for number, site in enumerate(sites):
        for page_hash, page in enumerate(site.pages, 100 * number):
            segmented = segment(parse(page.html), known, segmenter=options.segmentation)
            if crawled.named("news.example").wants(page_hash):
                crawled.named("news.example").learn(page_hash, segmented)
            crawled.named("news.example").judge(segmented, page_hash)
    found = {number: model.pages for number, model in crawled.named("news.example").models().items()}
    crawled.close()
    return found, stats


def test_layouts_and_misfits_of_one_segmenter_are_none_of_another(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    few = GeneratedSite(NEW.pages[:2])
    assert _pass_through(path, "chunks", [SITE, NEW])[0] == {1: 4, 2: 4}
    assert _pass_through(path, "dom", [SITE, few])[0] == {1: 4}
    # The two that fitted nothing come back with their segmenter, and two more make a layout of them.
    rest = GeneratedSite(NEW.pages[2:4])
    empty = GeneratedSite([])
    layouts, stats = _pass_through(path, "dom", [empty, empty, rest])
    assert (layouts, stats["blockfilter/sites/known"]) == ({1: 4, 2: 4}, 1)
    assert {segmenter: _pass_through(path, segmenter, [])[0] for segmenter in ("chunks", "dom", "fixed_length")} == {
        "chunks": {1: 4, 2: 4},
        "dom": {1: 4, 2: 4},
        "fixed_length": {},
    }
    lengths = [Options(segmenter="fixed_length", method_args={"segment_length": length}) for length in (60, 61)]
    assert [str(each.segmentation) for each in lengths] == ["fixed_length 60", "fixed_length 61"]
