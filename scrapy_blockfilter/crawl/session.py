"""The session of a crawl: everything that its components share. They ask it, and not each other."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from itemadapter import ItemAdapter, is_item
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Response

from scrapy_blockfilter.crawl.item_cleaner import ItemCleaner
from scrapy_blockfilter.crawl.item_fields import plain_value
from scrapy_blockfilter.crawl.item_origins import ItemSources, Source, find_source
from scrapy_blockfilter.crawl.learner import Learner
from scrapy_blockfilter.crawl.log_once import LogOnce
from scrapy_blockfilter.crawl.pages import page_hash_of, site_of_page, teaches
from scrapy_blockfilter.crawl.response_cache import ResponseCache
from scrapy_blockfilter.crawl.stats import (
    ERRORS,
    ITEMS_CLEANED,
    ITEMS_UNCHANGED,
    PAGES_SKIPPED,
    PAGES_WITHOUT_BOXES,
    REASONS,
)
from scrapy_blockfilter.crawl.stores import store_of
from scrapy_blockfilter.crawl.told import SuspectLog, Told
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.identity.site_keys import rule_of
from scrapy_blockfilter.model.form_guard import FormGuard
from scrapy_blockfilter.options import Options, unknown_settings, unused_settings
from scrapy_blockfilter.store import TemplateStore

logger = logging.getLogger(__name__)

# The attribute of a crawler that holds its session.
_NAME = "blockfilter_session"
# Reasons that are no cause for a warning; errors are logged with their tracebacks.
_EXPECTED = frozenset({"warmup", "nothing_to_strip", "error"})


class Session:
    """The knowledge of a running crawl about its sites, and its work on items.

    Attributes:
        origins: the responses that items under way come from.
        is_learning: whether the downloader middleware is enabled. Without it there are no store and learner.
        on_request: called with each request before other middlewares change it.

    Raises:
        OptionError: a setting has a value that is not allowed.
        NotConfigured: ``BLOCKFILTER_ENABLED`` is False.
    """

    store: TemplateStore
    learner: Learner
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
        self.is_learning = False
        self.on_request: Callable[[Request], None] | None = None
        self._site_of = rule_of(self.options)
        self._suspects = SuspectLog(self.stats)
        self._told = Told(self.options, crawler.settings, self.stats)

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
        self.learner = Learner(self.options, self.store, self.stats)
        self.responses = ResponseCache(self.learner.reader)
        self.is_learning = True

    def site(self, url: str | None, meta: Mapping[str, Any]) -> str | None:
        """Return the key of the site of a page, None for a page of no site."""
        return site_of_page(self._site_of, url, meta) or None

    def learn(self, request: Request | None, response: Response) -> None:
        """Learn from a response on its way to a callback. Nothing is raised."""
        if not (isinstance(response, HtmlResponse) and request and teaches(request, response)):
            return
        try:
            self._learn(request, response)
        except UnfitPage as unfit:
            self.stats.inc_value(f"{PAGES_SKIPPED}/{unfit.reason}")
            message = "Nothing is learnt from %s: %s. Further ones are only counted, as %r."
            self.log.warning(("page", unfit.reason), message, response.url, unfit, unfit.reason)
        except Exception:
            self.stats.inc_value(ERRORS)
            message = "Could not learn from %s; it passes unchanged, as do others of the kind"
            self.log.exception(("page", "error"), message, response)

    def _learn(self, request: Request, response: HtmlResponse) -> None:
        site = self.site(response.url, request.meta)
        if not site:
            return
        page_hash = page_hash_of(self.crawler, request)
        if not self.learner.wants(site, page_hash):
            self.responses.look(request, response)
            return
        page = self.responses.read(response)
        if page.lacks_boxes:
            self.stats.inc_value(PAGES_WITHOUT_BOXES)
            self.log.warning(
                "without_boxes",
                "Too little of %s has a box, so it is divided as by the segmenter dom. Further ones are only counted. "
                "scrapy_blockfilter.extras.visual tells how a browser writes boxes.",
                response.url,
            )
        self.learner.learn(site, page_hash, page)
        page.forget_language()

    def clean(self, item: Any) -> Any:
        """Return an item with its fields cleaned. Nothing is raised: an item that fails passes unchanged."""
        try:
            return plain_value(self._cleaned(item))
        except Exception:
            self.stats.inc_value(ERRORS)
            self._count_unchanged("error")
            self.log.exception("error", "Could not clean %.200r; it passes unchanged, as do others of the kind", item)
            with suppress(Exception):
                return plain_value(item)
            return item

    def _cleaned(self, item: Any) -> Any:
        source = find_source(item, self.origins, self.options.url_fields)
        if source.meta.get("blockfilter") is False:
            self._count_unchanged("disabled")
            return item
        if not is_item(item):
            self._count_unchanged("not_item")
            self._tell(["not_item"], source)
            return item
        site = self.site(source.url, source.meta)
        self._told.take_fields(ItemAdapter(item))
        cleaner = ItemCleaner(self, item, source, site)
        cleaned = cleaner.clean()
        self._note(cleaner, source, site)
        return cleaned

    def _note(self, cleaner: ItemCleaner, source: Source, site: str | None) -> None:
        """Count and log what was done to an item."""
        for name, count in cleaner.counts.items():
            self.stats.inc_value(name, count)
        reasons = cleaner.reasons
        lacks_field = not cleaner.has_field and (self._told.wants_fields or not (reasons or cleaner.is_cleaned))
        if lacks_field:
            reasons.append("no_field")
        if cleaner.is_cleaned and cleaner.made and not lacks_field:
            self.stats.inc_value(ITEMS_CLEANED)
        else:
            self._count_unchanged(reasons[0])
        self._tell(reasons, source, cleaner)
        self._told.take_selectors(site, cleaner.selectors)
        judged = cleaner.pages.judged
        if site and judged is not None:
            self._told.take_page(site, has_own_text=cleaner.pages.has_own_text)
            self._suspects.note(site, source.url, judged)
            if source.url:
                self.learner.note_judged(site, source.url, judged.suspicious)

    def tell(self) -> None:
        """Log what a person should know at the end of a crawl."""
        self._suspects.tell()
        self._told.tell()

    def _count_unchanged(self, reason: str) -> None:
        self.stats.inc_value(ITEMS_UNCHANGED)
        self.stats.inc_value(f"{ITEMS_UNCHANGED}/{reason}")

    def _tell(self, reasons: Sequence[str], source: Source, cleaner: ItemCleaner | None = None) -> None:
        """Log each reason for concern once, with what is cleaned nevertheless."""
        for reason in reasons:
            if reason not in _EXPECTED:
                fields = ", ".join(cleaner.made) if cleaner and cleaner.is_cleaned else ""
                details = cleaner.details.get(reason) if cleaner else None
                self.log.warning(
                    reason,
                    "An item of %r is %s: %s%s. Further ones are only counted, as %r.",
                    source.url,
                    f"cleaned ({fields}), but not all of it" if fields else "not cleaned",
                    REASONS[reason],
                    f" ({', '.join(details)})" if details else "",
                    reason,
                )
