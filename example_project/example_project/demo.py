"""``python -m example_project.demo``: crawls Python's documentation server and tells what came of it."""

from __future__ import annotations

import os
import statistics
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.http import HtmlResponse
from scrapy.utils.project import get_project_settings

from example_project.spiders.pydoc import PydocSpider
from scrapy_blockfilter import JudgedBlock, Options
from scrapy_blockfilter.crawl import stats
from scrapy_blockfilter.crawl.stores import store_path
from scrapy_blockfilter.middleware import BlockFilterDownloaderMiddleware

PROJECT = Path(__file__).parents[1]
LOG = PROJECT / "output" / "pydoc.log"
# A crawl of fewer pages has gone wrong.
LEAST_PAGES = 60
# What is shown: of the texts stripped most, of blocks of a page, of characters of a text.
MOST = 12
BLOCKS = 16
CHARACTERS = 76


class Watcher:
    """Asks the model of the site, at each item, which blocks of the page it strips.

    Attributes:
        pages_without: text of a block -> number of pages it was stripped from.
        shares: of each page, how much of its text was stripped.
        example: title and blocks of the page of a module, of the short ones the last.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.pages_without: Counter[str] = Counter()
        self.shares: list[float] = []
        self.example: tuple[str, Sequence[JudgedBlock]] = ("", ())
        self._crawler = crawler
        crawler.signals.connect(self.item_scraped, signals.item_scraped)

    def item_scraped(self, item: Mapping[str, str], response: HtmlResponse) -> None:
        middleware = self._crawler.get_downloader_middleware(BlockFilterDownloaderMiddleware)
        model = middleware.learner.model(PydocSpider.site) if middleware else None
        if model is None:
            return
        blocks = model.clean(response.text).blocks
        gone = stripped(blocks)
        self.pages_without.update({line(block.text) for block in gone})
        self.shares.append(characters(gone) / max(characters(blocks), 1))
        if gone and len(blocks) <= BLOCKS and "module " in item["title"]:
            self.example = (item["title"], blocks)


def main() -> int:
    """Run the crawl and print what came of it; 0 if it went as it should."""
    os.chdir(PROJECT)  # where Scrapy looks for the project, and the filter for its store
    LOG.parent.mkdir(exist_ok=True)
    LOG.unlink(missing_ok=True)
    settings = get_project_settings()
    settings.set("LOG_FILE", str(LOG), priority="cmdline")
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(PydocSpider)
    watcher = Watcher(crawler)
    print("Crawling the pages of python -m pydoc ...", flush=True)
    crawl = process.crawl(crawler)
    process.start()
    if not crawl.done() or crawl.cancelled():
        problems = ["the crawl was stopped by force"]
    elif error := crawl.exception():
        problems = [str(error)]
    else:
        assert crawler.stats
        counts = crawler.stats.get_stats()
        problems = list(find_problems(counts))
        print("\n".join(report(counts, watcher)))
        for feed in settings["FEEDS"]:
            print(f"Feed   {feed}")
        print(f"Store  {Path(store_path(Options.from_settings(settings))).resolve()}")
    print(f"Log    {LOG}")
    for problem in problems:
        print(f"The demo failed: {problem}", file=sys.stderr)
    return 1 if problems else 0


def report(counts: Mapping[str, Any], watcher: Watcher) -> Iterator[str]:
    """The lines of the table."""
    seen, gone = counts.get(stats.BYTES_SEEN, 0), counts.get(stats.BYTES_STRIPPED, 0)
    rows = [
        ("Pages crawled", f"{counts.get('response_received_count', 0):,}", ""),
        ("Items", f"{counts.get('item_scraped_count', 0):,}", ""),
        (
            "  cleaned",
            f"{counts.get(stats.ITEMS_CLEANED, 0):,}",
            "from the first page on, as an earlier crawl has learnt the site" if counts.get(stats.SITES_KNOWN) else "",
        ),
    ]
    for reason, meaning in stats.REASONS.items():
        if number := counts.get(f"{stats.ITEMS_UNCHANGED}/{reason}"):
            rows.append(("  unchanged", f"{number:,}", meaning))
    rows.append(("Text stripped", f"{gone / max(seen, 1):.1%}", f"{gone:,} of {seen:,} bytes"))
    if watcher.shares:
        rows.append(("  of the median page", f"{statistics.median(watcher.shares):.1%}", ""))
    yield ""
    for name, number, remark in rows:
        yield f"{name:<20}{number:>8}  {remark}".rstrip()
    yield from ("", "Stripped from most pages")
    for text, pages in sorted(watcher.pages_without.items(), key=lambda entry: (-entry[1], entry[0]))[:MOST]:
        if pages > 1:
            yield f"{pages:>8}  {text}"
    title, blocks = watcher.example
    if blocks:
        yield from ("", f"One page, {title!r}, with - where a block was stripped")
        for block in blocks:
            yield f"{'' if block.keep else '-':>8}  {line(block.text)}".rstrip()
    yield ""


def find_problems(counts: Mapping[str, Any]) -> Iterator[str]:
    """What is not as it should be after a crawl."""
    items = counts.get("item_scraped_count", 0)
    if counts.get("finish_reason") != "finished":
        yield f"the crawl was stopped ({counts.get('finish_reason')})"
    elif items < LEAST_PAGES:
        yield f"there are {items} items, fewer than {LEAST_PAGES}"
    elif not counts.get(stats.ITEMS_CLEANED):
        yield "no item was cleaned"
    if errors := counts.get("log_count/ERROR"):
        yield f"{errors} errors are in the log"


def line(text: str) -> str:
    """A text as one line, cut where it is long."""
    folded = " ".join(text.split())
    return folded if len(folded) <= CHARACTERS else f"{folded[: CHARACTERS - 1]}…"


def stripped(blocks: Sequence[JudgedBlock]) -> list[JudgedBlock]:
    return [block for block in blocks if not block.keep]


def characters(blocks: Sequence[JudgedBlock]) -> int:
    return sum(len(block.text) for block in blocks)


if __name__ == "__main__":
    sys.exit(main())
