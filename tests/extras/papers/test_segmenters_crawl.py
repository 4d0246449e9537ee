"""Segmenters in crawls: each learns a site separately from the others."""

from __future__ import annotations

from collections.abc import Callable

from tests.crawls.test_crawl import first_url, learnt_sites
from tests.support.crawls import Crawl, chain_spider
from tests.support.made_sites import make_site
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
