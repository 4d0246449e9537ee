"""``clean``: clean pages that were crawled earlier, with what is learnt now."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode, Subcommand
from scrapy_blockfilter.commands.offline.batches import (
    SIMPLIFIED,
    SUSPICIOUS,
    UNREADABLE,
    Tally,
    add_input_arguments,
    batches,
    inputs,
    plan_of,
)
from scrapy_blockfilter.commands.offline.progress import Progress
from scrapy_blockfilter.commands.offline.record_cleaner import CLEANED, RecordCleaner
from scrapy_blockfilter.commands.offline.resumable_output import ResumableOutput, job_of
from scrapy_blockfilter.commands.offline.workers import Workers, jobs_for
from scrapy_blockfilter.commands.output import Output
from scrapy_blockfilter.crawl import stats as names
from scrapy_blockfilter.options.output_forms import OUTPUT_FORMS, require_library


class _Sink(Protocol):
    """Where lines go: see :class:`ResumableOutput`."""

    read: int
    position: int
    tally: Tally

    def add(self, lines: Sequence[str], tally: Tally, read: int, position: int) -> None: ...
    def finish(self) -> None: ...
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

    def close(self) -> None:
        pass


def _add_arguments(parser: ArgumentParser) -> None:
    add_input_arguments(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write JSON lines to this file, packed if it ends with .gz; a stopped run resumes where it was "
        "(default: standard output)",
    )
    parser.add_argument("--overwrite", action="store_true", help="start the file anew")
    parser.add_argument("--format", choices=OUTPUT_FORMS, default="html", help="format of cleaned HTML (default: html)")


def _run(call: Call) -> ExitCode | None:
    arguments = call.arguments
    files, starts = inputs(call)
    plan = plan_of(call)
    try:
        require_library(arguments.format)
    except ImportError as error:
        raise CommandError(str(error), ExitCode.USAGE) from None
    with call.store():
        pass  # exists and is sound, or raised here
    sink: _Sink = _Printed(call.output)
    if arguments.output:
        job = job_of(files, arguments.format, plan.site, dict(plan.fields))
        sink = ResumableOutput(Path(arguments.output), job, overwrite=arguments.overwrite)
    if sink.read:  # left by an earlier run
        sys.stderr.write(f"resumes after {sink.read:,} records\n")
    progress = Progress(sys.stderr, starts[-1])
    progress.skip(sink.read, sink.position)
    try:
        with Workers(jobs_for(arguments.jobs, starts[-1]), partial(RecordCleaner, plan, arguments.format)) as workers:
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
        if not sink.read:
            raise CommandError(f"No record in {', '.join(arguments.paths)}.", ExitCode.NOT_FOUND)
        sink.finish()
    finally:
        sink.close()
    _report(call, sink)
    return None


def _report(call: Call, sink: _Sink) -> None:
    counts = sink.tally.counts
    # Lines take standard output if no file was named.
    output = call.output if call.arguments.output else Output(sys.stderr, is_json=call.output.is_json)
    if output.is_json:
        output.json({"records": sink.read, "output": call.arguments.output, **sink.tally.as_dict()})
        return
    sink.tally.print_notes()
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
            output.line(f"  {count:,} in a simpler form: {names.REASONS[name.removeprefix(SIMPLIFIED)]}")
        elif name not in (CLEANED, UNREADABLE, SUSPICIOUS):
            output.line(f"  {count:,} unchanged: {_WORDS.get(name) or names.REASONS[name]}")


_WORDS = {"warmup": "nothing is learnt of their site; run `scrapy blockfilter learn` with the same paths"}
COMMAND = Subcommand("clean", "clean saved pages and items, without a crawl", _run, _add_arguments)
