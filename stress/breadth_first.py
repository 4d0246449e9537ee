"""A crawl by Scrapy's engine of many sites breadth first: the first page of each site, then the second of each, and on.

So all sites are learnt at the same time, and all items would wait at the same time. It prints how many items were
cleaned by a model of their site's N pages, and processor time and memory beyond those of a crawl without the filter.

A site is one of a corpus, or a generated one, with other names of classes. Responses are made in the process.
"""

from __future__ import annotations

import multiprocessing
import sys
import tempfile
from argparse import ArgumentParser
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

import scrapy
from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import Response, TextResponse

from benchmarks.crawl_pages import crawl_sites
from benchmarks.process_memory import peak_bytes, resident_bytes
from benchmarks.tables import print_made_with
from scrapy_blockfilter import Options
from stress.made_hosts import MadeHosts, Plan, place_of, url_of

SITES, PAGES = 500, 12
# The default in the proportion of this number of sites to 2,000.
HELD_BYTES = Options().warmup_max_bytes // 4
# Held items that may leave before their site is learnt, of all: each time that memory runs short, those of one site go.
MOST_EARLY = 0.05
# Memory of held items beyond the bound, which the item that reaches it may take, in parts of the bound.
MOST_BEYOND = 0.1


class CorpusSites(Plan):
    """Sites with the pages of others, the originals, under changed names of classes."""

    def __init__(self, count: int, originals: Sequence[Sequence[str]]) -> None:
        super().__init__([len(originals[site % len(originals)]) for site in range(count)])
        self._originals = originals

    def page(self, host: int, number: int) -> str:
        html = self._originals[host % len(self._originals)][number]
        return html.replace('class="', f'class="of{host} ')


class BreadthFirst(scrapy.Spider):
    """Asks for the next page of a site when it has got one, and makes an item of each.

    The first page of all leads to those of the other sites: of start requests Scrapy takes one at a time.
    """

    name = "breadth-first"

    async def start(self) -> AsyncIterator[Any]:
        self.plan: CorpusSites = self.settings["PLAN"]
        yield scrapy.Request(url_of(0, 0))

    def parse(self, response: Response, **_: Any) -> Iterator[Any]:
        assert isinstance(response, TextResponse)
        site, number = place_of(response.url)
        if (site, number) == (0, 0):
            yield from (scrapy.Request(url_of(other, 0)) for other in range(1, len(self.plan.pages)))
        if number + 1 < self.plan.pages[site]:
            yield scrapy.Request(url_of(site, number + 1))
        yield {"url": response.url, "html": response.text}


class Costs(NamedTuple):
    """The figures of a crawl, and the statistics of its filter."""

    cpu: float
    seconds: float
    grown: int
    pages: int
    right: int
    stats: dict[str, Any]


@dataclass(frozen=True)
class Breadth:
    """A crawl beside one without the filter."""

    sites: int
    held_bytes: int
    bare: Costs
    crawl: Costs

    @property
    def own(self) -> float:
        """The share of items that a model of their site's N pages has cleaned."""
        stats = self.crawl.stats
        late = stats.get("items/provisional", 0) + stats.get("items/unchanged/warmup", 0)
        return 1 - float(late) / self.crawl.pages

    @property
    def problems(self) -> list[str]:
        stats = self.crawl.stats
        early = stats.get("warmup/held", 0) - stats.get("warmup/released/learnt", 0)
        checks = {
            "items were lost or doubled": self.crawl.right == self.crawl.pages,
            "too many held items left before their site was learnt": early <= MOST_EARLY * stats.get("warmup/held", 0),
            "held items took too much memory": stats.get("warmup/bytes_max", 0) <= (1 + MOST_BEYOND) * self.held_bytes,
            "errors": not stats.get("errors") and not stats.get("store/errors"),
        }
        return [problem for problem, is_well in checks.items() if not is_well]

    def in_words(self) -> str:
        crawl, bare, stats = self.crawl, self.bare, self.crawl.stats
        left = {name.rpartition("/")[2]: count for name, count in stats.items() if "warmup/released/" in name}
        return (
            f"{self.sites:,} sites breadth first, {crawl.pages:,} pages: {self.own:.1%} of items cleaned by their "
            f"site's own model; {crawl.pages - crawl.right} lost or doubled; held items left by {left}, "
            f"{stats.get('models/provisional', 0) / self.sites:.2f} provisional fits a site; "
            f"{1000 * (crawl.cpu - bare.cpu) / self.sites:.0f} ms of processor time a site beyond "
            f"{1000 * bare.cpu / self.sites:.0f}, {(crawl.grown - bare.grown) / 1e6:.0f} MB of memory beyond "
            f"{bare.grown / 1e6:.0f}, {stats.get('warmup/bytes_max', 0) / 1e6:.0f} MB held at the most, "
            f"{crawl.seconds:.0f} s."
        )


def crawl_breadth_first(plan: CorpusSites, settings: dict[str, Any]) -> Costs:
    """Run a crawl in a process of its own."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(_crawl, plan, settings).result()


def _crawl(plan: CorpusSites, settings: dict[str, Any]) -> Costs:
    with tempfile.TemporaryDirectory() as folder:
        process = AsyncCrawlerProcess(
            {
                "BLOCKFILTER_STORE": str(Path(folder) / "templates.db"),
                "DOWNLOAD_HANDLERS": {"http": MadeHosts},
                "LOG_LEVEL": "ERROR",
                "PLAN": plan,
                "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
                "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.ScrapyPriorityQueue",
                "TELNETCONSOLE_ENABLED": False,
                **settings,
            }
        )
        crawler = process.create_crawler(BreadthFirst)
        out: Counter[str] = Counter()
        crawler.signals.connect(lambda item: out.update([item["url"]]), signals.item_scraped, weak=False)
        process.crawl(crawler)
        cpu, start, size = process_time(), perf_counter(), resident_bytes() or 0
        process.start()
        assert crawler.stats is not None
        stats = {
            name.removeprefix("blockfilter/"): value
            for name, value in crawler.stats.get_stats().items()
            if name.startswith("blockfilter/")
        }
        right, grown = list(out.values()).count(1), peak_bytes() - size
        return Costs(process_time() - cpu, perf_counter() - start, grown, plan.made, right, stats)


def main() -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("corpus", nargs="?", type=Path, help="take pages of its sites, else generated ones")
    parser.add_argument("--sites", type=int, default=SITES)
    parser.add_argument("--held-bytes", type=int, default=HELD_BYTES)
    arguments = parser.parse_args()
    originals = list(crawl_sites(arguments.corpus, 2 if arguments.corpus else 20, PAGES).values())
    plan = CorpusSites(arguments.sites, originals)
    bare = crawl_breadth_first(plan, {})
    settings = {
        "ADDONS": {"scrapy_blockfilter.Addon": 500},
        "BLOCKFILTER_WARMUP_MAX_BYTES": arguments.held_bytes,
        "BLOCKFILTER_WARMUP_TIMEOUT": 86_400.0,
    }
    breadth = Breadth(arguments.sites, arguments.held_bytes, bare, crawl_breadth_first(plan, settings))
    print(breadth.in_words(), *(f"PROBLEM: {problem}" for problem in breadth.problems), sep="\n")
    print_made_with()
    return bool(breadth.problems)


if __name__ == "__main__":
    sys.exit(main())
