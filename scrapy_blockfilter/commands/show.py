"""``show``: show what was learnt of a site, or what becomes of a page and why, as text, JSON or one HTML file."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import asdict
from typing import Any, NamedTuple

from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode, Subcommand, no_pages, whole_number
from scrapy_blockfilter.commands.corrections import correcting
from scrapy_blockfilter.commands.output import Output, output_file, printable
from scrapy_blockfilter.commands.pages import get_pages, is_file, is_url
from scrapy_blockfilter.crawl.savings import tokens_saved, usual_kept
from scrapy_blockfilter.crawl.sites import Sites
from scrapy_blockfilter.crawl.stats import REASONS, Uncounted
from scrapy_blockfilter.crawl.stored_models import Layout, layouts_of
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.model.cleaned import Cleaned
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.options.selectors import Corrections
from scrapy_blockfilter.plugins import counted
from scrapy_blockfilter.report import page_facts, page_report, site_report
from scrapy_blockfilter.report.survey import Survey, survey
from scrapy_blockfilter.store import Suspect, TemplateStore
from scrapy_blockfilter.store.corrections import corrections_of
from scrapy_blockfilter.store.errors import is_begun, no_store
from scrapy_blockfilter.store.keys import stored_key
from scrapy_blockfilter.store.memory import MemoryStore, ReadOnlyStore
from scrapy_blockfilter.store.overview import Version, site_summary, versions_of


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "shown",
        metavar="SITE|URL|FILE",
        help="a site, by its key as `sites` lists it or its host; a page to fetch through Scrapy; a file with HTML; or "
        "- for the standard input",
    )
    parser.add_argument("--html", metavar="FILE", help="write an HTML report to this file")
    parser.add_argument(
        "--limit",
        type=whole_number,
        default=20,
        metavar="N",
        help="number of slots and blocks of a site to print (default: 20; JSON: all)",
    )
    parser.add_argument(
        "--layout",
        type=whole_number,
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
    is_page = is_url(arguments.shown) or is_file(arguments.shown)
    if arguments.pages and (is_page or not arguments.html):
        raise CommandError("--pages are shown in the report on a site: type SITE --html FILE.", ExitCode.USAGE)
    if arguments.layout and is_page:
        raise CommandError("--layout is one of a site: a page is judged by the layout that it fits.", ExitCode.USAGE)
    if (arguments.site or arguments.sort != "place") and not is_page:
        message = f"{arguments.shown} is no URL and no file: --site and --sort are of a page."
        raise CommandError(message, ExitCode.USAGE)
    page = judged(call) if is_page else None
    if arguments.html:
        _write(call, *(_report_on_page(call, page) if page else _report_on_site(call)))
    elif page:
        _show_page(call, page)
    else:
        _show_site(call)


def _write(call: Call, site: str, report: str) -> None:
    name = output_file(call.arguments.html)
    if name is None:
        call.output.line(report)
        return
    path = call.written(name)
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
    layout = max(_asked_for(layouts, site, arguments.layout), key=lambda one: (len(one.sample), -one.number))
    return site, site_report(
        layout.model if corrections is None else layout.model.corrected(corrections),
        layout.sample,
        site=f"{site}, layout {layout.number} of {len(layouts)}" if len(layouts) > 1 else site,
        pages=list(zip(arguments.pages, pages, strict=True)),
        suspicious=[(suspect.url, suspect.reason) for suspect in reversed(suspects)],
        correcting=correcting(call, site, corrections),
    )


class Judged(NamedTuple):
    """A cleaned page, with its site, the number of pages that this was learnt from, and the site's corrections."""

    cleaned: Cleaned
    site: str
    pages: int
    corrections: Corrections | None


