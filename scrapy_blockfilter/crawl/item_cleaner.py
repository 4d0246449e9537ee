"""Clean the fields of one item, add new ones, and count what was done."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial
from typing import Any

from itemadapter import ItemAdapter
from scrapy.http import HtmlResponse, Response
from scrapy.utils.response import get_base_url

from scrapy_blockfilter.crawl import stats as names
from scrapy_blockfilter.crawl.item_fields import declared_fields, filled_as, has_field, texts_of
from scrapy_blockfilter.crawl.item_origins import Source
from scrapy_blockfilter.crawl.learner import Learner
from scrapy_blockfilter.crawl.response_trees import SeenTree
from scrapy_blockfilter.crawl.shared_pages import SharedPages
from scrapy_blockfilter.crawl.site_cleaner import SiteCleaner
from scrapy_blockfilter.html.parse import is_document
from scrapy_blockfilter.model.cleaned import Cleaned
from scrapy_blockfilter.model.form_guard import FormGuard
from scrapy_blockfilter.options import Options


class ItemJob:
    """The work on one item.

    Args:
        site: the key of its site, None where it is unknown.
        page_hash: gives the identity of a response's page, None where the page must not be learnt from.
        pages: what was made of responses before.
        tree_of: gives the tree of a response's page, None where its text must be parsed.
        guard: makes each field by itself.

    Attributes:
        values: the fields to set, with their values.
        reasons: why parts of the item are not cleaned.
        details: what a reason is about, where it is about a field.
        counts: numbers to add to the statistics.
        has_field: whether the item has a field to clean.
        selectors: whether each selector that was tried on its HTML matches an element.
    """

    def __init__(
        self,
        adapter: ItemAdapter,
        source: Source,
        learner: Learner,
        site: str | None,
        options: Options,
        page_hash: Callable[[Response], int | None],
        pages: SharedPages,
        tree_of: Callable[[HtmlResponse], SeenTree | None],
        guard: FormGuard,
    ) -> None:
        self.values: dict[str, Any] = {}
        self.reasons: list[str] = []
        self.details: dict[str, list[str]] = {}
        self.counts: Counter[str] = Counter()
        self._strips = False
        self._failed: set[str] = set()
        self._guard = guard
        self.selectors: dict[str, bool] = {}
        self._adapter = adapter
        self._source = source
        self._page_hash = page_hash
        self._pages = pages
        self._tree_of = tree_of
        model = learner.model(site) if site else None
        if model is None and site and options.warmup == "hold":
            # The item was released before its site was learnt, or could not be held.
            model = learner.provisional(site)
            if model is not None:
                self.counts[names.ITEMS_PROVISIONAL] = 1
        self._cleaner = SiteCleaner(learner, site, model)
        self._fields = {**options.fields, **declared_fields(adapter)}
        self._output_fields = options.output_fields
        self.has_field = any(name in adapter or name in self._output_fields for name in self._fields)
        self._page: Cleaned | None = None

    @property
    def judged(self) -> Cleaned | None:
        """Return its page as it was judged, None if no whole page was."""
        return self._cleaner.judged

    @property
    def made(self) -> list[str]:
        """The fields whose form did not fail."""
        return [name for name in self.values if name not in self._failed]

    @property
    def is_cleaned(self) -> bool:
        """Whether something was removed, and a field shows it."""
        return self._strips and bool(self.made or not self._failed)

    @property
    def has_failed(self) -> bool:
        """Whether a form failed."""
        return bool(self._failed)

    def setting(self, name: str) -> AbstractContextManager[object]:
        """Return the context to set a field in: an item that refuses a value goes without this one alone."""
        return suppress(Exception) if name in self._failed else self._making(name)

    @property
    def has_own_text(self) -> bool | None:
        """Return whether its page says what others of its site do not, None where no whole page was judged."""
        return self._cleaner.has_own_text

    def clean_fields(self) -> None:
        for name, kind in self._fields.items():
            if name in self._adapter and name not in self._output_fields:
                with self._making(name):
                    self._clean_field(name, kind)

    def add_fields(self) -> None:
        for name, form in self._output_fields.items():
            with self._making(name):
                self._add_field(name, form)
            if name in self._failed:
                self.values[name] = None  # so that feeds keep their columns
        for reason in self._page.simplified if self._page else ():
            self.counts[f"{names.FIELDS_SIMPLIFIED}/{reason}"] += 1

    def _making(self, name: str) -> AbstractContextManager[None]:
        form = self._output_fields.get(name) or self._fields[name]
        return self._guard.making(form, self._source.url, partial(self._fail, name))

    def _fail(self, name: str, form: str) -> None:
        self.counts[f"{names.FORMS_FAILED}/{form}"] += 1
        self._failed.add(name)

    def _clean_field(self, name: str, kind: str) -> None:
        value = self._adapter[name]
        texts = texts_of(value)
        if texts is None:
            self._skip("not_text", f"{name!r} holds {type(value).__name__}")
        elif kind == "text":
            self._clean_text_field(name, value, texts)
        elif not (self._cleaner.has_model or self._output_fields):
            self.reasons.append(self._cleaner.no_model)
        else:
            self._clean_html_field(name, value, texts)

    def _add_field(self, name: str, form: str) -> None:
        response = self._source.response
        if self._page is None and isinstance(response, HtmlResponse):
            self._page = self._clean_html(response.text)
        if self._page is None:
            self._skip("no_html")
        elif not has_field(self._adapter, name):
            self._skip("unsettable", f"{type(self._adapter.item).__name__} has no field {name!r}")
        else:
            # Items of one response share their page, but pipelines may change what an item holds.
            self.values[name] = copy.deepcopy(self._page.form(form))

    def _clean_text_field(self, name: str, value: Any, texts: Sequence[str]) -> None:
        cleaned, reason = self._cleaner.clean_texts(texts)
        if reason in ("", "nothing_to_strip"):  # it was looked at
            size = _size_of(texts)
            self.counts[names.BYTES_SEEN] += size
            self.counts[names.BYTES_STRIPPED] += size - _size_of(cleaned)
        if reason:
            self.reasons.append(reason)
        else:
            self._strips = True
            self.values[name] = filled_as(value, cleaned)

    def _clean_html_field(self, name: str, value: Any, texts: Sequence[str]) -> None:
        cleaned = [self._clean_html(text) for text in texts]
        if len(cleaned) == 1:  # several are parts of a page
            self._page = self._page or cleaned[0]
        if not all(part.unchanged for part in cleaned):
            self.values[name] = filled_as(value, [part.html for part in cleaned])

    def _clean_html(self, value: str) -> Cleaned:
        response = self._source.response
        shared = tree = None
        if isinstance(response, HtmlResponse) and value == response.text:
            shared = self._pages.of(response)
            tree = self._tree_of(response) if shared.unchanged_page() is None else None
        is_response = shared is not None
        page_hash = self._page_hash(response) if is_response and response and self._cleaner.has_model else None
        whole = is_response or is_document(value)
        cleaned = self._cleaner.clean_html(
            value, self._url(is_response), whole=whole, page_hash=page_hash, shared=shared, tree=tree
        )
        if cleaned.unchanged:
            self.reasons.append(cleaned.unchanged)
        else:
            self._strips = True
        if self._cleaner.has_model:
            self._count(cleaned)
        for selector, has_matched in cleaned.selectors.items():
            self.selectors[selector] = has_matched or self.selectors.get(selector, False)
        return cleaned

    def _count(self, cleaned: Cleaned) -> None:
        sizes: dict[bool, list[int]] = {True: [], False: []}
        for size, keep in cleaned.sizes():
            sizes[keep].append(size)
        if cleaned.lacks_boxes:
            self.counts[names.ITEMS_WITHOUT_BOXES] = 1
        self.counts[names.BLOCKS_KEPT] += len(sizes[True])
        self.counts[names.BLOCKS_STRIPPED] += len(sizes[False])
        self.counts[names.BYTES_SEEN] += sum(sizes[True]) + sum(sizes[False])
        self.counts[names.BYTES_STRIPPED] += sum(sizes[False])

    def _url(self, is_response: bool) -> str:
        """Return the base of links. A fragment has no BASE element, so that of its page counts."""
        response = self._source.response
        if isinstance(response, HtmlResponse) and not is_response:
            with suppress(ValueError):  # its BASE is no URL: <base href="http://[">
                return str(get_base_url(response))
        return self._source.url or ""

    def _skip(self, reason: str, detail: str = "") -> None:
        self.counts[f"{names.FIELDS_SKIPPED}/{reason}"] += 1
        self.reasons.append(reason)
        if detail:
            self.details.setdefault(reason, []).append(detail)


def _size_of(texts: Sequence[str]) -> int:
    return sum(len(text.encode("utf-8", "replace")) for text in texts)
