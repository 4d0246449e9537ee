"""A crawl by Scrapy's engine of very many hosts, few pages each: most of them are never learnt.

:mod:`stress.made_hosts` has the hosts and the spider. Run alone, it takes other numbers: ``--hosts 100000 --alone`` is
100,000 sites of one page each.
"""

from __future__ import annotations

import multiprocessing
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from scrapy.crawler import AsyncCrawlerProcess

from benchmarks.tables import print_made_with
from scrapy_blockfilter.store.size_limit import DEFAULT_MAX_BYTES
from stress.made_hosts import ENOUGH, UNDER_WAY, CountOut, FewPages, MadeHosts, ManyHosts, Point

HOSTS = 20_000
# Bytes of memory by which each further host may let the process grow, once half of the crawl is done. A page that is
# kept takes 5,000 or more. Scrapy remembers each request it has seen, in some 200 bytes.
BYTES_PER_HOST = 2_000
# How much longer a page may take in the last quarter of the crawl than in the second: noise.
SLOWER = 1.3

# Bytes of held items. Those of some 1,200 pages fill them, so memory is as full as it gets in the first quarter.
_HELD_BYTES = 16 * 2**20


@dataclass(frozen=True)
class HostCrawl:
    """Figures of a crawl of many hosts.

    Attributes:
        pages: pages that were made, of ``pages_due``; fewer if the crawl was stopped.
        ended: why Scrapy ended the crawl, "finished" if nothing was left to do.
        items: items that came out, each once, with the content of its page.
        harmed: items that were missing, came twice, or lacked content.
        ready: hosts that were learnt, of ``ready_due`` that had enough pages.
        errors: errors in the log and of the store.
        milliseconds: processor time of a page, for each quarter of the crawl.
        megabytes: memory of the process, for each quarter of the crawl.
        growth: bytes of memory by which a further host let the process grow in the second half.
    """

    hosts: int
    pages: int
    pages_due: int
    ended: str
    items: int
    harmed: int
    ready: int
    ready_due: int
    errors: int
    seconds: float
    milliseconds: tuple[float, ...]
    megabytes: tuple[float, ...]
    growth: float
    file_bytes: int

    @property
    def problems(self) -> list[str]:
        """What went wrong, in words."""
        _, early, _, late = self.milliseconds
        checks = {
            f"the crawl ended early: {self.ended}": self.pages == self.pages_due,
            "items were lost, doubled or damaged": self.items == self.pages and not self.harmed,
            "hosts with enough pages were not learnt": self.ready == self.ready_due,
            "errors": not self.errors,
            "memory grows": self.growth <= BYTES_PER_HOST,
            "pages take longer and longer": late <= SLOWER * early,
            "the store is over its bound": self.file_bytes <= DEFAULT_MAX_BYTES,
        }
        return [problem for problem, is_well in checks.items() if not is_well]

    def in_words(self) -> str:
        return (
            f"Crawl of {self.hosts:,} hosts, {UNDER_WAY:,} under way at a time: {self.items:,} items of "
            f"{self.pages:,} pages, {self.harmed} lost, doubled or damaged; {self.ready:,} of {self.ready_due:,} hosts "
            f"learnt; {self.errors} errors; {' / '.join(f'{number:.1f}' for number in self.milliseconds)} ms a page, "
            f"{' / '.join(f'{number:,.0f}' for number in self.megabytes)} MB of memory by quarter, {self.growth:,.0f} "
            f"bytes more a host in the second half (bound: {BYTES_PER_HOST:,}); {self.file_bytes / 1e6:,.0f} MB of "
            f"store, {self.seconds:,.0f} s."
        )


def crawl_hosts(hosts: int, seed: int, *, alone: bool = False) -> HostCrawl:
    """Crawl made hosts in a process of its own.

    Args:
        alone: each host has one page.
    """
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(_crawl, hosts, seed, alone).result()


def _crawl(hosts: int, seed: int, alone: bool) -> HostCrawl:
    start = perf_counter()
    plan = FewPages(hosts, seed, alone=alone)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "templates.db"
        settings = {
            "ADDONS": {"scrapy_blockfilter.Addon": 500},
            "BLOCKFILTER_STORE": str(path),
            "BLOCKFILTER_WARMUP_MAX_BYTES": _HELD_BYTES,
            "DOWNLOAD_HANDLERS": {"http": MadeHosts},
            "ITEM_PIPELINES": {CountOut: 900},
            "LOG_LEVEL": "ERROR",
            "PLAN": plan,
            # In the order they were asked for, so that all hosts under way get on.
            "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
            "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.ScrapyPriorityQueue",
            "TELNETCONSOLE_ENABLED": False,
        }
        process = AsyncCrawlerProcess(settings)
        crawler = process.create_crawler(ManyHosts)
        process.crawl(crawler)
        process.start()
        assert crawler.stats is not None
        stats = crawler.stats.get_stats()
        ended = str(stats.get("finish_reason"))
        step = (len(plan.points) - 1) // 4
        if not step:
            raise RuntimeError(f"the crawl ended after {plan.made} of {plan.total} pages: {ended}")
        quarters = [plan.points[step * quarter : step * (quarter + 1) + 1] for quarter in range(4)]
        megabytes = tuple(median(point.memory for point in quarter) / 1e6 for quarter in quarters)
        return HostCrawl(
            hosts=hosts,
            pages=plan.made,
            pages_due=plan.total,
            ended=ended,
            items=len(plan.out),
            harmed=plan.made - list(plan.out.values()).count(1),
            ready=stats.get("blockfilter/sites/ready", 0),
            ready_due=plan.pages.count(ENOUGH),
            errors=stats.get("log_count/ERROR", 0) + stats.get("blockfilter/store/errors", 0),
            seconds=perf_counter() - start,
            milliseconds=tuple(map(_milliseconds, quarters)),
            megabytes=megabytes,
            growth=1e6 * (megabytes[3] - megabytes[1]) / (hosts / 2 * plan.made / plan.total),
            file_bytes=path.stat().st_size,
        )


def _milliseconds(points: Sequence[Point]) -> float:
    """Return the processor time of a page between the points."""
    first, last = points[0], points[-1]
    return 1000 * (last.seconds - first.seconds) / (last.pages - first.pages)


def main() -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--hosts", type=int, default=HOSTS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--alone", action="store_true", help="each host has one page")
    arguments = parser.parse_args()
    crawl = crawl_hosts(arguments.hosts, arguments.seed, alone=arguments.alone)
    print(crawl.in_words(), *(f"PROBLEM: {problem}" for problem in crawl.problems), sep="\n")
    print_made_with()
    return bool(crawl.problems)


if __name__ == "__main__":
    sys.exit(main())
