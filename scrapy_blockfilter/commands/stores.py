"""``sites``, ``forget``, ``vacuum`` and ``check``: list the sites of stores, and maintain the files."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from typing import Any

from scrapy_blockfilter.commands.base import Call, ExitCode, Subcommand, add_site, whole_number
from scrapy_blockfilter.commands.output import printable
from scrapy_blockfilter.crawl.losses import LACKS
from scrapy_blockfilter.crawl.savings import tokens_saved
from scrapy_blockfilter.crawl.stored_models import layouts_of
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.options.segmenter import CHUNKS
from scrapy_blockfilter.plugins import counted
from scrapy_blockfilter.store import SqliteStore, StoreError
from scrapy_blockfilter.store.corrections import corrections_of, undo_all
from scrapy_blockfilter.store.keys import stored_key
from scrapy_blockfilter.store.overview import SiteSummary, forget, problems, site_summaries, vacuum

_SORTED_BY: dict[str, Callable[[SiteSummary], Any]] = {
    "site": lambda summary: summary.site,
    "pages": lambda summary: -summary.pages,
    "stripped": lambda summary: -(summary.stripped or 0),
    "suspicious": lambda summary: -summary.suspicious,
    "seen": lambda summary: summary.last_seen,
}
_STATES = ("learning", "ready")


def _add_sites(parser: ArgumentParser) -> None:
    parser.add_argument("pattern", nargs="?", default="*", help='only sites like this: "news.*" (default: all)')
    parser.add_argument("--state", choices=_STATES, help="only sites in this state")
    parser.add_argument(
        "--sort",
        choices=sorted(_SORTED_BY),
        default="suspicious",
        help="by name, most pages, most stripped, most suspicious pages, or seen last (default: suspicious)",
    )
    parser.add_argument("--limit", type=whole_number, metavar="N", help="print at most N sites")
    parser.add_argument(
        "--tokens",
        action="store_true",
        help="also judge each site's pages: tokens that a usual page gets shorter by, and would if judged alone",
    )


def state_of(summary: SiteSummary, enough: int) -> str:
    """Return "ready" if a site has shown N pages, else "learning"."""
    return "ready" if summary.pages >= enough else "learning"


def _sites(call: Call) -> None:
    arguments, enough = call.arguments, call.options.pages
    with call.store(is_checked=False) as store:
        found = [
            summary
            for summary in site_summaries(store)
            if fnmatchcase(summary.site, arguments.pattern) and arguments.state in (None, state_of(summary, enough))
        ]
        found.sort(key=_SORTED_BY[arguments.sort], reverse=arguments.sort == "seen")
        shown = found[: arguments.limit]
        gone = {of.site: _gone_from(store, of) for of in shown if of.suspicious}
        saved = [_saved(store, of, call.options) if arguments.tokens else {} for of in shown]
    if call.output.is_json:
        rows = [{**of._asdict(), "state": state_of(of, enough), "gone": gone.get(of.site, [])} for of in shown]
        call.output.json([row | tokens for row, tokens in zip(rows, saved, strict=True)])
        return
    columns = (*_COLUMNS, *(_SAVED if arguments.tokens else ()))
    numbers = [["" if number is None else f"{number:,}" for number in tokens.values()] for tokens in saved]
    cells = [(*_row_of(of, enough), *of_site) for of, of_site in zip(shown, numbers, strict=True)]
    call.output.table(columns, cells, right=(1, 3, 4, 5, 6, 8, 9))
    of_all = f"{len(shown)} of " if len(shown) < len(found) else ""
    call.output.line(f"{of_all}{counted(len(found), 'site')}")
    for summary in shown:
        for line in gone.get(summary.site, ()):
            call.output.line(f"{printable(summary.site)}: {printable(line)}")
    if any(summary.suspicious for summary in shown):
        call.output.line(
            "Suspicious pages may have lost content: `scrapy blockfilter show SITE` lists those of a site."
        )


def _saved(store: SqliteStore, summary: SiteSummary, options: Options) -> dict[str, int | None]:
    """Return the tokens that a page of a site's first layout loses, None for a site that cannot be judged."""
    if summary.segmenter == str(options.segmentation):
        with suppress(StoreError):  # `check` names the damaged sites
            if layouts := layouts_of(store, summary.site, options):
                return dict(tokens_saved(layouts[0].sample, layouts[0].model))
    return dict.fromkeys(("tokens_saved", "tokens_saved_alone"))


def _gone_from(store: SqliteStore, summary: SiteSummary) -> list[str]:
    """Return the things that the last pages of a site's layouts lack, each with the page that showed it."""
    suspects = store.suspects(stored_key(summary.site, summary.segmenter))
    return [f"{suspect.url} {suspect.reason}" for suspect in suspects if suspect.reason.startswith(LACKS)]


_COLUMNS = ("site", "pages", "state", "layouts", "version", "stripped", "suspicious", "last seen")
_SAVED = ("tokens saved", "alone")


def _row_of(summary: SiteSummary, enough: int) -> Sequence[object]:
    return (
        summary.site if summary.segmenter == CHUNKS else f"{summary.site} ({summary.segmenter})",
        summary.pages,
        state_of(summary, enough),
        summary.layouts,
        "" if summary.version is None else summary.version,
        "" if summary.stripped is None else f"{summary.stripped:.0%}",
        summary.suspicious or "",
        summary.last_seen,
    )


def _add_forget(parser: ArgumentParser) -> None:
    add_site(parser)
    parser.add_argument("--corrections", action="store_true", help="also undo its corrections; they stay otherwise")


def _forget(call: Call) -> None:
    with call.store() as store:
        site = call.site(store, call.arguments.site)
        undone = undo_all(store, site) if call.arguments.corrections else 0
        pages = forget(store, site)
        staying = len(corrections_of(store, site))
    call.output.result(
        {"site": site, "pages": pages, "corrections_undone": undone, "corrections_kept": staying},
        f"{site} is forgotten: {counted(pages, 'page')}. A running crawl may write it again.",
        *([f"Its corrections are undone: {undone}."] if undone else []),
        *([f"Its corrections stay ({staying}): --corrections undoes them, too."] if staying else []),
    )


def _vacuum(call: Call) -> None:
    with call.store() as store:
        before, after = vacuum(store)
    call.output.result(
        {"path": str(call.store_path), "bytes_before": before, "bytes_after": after},
        f"{call.store_path} has {after:,} bytes, {before - after:,} less than before.",
    )


def _check(call: Call) -> ExitCode:
    found: list[str] = []
    sites = pages = 0
    try:
        with call.store() as store:
            sites, pages, found = problems(store)
    except StoreError as error:
        if error.kind != "damaged":
            raise
        found = [str(error)]
    path = call.store_path
    held = f"{counted(sites, 'site')}, {counted(pages, 'page')}"
    sound = f"{path} is sound: {held}, store version as this release writes it."
    call.output.result(
        {"path": str(path), "sound": not found, "sites": sites, "pages": pages, "problems": found},
        *([f"{path} is not sound:", *(f"  {problem}" for problem in found)] if found else [sound]),
    )
    return ExitCode.FAILED if found else ExitCode.DONE


SITES = Subcommand("sites", "list the sites of the store", _sites, _add_sites)
FORGET = Subcommand("forget", "remove what was learnt of a site", _forget, _add_forget)
VACUUM = Subcommand("vacuum", "compact the file of the store", _vacuum)
CHECK = Subcommand("check", "check that the file of the store is sound", _check)
