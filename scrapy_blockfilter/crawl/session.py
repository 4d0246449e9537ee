"""The session of a crawl: everything that its components share. The components ask it, and not each other."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Response
from scrapy.http.request import NO_CALLBACK

from scrapy_blockfilter.batch.one_site import content_hash
from scrapy_blockfilter.crawl.item_origins import ItemSources, Source
from scrapy_blockfilter.crawl.log_once import LogOnce
from scrapy_blockfilter.crawl.response_cache import ResponseCache
from scrapy_blockfilter.crawl.site import Site
from scrapy_blockfilter.crawl.sites import Sites
from scrapy_blockfilter.crawl.stats import ERRORS, PAGES_SKIPPED, PAGES_WITHOUT_BOXES
from scrapy_blockfilter.crawl.stores import store_of, warn_of_left_items
from scrapy_blockfilter.html import Page, UnfitPage
from scrapy_blockfilter.identity.site_keys import page_url
from scrapy_blockfilter.model import Cleaned
from scrapy_blockfilter.model.form_guard import FormGuard
from scrapy_blockfilter.options import Options, unknown_settings, unused_settings
from scrapy_blockfilter.options.output_forms import form_of
from scrapy_blockfilter.options.removed import replacement
from scrapy_blockfilter.store import StoreError, TemplateStore

logger = logging.getLogger(__name__)

# The attribute of a crawler that holds its session.
_NAME = "blockfilter_session"
# The settings of the components, and what becomes of items without each.
_WITHOUT = {
    "DOWNLOADER_MIDDLEWARES": "scrapy_blockfilter.middleware.BlockFilterDownloaderMiddleware, so nothing is learnt",
    "SPIDER_MIDDLEWARES": "scrapy_blockfilter.warmup.BlockFilterSpiderMiddleware, so items do not wait for their site, "
    "and those that do not name the URL of their page stay as they are",
    "ITEM_PIPELINES": "scrapy_blockfilter.pipeline.BlockFilterPipeline, so items stay as they are",
}


class Session:
    """The knowledge of a running crawl about its sites.

    Raises:
        OptionError: a setting has a value that is not allowed.
        NotConfigured: ``BLOCKFILTER_ENABLED`` is False.
    """

    store: TemplateStore
    sites: Sites
    responses: ResponseCache

    def __init__(self, crawler: Crawler) -> None:
        self.options = Options.from_settings(crawler.settings)
        if not self.options.enabled:
            raise NotConfigured  # without a text, which would be logged as a warning
        assert crawler.stats is not None
        self.crawler = crawler
        self.stats = crawler.stats
        self.log = LogOnce(logger)
        self.guard = FormGuard()
        self.origins = ItemSources()
        # Whether the downloader middleware is enabled. Without it there are no store and no sites.
        self.is_learning = False
        self.components: set[str] = set()  # the settings that list some
        crawler.signals.connect(self.tell_missing, signals.spider_opened)
        # Called with an item's source, site and clean page, before fields are made of it. It returns a function of the
        # item, whose result goes on in its place, or raises DropItem.
        self.on_page: Callable[[Source, str | None, Cleaned | None], Callable[[Any], Any]] | None = None

    def _refuse(self, _: object) -> None:
        raise AttributeError(replacement("Session.on_item"))

    on_item = property(fset=_refuse)

    @classmethod
    def of(cls, crawler: Crawler) -> Session:
        """Return the session of a crawler, the same for all of its components."""
        session: Session | None = getattr(crawler, _NAME, None)
        if session is None:
            session = cls(crawler)
            setattr(crawler, _NAME, session)
        return session

    @classmethod
    def find(cls, crawler: Crawler) -> Session | None:
        """Return the session of a crawl that learns, None if the downloader middleware is not enabled."""
        session: Session | None = getattr(crawler, _NAME, None)
        return session if session and session.is_learning else None

    def start(self) -> None:
        """Open the store, and learn from now on."""
        settings = self.crawler.settings
        for warning in (*unknown_settings(settings), *unused_settings(self.options, settings)):
            logger.warning(warning)
        self.store = store_of(self.options, self.stats)
        with suppress(StoreError):  # reported when the store is read
            warn_of_left_items(self.store)
        self.sites = Sites(self.options, self.store, self.stats, is_early=self.options.warmup != "pass")
        self.responses = ResponseCache(self.sites.reader)
        self.is_learning = True
        self.components.add("DOWNLOADER_MIDDLEWARES")
        forms = {*self.options.output_fields.values()} | ({"change"} if self.options.unchanged == "drop" else set())
        for start in filter(None, (form_of(form).start for form in forms)):
            start(self)

    def tell_missing(self) -> None:
        """Warn of components that are not enabled."""
        for setting in sorted(_WITHOUT.keys() - self.components):
            logger.warning("%s lacks %s.", setting, _WITHOUT[setting])

    def learn(self, request: Request | None, response: Response) -> None:
        """Learn from a response on its way to a callback. Nothing is raised."""
        if request and not isinstance(switch := request.meta.get("blockfilter"), bool | None):
            message = "meta blockfilter of %s is %.100r, which has no effect: False excludes a page, and True does not."
            self.log.warning("meta", message, response.url, switch)
        if not (isinstance(response, HtmlResponse) and request and teaches(request, response)):
            return
        with self._learning(response.url):
            site = self.sites.of(response.url, request.meta)
            if site is None:
                return
            page_hash = page_hash_of(self.crawler, request, self.options)
            if site.wants(page_hash):
                self._take(site, page_hash, self.responses.read(response), response.url)
            else:
                self.responses.look(request, response)

    def site_of(self, source: Source) -> Site | None:
        """Return the site of an item, None if it is unknown. A page that the item brings is learnt from before N."""
        site = self.sites.of(source.url, source.meta)
        if source.html and site is not None and not site.is_ready:
            with self._learning(source.url):
                page_hash = self.hash_to_learn(source)
                if page_hash is not None and site.wants(page_hash):
                    self._take(site, page_hash, self.sites.reader.read(source.html, whole=True), source.url)
        return site

    def hash_to_learn(self, source: Source) -> int | None:
        """Return the hash by which the page of an item is learnt from, None if it must not be."""
        response = source.response
        is_elsewhere = source.html and isinstance(response, HtmlResponse)  # whose status says nothing of the page
        if response is None or is_elsewhere or teaches(response.request, response):
            return self.page_hash_of(source)
        return None

    def page_hash_of(self, source: Source) -> int | None:
        """Identify the page of an item by its request, by the URL of the item, or by its text; None without any."""
        if source.page is not None and source.page.request is not None:
            return page_hash_of(self.crawler, source.page.request, self.options)
        with suppress(ValueError):  # no URL
            return page_hash_of(self.crawler, Request(source.url or ""), self.options)
        return content_hash(source.html) if source.html else None

    @contextmanager
    def _learning(self, url: str | None) -> Iterator[None]:
        """Let no failure to learn from a page out."""
        try:
            yield
        except UnfitPage as unfit:
            self.stats.inc_value(f"{PAGES_SKIPPED}/{unfit.reason}")
            message = "Nothing is learnt from %s: %s. Further ones are only counted, as %r."
            self.log.warning(("page", unfit.reason), message, url, unfit, unfit.reason)
        except Exception:
            self.stats.inc_value(ERRORS)
            message = "Could not learn from %s; it passes unchanged, as do others of the kind"
            self.log.exception(("page", "error"), message, url)

    def _take(self, site: Site, page_hash: int, page: Page, url: str | None) -> None:
        if page.lacks_boxes:
            self.stats.inc_value(PAGES_WITHOUT_BOXES)
            self.log.warning(
                "without_boxes",
                "Too little of %s has a box, so it is divided as by the segmenter dom. Further ones are only counted. "
                "docs/methods.md says how a browser writes boxes.",
                url,
            )
        site.learn(page_hash, page)
        page.forget_language()


def page_hash_of(crawler: Crawler, request: Request, options: Options) -> int:
    """Identify a page by 64 bits of its request's fingerprint, signed, as SQLite has integers."""
    assert crawler.request_fingerprinter is not None
    if options.site == "inner_host":
        request = request.replace(url=page_url(request.url))
    return int.from_bytes(crawler.request_fingerprinter.fingerprint(request)[:8], "big", signed=True)


def teaches(request: Request | None, response: Response) -> bool:
    """Return whether a response is a whole page on its way to a callback, and nobody has excluded it."""
    return (
        request is not None
        and response.status == 200
        and request.callback is not NO_CALLBACK
        and request.meta.get("blockfilter") is not False
        and not {"download_stopped", "dataloss"}.intersection(response.flags)
    )