def judged(call: Call) -> Judged:
    """Clean the page that the arguments name, or raise CommandError: it is unreadable, or its site is unknown."""
    arguments = call.arguments
    (fetched,) = get_pages(call, [arguments.shown])
    named = arguments.site or fetched.site
    if not named:
        raise CommandError(f"{arguments.shown} does not tell its site: add --site SITE.", ExitCode.USAGE)
    more = "" if arguments.site or is_url(arguments.shown) else " A file is of its folder's site, or of --site SITE."
    if is_begun(call.store_path):
        with call.store() as store:
            return _judged_by(ReadOnlyStore(store), call, call.site(store, named, more), fetched.html)
    sys.stderr.write(f"{no_store(call.store_path)} Until then, the page is judged by itself alone.\n")
    return _judged_by(MemoryStore(), call, named, fetched.html, is_alone=True)


def _judged_by(store: TemplateStore, call: Call, key: str, html: str, *, is_alone: bool = False) -> Judged:
    with closing(Sites(call.options, store, Uncounted())) as sites:
        site = sites.named(key)
        try:
            page = sites.reader.read(html, whole=True)
        except UnfitPage as unfit:
            raise CommandError(f"{call.arguments.shown} cannot be judged: {unfit}.") from None
        if is_alone:
            with suppress(UnfitPage):
                site.learn(0, page)
        model = site.judge(page)
        if model is None:
            raise no_pages(key)
        return Judged(model.clean_page(html, page), key, site.pages, store.corrections().get(key))


def _show_page(call: Call, shown: Judged) -> None:
    cleaned, site, pages, _ = shown
    facts, output, enough = page_facts(cleaned), call.output, call.options.pages
    blocks = facts["blocks"]
    if call.arguments.sort == "doubt":
        blocks.sort(key=lambda block: block["score"] if block["keep"] else 1 - block["score"])
    if output.is_json:
        output.json({"page": call.arguments.shown, "site": site, "pages": pages, **facts})
        return
    for block in blocks:
        verdict = output.styled("keep ", "green") if block["keep"] else output.styled("strip", "red")
        text = output.fitted(block["text"], _INDENT) or "(images)"
        output.line(f"{verdict} {block['score']:4.2f}  {text if block['keep'] else output.styled(text, 'dim')}")
        for detail in (block["reason"], block["path"]):
            output.line(output.fitted(detail, _INDENT), "dim", indent=_INDENT)
    if facts["unchanged"] not in ("", "nothing_to_strip"):
        output.line(f"The page stays unchanged: {REASONS[facts['unchanged']]}.", "yellow")
    if facts["suspicious"]:
        output.line(f"Cleaning may have gone wrong: the page {facts['suspicious']}.", "yellow")
    kept = sum(block["keep"] for block in blocks)
    share = facts["chars_kept"] / max(1, facts["chars"])
    learning = "" if pages >= enough else f", which is still being learnt: {enough} make it ready"
    found = f"{kept} of {len(blocks)} blocks stay, {share:.0%} of the text"
    output.line(f"{found}, by {pages} pages of {printable(site)}{learning}.")


def _show_site(call: Call) -> None:
    with call.store() as store:
        site = call.site(store, call.arguments.shown)
        key = stored_key(site, call.options.segmentation)
        summary = site_summary(store, site, call.options.segmentation)
        corrections = [{name: getattr(row, name) for name in _SHOWN} for row in corrections_of(store, site)]
        versions = versions_of(store, key)
        suspects = list(reversed(store.suspects(key)))
        layouts = layouts_of(store, site, call.options)
    if summary is None or not layouts:
        if not corrections:
            raise no_pages(site)
        summary = None
    found = [_described(layout, call.options) for layout in _asked_for(layouts, site, call.arguments.layout)]
    output = call.output
    if output.is_json:
        output.json(
            {
                "site": site,
                **(summary._asdict() if summary else {}),
                "is_ready": bool(layouts) and len(layouts[0].sample) >= call.options.pages,
                "suspicious_pages": [suspect._asdict() for suspect in suspects],
                "corrections": corrections,
                "versions": [version._asdict() for version in versions],
                "layouts": found,
            }
        )
        return
    output.line(printable(site), "bold")
    _print_head(output, layouts, call.options, versions)
    _print_suspects(output, suspects)
    if corrections:
        output.heading("Corrections; `scrapy blockfilter undo` undoes the last one")
        output.table(("", *_SHOWN[1:]), [tuple(row.values()) for row in corrections])
    for description in found:
        _print_layout(output, description, call.arguments.limit, several=len(layouts) > 1)


