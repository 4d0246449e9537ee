"""One item on its way: which of its fields are cleaned and which are added, and what there is to count of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from itemadapter import ItemAdapter
from scrapy.http import HtmlResponse, Response
from scrapy.utils.response import get_base_url

from scrapy_blockfilter.crawl import stats as names
from scrapy_blockfilter.crawl.item_fields import declared_fields, has_field
from scrapy_blockfilter.crawl.item_origins import Source
from scrapy_blockfilter.crawl.learner import Learner
from scrapy_blockfilter.html import Page, UnfitPage
from scrapy_blockfilter.html.parse import is_document
from scrapy_blockfilter.html.reading import segment_source
from scrapy_blockfilter.methods.base import Reason, Verdict
from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.model.cleaned import Cleaned
from scrapy_blockfilter.options import Options

_NOT_JUDGED = Verdict(True, 1.0, Reason("other", "the site is still being learnt"))


class ItemJob:
    """What is done with one item.

    Args:
        site: the key of its site, None where that is not known.
        page_hash: tells the page that a response is, None where nothing is to be learnt from it.

    Attributes:
        values: of the fields that are to be set.
        reasons: why something of it is not cleaned.
        counts: what to add to the statistics.
        is_cleaned: whether something was removed.
        suspicious: why its page may have lost content, "" where nothing is odd, None where no whole page was judged.
    """

    def __init__(
        self,
        adapter: ItemAdapter,
        source: Source,
        learner: Learner,
        site: str | None,
        options: Options,
        page_hash: Callable[[Response], int | None],
    ) -> None:
        self.values: dict[str, Any] = {}
        self.reasons: list[str] = []
        self.counts: Counter[str] = Counter()
        self.is_cleaned = False
        self.suspicious: str | None = None
        self._adapter = adapter
        self._source = source
        self._site = site
        self._learner = learner
        self._page_hash = page_hash
        self._model: SiteModel | None = learner.model(site) if site else None
        if self._model is None and site and options.warmup == "hold":
            # Released before its site was learnt, or from where it could not be held.
            self._model = learner.provisional(site)
            if self._model is not None:
                self.counts[names.ITEMS_PROVISIONAL] = 1
        self._no_model = "warmup" if site else "no_site"
        self._fields = {**options.fields, **declared_fields(adapter)}
        self._output_fields = options.output_fields
        self._limits = options.limits
        self._page: Cleaned | None = None

    def clean_fields(self) -> None:
        for name, kind in self._fields.items():
            if name not in self._adapter or name in self._output_fields:
                continue
            value = self._adapter[name]
            if not isinstance(value, str):
                self._skip("not_text")
            elif kind == "text":
                self._clean_text(name, value)
            elif self._model is None and not self._output_fields:
                self.reasons.append(self._no_model)
            else:
                cleaned = self._clean_html(value)
                self._page = self._page or cleaned
                if not cleaned.unchanged:
                    self.values[name] = cleaned.html

    def add_fields(self) -> None:
        if not self._output_fields:
            return
        response = self._source.response
        if self._page is None and isinstance(response, HtmlResponse):
            self._page = self._clean_html(response.text)
        for name, kind in self._output_fields.items():
            if self._page is None:
                self._skip("no_html")
            elif not has_field(self._adapter, name):
                self._skip("unsettable")
            else:
                self.values[name] = getattr(self._page, kind)

    def _clean_text(self, name: str, value: str) -> None:
        if self._model is None:
            self.reasons.append(self._no_model)
            return
        if exceeded := self._limits.exceeded_by(value):
            self.reasons.append(exceeded)
            return
        # Which layout a text is of nothing tells but the lines it shares with it.
        models = self._learner.models(self._site).values() if self._site else ()
        cleaned = min((model.clean_text(value) for model in [self._model, *models]), key=len)
        size = len(value.encode("utf-8", "replace"))
        self.counts[names.BYTES_SEEN] += size
        if cleaned == value:
            self.reasons.append("nothing_to_strip")
        else:
            self.is_cleaned = True
            self.values[name] = cleaned
            self.counts[names.BYTES_STRIPPED] += size - len(cleaned.encode("utf-8", "replace"))

    def _clean_html(self, value: str) -> Cleaned:
        cleaned = self._judge_html(value)
        if cleaned.unchanged:
            self.reasons.append(cleaned.unchanged)
        else:
            self.is_cleaned = True
        if self._model:
            self._count(cleaned)
        return cleaned

    def _count(self, cleaned: Cleaned) -> None:
        sizes: dict[bool, list[int]] = {True: [], False: []}
        for text, keep in cleaned.texts:
            sizes[keep].append(len(text) if text.isascii() else len(text.encode("utf-8", "replace")))
        self.counts[names.BLOCKS_KEPT] += len(sizes[True])
        self.counts[names.BLOCKS_STRIPPED] += len(sizes[False])
        self.counts[names.BYTES_SEEN] += sum(sizes[True]) + sum(sizes[False])
        self.counts[names.BYTES_STRIPPED] += sum(sizes[False])

    def _judge_html(self, value: str) -> Cleaned:
        # Parsed from text although the response's selector may hold a tree of it: the callback had that tree before us,
        # and what it took out of it (Selector.drop) the item's field still has.
        response = self._source.response
        is_whole = isinstance(response, HtmlResponse) and value == response.text
        try:
            is_whole = is_whole or is_document(value)
            page = segment_source(
                value,
                None,
                self._learner.known,
                whole=is_whole,
                limits=self._limits,
                segmenter=self._learner.options.segmentation,
            )
        except UnfitPage as unfit:
            return Cleaned(value, None, (), unfit.reason)
        if self._model is None:
            return Cleaned(value, page, [_NOT_JUDGED] * len(page.blocks), self._no_model, self._url(is_whole))
        if page.whole:
            self._model = self._watched(page, response if is_whole else None) or self._model
        cleaned = self._model.clean_page(value, page, self._url(is_whole))
        if page.whole:
            self.suspicious = self.suspicious or cleaned.suspicious
        return cleaned

    def _url(self, is_whole: bool) -> str:
        """What links are relative to: of a fragment, which has no BASE, that of its page counts."""
        response = self._source.response
        if isinstance(response, HtmlResponse) and not is_whole:
            return str(get_base_url(response))
        return self._source.url or ""

    def _watched(self, page: Page, response: Response | None) -> SiteModel | None:
        """The model of the layout that a whole page is of, which is learnt from if it is what the response holds."""
        assert self._site is not None, "only a site has a model"
        return self._learner.watch(self._site, page, self._page_hash(response) if response is not None else None)

    def _skip(self, reason: str) -> None:
        self.counts[f"{names.FIELDS_SKIPPED}/{reason}"] += 1
        self.reasons.append(reason)
