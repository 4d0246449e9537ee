"""Records cleaned as items of a crawl are, outside of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from scrapy_blockfilter.commands.offline import Record
from scrapy_blockfilter.commands.offline.batches import Batch, Plan, Sites, Tally
from scrapy_blockfilter.crawl.learner import Learner
from scrapy_blockfilter.crawl.stats import Uncounted
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.parse import is_document
from scrapy_blockfilter.html.reading import read_input, segment_source
from scrapy_blockfilter.methods.base import Reason, Verdict
from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.model.cleaned import Cleaned
from scrapy_blockfilter.options.crawl import OUTPUT_KINDS
from scrapy_blockfilter.report.plain_json import to_json
from scrapy_blockfilter.store import SqliteStore
from scrapy_blockfilter.store.read_only import FrozenStore

CLEANED = "cleaned"
# What HTML can become: attributes of a Cleaned that are a text.
FORMS = tuple(kind for kind in OUTPUT_KINDS if kind != "removed")
_NOT_JUDGED = Verdict(True, 1.0, Reason("other", "nothing is learnt of its site"))


class CleanedBatch(NamedTuple):
    """What came of a batch.

    Attributes:
        lines: JSON of each record that could be read, in their order.
        read, position: those of the batch.
    """

    lines: list[str]
    tally: Tally
    read: int
    position: int


class RecordCleaner:
    """Cleans records by what is in a store, which it does not change.

    Args:
        form: one of ``FORMS``.
    """

    def __init__(self, plan: Plan, form: str) -> None:
        self._plan = plan
        self._form = form
        self._sites = Sites(plan)
        self._store = SqliteStore(plan.store, is_checked=False)
        self._learner = Learner(plan.options, FrozenStore(self._store), Uncounted())

    def work(self, batch: Batch) -> CleanedBatch:
        lines: list[str] = []
        tally = Tally()
        for record in batch.records:
            if record.error:
                tally.unreadable(record)
                continue
            values, reasons, suspicious = self._clean(record)
            lines.append(to_json(values))
            if suspicious:
                tally.suspect(self._sites.url(record) or record.place, suspicious)
            tally.counts[CLEANED if not all(reasons) else reasons[0]] += 1
        return CleanedBatch(lines, tally, batch.read, batch.position)

    def close(self) -> CleanedBatch:
        self._store.close()
        return CleanedBatch([], Tally(), 0, 0)

    def _clean(self, record: Record) -> tuple[Mapping[str, Any], list[str], str]:
        """The record with its fields cleaned; for each why nothing was removed, "" where something was; and why its
        page may have lost content, "" where nothing is odd."""
        site = self._sites.site(record)
        url = self._sites.url(record) or ""
        if record.item is None:
            source = read_input(record.html or "")[0]
            cleaned = self._clean_html(site, source, url, whole=True)
            return {"url": record.url, self._form: self._formed(cleaned)}, [cleaned.unchanged], cleaned.suspicious
        values = dict(record.item)
        reasons = []
        suspicious = ""
        for name, kind in self._plan.fields.items():
            if name not in values:
                continue
            value = values[name]
            if not isinstance(value, str):
                reasons.append("not_text")
            elif kind == "text":
                values[name], reason = self._clean_text(site, value)
                reasons.append(reason)
            else:
                cleaned = self._clean_html(site, value, url, whole=is_document(value))
                values[name] = self._formed(cleaned)
                reasons.append(cleaned.unchanged)
                suspicious = suspicious or cleaned.suspicious
        return values, reasons or ["no_field"], suspicious

    def _formed(self, cleaned: Cleaned) -> str:
        return str(getattr(cleaned, self._form))

    def _clean_html(self, site: str | None, source: str, url: str, *, whole: bool) -> Cleaned:
        learner = self._learner
        try:
            options = self._plan.options
            page = segment_source(
                source, None, learner.known, whole=whole, limits=options.limits, segmenter=options.segmentation
            )
        except UnfitPage as unfit:
            return Cleaned(source, None, (), unfit.reason)
        model = learner.watch(site, page, None) if site and whole else self._first(site)
        if model is None and site:
            model = learner.provisional(site)
        if model is None:
            reason = "warmup" if site else "no_site"
            return Cleaned(source, page, [_NOT_JUDGED] * len(page.blocks), reason, url)
        return model.clean_page(source, page, url)

    def _first(self, site: str | None) -> SiteModel | None:
        """The model for a fragment, of whose layout nothing tells."""
        return self._learner.models(site).get(1) if site else None

    def _clean_text(self, site: str | None, text: str) -> tuple[str, str]:
        limits = self._plan.options.limits
        if site is None:
            return text, "no_site"
        if exceeded := limits.exceeded_by(text):
            return text, exceeded
        models = list(self._learner.models(site).values())
        provisional = None if models else self._learner.provisional(site)
        if provisional is not None:
            models.append(provisional)
        if not models:
            return text, "warmup"
        # Which layout a text is of nothing tells but the lines it shares with it.
        cleaned = min((model.clean_text(text) for model in models), key=len)
        return cleaned, "" if cleaned != text else "nothing_to_strip"
