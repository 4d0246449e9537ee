"""Downloader middleware: learn each site from the HTML responses on their way to callbacks."""

from __future__ import annotations

import logging
from collections.abc import Callable

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Response

from scrapy_blockfilter.crawl import stats as names
from scrapy_blockfilter.crawl.learner import Learner
from scrapy_blockfilter.crawl.log_once import LogOnce
from scrapy_blockfilter.crawl.pages import page_hash_of, teaches
from scrapy_blockfilter.crawl.response_trees import ResponseTrees, is_parsed
from scrapy_blockfilter.crawl.shared_pages import SharedPages
from scrapy_blockfilter.crawl.site_keys import SiteKey, site_of_page
from scrapy_blockfilter.crawl.stores import store_of
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.reading import segment_response
from scrapy_blockfilter.identity.site_keys import rule_of
from scrapy_blockfilter.options import Options, unknown_settings, unused_settings

logger = logging.getLogger(__name__)


class BlockFilterDownloaderMiddleware:
    """Learn from every HTML response that a callback will get, each page once.

    Attributes:
        on_request: called with each request before other middlewares change it.

    Raises:
        OptionError: a setting has a value that is not allowed.
        NotConfigured: ``BLOCKFILTER_ENABLED`` is False.
    """

    def __init__(self, crawler: Crawler) -> None:
        options = Options.from_settings(crawler.settings)
        if not options.enabled:
            raise NotConfigured  # without a text, which would be logged as a warning
        for warning in (*unknown_settings(crawler.settings), *unused_settings(options, crawler.settings)):
            logger.warning(warning)
        assert crawler.stats is not None
        self.site_of: SiteKey = rule_of(options)
        self._limits = options.limits
        self._segmenter = options.segmentation
        self.store = store_of(options, crawler.stats)
        self.learner = Learner(options, self.store, crawler.stats)
        self.pages = SharedPages()
        self.trees = ResponseTrees(self._limits)
        self.on_request: Callable[[Request], None] | None = None
        self._crawler = crawler
        self._stats = crawler.stats
        self._log = LogOnce(logger)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BlockFilterDownloaderMiddleware:
        middleware = cls(crawler)
        crawler.signals.connect(middleware.spider_closed, signals.spider_closed)
        return middleware

    def process_request(self, request: Request) -> None:
        if self.on_request is not None:
            self.on_request(request)

    def process_response(self, request: Request, response: Response) -> Response:
        if isinstance(response, HtmlResponse) and teaches(request, response):
            try:
                self._learn(request, response)
            except UnfitPage as unfit:
                self._stats.inc_value(f"{names.PAGES_SKIPPED}/{unfit.reason}")
                self._log.warning(
                    unfit.reason,
                    "Nothing is learnt from %s: %s. Further ones are only counted, as %r.",
                    response.url,
                    unfit,
                    unfit.reason,
                )
            except Exception:
                self._stats.inc_value(names.ERRORS)
                self._log.exception(
                    "error", "Could not learn from %s; it passes unchanged, as do others of the kind", response
                )
        return response

    def spider_closed(self) -> None:
        self.learner.close()

    def _learn(self, request: Request, response: HtmlResponse) -> None:
        site = site_of_page(self.site_of, response.url, request.meta)
        if not site:
            return
        page_hash = page_hash_of(self._crawler, request)
        if not self.learner.wants(site, page_hash):
            self.trees.look(request, response)
            return
        may_differ = is_parsed(response)  # another middleware may have changed the tree
        page = segment_response(response, self.learner.known, self._limits, self._segmenter)
        if page.lacks_boxes:
            self._stats.inc_value(names.PAGES_WITHOUT_BOXES)
            self._log.warning(
                "without_boxes",
                "Too little of %s has a box, so it is divided as by the segmenter dom. Further ones are only counted. "
                "scrapy_blockfilter.extras.visual tells how a browser writes boxes.",
                response.url,
            )
        self.learner.learn(site, page_hash, page)
        if not may_differ:
            page.forget_language()
            self.pages.of(response).segmented(page)
