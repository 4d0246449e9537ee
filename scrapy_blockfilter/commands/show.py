"""``show``: show what was learnt of a site, or what becomes of a page and why, as text, JSON or one HTML file."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode, Subcommand, no_pages
from scrapy_blockfilter.commands.corrections import correcting
from scrapy_blockfilter.commands.output import output_file, printable
from scrapy_blockfilter.commands.pages import get_pages, is_url
from scrapy_blockfilter.commands.show_page import Judged, judged, show_page
from scrapy_blockfilter.commands.show_site import layout_with, show_site
from scrapy_blockfilter.crawl.stored_models import layouts_of
from scrapy_blockfilter.report import page_report, site_report
from scrapy_blockfilter.store.keys import stored_key


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "shown",
        metavar="SITE|URL|FILE",
        help="a site, by its key as `sites` lists it or its host; a page to fetch through Scrapy; or a file with HTML",
    )
    parser.add_argument("--html", metavar="FILE", help="write an HTML report to this file")
    parser.add_argument(
        "--limit",
        type=int,
        default=20,
        metavar="N",
        help="number of slots and blocks of a site to print (default: 20; JSON: all)",
    )
    parser.add_argument(
        "--layout",
        type=int,
        metavar="N",
        help="only this layout of a site with several (default: all; in HTML the one with most pages)",
    )
    parser.add_argument(
        "--pages",
        nargs="+",
        default=[],
        metavar="URL|FILE",
        help="pages to show before and after in the HTML report on a site, the first five; the store holds no HTML",
    )
    parser.add_argument("--site", help="the site of a page (default: that of its URL, or the folder of its file)")
    parser.add_argument("--spider", help="fetch with the settings of this spider of the project")
    parser.add_argument(
        "--sort",
        choices=("place", "doubt"),
        default="place",
        help="blocks as they stand on the page, or first those whose score speaks most against their verdict "
        "(default: place)",
    )


def _run(call: Call) -> None:
    arguments = call.arguments
    is_page = is_url(arguments.shown) or Path(arguments.shown).is_file()
    if arguments.pages and (is_page or not arguments.html):
        raise CommandError("--pages are shown in the report on a site: type SITE --html FILE.", ExitCode.USAGE)
    page = judged(call) if is_page else None
    if arguments.html:
        _write(call, *(_report_on_page(call, page) if page else _report_on_site(call)))
    elif page:
        show_page(call, page)
    else:
        show_site(call)


def _write(call: Call, site: str, report: str) -> None:
    name = output_file(call.arguments.html)
    if name is None:
        call.output.line(report)
        return
    path = Path(name)
    path.write_text(report, encoding="utf-8")
    size = path.stat().st_size
    call.output.result(
        {"report": str(path), "site": site, "bytes": size},
        f"{path}: {printable(site)}, {size:,} bytes. Open it in a browser.",
    )


def _report_on_page(call: Call, page: Judged) -> tuple[str, str]:
    menu = correcting(call, page.site, page.corrections)
    return page.site, page_report(page.cleaned, name=call.arguments.shown, site=page.site, correcting=menu)


def _report_on_site(call: Call) -> tuple[str, str]:
    arguments = call.arguments
    pages = [page.html for page in get_pages(call, arguments.pages)]
    with call.store() as store:
        site = call.site(store, arguments.shown)
        layouts = layouts_of(store, site, call.options)
        suspects = store.suspects(stored_key(site, call.options.segmentation))
        corrections = store.corrections().get(site)
    if not layouts:
        raise no_pages(site)
    if arguments.layout is None:
        layout = max(layouts, key=lambda layout: (len(layout.sample), -layout.number))
    else:
        layout = layout_with(layouts, site, arguments.layout)
    return site, site_report(
        layout.model if corrections is None else layout.model.corrected(corrections),
        layout.sample,
        site=f"{site}, layout {layout.number} of {len(layouts)}" if len(layouts) > 1 else site,
        pages=list(zip(arguments.pages, pages, strict=True)),
        suspicious=[(suspect.url, suspect.reason) for suspect in reversed(suspects)],
        correcting=correcting(call, site, corrections),
    )


def _crawls(arguments: Namespace) -> bool:
    return any(map(is_url, (arguments.shown, *arguments.pages)))


COMMAND = Subcommand(
    "show", "show what was learnt of a site, or what becomes of a page and why", _run, _add_arguments, _crawls
)
