"""``clean``: clean pages that were crawled earlier, with what is learnt now."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Protocol

from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode, Subcommand
from scrapy_blockfilter.commands.learn import Taught, check_saved, teach
from scrapy_blockfilter.commands.offline import InputFile
from scrapy_blockfilter.commands.offline.batches import (
    FAILED,
    SIMPLIFIED,
    SUSPICIOUS,
    UNREADABLE,
    Plan,
    Tally,
    add_input_arguments,
    batches,
    inputs,
    plan_of,
)
from scrapy_blockfilter.commands.offline.progress import Progress
from scrapy_blockfilter.commands.offline.record_cleaner import CLEANED, NO_FIELD, RecordCleaner
from scrapy_blockfilter.commands.offline.resumable_output import ResumableOutput, job_of
from scrapy_blockfilter.commands.offline.workers import Workers, jobs_for
from scrapy_blockfilter.commands.output import Output
from scrapy_blockfilter.crawl.stats import REASONS
from scrapy_blockfilter.options.output_forms import FORMS, require_form

# What became of a record -> that in words.
WORDS = {
    "warmup": "nothing is learnt of their site; add --learn, or run `scrapy blockfilter learn` on more of its pages",
    NO_FIELD: "without a field that holds HTML; --field NAME names one",
    UNREADABLE: "could not be read",
}


class _Sink(Protocol):
    """The destination of lines: see :class:`ResumableOutput`."""

    read: int
    position: int
    tally: Tally

    def add(self, lines: Sequence[str], tally: Tally, read: int, position: int) -> None: ...
    def finish(self) -> None: ...
    def discard(self) -> None: ...
    def close(self) -> None: ...


class _Printed:
    """Print lines to standard output."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self.read = self.position = 0
        self.tally = Tally()

    def add(self, lines: Sequence[str], tally: Tally, read: int, position: int) -> None:
        for line in lines:
            self._output.line(line)
        self.tally.add(tally)
        self.read, self.position = read, position

    def finish(self) -> None:
        pass

    def discard(self) -> None:
        pass

    def close(self) -> None:
        pass


def _add_arguments(parser: ArgumentParser) -> None:
    add_input_arguments(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write JSON lines to this file or URL, packed if it ends with .gz or .zst, or Parquet if it ends with "
        ".parquet; a stopped run resumes where it was "
        "(default: standard output)",
    )
    parser.add_argument("--overwrite", action="store_true", help="start the file anew")
    parser.add_argument(
        "--learn", action="store_true", help="first learn from the same paths: they are read twice, and never held"
    )
    parser.add_argument(
        "--format",
        choices=FORMS.names(),
        default="html",
        help="form of what is kept; all but html take the place of the HTML in a field of their own name "
        "(default: html)",
    )
    parser.add_argument("--to", metavar="NAME", help="the field for what is kept (default: see --format)")


def _run(call: Call) -> None:
    arguments = call.arguments
    files, starts = inputs(call)
    plan = plan_of(call)
    try:
        require_form(arguments.format)
    except ImportError as error:
        raise CommandError(f"{error}.", ExitCode.USAGE) from None
    with call.store(may_be_new=arguments.learn) as store:  # exists and is sound, or raised here
        if plan.site and not arguments.learn:
            call.site(store, plan.site)
    sink: _Sink = _Printed(call.output)
    if arguments.output:
        job = job_of(files, arguments.format, arguments.to, plan.site, dict(plan.fields))
        sink = ResumableOutput(arguments.output, job, overwrite=arguments.overwrite)
    try:
        taught = teach(call, plan, files, starts) if arguments.learn else None
        _clean(call, plan, sink, files, starts)
        if not sink.read:
            raise CommandError(f"No record in {', '.join(arguments.paths)}.", ExitCode.NOT_FOUND)
        if all(name in _MISTAKES for name in _outcomes(sink.tally)):
            sink.discard()
            sink.tally.print_notes()
            raise CommandError(f"Nothing was cleaned. Records: {reasons_of(_outcomes(sink.tally), sink.tally, plan)}.")
        sink.finish()
    finally:
        sink.close()
    _report(call, sink, taught)
    if taught:
        check_saved(call, taught)
    if missing := sink.tally.counts[UNREADABLE]:
        output = call.arguments.output or "the output"
        raise CommandError(
            f"{output} lacks what could not be read, {missing:,} records at least. The lines marked as unreadable name "
            "their places in the input: `sed -n 17p FILE` prints the 17th line of a file.",
            ExitCode.INCOMPLETE,
        )


