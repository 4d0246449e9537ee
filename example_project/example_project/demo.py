"""``python -m example_project.demo``: crawls a made newspaper, a made shop and pydoc, and tells what came of it."""

from __future__ import annotations

import argparse
import os
import sys
import webbrowser
from contextlib import closing
from pathlib import Path

from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.settings import Settings
from scrapy.utils.project import get_project_settings

from example_project import printing
from example_project.findings import Crawl
from example_project.made import MadeSite, news_site, shop_site
from example_project.reports import write_reports
from example_project.spiders.news import NewsSpider
from example_project.spiders.pydoc import PydocSpider
from example_project.spiders.shop import ShopSpider
from scrapy_blockfilter import Options
from scrapy_blockfilter.crawl.stores import in_project
from scrapy_blockfilter.store import SqliteStore, StoreError

PROJECT = Path(__file__).parents[1]
OUTPUT = PROJECT / "output"
LOG = OUTPUT / "demo.log"
PYDOC_PAGES = 30
# Some modules cannot be imported on some platforms.
PYDOC_LEAST = 20


def main(arguments: list[str] | None = None) -> int:
    """Run the crawls and print what came of them; 0 if they went as they should."""
    parser = argparse.ArgumentParser(prog="python -m example_project.demo", description=__doc__)
    parser.add_argument("--open", action="store_true", help="open the report in a browser")
    wants_browser = parser.parse_args(arguments).open
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a terminal that has no quotation marks
    os.chdir(PROJECT)  # where Scrapy looks for the project, and the filter for its store
    OUTPUT.mkdir(exist_ok=True)
    LOG.unlink(missing_ok=True)
    settings = get_project_settings()
    settings.set("LOG_FILE", str(LOG), priority="cmdline")
    crawls, problems = run(settings)
    if not problems:
        report = tell(crawls, settings)
        print(f"Open {report} in a browser: it leads to what was stripped, and why, page by page.")
        if wants_browser:
            webbrowser.open(report.as_uri())
    print(f"Log      {LOG}")
    for problem in problems:
        print(f"The demo failed: {problem}", file=sys.stderr)
    return 1 if problems else 0


def run(settings: Settings) -> tuple[list[Crawl], list[str]]:
    """Crawl the three sites in one process.

    Returns:
        what came of each crawl, and what went wrong.
    """
    process = AsyncCrawlerProcess(settings)
    crawls = [
        _crawl(process.create_crawler(NewsSpider), news_site()),
        _crawl(process.create_crawler(ShopSpider), shop_site()),
        Crawl(process.create_crawler(PydocSpider), PydocSpider.site, None, PYDOC_LEAST),
    ]
    print("Crawling a made newspaper, a made shop and python -m pydoc over the loopback ...", flush=True)
    tasks = [process.crawl(crawls[0].crawler), process.crawl(crawls[1].crawler)]
    tasks.append(process.crawl(crawls[2].crawler, max_pages=str(PYDOC_PAGES)))
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


def tell(crawls: list[Crawl], settings: Settings) -> Path:
    """Print the table and a page of each made site, write the reports, and return the path of the first."""
    lines = ["", *printing.table(crawls)]
    for crawl in crawls:
        if told := list(printing.lost(crawl)):
            lines += ["", *told]
    examples = {crawl.name: crawl.example() for crawl in crawls[:2]}
    for crawl, what in zip(crawls, ("One article", "One product"), strict=False):
        lines += ["", f"{what} of {crawl.site}", *printing.page(crawl.cleaned(examples[crawl.name]))]
    lines.append("")
    for feed in settings["FEEDS"]:
        lines += [f"Feed     {str(feed) % {'name': crawl.name}}" for crawl in crawls]
    lines.append(f"Store    {Path(in_project(Options.from_settings(settings).store)).resolve()}")
    print("\n".join(lines))
    return write_reports(OUTPUT, crawls, examples)


def _crawl(crawler: Crawler, made: MadeSite) -> Crawl:
    return Crawl(crawler, made.name, made, sum(bool(page.own) for page in made.pages.values()))


if __name__ == "__main__":
    sys.exit(main())
