"""``keep``, ``drop`` and ``undo``: correct the verdicts on a site, from the next page on.

A new selector is tried on the style paths of the sample, which name the elements around blocks, but not elements inside
of lines, HTML and BODY.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from functools import partial

from cssselect import SelectorError
from cssselect import parse as parse_css
from cssselect.parser import Class, CombinedSelector, Element, Hash
from lxml.html.defs import tags

from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode, Subcommand, add_site
from scrapy_blockfilter.html.paths import style_label
from scrapy_blockfilter.html.tags import is_structural
from scrapy_blockfilter.options.selectors import Corrections, is_xpath, why_unusable
from scrapy_blockfilter.report.block_corrections import Correcting
from scrapy_blockfilter.sample import SAMPLE_GROWTH
from scrapy_blockfilter.sample.slots import MAX_STEPS, label_names
from scrapy_blockfilter.store import SqliteStore
from scrapy_blockfilter.store.corrections import MAX_OF_SITE, add, corrections_of, new_of, undo, undo_all
from scrapy_blockfilter.store.keys import MAX_LAYOUTS, layout_key, stored_key


def doubts(call: Call, store: SqliteStore, site: str, selector: str) -> str:
    """Return a sentence on why a selector may never match on a site, "" if nothing speaks against it."""
    needed = _needed_names(selector)
    pages, names = _names_in(call, store, site)
    missing = [min(lacking) for of_part in needed if (lacking := {*filter(partial(_is_lacking, names), of_part)})]
    if not names or not needed or len(missing) < len(needed):
        return ""
    return (
        f"None of the {pages} pages in the store shows {' or '.join(missing)}. BODY and elements inside of lines, such "
        "as SPAN, are not stored: the log of the next crawl tells if it matches nothing."
    )


def _names_in(call: Call, store: SqliteStore, site: str) -> tuple[int, frozenset[str]]:
    """Return the number of pages in the store, and the names on their style paths, none if not all are known."""
    pages, names = 0, set[str]()
    for number in range(1, MAX_LAYOUTS + 1):
        key = stored_key(layout_key(site, number), call.options.segmentation)
        sample = store.load(key, SAMPLE_GROWTH * call.options.pages)
        if len(sample.steps) >= MAX_STEPS:
            return 0, frozenset()
        pages += len(sample)
        names.update(*(label_names(step.label) for step in sample.steps.values()))
    return pages, frozenset(names)


def _is_lacking(names: frozenset[str], name: str) -> bool:
    """Return whether no page has a name. A tag that HTML does not have may be a class whose dot was forgotten."""
    is_meant = name not in tags and not names.isdisjoint((f".{name}", f"#{name}"))
    return name not in names and (name[0] in ".#" or is_structural(name) or is_meant)


def _needed_names(selector: str) -> list[frozenset[str]]:
    """Return the tags, classes and ids that each part of a selector cannot match without, digits folded.

    >>> sorted(map(sorted, _needed_names("main .price-12 > b, #top:not(.wide)")))
    [['#top'], ['.price-0', 'b', 'main']]
    """
    if is_xpath(selector):
        return []
    try:
        return [frozenset(_names_of(part.parsed_tree)) for part in parse_css(selector)]
    except SelectorError:
        return []


def _names_of(tree: object) -> Iterable[str]:
    """Yield the names that style paths would have. Arguments of functions such as :not() are no conditions."""
    names: list[str] = []
    while not isinstance(tree, Element):
        if isinstance(tree, CombinedSelector):
            yield from _names_of(tree.subselector)
        elif isinstance(tree, Class):
            names.append(style_label("", tree.class_name, ""))
        elif isinstance(tree, Hash):
            names.append(style_label("", "", tree.id))
        tree = tree.selector  # type: ignore[attr-defined]
    tag = (tree.element or "").lower()
    if tag not in ("html", "body"):
        yield from (*names, tag) if is_structural(tag) else (tag,) if tag else names


def checked_selector(selector: str) -> str:
    """Return a selector, or raise CommandError with the reason why it cannot be used."""
    if reason := why_unusable(selector):
        message = f"{selector[:80]!r} cannot be used as a selector: {reason}."
        raise CommandError(f"{message} Type one such as '.advert' or '#menu > li'.", ExitCode.USAGE)
    return selector


def correct(store: SqliteStore, site: str, action: str, selector: str) -> bool:
    """Keep or drop the matches of a selector from now on, and return whether that is new, or raise CommandError."""
    rows = [(action, checked_selector(selector))]
    check_number(store, site, rows)
    return bool(add(store, site, rows))


def correcting(call: Call, site: str, made: Corrections | None) -> Correcting:
    """Return the site and the corrections for the menus of a report, with the store if it was typed."""
    settings = [setting.partition("=")[0] for setting in getattr(call.arguments, "set", ())]
    is_named = bool(call.arguments.store) or "BLOCKFILTER_STORE" in settings
    return Correcting(site, made or Corrections(), ("--store", str(call.store_path.resolve())) if is_named else ())


def check_number(store: SqliteStore, site: str, rows: Sequence[tuple[str, str]], *, replaces: bool = False) -> None:
    """Raise CommandError if a site has no room for further corrections: a crawl reads only the last ones."""
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
    what = "stays" if action == "keep" else "goes"
    lines = [
        f"{site}: what {selector} matches {what}, from the next page on. Corrections of the site: {number}; "
        f"`scrapy blockfilter undo {site}` undoes this one."
        if is_new
        else f"{site}: {action} {selector} was there already.",
        *filter(None, [doubt]),
    ]
    values = {"site": site, "action": action, "selector": selector, "changed": is_new, "doubt": doubt}
    call.output.result(values, *lines)


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
    others = ", and all before it" if call.arguments.all else ""
    call.output.result(
        {"site": site, "action": undone.action, "selector": undone.selector, "left": left},
        f"{site}: {undone.action} {undone.selector} is undone{others}; {left} left.",
    )


KEEP = Subcommand(
    "keep", "never strip what a selector matches on a site", partial(_correct, action="keep"), _add_arguments
)
DROP = Subcommand(
    "drop", "always strip what a selector matches on a site", partial(_correct, action="drop"), _add_arguments
)
UNDO = Subcommand("undo", "undo the last correction of a site, or of a selector", _undo, _add_undo)
