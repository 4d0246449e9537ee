"""``learn``: learn sites from saved pages, without a crawl."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple
from zlib import crc32

from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode, Subcommand
from scrapy_blockfilter.commands.offline import InputFile, Record
from scrapy_blockfilter.commands.offline.batches import (
    UNREADABLE,
    Batch,
    Plan,
    Sites,
    Tally,
    add_input_arguments,
    batches,
    inputs,
    plan_of,
)
from scrapy_blockfilter.commands.offline.progress import Progress
from scrapy_blockfilter.commands.offline.teacher import KNOWN, LEARNT, NO_PAGE, NO_SITE, Teacher
from scrapy_blockfilter.commands.offline.workers import Workers, jobs_for
from scrapy_blockfilter.crawl.stats import LAYOUTS_LEARNT, REASONS, SITES_READY, STORE_ERRORS


class Taught(NamedTuple):
    """The outcome of learning.

    Attributes:
        read: number of records.
        sites_ready, layouts_learnt: how many there are now, of those that were met.
        errors: failed reads and writes of the store.
    """

    read: int
    tally: Tally
    sites_ready: int
    layouts_learnt: int
    errors: int

    def as_dict(self) -> dict[str, Any]:
        return {
            "records": self.read,
            "sites_ready": self.sites_ready,
            "layouts_learnt": self.layouts_learnt,
            **self.tally.as_dict(),
        }

    def summary(self) -> Iterator[str]:
        """Yield lines that say what was learnt."""
        counts = self.tally.counts
        ready = "1 site is ready" if self.sites_ready == 1 else f"{self.sites_ready:,} sites are ready"
        others = self.read - counts[LEARNT] - counts[KNOWN]
        yield (
            f"{self.read:,} records: {counts[LEARNT]:,} pages learnt from, {counts[KNOWN]:,} not needed or known, "
            f"{others:,} others. {ready}."
        )
        for name, count in sorted(counts.items()):
            if name not in (LEARNT, KNOWN):
                yield f"  {count:,} {_WORDS.get(name) or REASONS[name]}"


def teach(call: Call, plan: Plan, files: Sequence[InputFile], starts: Sequence[int]) -> Taught:
    """Learn from files, into the store of the plan.

    Raises:
        CommandError: there is no record.
    """
    with call.store(may_be_new=True):
        pass  # sound, or raised here
    progress = Progress(sys.stderr, starts[-1])
    tally = Tally()
    read = 0
    with Workers(jobs_for(call.arguments.jobs, starts[-1]), partial(Teacher, plan)) as workers:
        try:
            for batch in batches(files, starts):
                read = batch.read
                for number, part in _by_site(batch, Sites(plan), workers.jobs):
                    for answer in workers.give(number, part):
                        tally.add(answer)
                progress.note(batch.read, batch.position)
        finally:  # keep what is learnt even if the command is stopped
            for answer in workers.finish():
                tally.add(answer)
            progress.end()
    if not read:
        raise CommandError(f"No record in {', '.join(call.arguments.paths)}.", ExitCode.NOT_FOUND)
    ready, layouts, errors = (tally.counts.pop(name, 0) for name in (SITES_READY, LAYOUTS_LEARNT, STORE_ERRORS))
    return Taught(read, tally, ready, layouts, errors)


def check_saved(call: Call, taught: Taught) -> None:
    """Raise CommandError if the store could not save everything."""
    if taught.errors:
        raise CommandError(f"{call.store_path} could not save everything; see above.", ExitCode.STORE)


def _run(call: Call) -> None:
    files, starts = inputs(call)
    taught = teach(call, plan_of(call), files, starts)
    if call.output.is_json:
        call.output.json(taught.as_dict())
    else:
        taught.tally.print_notes()
        for line in taught.summary():
            call.output.line(line)
    check_saved(call, taught)


def _by_site(batch: Batch, sites: Sites, jobs: int) -> Iterator[tuple[int, Batch]]:
    """Split a batch by site.

    All pages of a site go to the same process, so that the result does not depend on ``jobs``.
    """
    parts: dict[int, list[Record]] = {}
    for record in batch.records:
        number = crc32((sites.site(record) or "").encode()) % jobs if jobs > 1 else 0
        parts.setdefault(number, []).append(record)
    for number, records in parts.items():
        yield number, batch._replace(records=records)


_WORDS = {
    UNREADABLE: "could not be read",
    NO_SITE: "of unknown site: no URL field or folder tells it, and there is no --site",
    NO_PAGE: "without a whole page in their HTML fields: name another field with --field",
}
COMMAND = Subcommand("learn", "learn sites from saved pages, without a crawl", _run, add_input_arguments)
