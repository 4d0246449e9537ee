"""``learn SITE --teacher MODULE:FUNCTION``: ask a teacher about a few pages of each layout of a site."""

from __future__ import annotations

import importlib
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode, Subcommand, no_pages, whole_number
from scrapy_blockfilter.commands.corrections import check_number
from scrapy_blockfilter.commands.offline.batches import plan_of
from scrapy_blockfilter.commands.output import printable
from scrapy_blockfilter.commands.pages import fetch, is_url
from scrapy_blockfilter.crawl.sites import Sites
from scrapy_blockfilter.crawl.stats import Uncounted
from scrapy_blockfilter.extras.teacher.questions import JudgedPage, judged_page
from scrapy_blockfilter.extras.teacher.teaching import (
    AT_HAND,
    BUDGET,
    PAGES,
    Budget,
    Taught,
    Teacher,
    clean_name,
    teach,
)
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.store import SqliteStore
from scrapy_blockfilter.store.corrections import add
from scrapy_blockfilter.store.memory import ReadOnlyStore

# Records of files that are looked through for pages of the site, and pages that are taken of all layouts.
_MOST_RECORDS, _MOST_PAGES = 10_000, 4 * AT_HAND


def _add_arguments(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("With a teacher, PATH is a SITE of the store, then its pages as paths and URLs")
    group.add_argument(
        "--teacher",
        default="",
        metavar="MODULE:FUNCTION",
        help="learn from what this function says of a few pages of each layout, and correct the site by it",
    )
    group.add_argument("--pages", type=whole_number, metavar="N", help=f"pages of a layout to ask about ({PAGES})")
    group.add_argument("--budget", type=whole_number, metavar="TOKENS", help=f"tokens to send, estimated ({BUDGET})")
    group.add_argument("--dry-run", action="store_true", help="say what would be sent, and ask nobody")
    group.add_argument("--spider", help="fetch URLs with the settings of this spider of the project")


def _run(call: Call) -> None:
    arguments = call.arguments
    teacher = load_teacher(arguments.teacher)
    site_name, *named = arguments.paths
    fetched = fetch(call, [name for name in named if is_url(name)][:_MOST_PAGES])
    with call.store() as store:
        site = call.site(store, site_name)
        pages = [(url, one.html) for url, one in fetched.items()]
        paths = [name for name in named if not is_url(name)]
        pages += islice(plan_of(call).pages_of_site(site, paths, _MOST_RECORDS), _MOST_PAGES)
        if not pages:
            raise CommandError(
                f"There is no page of {site} in {', '.join(named)}."
                if named
                else f"Name pages of {site} by path or URL: the store holds no HTML of it.",
                ExitCode.NOT_FOUND,
            )
        budget = Budget(arguments.budget or BUDGET)
        layouts = _by_layout(call, store, site, pages)
        asked = None if arguments.dry_run else teacher
        taught = [teach(of_layout[:AT_HAND], asked, arguments.pages or PAGES, budget) for of_layout in layouts]
        rows = [row for one in taught for row in one.rows]
        check_number(store, site, rows)
        added = add(store, site, rows, clean_name(arguments.teacher)) if rows else 0
    _tell(call, site, taught, added)
    if any(one.asked for one in taught) and all(asked.problem for one in taught for asked in one.asked):
        raise CommandError(f"{arguments.teacher} gave no answer that can be used; nothing was changed.")


def load_teacher(named: str) -> Teacher:
    """Return the function ``module:function``, also of the working directory; raise CommandError for other names."""
    module, colon, function = named.partition(":")
    if not named:
        message = "--pages, --budget, --dry-run and --spider go with a --teacher MODULE:FUNCTION, and there is none."
        raise CommandError(f"{message} -s BLOCKFILTER_PAGES=N sets how many pages are learnt.", ExitCode.USAGE)
    if not (module and colon and function):
        raise CommandError(f"--teacher is {named!r}, but must be MODULE:FUNCTION.", ExitCode.USAGE)
    if str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))
    try:
        teacher: Any = importlib.import_module(module)
        for name in function.split("."):
            teacher = getattr(teacher, name)
    except (Exception, SystemExit) as error:  # importing runs the user's code, perhaps a script
        raise CommandError(
            f"--teacher {named} cannot be imported: {type(error).__name__}: {error}.", ExitCode.USAGE
        ) from None
    if not callable(teacher):
        raise CommandError(f"--teacher {named} is a {type(teacher).__name__}, but must be a function.", ExitCode.USAGE)
    return teacher  # type: ignore[no-any-return]


def _by_layout(call: Call, store: SqliteStore, site: str, pages: Sequence[tuple[str, str]]) -> list[list[JudgedPage]]:
    """Judge pages by the models of their layouts, and return those of each layout."""
    found: dict[SiteModel, list[JudgedPage]] = {}
    with closing(Sites(call.options, ReadOnlyStore(store), Uncounted())) as sites:
        for name, html in pages:
            try:
                page = sites.reader.read(html, whole=True)
            except UnfitPage:
                continue
            model = sites.named(site).judge(page)
            if model is None:
                raise no_pages(site)
            found.setdefault(model, []).append(judged_page(model, name, page))
    return list(found.values())


def _tell(call: Call, site: str, taught: Sequence[Taught], added: int) -> None:
    asked = [one for of_layout in taught for one in of_layout.asked]
    made = [lesson for of_layout in taught for lesson in of_layout.lessons]
    left_out, tokens = sum(one.left_out for one in taught), sum(one.tokens for one in asked)
    values = {
        "site": site,
        "layouts": len(taught),
        "dry_run": call.arguments.dry_run,
        "asked": [one._asdict() for one in asked],
        "tokens": tokens,
        "left_out": left_out,
        "lessons": [lesson._asdict() for lesson in made],
        "corrections": added,
    }
    verb = "would be sent" if call.arguments.dry_run else "were sent"
    call.output.result(
        values,
        *(
            f"{printable(one.page)}: {one.blocks} blocks, {one.tokens:,} tokens"
            f"{'; not used: ' if one.problem else ''}{one.problem}"
            for one in asked
        ),
        *(f"{lesson.action} {printable(lesson.selector)}, as {lesson.pages} pages say" for lesson in made),
        f"{printable(site)}: {len(asked)} pages of {len(taught)} layouts, {tokens:,} tokens {verb}"
        f"{f'; {left_out} pages were left out' if left_out else ''}. {added} corrections are new"
        f"{f'; `scrapy blockfilter undo {printable(site)} SELECTOR` undoes one' if added else ''}.",
    )


def _crawls(arguments: Namespace) -> bool:
    return any(map(is_url, arguments.paths[1:]))


COMMAND = Subcommand("learn", "ask a teacher about pages of a site", _run, _add_arguments, _crawls)