def _clean(call: Call, plan: Plan, sink: _Sink, files: Sequence[InputFile], starts: Sequence[int]) -> None:
    arguments = call.arguments
    if sink.read:  # left by an earlier run
        sys.stderr.write(f"resumes after {sink.read:,} records\n")
    progress = Progress(sys.stderr, starts[-1])
    progress.skip(sink.read, sink.position)
    start = partial(RecordCleaner, plan, arguments.format, arguments.to or "")
    with Workers(jobs_for(arguments.jobs, starts[-1]), start) as workers:
        given = 0
        for batch in batches(files, starts, sink.read):
            for done in workers.give(given, batch):
                sink.add(*done)
                progress.note(sink.read, sink.position)
            given += 1
        for done in workers.finish(given):
            if done.read:
                sink.add(*done)
    progress.end()


def _outcomes(tally: Tally) -> dict[str, int]:
    """Return how many records had which outcome."""
    return {
        name: count
        for name, count in tally.counts.items()
        if count and name != SUSPICIOUS and not name.startswith((SIMPLIFIED, FAILED))
    }


def reasons_of(counts: Mapping[str, int], tally: Tally, plan: Plan, words: Mapping[str, str] = WORDS) -> str:
    """Return what became of records, as counted, and what to type.

    Args:
        words: says it in words; what is not in them are reasons for pages that come back unchanged.
    """
    reasons = [f"{count:,} {reason_of(name, words)}" for name, count in sorted(counts.items()) if name != NO_FIELD]
    if NO_FIELD in counts:
        there = ", ".join(f"{name} (a page)" if is_page else name for name, is_page in tally.fields.items())
        page = next((name for name, is_page in tally.fields.items() if is_page), "NAME")
        wanted = " or ".join(plan.fields) or "HTML"
        reasons.append(
            f"{counts[NO_FIELD]:,} without a field {wanted}, but with {there or 'none'}: type --field {page}"
        )
    return "; ".join(reasons)


def reason_of(name: str, words: Mapping[str, str] = WORDS) -> str:
    return words.get(name) or REASONS[name]


def _report(call: Call, sink: _Sink, taught: Taught | None) -> None:
    counts = sink.tally.counts
    # Lines take standard output if no file was named.
    output = call.output if call.arguments.output else Output(sys.stderr, is_json=call.output.is_json)
    if output.is_json:
        learnt = {"learnt": taught.as_dict()} if taught else {}
        output.json({"records": sink.read, "output": call.arguments.output, **sink.tally.as_dict(), **learnt})
        return
    sink.tally.print_notes()
    for line in taught.summary() if taught else ():
        output.line(line)
    unchanged = sink.read - counts[CLEANED] - counts[UNREADABLE]
    output.line(
        f"{sink.read:,} records: {counts[CLEANED]:,} cleaned, {unchanged:,} unchanged, "
        f"{counts[UNREADABLE]:,} could not be read."
    )
    if counts[SUSPICIOUS]:
        output.line(
            f"  {counts[SUSPICIOUS]:,} of the cleaned may have lost content: `scrapy blockfilter explain` shows why."
        )
    for name, count in sorted(counts.items()):
        if name.startswith(SIMPLIFIED):
            output.line(f"  {count:,} in a simpler form: {REASONS[name.removeprefix(SIMPLIFIED)]}")
        elif name.startswith(FAILED):
            output.line(f"  {count:,} without {name.removeprefix(FAILED)}, which failed: the log shows the first.")
        elif name not in (CLEANED, UNREADABLE, SUSPICIOUS):
            output.line(f"  {count:,} unchanged: {reason_of(name)}")


# Outcomes that other arguments would avoid. A run without any other outcome has failed.
_MISTAKES = frozenset({NO_FIELD, UNREADABLE, "not_text", "no_site", "warmup"})
COMMAND = Subcommand("clean", "clean saved pages and items, without a crawl", _run, _add_arguments)
