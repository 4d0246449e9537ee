"""``sites``: list the sites of a store, with what is known of each."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from typing import Any

from scrapy_blockfilter.commands.base import Call, Subcommand
from scrapy_blockfilter.html.segmenters import CHUNKS
from scrapy_blockfilter.store.overview import SiteSummary, site_summaries

_KEYS: dict[str, Callable[[SiteSummary], Any]] = {
    "site": lambda summary: summary.site,
    "pages": lambda summary: -summary.pages,
    "stripped": lambda summary: -1 if summary.stripped is None else -summary.stripped,
    "suspicious": lambda summary: -summary.suspicious,
    "seen": lambda summary: summary.last_seen,
}
_STATES = ("learning", "ready")


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("pattern", nargs="?", default="*", help='only sites like this: "news.*" (default: all)')
    parser.add_argument("--state", choices=_STATES, help="only sites in this state")
    parser.add_argument(
        "--sort",
        choices=sorted(_KEYS),
        default="suspicious",
        help="by name, most pages, most stripped, most suspicious pages, or seen last (default: suspicious)",
    )
    parser.add_argument("--limit", type=int, metavar="N", help="print at most N sites")


def state_of(summary: SiteSummary, enough: int) -> str:
    """Return "ready" if a site has shown N pages, else "learning"."""
    return "ready" if summary.pages >= enough else "learning"


def _run(call: Call) -> None:
    arguments = call.arguments
    with call.store(is_checked=False) as store:
        found = [summary for summary in site_summaries(store) if fnmatchcase(summary.site, arguments.pattern)]
    enough = call.options.pages
    if arguments.state:
        found = [summary for summary in found if state_of(summary, enough) == arguments.state]
    found.sort(key=_KEYS[arguments.sort], reverse=arguments.sort == "seen")
    shown = found[: arguments.limit]
    if call.output.is_json:
        call.output.json([{**summary._asdict(), "state": state_of(summary, enough)} for summary in shown])
        return
    call.output.table(_HEAD, [_row(summary, enough) for summary in shown], right=(1, 3, 4, 5, 6))
    of_all = f"{len(shown)} of " if len(shown) < len(found) else ""
    call.output.line(f"{of_all}{len(found)} site{'s' * (len(found) != 1)}")
    if any(summary.suspicious for summary in shown):
        call.output.line(
            "Suspicious pages may have lost content: `scrapy blockfilter show SITE` lists those of a site."
        )


_HEAD = ("site", "pages", "state", "layouts", "version", "stripped", "suspicious", "last seen")


def _row(summary: SiteSummary, enough: int) -> Sequence[object]:
    stripped = "" if summary.stripped is None else f"{summary.stripped:.0%}"
    version = "" if summary.version is None else summary.version
    return (
        summary.site if summary.segmenter == CHUNKS else f"{summary.site} ({summary.segmenter})",
        summary.pages,
        state_of(summary, enough),
        summary.layouts,
        version,
        stripped,
        summary.suspicious or "",
        summary.last_seen,
    )


COMMAND = Subcommand("sites", "list the sites of the store", _run, _add_arguments)
