"""The crawl breadth first: its items wait packed, and leave by models of their own sites."""

from __future__ import annotations

from benchmarks.generate import GeneratedSite
from stress.breadth_first import Breadth, CorpusSites, crawl_breadth_first


def test_items_wait_packed_for_their_own_models_and_come_out_once() -> None:
    originals = [[GeneratedSite(site).page(number, 30_000).html for number in range(12)] for site in range(2)]
    plan = CorpusSites(20, originals)
    bare = crawl_breadth_first(plan, {})
    settings = {"ADDONS": {"scrapy_blockfilter.Addon": 500}, "BLOCKFILTER_WARMUP_MAX_BYTES": 1_300_000}
    breadth = Breadth(20, bare, crawl_breadth_first(plan, settings))
    assert bare.pages == 240
    assert breadth.crawl.stats["warmup/packed"] > 50
    assert breadth.crawl.stats["warmup/disk_bytes_max"] > 0
    assert breadth.problems == []
    assert breadth.own == 1
    assert "20 sites breadth first, 240 pages: 100.0%" in breadth.in_words()
