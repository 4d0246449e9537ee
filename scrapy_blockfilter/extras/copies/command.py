"""``copies``: list the pages of a feed that have the same text, or much the same, on several sites."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from contextlib import closing, suppress
from functools import cached_property, partial
from pathlib import Path

from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode, Subcommand, whole_number
from scrapy_blockfilter.commands.clean import NO_FIELD, WORDS, RecordCleaner, reasons_of
from scrapy_blockfilter.commands.offline import Record, formats
from scrapy_blockfilter.commands.offline.batches import Input, Plan, add_input_arguments, plan_of
from scrapy_blockfilter.commands.offline.plain import UNREADABLE, Done, Tally
from scrapy_blockfilter.commands.offline.records import Batch
from scrapy_blockfilter.commands.output import Output, to_json
from scrapy_blockfilter.crawl.response_cache import SourcePage
from scrapy_blockfilter.extras.copies.copy_groups import Copy, CopyGroups, Keys
from scrapy_blockfilter.extras.copies.keys import numbers_of
from scrapy_blockfilter.html.parse import is_document
from scrapy_blockfilter.model.form_guard import FormGuard
from scrapy_blockfilter.options.output_forms import require_form
from scrapy_blockfilter.plugins import counted
from scrapy_blockfilter.store.errors import is_begun

# Of two pages with a third of their text changed, half of all runs of words are on both.
LEAST = 0.5
# Below this, parts of keys agree too rarely for pages to be compared.
_LOWEST = 0.3
# The forms, which are also the names of the fields that hold them.
CONTENT, SIMILAR = "content_key", "similar_key"
COMPARED = "compared"
NO_TEXT = "no_text"


def _add_arguments(parser: ArgumentParser) -> None:
    add_input_arguments(parser)
    parser.add_argument(
        "--likeness",
        type=_share,
        default=LEAST,
        metavar="SHARE",
        help="least share of all runs of three words that both pages have, from 0.3 to 1; "
        f"1 compares whole texts alone (default: {LEAST})",
    )
    parser.add_argument("--within", action="store_true", help="also groups of pages of a single site")
    parser.add_argument("--limit", type=whole_number, metavar="N", help="print at most N groups")


def _share(value: str) -> float:
    with suppress(ValueError):
        if _LOWEST <= float(value) <= 1:
            return float(value)
    raise ArgumentTypeError(f"{value} is no number from {_LOWEST} to 1")


def _run(call: Call) -> None:
    arguments = call.arguments
    source = Input(arguments.paths)
    plan = plan_of(call)
    exact = arguments.likeness == 1
    tally = Tally()
    read = 0
    with closing(CopyGroups(arguments.likeness)) as groups:
        start = partial(RecordKeys, plan, exact=exact)
        for done in formats().work(arguments, source.size, source.batches(), start):
            read = max(read, done.read)
            groups.add(done.made)
            tally.add(done.tally)
        if not read:
            raise CommandError(f"No record in {', '.join(arguments.paths)}.", ExitCode.NOT_FOUND)
        if not tally.counts[COMPARED]:
            tally.print_notes()
            raise CommandError(f"Nothing was compared. Records: {reasons_of(tally.counts, tally, plan, _WORDS)}.")
        _report(call, groups, tally, read)


class RecordKeys:
    """Find the keys of records: of pages to clean, content keys alone if ``exact``. The first page opens a store."""

    def __init__(self, plan: Plan, *, exact: bool = False) -> None:
        self._plan = plan
        self._exact = exact
        self._guard = FormGuard()

    @cached_property
    def _cleaner(self) -> RecordCleaner:
        if not is_begun(Path(self._plan.store)):
            raise CommandError(
                f"There is no store {self._plan.store} to clean pages with. Crawl with the output form {CONTENT!r}, or "
                "run `scrapy blockfilter learn` on the same paths.",
                ExitCode.NOT_FOUND,
            )
        if not self._exact:
            try:
                require_form(SIMILAR)
            except ImportError as error:
                raise CommandError(f"{error}; or type --likeness 1.", ExitCode.USAGE) from None
        return RecordCleaner(self._plan, [CONTENT])

    def work(self, batch: Batch) -> Done[Keys]:
        keys: list[Keys] = []
        tally = Tally()
        for record in tally.readable(batch.records):
            try:
                content, similar, outcome = self._keys(record)
            except ValueError as error:
                tally.unreadable(record._replace(error=f"{SIMILAR} is none: {error}"))
                continue
            if outcome == NO_FIELD:
                tally.note_fields(record)
            tally.counts[outcome] += 1
            if outcome == COMPARED:
                url = self._plan.url(record) or record.place
                keys.append(Keys(self._plan.site_of(record) or "", url, content, similar))
        return Done(keys, tally, batch.read, batch.position)

    def close(self) -> Done[Keys]:
        if "_cleaner" in vars(self):
            self._cleaner.close()
        return Done()

    def _keys(self, record: Record) -> tuple[str, str, str]:
        """Return both keys of a record, and what became of it."""
        item = record.item or {}
        if CONTENT in item or SIMILAR in item:
            content, similar = (str(item.get(name) or "") for name in (CONTENT, SIMILAR))
            if similar:
                numbers_of(similar)  # is one, or raises
            return content, similar, COMPARED if content or similar else NO_TEXT
        text = next(self._plan.html_of(record), None)  # of the first HTML field
        return ("", "", NO_FIELD) if text is None else self._made_keys(record, text)

    def _made_keys(self, record: Record, text: str) -> tuple[str, str, str]:
        fields = self._cleaner.fields_of(record)
        source = SourcePage(fields.reader, text, whole=record.item is None or is_document(text))
        page = fields.clean_page(source, fields.url)
        if page.unchanged == "warmup":  # its template would make it like the other pages of its site
            return "", "", page.unchanged
        failed: list[str] = []
        keys = {CONTENT: "", SIMILAR: ""}
        for form in (CONTENT,) if self._exact else (CONTENT, SIMILAR):
            with self._guard.making(form, self._plan.url(record), failed.append):
                keys[form] = page.form(form)
        outcome = COMPARED if any(keys.values()) else "error" if failed else NO_TEXT
        return keys[CONTENT], keys[SIMILAR], outcome


def _report(call: Call, groups: CopyGroups, tally: Tally, read: int) -> None:
    found = pages = 0
    for group in groups.groups(across=not call.arguments.within):
        found += 1
        pages += len(group)
        if call.arguments.limit is None or found <= call.arguments.limit:
            _print(call.output, group)
    # Lines of groups take standard output, as those of `clean` do.
    summary = Output(sys.stderr, is_json=True) if call.output.is_json else call.output
    if summary.is_json:
        summary.json({"records": read, "groups": found, "pages": pages, **tally.as_dict()})
        return
    tally.print_notes()
    of_groups = f"{counted(found, 'group')}{'' if call.arguments.within else ' on several sites'}"
    summary.line(f"{counted(read, 'record')}: {tally.counts[COMPARED]:,} compared, {pages:,} in {of_groups}.")
    for name, count in sorted(tally.counts.items()):
        if name not in (COMPARED, UNREADABLE):
            summary.line(f"  {count:,} not compared: {_WORDS[name]}")


def _print(output: Output, group: Sequence[Copy]) -> None:
    sites = len({page.site for page in group})
    if output.is_json:
        rounded = [page._replace(likeness=page.likeness and round(page.likeness, 4)) for page in group]
        output.line(to_json({"sites": sites, "pages": [page._asdict() for page in rounded]}))
        return
    how = "the same text" if all(page.likeness == 1 for page in group) else "much the same text"
    output.line(f"{len(group)} pages of {counted(sites, 'site')}, {how}")
    for page in group:
        alike = "  –" if page.likeness is None else f"{page.likeness:.0%}"
        output.line(f"  {alike:>4}  {output.fitted(page.url, before=8)}")


_WORDS = {
    **WORDS,
    NO_TEXT: "without any text that is left",
    "warmup": "nothing is learnt of their site; run `scrapy blockfilter learn` on more of its pages",
}
COMMAND = Subcommand("copies", "list pages with the same text on several sites", _run, _add_arguments)
