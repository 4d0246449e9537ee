"""``report``: write the template of a site, or the verdicts on a page, as one HTML file."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode, Subcommand, no_pages
from scrapy_blockfilter.commands.corrections import correcting
from scrapy_blockfilter.commands.explain import fetch, is_url, judged, read_file
from scrapy_blockfilter.commands.output import output_file, printable
from scrapy_blockfilter.crawl.stored_models import Layout, layouts_of
from scrapy_blockfilter.report import page_report, site_report
from scrapy_blockfilter.store.keys import stored_key


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "page", metavar="SITE|URL|FILE", help="a site of the store, a page to fetch, or a file with HTML"
    )
    parser.add_argument(
        "-o", "--output", default="report.html", metavar="FILE", type=output_file, help="default: report.html"
    )
    parser.add_argument("--site", help="the site of a page (default: that of its URL, or the folder of its file)")
    parser.add_argument("--spider", help="fetch with the settings of this spider of the project")
    parser.add_argument(
        "--layout", type=int, metavar="N", help="which layout of a site with several (default: the one with most pages)"
    )
    parser.add_argument(
        "--pages",
        nargs="+",
        default=[],
        metavar="URL|FILE",
        help="pages to show before and after in the report on a site, the first five; the store holds no HTML",
    )


def _run(call: Call) -> None:
    named = call.arguments.page
    if is_url(named) or Path(named).is_file():
        page = judged(call)
        site = page.site
        report = page_report(page.cleaned, name=named, site=site, correcting=correcting(call, site, page.corrections))
    else:
        site, report = _of_site(call)
    if not call.arguments.output:
        call.output.line(report)
        return
    path = Path(call.arguments.output)
    path.write_text(report, encoding="utf-8")
    size = path.stat().st_size
    call.output.result(
        {"report": str(path), "site": site, "bytes": size},
        f"{path}: {printable(site)}, {size:,} bytes. Open it in a browser.",
    )


def _of_site(call: Call) -> tuple[str, str]:
    arguments = call.arguments
    pages = _pages(call, arguments.pages)
    with call.store() as store:
        site = call.site(store, arguments.page)
        layouts = layouts_of(store, site, call.options)
        suspects = store.suspects(stored_key(site, call.options.segmentation))
        corrections = store.corrections().get(site)
    layout = _chosen(layouts, site, arguments.layout)
    model = layout.model if corrections is None else layout.model.corrected(corrections)
    heading = f"{site}, layout {layout.number} of {len(layouts)}" if len(layouts) > 1 else site
    suspicious = [(suspect.url, suspect.reason) for suspect in reversed(suspects)]
    return site, site_report(
        model,
        layout.sample,
        site=heading,
        pages=pages,
        suspicious=suspicious,
        correcting=correcting(call, site, corrections),
    )


def _pages(call: Call, named: Sequence[str]) -> list[tuple[str, str]]:
    """Return pages by their names. One crawl fetches all URLs."""
    urls = [page for page in named if is_url(page)]
    html = {page: read_file(Path(page)).html for page in named if not is_url(page)}
    if urls:
        html |= {url: fetched.html for url, fetched in zip(urls, fetch(call, urls), strict=True)}
    return [(page, html[page]) for page in named]


def _chosen(layouts: Sequence[Layout], site: str, number: int | None) -> Layout:
    if not layouts:
        raise no_pages(site)
    if number is None:
        return max(layouts, key=lambda layout: (len(layout.sample), -layout.number))
    found = next((layout for layout in layouts if layout.number == number), None)
    if found is None:
        there = ", ".join(str(layout.number) for layout in layouts)
        raise CommandError(f"{site} has no layout {number}; type one of {there}.", ExitCode.NOT_FOUND)
    return found


COMMAND = Subcommand(
    "report",
    "write an HTML page about a site or a page",
    _run,
    _add_arguments,
    lambda arguments: any(map(is_url, (arguments.page, *arguments.pages))),
)