def _asked_for(layouts: list[Layout], site: str, number: int | None) -> list[Layout]:
    """Return all layouts or that with a number, or raise CommandError."""
    found = [layout for layout in layouts if number in (None, layout.number)]
    if number is not None and not found:
        there = ", ".join(str(layout.number) for layout in layouts)
        raise CommandError(f"{site} has no layout {number}; type one of {there}.", ExitCode.NOT_FOUND)
    return found


def _described(layout: Layout, options: Options) -> dict[str, Any]:
    found: Survey = survey(layout.sample, layout.model)
    return {
        "layout": layout.number,
        "pages": found.pages,
        "method": options.method,
        "templates": len(layout.model.templates),
        "stripped": round(1 - usual_kept(layout.sample, layout.model), 4),
        **tokens_saved(layout.sample, layout.model),
        "slots": [asdict(view) for view in found.stripped_slots()],
        "blocks": [asdict(view) for view in found.blocks],
    }


def _print_head(output: Output, layouts: list[Layout], options: Options, versions: list[Version]) -> None:
    if layouts:
        pages = len(layouts[0].sample)
        state = "ready" if pages >= options.pages else f"learning: ready after {options.pages - pages} more"
        output.line(f"{counted(pages, 'page')}, {state}")
    for version in versions[-3:]:
        output.line(
            f"version {version.version}, {version.fitted}: {version.method} on {counted(version.pages, 'page')}, "
            f"{counted(version.templates, 'template block')}, {1 - version.usual_kept:.0%} of a page's text stripped"
        )


def _print_suspects(output: Output, suspects: Sequence[Suspect]) -> None:
    if suspects:
        output.heading("Pages to look at first: `scrapy blockfilter show URL` shows what they lost")
    for suspect in suspects:
        output.line(f"{printable(suspect.noted)}  {printable(suspect.url)}")
        output.line(printable(suspect.reason), "dim", indent=21)


def _print_layout(output: Output, description: dict[str, Any], limit: int, *, several: bool) -> None:
    pages = description["pages"]
    where = f"Layout {description['layout']}, {counted(pages, 'page')}: " if several else ""
    slots, blocks = description["slots"], description["blocks"]
    saved = f"{description['stripped']:.0%} of a page's text is stripped, some {description['tokens_saved']:,} tokens"
    alone = f"judged alone, it would lose some {description['tokens_saved_alone']:,}"
    output.heading(f"{where}{saved}; {alone}")
    output.heading(f"{where}slots that are always stripped: {len(slots)}")
    for view in slots[:limit]:
        shown = view["path"], f"“{printable(view['example'])}”"
        _print_entry(output, view, pages, *shown, reason=f"{counted(view['stripped'], 'block')}: {view['reason']}")
    output.heading(f"{where}blocks that are stripped: {len(blocks)}")
    for view in blocks[:limit]:
        _print_entry(output, view, pages, view["text"], reason=f"score {view['score']:.2f}: {view['reason']}")


def _print_entry(output: Output, view: dict[str, Any], pages: int, head: str, *texts: str, reason: str) -> None:
    """Print a line with the numbers and the head, and below it texts and reason."""
    output.line(f"{view['pages']:>3} of {pages}  {output.styled(output.fitted(head, 11), 'bold')}")
    for text in texts:
        output.line(output.fitted(text, 11), indent=11)
    output.line(printable(reason), "dim", indent=11)


# Columns before the text of a block.
_INDENT = 12
_SHOWN = ("action", "made", "by", "selector")


def _crawls(arguments: Namespace) -> bool:
    return any(map(is_url, (arguments.shown, *arguments.pages)))


COMMAND = Subcommand(
    "show", "show what was learnt of a site, or what becomes of a page and why", _run, _add_arguments, _crawls
)
