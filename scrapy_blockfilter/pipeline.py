"""Item pipeline: clean each item by the model of its site."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from itemadapter import ItemAdapter, is_item
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response

from scrapy_blockfilter.crawl.item_cleaner import ItemCleaner
from scrapy_blockfilter.crawl.item_fields import with_values
from scrapy_blockfilter.crawl.item_origins import ItemSources, Source, find_source
from scrapy_blockfilter.crawl.learner import Learner
from scrapy_blockfilter.crawl.log_once import LogOnce
from scrapy_blockfilter.crawl.pages import page_hash_of, teaches
from scrapy_blockfilter.crawl.plain_values import plain_value
from scrapy_blockfilter.crawl.response_cache import ResponseCache
from scrapy_blockfilter.crawl.site_keys import SiteKey, site_of_page
from scrapy_blockfilter.crawl.spider_trees import SpiderTrees
from scrapy_blockfilter.crawl.stats import ERRORS, ITEMS_CLEANED, ITEMS_UNCHANGED, REASONS
from scrapy_blockfilter.crawl.suspects import SuspectLog
from scrapy_blockfilter.crawl.told import Told
from scrapy_blockfilter.middleware import BlockFilterDownloaderMiddleware
from scrapy_blockfilter.model.form_guard import FormGuard
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.warmup import BlockFilterSpiderMiddleware

logger = logging.getLogger(__name__)

# Reasons that are no cause for a warning; errors are logged with their tracebacks.
_EXPECTED = frozenset({"warmup", "nothing_to_strip", "error"})


class BlockFilterPipeline:
    """Clean the fields of items, and add fields made from their pages. Never wait, never drop an item.

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
        self._log = LogOnce(logger)
        self._suspects = SuspectLog(crawler.stats)
        self._guard = FormGuard()
        self._told = Told(self._options, crawler.settings, crawler.stats)
        self._learner: Learner
        self._pages: ResponseCache
        self._trees: SpiderTrees
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
        self._pages = learning.pages
        self._trees = learning.trees
        self._site_of = learning.site_of
        remembering = self._crawler.get_spider_middleware(BlockFilterSpiderMiddleware)
        self._sources = remembering.sources if remembering else None

    def close_spider(self) -> None:
        self._suspects.tell()
        self._told.tell()

    def process_item(self, item: Any) -> Any:
        try:
            return plain_value(self._process(item))
        except Exception:
            self._stats.inc_value(ERRORS)
            self._count_unchanged("error")
            self._log.exception("error", "Could not clean %.200r; it passes unchanged, as do others of the kind", item)
            with suppress(Exception):
                return plain_value(item)
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
        adapter = ItemAdapter(item)
        self._told.take_fields(adapter)
        job = ItemCleaner(
            adapter,
            source,
            self._learner,
            site,
            self._options,
            self._page_hash,
            self._pages,
            self._trees.tree_of,
            self._guard,
        )
        job.clean_fields()
        job.add_fields()
        changed = with_values(item, job.values, job.setting)
        if job.has_failed and not job.is_cleaned:
            self._stats.inc_value(ERRORS)
            job.reasons.insert(0, "error")
        lacks_field = not job.has_field and (self._told.wants_fields or not (job.reasons or job.is_cleaned))
        if lacks_field:
            job.reasons.append("no_field")
        for name, count in job.counts.items():
            self._stats.inc_value(name, count)
        if job.is_cleaned and job.values and not lacks_field:
            self._stats.inc_value(ITEMS_CLEANED)
        else:
            self._count_unchanged(job.reasons[0])
        self._tell(job.reasons, source, job)
        self._told.take_selectors(site, job.selectors)
        if site and job.has_own_text is not None:
            self._told.take_page(site, has_own_text=job.has_own_text)
        if site and job.judged is not None:
            self._suspects.note(site, source.url, job.judged)
            if source.url:
                self._learner.note_judged(site, source.url, job.judged.suspicious)
        return changed

    def _page_hash(self, response: Response) -> int | None:
        """Return the identity of a response's page, None if the page must not be learnt from."""
        request = response.request
        return page_hash_of(self._crawler, request) if request and teaches(request, response) else None

    def _count_unchanged(self, reason: str) -> None:
        self._stats.inc_value(ITEMS_UNCHANGED)
        self._stats.inc_value(f"{ITEMS_UNCHANGED}/{reason}")

    def _tell(self, reasons: Sequence[str], source: Source, job: ItemCleaner | None = None) -> None:
        """Log each reason for concern once, with what is cleaned nevertheless."""
        for reason in reasons:
            if reason not in _EXPECTED:
                fields = ", ".join(job.made) if job and job.is_cleaned else ""
                details = job.details.get(reason) if job else None
                self._log.warning(
                    reason,
                    "An item of %r is %s: %s%s. Further ones are only counted, as %r.",
                    source.url,
                    f"cleaned ({fields}), but not all of it" if fields else "not cleaned",
                    REASONS[reason],
                    f" ({', '.join(details)})" if details else "",
                    reason,
                )
