"""One measured crawl in this process: ``python -m benchmarks.crawl_process JOB``, as :mod:`benchmarks.crawl_runs` asks.

It imports nothing of the package by itself: a crawl without the plugin must not carry it.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import scrapy
from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.http import Response

from benchmarks.corpus import CorpusPage
from benchmarks.process_memory import peak_bytes


class PagesSpider(scrapy.Spider):
    """Yields each page as it came."""

    name = "pages"

    async def start(self) -> AsyncIterator[Any]:
        job = self.settings["BENCHMARK"]
        for url in job["urls"]:
            yield scrapy.Request(url, meta={"proxy": job["proxy"]})

    def parse(self, response: Response, **_: Any) -> Iterator[Any]:
        yield {"html": response.text, "url": response.url}


class PeerPipeline:
    """Puts what another extractor finds in place of the page."""

    def __init__(self, name: str) -> None:
        from benchmarks.peers import load_peers

        self._extract = load_peers((name,))[name]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> PeerPipeline:
        return cls(crawler.settings["BENCHMARK"]["peer"])

    def process_item(self, item: dict[str, Any]) -> dict[str, Any]:
        try:
            item["html"] = self._extract(CorpusPage(item["html"], "", ""))
        except Exception:  # on some pages extractors fail: that is their result
            item["html"] = ""
        return item


class Meter:
    """Scrapy extension that measures from the start of the engine to its stop."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._start = self._worked = 0.0

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Meter:
        meter = cls(crawler)
        crawler.signals.connect(meter.engine_started, signals.engine_started)
        crawler.signals.connect(meter.engine_stopped, signals.engine_stopped)
        return meter

    def engine_started(self) -> None:
        self._start, self._worked = time.perf_counter(), time.process_time()

    def engine_stopped(self) -> None:
        seconds, worked = time.perf_counter() - self._start, time.process_time() - self._worked
        assert self._crawler.stats is not None
        measured = {
            "seconds": seconds,
            "cpu_seconds": worked,
            "peak_bytes": peak_bytes(),
            "stats": self._crawler.stats.get_stats(),
        }
        path = Path(self._crawler.settings["BENCHMARK"]["result"])
        path.write_text(json.dumps(measured, default=repr), encoding="utf-8")


def main(job_file: str) -> None:
    job = json.loads(Path(job_file).read_text(encoding="utf-8"))
    settings = {**job["settings"], "BENCHMARK": job, "EXTENSIONS": {Meter: 0}}
    if job["peer"]:
        settings["ITEM_PIPELINES"] = {PeerPipeline: 50}
    process = AsyncCrawlerProcess(settings)
    process.crawl(PagesSpider)
    process.start()


if __name__ == "__main__":
    main(sys.argv[1])
