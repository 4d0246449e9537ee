"""``python -m example_project.demo``: crawls a made newspaper and a made shop, and tells what came of it."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from pathlib import Path

from scrapy.crawler import AsyncCrawlerProcess
from scrapy.settings import Settings
from scrapy.utils.project import get_project_settings

from example_project import printing
from example_project.findings import Crawl
from example_project.made import news_site, shop_site
from example_project.spiders.news import NewsSpider
from example_project.spiders.shop import ShopSpider
from scrapy_blockfilter import Options
from scrapy_blockfilter.crawl.stores import in_project
from scrapy_blockfilter.report import site_report
from scrapy_blockfilter.store import SqliteStore, StoreError

PROJECT = Path(__file__).parents[1]
OUTPUT = PROJECT / "output"
LOG = OUTPUT / "demo.log"
REPORT = OUTPUT / "report.html"
# Pages that the report shows before and after.
_SHOWN = 5


def main() -> int:
    """Run the crawls and print what came of them; 0 if they went as they should."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a terminal that has no quotation marks
    os.chdir(PROJECT)  # where Scrapy looks for the project, and the filter for its store
    OUTPUT.mkdir(exist_ok=True)
    LOG.unlink(missing_ok=True)
    settings = get_project_settings()
    settings.set("LOG_FILE", str(LOG), priority="cmdline")
    crawls, problems = run(settings)
    if not problems:
        tell(crawls, settings)
    print(f"Log      {LOG}")
    for problem in problems:
        print(f"The demo failed: {problem}", file=sys.stderr)
    return 1 if problems else 0


def run(settings: Settings) -> tuple[list[Crawl], list[str]]:
    """Crawl both sites in one process.

    Returns:
        what came of each crawl, and what went wrong.
    """
    process = AsyncCrawlerProcess(settings)
    crawls = [
        Crawl(process.create_crawler(NewsSpider), news_site()),
        Crawl(process.create_crawler(ShopSpider), shop_site()),
    ]
    print("Crawling a made newspaper and a made shop over the loopback ...", flush=True)
    tasks = [process.crawl(crawl.crawler) for crawl in crawls]
    process.start()
    if any(not task.done() or task.cancelled() for task in tasks):
        return crawls, ["the crawls were stopped by force"]
    if errors := [str(task.exception()) for task in tasks if task.exception()]:
        return crawls, list(dict.fromkeys(errors))
    options = Options.from_settings(settings)
    try:
        with closing(SqliteStore(in_project(options.store))) as store:
            for crawl in crawls:
                crawl.read_store(store, options)
    except StoreError as error:
        return crawls, [str(error)]
    return crawls, [problem for crawl in crawls for problem in crawl.problems()]


def tell(crawls: list[Crawl], settings: Settings) -> None:
    """Print the table and a page of each site, and write the report on the newspaper."""
    lines = ["", *printing.table(crawls)]
    for crawl in crawls:
        if told := list(printing.lost(crawl)):
            lines += ["", *told]
    for crawl, what in zip(crawls, ("One article", "One product"), strict=True):
        lines += ["", f"{what} of {crawl.site}", *printing.page(crawl.cleaned(crawl.example()))]
    lines.append("")
    for feed in settings["FEEDS"]:
        lines += [f"Feed     {str(feed) % {'name': crawl.name}}" for crawl in crawls]
    lines.append(f"Store    {Path(in_project(Options.from_settings(settings).store)).resolve()}")
    news, shop = crawls
    REPORT.write_text(_report(news), encoding="utf-8")
    lines += [
        f"Open {REPORT} in a browser: it shows what was learnt of {news.site}, and pages before and after.",
        f"In {PROJECT}, `scrapy blockfilter show {shop.site} --html FILE` writes one on the shop.",
    ]
    print("\n".join(lines))


def _report(crawl: Crawl) -> str:
    """What ``scrapy blockfilter show SITE --html FILE --pages ...`` writes."""
    assert crawl.layout
    example = crawl.example()
    shown = [example, *(path for path in sorted(crawl.items) if path != example)][:_SHOWN]
    pages = [(crawl.items[path]["url"], crawl.sources[path]) for path in shown]
    model, sample = crawl.layout.model, crawl.layout.sample
    return site_report(model, sample, site=crawl.site, pages=pages, suspicious=crawl.suspicious)


if __name__ == "__main__":
    sys.exit(main())
