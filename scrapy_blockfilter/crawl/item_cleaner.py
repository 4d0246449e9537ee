"""Clean the fields of items, add new ones, and count and log the results."""

from __future__ import annotations

import copy
import logging
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial
from typing import Any

from itemadapter import ItemAdapter, is_item
from scrapy.exceptions import DropItem
from scrapy.http import HtmlResponse
from scrapy.utils.response import get_base_url

from scrapy_blockfilter.crawl import stats
from scrapy_blockfilter.crawl.item_fields import (
    declared_fields,
    filled_as,
    has_field,
    plain_value,
    texts_of,
    with_values,
)
from scrapy_blockfilter.crawl.item_origins import Source, find_source
from scrapy_blockfilter.crawl.log_once import LogOnce
from scrapy_blockfilter.crawl.pages import page_hash_of, teaches
from scrapy_blockfilter.crawl.session import Session
from scrapy_blockfilter.crawl.site_cleaner import SiteCleaner
from scrapy_blockfilter.crawl.told import SuspectLog, Told
from scrapy_blockfilter.html.parse import is_document
from scrapy_blockfilter.model.cleaned import Cleaned

logger = logging.getLogger(__name__)

# Reasons that are no cause for a warning. Errors are logged with their tracebacks.
_EXPECTED = frozenset({"warmup", "nothing_to_strip", "error"})


