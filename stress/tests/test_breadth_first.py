"""The crawl breadth first: its items wait in memory, and leave by models of their own sites if there is room."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.generate import GeneratedSite
from stress.breadth_first import Breadth, CorpusSites, Costs, crawl_breadth_first


@pytest.fixture(scope="module")
def originals() -> list[list[str]]:
    return [[GeneratedSite(site).page(number, 30_000).html for number in range(12)] for site in range(2)]


@pytest.fixture(scope="module")
def bare(originals: list[list[str]]) -> Costs:
    return crawl_breadth_first(CorpusSites(20, originals), {})


@pytest.mark.parametrize(
    ("held_bytes", "own"), [(20_000_000, 1.0), (1_300_000, 0.4)], ids=["room for all", "room for a tenth"]
)
def test_items_wait_for_their_own_models_if_there_is_room_and_come_out_once(
    originals: list[list[str]], bare: Costs, held_bytes: int, own: float
) -> None:
    settings = {"ADDONS": {"scrapy_blockfilter.Addon": 500}, "BLOCKFILTER_WARMUP_MAX_BYTES": held_bytes}
    breadth = Breadth(20, held_bytes, bare, crawl_breadth_first(CorpusSites(20, originals), settings))
    assert bare.pages == 240
    assert breadth.problems == []
    assert breadth.own == pytest.approx(own, abs=0.1)
    assert f"20 sites breadth first, 240 pages: {breadth.own:.1%}" in breadth.in_words()


def test_each_fault_is_told(bare: Costs) -> None:
    stats = {"warmup/held": 100, "warmup/released/learnt": 100, "warmup/bytes_max": 1_000_000}
    good = Breadth(20, 1_000_000, bare, bare._replace(stats=stats))
    assert good.problems == []
    for fault in ({"warmup/released/learnt": 90}, {"warmup/bytes_max": 1_200_000}, {"errors": 1}, {"store/errors": 1}):
        assert len(replace(good, crawl=bare._replace(stats={**stats, **fault})).problems) == 1, fault
    assert replace(good, crawl=good.crawl._replace(right=239)).problems == ["items were lost or doubled"]
