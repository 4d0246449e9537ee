"""Find the keys of records of files: a record has them, or its page is cleaned to make them."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from scrapy_blockfilter.commands.base import CommandError, ExitCode
from scrapy_blockfilter.commands.clean import NO_FIELD, RecordCleaner
from scrapy_blockfilter.commands.offline import Record
from scrapy_blockfilter.commands.offline.batches import Plan
from scrapy_blockfilter.commands.offline.plain import Done
from scrapy_blockfilter.commands.offline.records import Batch
from scrapy_blockfilter.commands.offline.tally import Tally
from scrapy_blockfilter.extras.copies.copy_groups import Keys
from scrapy_blockfilter.extras.copies.keys import numbers_of
from scrapy_blockfilter.model.form_guard import FormGuard
from scrapy_blockfilter.options.output_forms import require_form

# The forms, which are also the names of the fields that hold them.
CONTENT, SIMILAR = "content_key", "similar_key"
COMPARED = "compared"
NO_TEXT = "no_text"


class RecordKeys:
    """Find the keys of records. The store is opened for the first record without keys.

    Args:
        exact: make content keys alone for pages that are cleaned.
    """

    def __init__(self, plan: Plan, *, exact: bool = False) -> None:
        self._plan = plan
        self._exact = exact
        self._guard = FormGuard()

    @cached_property
    def _cleaner(self) -> RecordCleaner:
        if not Path(self._plan.store).is_file():
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
        for record in batch.records:
            if record.error:
                tally.unreadable(record)
                continue
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
        else:
            page = self._cleaner.page_of(record)
            if page is None:
                return "", "", NO_FIELD
            if page.unchanged == "warmup":  # its template would make it like the other pages of its site
                return "", "", page.unchanged
            failed: list[str] = []
            keys = {CONTENT: "", SIMILAR: ""}
            for form in (CONTENT,) if self._exact else (CONTENT, SIMILAR):
                with self._guard.making(form, self._plan.url(record), failed.append):
                    keys[form] = page.form(form)
            content, similar = keys.values()
            if failed and not (content or similar):
                return "", "", "error"
        return content, similar, COMPARED if content or similar else NO_TEXT