class ItemFilter:
    """The work of a crawl on its items."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._stats = session.stats
        self._log = LogOnce(logger)
        self._suspects = SuspectLog(session.stats)
        self._told = Told(session.options, session.crawler.settings, session.stats)

    def clean(self, item: Any) -> Any:
        """Return an item with its fields cleaned. After an error it passes unchanged.

        Raises:
            DropItem: the session's ``on_item`` drops the item.
        """
        try:
            return plain_value(self._cleaned(item))
        except DropItem:
            raise
        except Exception:
            self._stats.inc_value(stats.ERRORS)
            self._count_unchanged("error")
            self._log.exception("error", "Could not clean %.200r; it passes unchanged, as do others of the kind", item)
            with suppress(Exception):
                return plain_value(item)
            return item

    def _cleaned(self, item: Any) -> Any:
        source = find_source(item, self._session.origins, self._session.options.url_fields)
        if source.meta.get("blockfilter") is False:
            self._count_unchanged("disabled")
            return item
        if not is_item(item):
            self._count_unchanged("not_item")
            self._tell(["not_item"], source)
            return item
        site = self._session.site(source.url, source.meta)
        self._told.take_fields(ItemAdapter(item))
        cleaner = ItemCleaner(self._session, item, source, site)
        cleaned = cleaner.clean()
        self._note(cleaner, source, site)
        on_item = self._session.on_item
        return cleaned if on_item is None else on_item(cleaned, source, site, cleaner.page)

    def _note(self, cleaner: ItemCleaner, source: Source, site: str | None) -> None:
        """Count and log the work on an item."""
        for name, count in cleaner.counts.items():
            self._stats.inc_value(name, count)
        reasons = cleaner.reasons
        lacks_field = not cleaner.has_field and (self._told.wants_fields or not (reasons or cleaner.is_cleaned))
        if lacks_field:
            reasons.append("no_field")
        if cleaner.is_cleaned and cleaner.made and not lacks_field:
            self._stats.inc_value(stats.ITEMS_CLEANED)
        else:
            self._count_unchanged(reasons[0])
        self._tell(reasons, source, cleaner)
        self._told.take_selectors(site, cleaner.selectors)
        judged = cleaner.pages.judged
        if site and judged is not None:
            self._told.take_page(site, has_own_text=cleaner.pages.has_own_text)
            self._suspects.note(site, source.url, judged)
            if source.url:
                self._session.learner.note_judged(site, source.url, judged.suspicious)

    def tell(self) -> None:
        """Log the fields, selectors and sites that a person should look into at the end of a crawl."""
        self._suspects.tell()
        self._told.tell()

    def _count_unchanged(self, reason: str) -> None:
        self._stats.inc_value(stats.ITEMS_UNCHANGED)
        self._stats.inc_value(f"{stats.ITEMS_UNCHANGED}/{reason}")

    def _tell(self, reasons: Sequence[str], source: Source, cleaner: ItemCleaner | None = None) -> None:
        """Log each reason for concern once, with the fields that are cleaned nevertheless."""
        for reason in reasons:
            if reason not in _EXPECTED:
                fields = ", ".join(cleaner.made) if cleaner and cleaner.is_cleaned else ""
                done = f"cleaned ({fields}), but not all of it" if fields else "not cleaned"
                details = cleaner.details.get(reason) if cleaner else None
                why = stats.REASONS[reason] + (f" ({', '.join(details)})" if details else "")
                message = "An item of %r is %s: %s. Further ones are only counted, as %r."
                self._log.warning(reason, message, source.url, done, why, reason)


class ItemCleaner:
    """The work on one item.

    Attributes:
        reasons: why parts of the item are not cleaned.
        details: reason -> the fields that it is about.
        counts: numbers to add to the statistics.
        selectors: whether each selector that was tried on its HTML matches an element.
        has_field: whether the item has a field to clean.
        pages: cleans the HTML and texts; knows the page of the item as it was judged.
        page: the page, or the part of one, that the forms are made of; None if there is none.
    """

    def __init__(self, session: Session, item: Any, source: Source, site: str | None) -> None:
        self.reasons: list[str] = []
        self.details: dict[str, list[str]] = {}
        self.counts: Counter[str] = Counter()
        self.selectors: dict[str, bool] = {}
        self._session = session
        self._item = item
        self._source = source
        self._adapter = adapter = ItemAdapter(item)
        self._fields = {**session.options.fields, **declared_fields(adapter)}
        self._output_fields = session.options.output_fields
        self.has_field = any(name in adapter or name in self._output_fields for name in self._fields)
        self._values: dict[str, Any] = {}
        self._failed: set[str] = set()
        self._strips = False
        self.page: Cleaned | None = None
        model = session.learner.model(site) if site else None
        if model is None and site and session.options.warmup != "pass":
            model = session.learner.provisional(site)
            if model is not None:
                self.counts[stats.ITEMS_PROVISIONAL] = 1
        self.pages = SiteCleaner(session.learner, site, model)

    @property
    def made(self) -> list[str]:
        """The fields that were set."""
        return [name for name in self._values if name not in self._failed]

    @property
    def is_cleaned(self) -> bool:
        """Whether something was removed, and a field shows it."""
        return self._strips and bool(self.made or not self._failed)

    def clean(self) -> Any:
        """Return the item with clean fields and the output fields. An item that may be changed is changed itself."""
        for name, kind in self._fields.items():
            if name in self._adapter and name not in self._output_fields:
                with self._making(name):
                    self._clean_field(name, kind)
        for name, form in self._output_fields.items():
            with self._making(name):
                self._add_field(name, form)
            if name in self._failed:
                self._values[name] = None  # so that feeds keep their columns
        for reason in self.page.simplified if self.page else ():
            self.counts[f"{stats.FIELDS_SIMPLIFIED}/{reason}"] += 1
        item = self._item
        for name, value in self._values.items():  # an item that refuses a value goes without this one alone
            with suppress(Exception) if name in self._failed else self._making(name):
                item = with_values(item, {name: value})
        if self._failed and not self.is_cleaned:
            self.counts[stats.ERRORS] += 1
            self.reasons.insert(0, "error")
        return item

    def _making(self, name: str) -> AbstractContextManager[None]:
        form = self._output_fields.get(name) or self._fields[name]
        return self._session.guard.making(form, self._source.url, partial(self._fail, name))

    def _fail(self, name: str, form: str) -> None:
        self.counts[f"{stats.FORMS_FAILED}/{form}"] += 1
        self._failed.add(name)

    def _clean_field(self, name: str, kind: str) -> None:
        value = self._adapter[name]
        texts = texts_of(value)
        if texts is None:
            self._skip("not_text", f"{name!r} holds {type(value).__name__}")
        elif kind == "text":
            self._clean_text_field(name, value, texts)
        elif self.pages.has_model or self._output_fields:
            cleaned = [self._clean_html(text) for text in texts]
            if len(cleaned) == 1:  # several are parts of a page
                self.page = self.page or cleaned[0]
            if not all(part.unchanged for part in cleaned):
                self._values[name] = filled_as(value, [part.html for part in cleaned])
        else:
            self.reasons.append(self.pages.no_model)

    def _clean_text_field(self, name: str, value: Any, texts: Sequence[str]) -> None:
        cleaned, reason = self.pages.clean_texts(texts)
        if reason in ("", "nothing_to_strip"):  # it was looked at
            size = _size_of(texts)
            self.counts[stats.BYTES_SEEN] += size
            self.counts[stats.BYTES_STRIPPED] += size - _size_of(cleaned)
        if reason:
            self.reasons.append(reason)
        else:
            self._strips = True
            self._values[name] = filled_as(value, cleaned)

    def _add_field(self, name: str, form: str) -> None:
        response = self._source.response
        if self.page is None and isinstance(response, HtmlResponse):
            self.page = self._clean_html(response.text)
        if self.page is None and any(self._fields.get(failed) == "html" for failed in self._failed):
            raise RuntimeError("the HTML of the item could not be cleaned")
        if self.page is None:
            self._skip("no_html")
        elif not has_field(self._adapter, name):
            self._skip("unsettable", f"{type(self._item).__name__} has no field {name!r}")
        else:
            # Items of one response share their page, but pipelines may change what an item holds.
            self._values[name] = copy.deepcopy(self.page.form(form))

    def _clean_html(self, value: str) -> Cleaned:
        response = self._source.response
        if isinstance(response, HtmlResponse) and value == response.text:
            page, tree = self._session.responses.of(response)
            request = response.request if self.pages.has_model else None
            page_hash = page_hash_of(self._session.crawler, request) if request and teaches(request, response) else None
            cleaned = self.pages.clean_page(page, self._source.url or "", page_hash, tree)
        else:
            cleaned = self.pages.clean_html(value, self._base(), whole=is_document(value))
        if cleaned.unchanged:
            self.reasons.append(cleaned.unchanged)
        else:
            self._strips = True
        if self.pages.has_model:
            self._count(cleaned)
        for selector, has_matched in cleaned.selectors.items():
            self.selectors[selector] = has_matched or self.selectors.get(selector, False)
        return cleaned

    def _base(self) -> str:
        """Return the base of links in a field. A fragment has no BASE element, so that of its page counts."""
        if isinstance(self._source.response, HtmlResponse):
            with suppress(ValueError):  # its BASE is no URL: <base href="http://[">
                return str(get_base_url(self._source.response))
        return self._source.url or ""

    def _count(self, cleaned: Cleaned) -> None:
        if cleaned.lacks_boxes:
            self.counts[stats.ITEMS_WITHOUT_BOXES] = 1
        sizes = list(cleaned.sizes())
        stripped = [size for size, keep in sizes if not keep]
        self.counts[stats.BLOCKS_KEPT] += len(sizes) - len(stripped)
        self.counts[stats.BLOCKS_STRIPPED] += len(stripped)
        self.counts[stats.BYTES_SEEN] += sum(size for size, _ in sizes)
        self.counts[stats.BYTES_STRIPPED] += sum(stripped)

    def _skip(self, reason: str, detail: str = "") -> None:
        self.counts[f"{stats.FIELDS_SKIPPED}/{reason}"] += 1
        self.reasons.append(reason)
        if detail:
            self.details.setdefault(reason, []).append(detail)


def _size_of(texts: Sequence[str]) -> int:
    return sum(len(text.encode("utf-8", "replace")) for text in texts)
