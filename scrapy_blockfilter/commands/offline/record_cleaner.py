"""Clean records of files as a crawl cleans its items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from scrapy_blockfilter.commands.base import CommandError, ExitCode
from scrapy_blockfilter.commands.offline import Record
from scrapy_blockfilter.commands.offline.batches import FAILED, SIMPLIFIED, Batch, Plan, Sites, Tally
from scrapy_blockfilter.crawl.item_fields import filled_as, plain_value, texts_of
from scrapy_blockfilter.crawl.learner import Learner
from scrapy_blockfilter.crawl.site_cleaner import SiteCleaner
from scrapy_blockfilter.crawl.stats import Uncounted
from scrapy_blockfilter.html.parse import is_document
from scrapy_blockfilter.html.reader import read_input
from scrapy_blockfilter.model.cleaned import Cleaned
from scrapy_blockfilter.model.form_guard import FormGuard
from scrapy_blockfilter.report.plain_json import to_json
from scrapy_blockfilter.store import SqliteStore
from scrapy_blockfilter.store.memory import ReadOnlyStore

CLEANED = "cleaned"
NO_FIELD = "no_field"
_MISSING = object()


class CleanedBatch(NamedTuple):
    """The outcome of a batch.

    Attributes:
        lines: JSON of each readable record, in order.
        read, position: as in the batch.
    """

    lines: list[str]
    tally: Tally
    read: int
    position: int


class RecordCleaner:
    """Clean records by the models of a store, and leave what it has learnt as it is.

    Models that had to be fitted are kept in it, so that other processes need not fit them.

    Args:
        form: one of ``FORMS``.
        field: name of the item field for the form of the first HTML field, "" for the usual one.
    """

    def __init__(self, plan: Plan, form: str, field: str = "") -> None:
        self._plan = plan
        self._form = form
        self._field = field
        self._sites = Sites(plan)
        self._guard = FormGuard()
        self._store = SqliteStore(plan.store, max_bytes=plan.options.store_max_bytes, is_checked=False)
        self._learner = Learner(plan.options, ReadOnlyStore(self._store, keeps_models=True), Uncounted())

    def work(self, batch: Batch) -> CleanedBatch:
        lines: list[str] = []
        tally = Tally()
        for record in batch.records:
            if record.error:
                tally.unreadable(record)
                continue
            values, reasons, suspicious = self._clean(record, tally)
            if reasons == [NO_FIELD]:
                tally.note_fields(record)
            lines.append(to_json(values))
            if suspicious:
                tally.suspect(self._sites.url(record) or record.place, suspicious)
            tally.counts[CLEANED if not all(reasons) else reasons[0]] += 1
        return CleanedBatch(lines, tally, batch.read, batch.position)

    def close(self) -> CleanedBatch:
        self._store.close()
        return CleanedBatch([], Tally(), 0, 0)

    def making(self, form: str, url: str, tally: Tally) -> AbstractContextManager[None]:
        """Return the guard of one field: its failure is counted, and costs nothing else."""
        return self._guard.making(form, url, lambda form: tally.counts.update([f"{FAILED}{form}"]))

    def page_of(self, record: Record) -> Cleaned | None:
        """Return the page of a record, cleaned: the first text of its first HTML field. None: it has none."""
        cleaner = self._cleaner(self._sites.site(record))
        url = self._sites.url(record) or ""
        if record.item is None:
            return cleaner.clean_html(read_input(record.html or "")[0], url, whole=True)
        for name, kind in self._plan.fields.items():
            texts = texts_of(record.item.get(name)) if kind == "html" else None
            if texts:
                return cleaner.clean_html(texts[0], url, whole=is_document(texts[0]))
        return None

    def _clean(self, record: Record, tally: Tally) -> tuple[Mapping[str, Any], list[str], str]:
        """Return the clean record, per field why it is unchanged, and why its page may have lost content.

        A reason is "" where something was removed, or where nothing is odd.
        """
        cleaner = self._cleaner(self._sites.site(record))
        url = self._sites.url(record) or ""
        if record.item is None:
            pages = [read_input(record.html or "")[0]]
            formed, reasons = self._formed(cleaner, pages, url, tally, whole=True)
            value = formed[0] if formed else None
            return {"url": record.url, self._field or self._form: value}, reasons, _why_suspicious(cleaner)
        values = dict(record.item)
        reasons = []
        renamed: dict[str, str] = {}
        for name, kind in self._plan.fields.items():
            value = values.get(name, _MISSING)
            if value is _MISSING:
                continue
            texts = texts_of(value)
            if texts is None:
                reasons.append("not_text")
            elif kind == "text":
                reason = "error"
                with self.making("text", url, tally):
                    left, reason = cleaner.clean_texts(texts)
                    values[name] = filled_as(value, left)
                reasons.append(reason)
            else:
                formed, why = self._formed(cleaner, texts, url, tally)
                if formed is not None:
                    values[name] = filled_as(value, formed)
                elif self._form != "html":
                    values[name] = None
                renamed[name] = self._name_of_form(name, is_first=not renamed)
                reasons.extend(why)
        values = {name: plain_value(value) for name, value in values.items()}
        return _renamed(record, values, renamed), reasons or [NO_FIELD], _why_suspicious(cleaner)

    def _name_of_form(self, name: str, *, is_first: bool) -> str:
        """Return the field for the form of an HTML field. HTML stays in its own, other forms have theirs."""
        if is_first and self._field:
            return self._field
        if self._form == "html":
            return name
        return self._form if is_first else f"{name}_{self._form}"

    def _cleaner(self, site: str | None) -> SiteCleaner:
        # Fragments get the model of the first layout: which page came last depends on how processes share the records.
        model = (self._learner.model(site, 1) or self._learner.provisional(site)) if site else None
        return SiteCleaner(self._learner, site, model)

    def _formed(
        self, cleaner: SiteCleaner, texts: Sequence[str], url: str, tally: Tally, *, whole: bool = False
    ) -> tuple[list[Any] | None, list[str]]:
        """Return the form of each text of a field, None if one fails, and per text why it is unchanged."""
        with self.making(self._form, url, tally):
            parts = [cleaner.clean_html(text, url, whole=whole or is_document(text)) for text in texts]
            formed = [part.form(self._form) for part in parts]
            tally.counts.update(f"{SIMPLIFIED}{reason}" for part in parts for reason in part.simplified)
            return formed, [part.unchanged for part in parts]
        return None, ["error"]


def _why_suspicious(cleaner: SiteCleaner) -> str:
    return cleaner.judged.suspicious if cleaner.judged else ""


def _renamed(record: Record, values: Mapping[str, Any], renamed: Mapping[str, str]) -> Mapping[str, Any]:
    """Return values under their new names, in their order.

    Raises:
        CommandError: the item has a field of a new name already.
    """
    for name, new in renamed.items():
        if new != name and new in values:
            raise CommandError(
                f"{record.place} has a field {new!r} already: name another one for the output, as in --to clean_{new}.",
                ExitCode.USAGE,
            )
    return {renamed.get(name, name): value for name, value in values.items()}
