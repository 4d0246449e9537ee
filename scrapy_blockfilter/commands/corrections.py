"""``keep``, ``drop`` and ``undo``: correct what is decided on a site, from the next page on."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence

from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode, Subcommand, add_site
from scrapy_blockfilter.commands.trying import doubts
from scrapy_blockfilter.options.selectors import Corrections
from scrapy_blockfilter.report.block_choices import Correcting
from scrapy_blockfilter.store import SqliteStore
from scrapy_blockfilter.store.corrections import MAX_OF_SITE, add, corrections_of, new_of, undo, undo_all, why_unusable


def checked_selector(selector: str) -> str:
    """Return a selector if it can be used.

    Raises:
        CommandError: it cannot be used; the message says why.
    """
    reason = why_unusable(selector)
    if reason:
        raise CommandError(
            f"{selector[:80]!r} cannot be used as a selector: {reason}. Type one such as '.advert' or '#menu > li'.",
            ExitCode.USAGE,
        )
    return selector


def correct(store: SqliteStore, site: str, action: str, selector: str) -> bool:
    """Keep or drop from now on what a selector matches, and return whether that is new.

    Raises:
        CommandError: the selector cannot be used, or there are too many; nothing was changed.
    """
    rows = [(action, checked_selector(selector))]
    check_number(store, site, rows)
    return bool(add(store, site, rows))


def correcting(call: Call, site: str, made: Corrections | None) -> Correcting:
    """Return what the menus of a report need to name the commands: the store, too, if it was typed."""
    settings = [setting.partition("=")[0] for setting in getattr(call.arguments, "set", ())]
    is_named = bool(call.arguments.store) or "BLOCKFILTER_STORE" in settings
    return Correcting(site, made or Corrections(), ("--store", str(call.store_path.resolve())) if is_named else ())


def check_number(store: SqliteStore, site: str, rows: Sequence[tuple[str, str]], *, replaces: bool = False) -> None:
    """Check that a site has room for corrections: a crawl reads only the last ones.

    Args:
        rows: (action, selector) of each new one.
        replaces: whether they take the place of those that the site has.

    Raises:
        CommandError: there would be too many.
    """
    known = [] if replaces else [(made.action, made.selector) for made in corrections_of(store, site)]
    number = len(known) + len(new_of(rows, known))
    if number > MAX_OF_SITE:
        raise CommandError(
            f"{site} would have {number:,} corrections, and {MAX_OF_SITE:,} are the most of a site. Nothing was "
            f"changed. `scrapy blockfilter undo {site}` takes the last one back; one selector may name several "
            "elements, as '.advert, .promo' does.",
            ExitCode.USAGE,
        )


def _add_arguments(parser: ArgumentParser) -> None:
    add_site(parser)
    parser.add_argument(
        "selector", metavar="SELECTOR", help="CSS selector such as .advert, or XPath if it begins with / or ("
    )


def _correct(call: Call, action: str) -> None:
    selector = call.arguments.selector
    with call.store() as store:
        site = call.site(store, call.arguments.site)
        is_new = correct(store, site, action, selector)
        number = len(corrections_of(store, site))
        doubt = doubts(call, store, site, selector) if is_new else ""
    if call.output.is_json:
        call.output.json({"site": site, "action": action, "selector": selector, "changed": is_new, "doubt": doubt})
    elif is_new:
        what = "stays" if action == "keep" else "goes"
        call.output.line(
            f"{site}: what {selector} matches {what}, from the next page on. Corrections of the site: {number}; "
            f"`scrapy blockfilter undo {site}` undoes this one."
        )
        if doubt:
            call.output.line(doubt)
    else:
        call.output.line(f"{site}: {action} {selector} was there already.")


def _keep(call: Call) -> None:
    _correct(call, "keep")


def _drop(call: Call) -> None:
    _correct(call, "drop")


def _add_undo(parser: ArgumentParser) -> None:
    add_site(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "selector", metavar="SELECTOR", nargs="?", help="undo the last correction with this selector (default: of all)"
    )
    which.add_argument("--all", action="store_true", help="undo all corrections of the site")


def _undo(call: Call) -> None:
    selector = call.arguments.selector
    with call.store() as store:
        site = call.site(store, call.arguments.site)
        undone = undo(store, site, selector)
        if undone and call.arguments.all:
            undo_all(store, site)
        left = len(corrections_of(store, site))
    if undone is None:
        raise CommandError(
            f"{site} has no correction {selector[:80]!r}; `scrapy blockfilter show {site}` lists those there are."
            if selector is not None
            else f"{site} has no corrections; `scrapy blockfilter keep {site} SELECTOR` and `drop` make them.",
            ExitCode.NOT_FOUND,
        )
    if call.output.is_json:
        call.output.json({"site": site, "action": undone.action, "selector": undone.selector, "left": left})
    else:
        others = ", and all before it" if call.arguments.all else ""
        call.output.line(f"{site}: {undone.action} {undone.selector} is undone{others}; {left} left.")


KEEP = Subcommand("keep", "never strip what a selector matches on a site", _keep, _add_arguments)
DROP = Subcommand("drop", "always strip what a selector matches on a site", _drop, _add_arguments)
UNDO = Subcommand("undo", "undo the last correction of a site, or of a selector", _undo, _add_undo)
