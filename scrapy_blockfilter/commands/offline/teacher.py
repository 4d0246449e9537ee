"""Learn from records of files as a crawl learns from its responses."""

from __future__ import annotations

from collections import Counter
from contextlib import closing, suppress

from scrapy import Request
from scrapy.utils.request import fingerprint

from scrapy_blockfilter.commands.offline import Record
from scrapy_blockfilter.commands.offline.batches import Batch, Plan, Sites, Tally
from scrapy_blockfilter.crawl.item_fields import texts_of
from scrapy_blockfilter.crawl.learner import Learner
from scrapy_blockfilter.crawl.pages import hash_of_fingerprint
from scrapy_blockfilter.crawl.stats import LAYOUTS_LEARNT, SITES_READY, STORE_ERRORS
from scrapy_blockfilter.hashing import hash64
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.boxes import without_boxes
from scrapy_blockfilter.html.parse import is_document
from scrapy_blockfilter.html.reader import read_input
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
        counted = {name: self._stats[name] for name in (SITES_READY, LAYOUTS_LEARNT, STORE_ERRORS)}
        return Tally(Counter(counted))

    def _learn(self, record: Record) -> str:
        site = self._sites.site(record)
        if site is None:
            return NO_SITE
        source = page_of(record, self._plan)
        if source is None:
            return NO_PAGE
        page_hash = _hash_of(self._sites.url(record), source)
        if not self._learner.wants(site, page_hash):
            return KNOWN
        try:
            self._learner.learn(site, page_hash, self._learner.reader.read(source, whole=True))
        except UnfitPage as unfit:
            return unfit.reason
        return LEARNT


def page_of(record: Record, plan: Plan) -> str | None:
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
    return hash64(without_boxes(source).encode("utf-8", "replace"))
