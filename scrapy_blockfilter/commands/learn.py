"""``learn``: learn sites from saved pages, without a crawl."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from functools import partial
from zlib import crc32

from scrapy import Request
from scrapy.utils.request import fingerprint

from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode, Subcommand
from scrapy_blockfilter.commands.offline import Record
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
from scrapy_blockfilter.commands.offline.workers import Workers, jobs_for
from scrapy_blockfilter.crawl import stats as names
from scrapy_blockfilter.crawl.item_fields import texts_of
from scrapy_blockfilter.crawl.learner import Learner
from scrapy_blockfilter.crawl.pages import hash_of_fingerprint
from scrapy_blockfilter.hashing import hash64
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.parse import is_document
from scrapy_blockfilter.html.reading import read_input, segment_source
from scrapy_blockfilter.store import SqliteStore

LEARNT, KNOWN, NO_SITE, NO_PAGE = "learnt", "not needed", "no_site", "no_page"


class _Stats(Counter[str]):
    def inc_value(self, key: str, count: int = 1) -> None:
        self[key] += count


class Teacher:
    """Learn from records, as a crawl does from responses."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._sites = Sites(plan)
        self._stats = _Stats()
        self._store = SqliteStore(plan.store, max_bytes=plan.options.store_max_bytes, is_checked=False)
        self._learner = Learner(plan.options, self._store, self._stats)

    def work(self, batch: Batch) -> Tally:
        tally = Tally()
        for record in batch.records:
            if record.error:
                tally.unreadable(record)
            else:
                tally.counts[self._learn(record)] += 1
        return tally

    def close(self) -> Tally:
        """Save unsaved changes, and return the last counts."""
        with closing(self._store):
            self._learner.close()
        counted = {name: self._stats[name] for name in (names.SITES_READY, names.LAYOUTS_LEARNT, names.STORE_ERRORS)}
        return Tally(Counter(counted))

    def _learn(self, record: Record) -> str:
        site = self._sites.site(record)
        if site is None:
            return NO_SITE
        source = _page_of(record, self._plan)
        if source is None:
            return NO_PAGE
        page_hash = _hash_of(self._sites.url(record), source)
        if not self._learner.wants(site, page_hash):
            return KNOWN
        try:
            options = self._plan.options
            page = segment_source(
                source, None, self._learner.known, whole=True, limits=options.limits, segmenter=options.segmentation
            )
            self._learner.learn(site, page_hash, page)
        except UnfitPage as unfit:
            return unfit.reason
        return LEARNT


def _page_of(record: Record, plan: Plan) -> str | None:
    """Return the HTML of a record that is a whole page; of an item, the first field that is one."""
    if record.item is None:
        return read_input(record.html or "")[0]
    fields = (texts_of(record.item.get(name)) for name, kind in plan.fields.items() if kind == "html")
    return next((text for texts in fields for text in texts or () if is_document(text)), None)


def _hash_of(url: str | None, source: str) -> int:
    """Identify a page as its request does in a crawl; without a URL, by its content."""
    if url and url.startswith(("http://", "https://")):
        with suppress(ValueError):  # no request has this address, as it has lone surrogates or is http://[
            return hash_of_fingerprint(fingerprint(Request(url)))
    return hash64(source.encode("utf-8", "replace"))


def _run(call: Call) -> ExitCode | None:
    files, starts = inputs(call)
    plan = plan_of(call)
    with call.store(may_be_new=True):
        pass  # sound, or raised here
    progress = Progress(sys.stderr, starts[-1])
    tally = Tally()
    with Workers(jobs_for(call.arguments.jobs, starts[-1]), partial(Teacher, plan)) as workers:
        try:
            read = 0
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
    return _report(call, tally, read)


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


def _report(call: Call, tally: Tally, read: int) -> ExitCode | None:
    counts = tally.counts
    if not read:
        raise CommandError(f"No record in {', '.join(call.arguments.paths)}.", ExitCode.NOT_FOUND)
    ready, layouts, errors = (
        counts.pop(name, 0) for name in (names.SITES_READY, names.LAYOUTS_LEARNT, names.STORE_ERRORS)
    )
    if call.output.is_json:
        call.output.json({"records": read, "sites_ready": ready, "layouts_learnt": layouts, **tally.as_dict()})
    else:
        tally.print_notes()
        known = sum(counts[name] for name in (LEARNT, KNOWN))
        call.output.line(
            f"{read:,} records: {counts[LEARNT]:,} pages learnt from, {counts[KNOWN]:,} not needed or known, "
            f"{read - known:,} others. {ready} sites are ready."
        )
        for name, count in sorted(counts.items()):
            if name not in (LEARNT, KNOWN):
                call.output.line(f"  {count:,} {_WORDS.get(name) or names.REASONS[name]}")
    if errors:
        raise CommandError(f"{call.store_path} could not save everything; see above.", ExitCode.STORE)
    return None


_WORDS = {
    UNREADABLE: "could not be read",
    NO_SITE: "of unknown site: no URL field or folder tells it, and there is no --site",
    NO_PAGE: "without a whole page in their HTML fields: name another field with --field",
}
COMMAND = Subcommand("learn", "learn sites from saved pages, without a crawl", _run, add_input_arguments)
