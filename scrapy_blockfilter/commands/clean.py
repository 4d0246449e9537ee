"""``clean``: clean pages that were crawled earlier, with what is learnt now."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode, Subcommand
from scrapy_blockfilter.commands.learn import Taught, check_saved, teach
from scrapy_blockfilter.commands.offline import Record, formats
from scrapy_blockfilter.commands.offline.batches import Input, Plan, add_input_arguments, plan_of
from scrapy_blockfilter.commands.offline.plain import OTHER, SUSPICIOUS, UNREADABLE, Done, Lines, Tally
from scrapy_blockfilter.commands.offline.records import Batch
from scrapy_blockfilter.commands.output import Output, output_file, to_json
from scrapy_blockfilter.crawl.fields import Fields
from scrapy_blockfilter.crawl.item_fields import plain_value, texts_of
from scrapy_blockfilter.crawl.sites import Sites
from scrapy_blockfilter.crawl.stats import REASONS, Uncounted
from scrapy_blockfilter.html.reader import read_input
from scrapy_blockfilter.model.form_guard import FormGuard
from scrapy_blockfilter.options.output_forms import FORMS, require_form
from scrapy_blockfilter.plugins import counted
from scrapy_blockfilter.store import SqliteStore
from scrapy_blockfilter.store.errors import is_begun
from scrapy_blockfilter.store.memory import ReadOnlyStore

CLEANED = "cleaned"
NO_FIELD = "no_field"
# Records with a simpler form of their page than it has; its reason follows.
SIMPLIFIED = "simplified/"
# Fields whose form failed; the form follows.
FAILED = "failed/"
# Outcome of a record -> in words.
WORDS = {
    **REASONS,
    "warmup": "nothing is learnt of their site; add --learn, or run `scrapy blockfilter learn` on more whole pages",
    NO_FIELD: "without a field that holds HTML; --field NAME names one",
    UNREADABLE: "could not be read",
    OTHER: "no HTML page with status 200",
}


def _add_arguments(parser: ArgumentParser) -> None:
    add_input_arguments(parser)
    parser.add_argument("-o", "--output", metavar="FILE", type=output_file, help=formats().output_help)
    parser.add_argument("--overwrite", action="store_true", help="start the file anew")
    parser.add_argument(
        "--learn", action="store_true", help="first learn from the same paths: they are read twice, and never held"
    )
    parser.add_argument(
        "--format",
        action="append",
        choices=FORMS.names(),
        help="form of what is kept, may be repeated; all but html take the place of the HTML in a field of their own "
        "name (default: html)",
    )
    parser.add_argument("--to", metavar="NAME", help="the field for what is kept (default: see --format)")


def _run(call: Call) -> None:
    arguments = call.arguments
    forms = tuple(dict.fromkeys(arguments.format or ["html"]))
    if arguments.to and len(forms) > 1:
        message = "--to names the field of one --format: each of several has a field of its own name."
        raise CommandError(message, ExitCode.USAGE)
    try:
        for form in forms:
            require_form(form)
    except ImportError as error:
        raise CommandError(f"{error}.", ExitCode.USAGE) from None
    source = Input(arguments.paths)
    if arguments.output:
        path = call.written(arguments.output)
        if path.is_file() and any(Path(file.path).exists() and path.samefile(file.path) for file in source.files):
            raise CommandError(f"{path} is read, too: name another --output.", ExitCode.USAGE)
        if formats().kind_of(path.name) not in (None, "json", "parquet"):
            raise CommandError(f"{path} would hold JSON lines: name it *.jsonl.", ExitCode.USAGE)
    with _store_for_now(call, source):
        _run_on(call, plan_of(call), source, forms)


@contextmanager
def _store_for_now(call: Call, source: Input) -> Iterator[None]:
    """Learn from the input into a store of this run alone, if there is no store, or none that may know the input."""
    arguments = call.arguments
    is_nowhere = not arguments.site and any(file.is_input and file.kind == "html" for file in source.files)
    if arguments.learn or (is_begun(call.store_path) and not is_nowhere):
        yield
        return
    lacks = "The standard input does not say its site" if is_nowhere else f"There is no store {call.store_path}"
    otherwise = "--site SITE names it" if is_nowhere else "--learn keeps what is learnt"
    sys.stderr.write(f"{lacks}: learns from the input, for this run alone; {otherwise}.\n")
    with TemporaryDirectory(prefix="blockfilter-") as folder:
        arguments.learn, call.store_path = True, Path(folder, "store.db")
        arguments.site = arguments.site or ("page" if is_nowhere else None)
        yield


def _run_on(call: Call, plan: Plan, source: Input, forms: tuple[str, ...]) -> None:
    arguments = call.arguments
    with call.store(may_be_new=arguments.learn) as store:  # exists and is sound, or raised here
        if plan.site and not arguments.learn:
            call.site(store, plan.site)
    sink = formats().open_output(call, source.files, (forms, arguments.to, plan.site, dict(plan.fields)))
    start = partial(RecordCleaner, plan, forms, arguments.to or "")
    try:
        if arguments.learn:  # wrong names of fields are told before anything is learnt
            with closing(start()) as cleaner, closing(source.batches()) as batches:
                for batch in islice(batches, 1):
                    cleaner.work(batch)
        taught = teach(call, plan, source) if arguments.learn else None
        if sink.read:  # left by an earlier run
            sys.stderr.write(f"resumes after {counted(sink.read, 'record')}\n")
        for done in formats().work(arguments, source.size, source.batches(sink.read, sink.position), start):
            if done.read:  # else a worker has closed
                sink.add(done)
        if not sink.read:
            raise CommandError(f"No record in {', '.join(arguments.paths)}.", ExitCode.NOT_FOUND)
        if all(name in _MISTAKES for name in _outcomes(sink.tally)):
            sink.discard()
            sink.tally.print_notes()
            raise CommandError(f"Nothing was cleaned. Records: {reasons_of(_outcomes(sink.tally), sink.tally, plan)}.")
        sink.finish()
    except KeyboardInterrupt:
        if not (sink.resumes and sink.read):
            raise
        message = f"stopped after {counted(sink.read, 'record')}: run it again to go on"
        raise CommandError(message, ExitCode.INTERRUPTED) from None
    finally:
        sink.close()
    _report(call, sink, taught)
    if taught:
        check_saved(call, taught)
    if missing := sink.tally.counts[UNREADABLE]:
        output = call.arguments.output or "the output"
        raise CommandError(
            f"{output} lacks what could not be read, {counted(missing, 'record')} at least. The lines marked as "
            "unreadable name their places in the input: `sed -n 17p FILE` prints the 17th line of a file.",
            ExitCode.INCOMPLETE,
        )


def _outcomes(tally: Tally) -> dict[str, int]:
    """Return how many records had which outcome."""
    return {
        name: count
        for name, count in tally.counts.items()
        if count and name != SUSPICIOUS and not name.startswith((SIMPLIFIED, FAILED))
    }


def reasons_of(counts: Mapping[str, int], tally: Tally, plan: Plan, words: Mapping[str, str] = WORDS) -> str:
    """Return the outcomes of records in words, with their numbers, and what to type."""
    reasons = [f"{count:,} {words[name]}" for name, count in sorted(counts.items()) if name != NO_FIELD]
    if NO_FIELD in counts:
        there = ", ".join(f"{name:.60}{' (a page)' * is_page}" for name, is_page in tally.fields.items())
        page = next((name for name, is_page in tally.fields.items() if is_page), "NAME")
        wanted = " or ".join(plan.fields) or "HTML"
        reasons.append(
            f"{counts[NO_FIELD]:,} without a field {wanted}, but with {there or 'none'}: type --field {page:.60}"
        )
    return "; ".join(reasons)


def _report(call: Call, sink: Lines, taught: Taught | None) -> None:
    counts = sink.tally.counts
    # Lines take standard output if no file was named.
    output = call.output if call.arguments.output else Output(sys.stderr, is_json=call.output.is_json)
    if output.is_json:
        learnt = {"learnt": taught.as_dict()} if taught else {}
        output.json({"records": sink.read, "output": call.arguments.output, **sink.tally.as_dict(), **learnt})
        return
    sink.tally.mixed += taught.tally.mixed if taught else []
    sink.tally.print_notes()
    for line in taught.summary() if taught else ():
        output.line(line)
    unchanged = sink.read - counts[CLEANED] - counts[UNREADABLE]
    output.line(
        f"{counted(sink.read, 'record')}: {counts[CLEANED]:,} cleaned, {unchanged:,} unchanged, "
        f"{counts[UNREADABLE]:,} could not be read."
    )
    if count := counts[SUSPICIOUS]:
        output.line(f"  {count:,} of the cleaned may have lost content: `scrapy blockfilter show URL` shows why.")
    for name, count in sorted(counts.items()):
        if name.startswith(SIMPLIFIED):
            output.line(f"  {count:,} in a simpler form: {REASONS[name.removeprefix(SIMPLIFIED)]}")
        elif name.startswith(FAILED):
            output.line(f"  {count:,} without {name.removeprefix(FAILED)}, which failed: the log shows the first.")
        elif name == OTHER and count:
            output.line(f"  {count:,} others left out: {WORDS[OTHER]}")
        elif name not in (CLEANED, UNREADABLE, SUSPICIOUS, OTHER):
            output.line(f"  {count:,} unchanged: {WORDS[name]}")


class RecordCleaner:
    """Clean records by the models of a store, and leave its samples as they are.

    Models that had to be fitted are kept in the store, so that other processes need not fit them. ``field`` names the
    item field for the first form of the first HTML field, "" for the usual name.
    """

    def __init__(self, plan: Plan, forms: Sequence[str], field: str = "") -> None:
        self._plan = plan
        self._form, *self._more = sorted(forms, key=lambda form: form != "html")
        self._field = field
        self._guard = FormGuard()
        size = plan.options.store_max_bytes
        self._store = SqliteStore(plan.store, max_bytes=size, is_checked=False, replaces=False)
        self._sites = Sites(plan.options, ReadOnlyStore(self._store, keeps_models=True), Uncounted())

    def work(self, batch: Batch) -> Done[str]:
        """Return JSON of each readable record."""
        lines: list[str] = []
        tally = Tally(Counter({OTHER: batch.others}))
        for record in tally.readable(batch.records):
            fields = self.fields_of(record)
            lines.append(to_json(self._clean(record, fields)))
            outcome = CLEANED if fields.is_cleaned else "error" if fields.failed else (*fields.reasons, NO_FIELD)[0]
            tally.counts[outcome] += 1
            tally.counts.update(f"{FAILED}{form}" for form in fields.failed.values())
            tally.counts.update({f"{SIMPLIFIED}{reason}": count for reason, count in fields.simplified.items()})
            if outcome == NO_FIELD:
                tally.note_fields(record)
            if fields.judged and fields.judged.suspicious:
                tally.suspect(self._plan.url(record) or record.place, fields.judged.suspicious)
        return Done(lines, tally, batch.read, batch.position)

    def close(self) -> Done[str]:
        self._store.close()
        return Done()

    def fields_of(self, record: Record) -> Fields:
        """Return the fields of a record, to be cleaned by the models of its site."""
        key = self._plan.site_of(record)
        site = self._sites.named(key) if key else None
        # Fragments get the model of the first layout: which page came last depends on how processes share the records.
        return Fields(site, self._sites.reader, self._guard, self._plan.url(record) or "", layout=1)

    def _clean(self, record: Record, fields: Fields) -> Mapping[str, Any]:
        if record.item is None:
            source = read_input(record.html or "")[0]
            self._check_new(record, {self._field})
            fields.clean(self._form, source, "html", self._form, {form: form for form in self._more}, whole=True)
            cleaned = {self._field or self._form: fields.values.pop(self._form, source)}
            return {"url": record.url, **cleaned, **fields.values}
        renamed: dict[str, str] = {}
        for name, kind in self._plan.fields.items():
            if name in record.item:
                also: dict[str, str] = {}
                if kind == "html" and texts_of(record.item[name]) is not None:
                    first, *more = (self._name_of(name, form, not renamed) for form in (self._form, *self._more))
                    also = dict(zip(more, self._more, strict=True))
                    renamed[name] = first
                    self._check_new(record, {first, *more} - {name})
                fields.clean(name, record.item[name], kind, self._form, also)
        values = {name: plain_value(value) for name, value in {**record.item, **fields.values}.items()}
        return {renamed.get(name, name): value for name, value in values.items()}

    def _name_of(self, name: str, form: str, is_first: bool) -> str:
        """Return the field for a form of an HTML field. HTML stays in its own field, other forms get new ones."""
        if is_first and self._field:
            return self._field
        if form == "html":
            return name
        return form if is_first else f"{name}_{form}"

    def _check_new(self, record: Record, names: Iterable[str]) -> None:
        """Raise CommandError if the item of a record has a field with one of the names of new fields."""
        for new in names:
            if new in (("url",) if record.item is None else record.item):
                message = f"{record.place} has a field {new!r} already: name another one for the output"
                alone = " with a single --format" if self._more else ""
                raise CommandError(f"{message}, as in --to clean_{new}{alone}.", ExitCode.USAGE)


# Outcomes that other arguments would avoid. A run with no others has failed.
_MISTAKES = frozenset({NO_FIELD, UNREADABLE, OTHER, "not_text", "no_site", "warmup"})
COMMAND = Subcommand("clean", "clean saved pages and items, without a crawl", _run, _add_arguments)
