"""Item pipeline: an item and its site's model to a cleaned item."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from itemadapter import ItemAdapter, is_item
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Response
from scrapy.utils.response import get_base_url

from scrapy_blockfilter import stats as names
from scrapy_blockfilter.cleaned import Cleaned
from scrapy_blockfilter.html import Page, UnfitPage
from scrapy_blockfilter.html.reading import segment_source
from scrapy_blockfilter.html.render import is_document
from scrapy_blockfilter.items import declared_fields, has_field, with_values
from scrapy_blockfilter.learner import Learner
from scrapy_blockfilter.methods import Verdict
from scrapy_blockfilter.middleware import BlockFilterDownloaderMiddleware, page_hash_of, teaches
from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sites import SiteKey, site_of_page
from scrapy_blockfilter.source import ItemSources, Source, find_source
from scrapy_blockfilter.warmup import BlockFilterSpiderMiddleware

logger = logging.getLogger(__name__)


class BlockFilterPipeline:
    """Cleans the fields of items, and adds fields made from their pages. Never waits, never drops.

    Raises:
        OptionError: a setting has a value that is not allowed.
        NotConfigured: ``BLOCKFILTER_ENABLED`` is False, or the downloader middleware is not enabled.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._options = Options.from_settings(crawler.settings)
        if not self._options.enabled:
            raise NotConfigured  # without a text, which would be logged as a warning
        assert crawler.stats is not None
        self._crawler = crawler
        self._stats = crawler.stats
        self._error_logged = False
        self._told: set[str] = set()
        self._learner: Learner
        self._site_of: SiteKey
        self._sources: ItemSources | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BlockFilterPipeline:
        return cls(crawler)

    def open_spider(self) -> None:
        learning = self._crawler.get_downloader_middleware(BlockFilterDownloaderMiddleware)
        if learning is None:
            raise RuntimeError(
                "scrapy_blockfilter.pipeline.BlockFilterPipeline needs "
                "scrapy_blockfilter.middleware.BlockFilterDownloaderMiddleware in DOWNLOADER_MIDDLEWARES; "
                'ADDONS = {"scrapy_blockfilter.Addon": 500} enables both'
            )
        self._learner = learning.learner
        self._site_of = learning.site_of
        remembering = self._crawler.get_spider_middleware(BlockFilterSpiderMiddleware)
        self._sources = remembering.sources if remembering else None

    def process_item(self, item: Any) -> Any:
        try:
            return self._process(item)
        except Exception:
            self._stats.inc_value(names.ERRORS)
            self._count_unchanged("error")
            if not self._error_logged:
                self._error_logged = True
                logger.exception("Could not clean %.200r; it passes unchanged, as do others of the kind", item)
            return item

    def _process(self, item: Any) -> Any:
        source = find_source(item, self._sources, self._options.url_fields)
        if source.meta.get("blockfilter") is False:
            self._count_unchanged("disabled")
            return item
        if not is_item(item):
            self._count_unchanged("not_item")
            self._tell(("not_item",), source)
            return item
        site = site_of_page(self._site_of, source.url, source.meta)
        job = _Job(ItemAdapter(item), source, self._learner, site, self._options, self._page_hash)
        job.clean_fields()
        job.add_fields()
        if not (job.reasons or job.is_cleaned):
            job.reasons.append("no_field")
        changed = with_values(item, job.values)
        for name, count in job.counts.items():
            self._stats.inc_value(name, count)
        if job.is_cleaned:
            self._stats.inc_value(names.ITEMS_CLEANED)
        else:
            self._count_unchanged(job.reasons[0])
        self._tell(job.reasons, source)
        return changed

    def _page_hash(self, response: Response) -> int | None:
        """The identity of the page that a response is, None if nothing is to be learnt from it."""
        request = response.request
        return page_hash_of(self._crawler, request) if request and teaches(request, response) else None

    def _count_unchanged(self, reason: str) -> None:
        self._stats.inc_value(names.ITEMS_UNCHANGED)
        self._stats.inc_value(f"{names.ITEMS_UNCHANGED}/{reason}")

    def _tell(self, reasons: Sequence[str], source: Source) -> None:
        """Log each reason that says that something is amiss, the first time."""
        for reason in reasons:
            if reason not in _EXPECTED and reason not in self._told:
                self._told.add(reason)
                logger.warning(
                    "An item of %r is not cleaned, or not all of it: %s. Further ones are only counted, as %r.",
                    source.url,
                    names.REASONS[reason],
                    reason,
                )


class _Job:
    """One item on its way: the values it is to get, and what to count."""

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
        for block in cleaned.blocks if self._model else ():
            size = len(block.text.encode("utf-8", "replace"))
            self.counts[names.BYTES_SEEN] += size
            self.counts[names.BLOCKS_KEPT if block.keep else names.BLOCKS_STRIPPED] += 1
            self.counts[names.BYTES_STRIPPED] += 0 if block.keep else size
        return cleaned

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
                self._learner.terms,
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
        return self._model.clean_page(value, page, self._url(is_whole))

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


_EXPECTED = frozenset({"warmup", "nothing_to_strip"})
_NOT_JUDGED = Verdict(True, 1.0, "the site is still being learnt")
