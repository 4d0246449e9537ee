"""Clean the items of a crawl, and count and log the results."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from itemadapter import ItemAdapter, is_item
from scrapy.exceptions import DropItem
from scrapy.utils.response import get_base_url
from w3lib import html

from scrapy_blockfilter.crawl import stats
from scrapy_blockfilter.crawl.fields import Fields
from scrapy_blockfilter.crawl.in_vain import InVain
from scrapy_blockfilter.crawl.item_fields import declared_fields, fields_within, has_field, plain_value, with_values
from scrapy_blockfilter.crawl.item_origins import Source, find_source
from scrapy_blockfilter.crawl.log_once import LogOnce
from scrapy_blockfilter.crawl.losses import Losses
from scrapy_blockfilter.crawl.response_cache import SourcePage
from scrapy_blockfilter.crawl.savings import Savings
from scrapy_blockfilter.crawl.session import Session
from scrapy_blockfilter.crawl.site import Site
from scrapy_blockfilter.identity.site_keys import rendered_url

logger = logging.getLogger(__name__)

# Reasons that are no cause for a warning. Errors are logged with their tracebacks.
_EXPECTED = frozenset({"nothing_to_strip", "error"})
# Characters of a page among which Scrapy looks for its BASE element.
_HEAD = 4_096


class ItemCleaner:
    """The work of a crawl on its items."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._options = session.options
        self._stats = session.stats
        self._log = LogOnce(logger)
        self._losses = Losses(session.stats)
        self._savings = Savings(session.options, session.stats)
        self._expected = _EXPECTED | ({"warmup"} if session.options.warmup == "pass" else set())
        self._in_vain = InVain(session.options, session.crawler.settings, session.stats)

    def clean(self, item: Any) -> Any:
        """Return an item with its fields cleaned, unchanged after an error; ``on_page`` may raise DropItem."""
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

    def tell(self) -> None:
        """Log what a crawl saved, and the sites, fields and selectors that a person should look into."""
        self._savings.tell()
        self._losses.tell()
        self._in_vain.tell()

    def _cleaned(self, item: Any) -> Any:
        session = self._session
        source = find_source(item, session.origins, self._options)
        if source.meta.get("blockfilter") is False:
            self._count_unchanged("disabled")
            return item
        if not is_item(item):
            self._count_unchanged("not_item")
            self._tell(["not_item"], source)
            return item
        site = session.site_of(source)
        adapter = ItemAdapter(item)
        self._in_vain.take_fields(adapter)
        fields = self._fields(site, source)
        kinds = {**self._options.fields, **declared_fields(adapter)}
        for name, kind in kinds.items():
            if name in adapter and name not in self._options.output_fields:
                fields.clean(name, adapter[name], kind)
                if kind == "text" and site is not None:
                    self._in_vain.take_text(site.key, name, adapter[name])
        for name in dict.fromkeys(fields_within(item, kinds.keys() - {*adapter})):
            fields.skip("nested", repr(name))
        key = site.key if site is not None else None
        finish = session.on_page and session.on_page(source, key, fields.find_page())
        for name, form in self._options.output_fields.items():
            if has_field(adapter, name):
                fields.add(name, form)
            else:
                fields.skip("unsettable", f"{type(item).__name__} has no field {name!r}")
        item = self._written(item, fields, kinds)
        has_fields = any(name in adapter or name in self._options.output_fields for name in kinds)
        self._note(fields, source, site, has_fields=has_fields)
        return finish(item) if finish else item

    def _fields(self, site: Site | None, source: Source) -> Fields:
        session = self._session
        url = source.url or ""
        if self._options.site == "inner_host":
            url = rendered_url(url) or url
        base = partial(_base_of, source, url)
        makes_forms = bool(self._options.output_fields)
        own = partial(self._own, source) if source.html or source.page is not None else None
        fields = Fields(site, session.sites.reader, session.guard, url, base, own, makes_forms=makes_forms)
        if site is not None and site.has_model and not site.is_ready:
            fields.counts[stats.ITEMS_PROVISIONAL] = 1
        return fields

    def _own(self, source: Source) -> SourcePage:
        """Return the page of an item, with the hash by which it is learnt from."""
        session, shown = self._session, source.page
        own = session.responses.of(shown) if shown else SourcePage(session.sites.reader, source.html, whole=True)
        own.page_hash = session.hash_to_learn(source)
        return own

    def _written(self, item: Any, fields: Fields, kinds: dict[str, str]) -> Any:
        """Set the new values of an item, which goes without a value that its class refuses, and return the item."""
        for name, value in fields.values.items():
            form = self._options.output_fields.get(name) or kinds[name]
            with suppress(Exception) if name in fields.failed else fields.making(name, form):
                item = with_values(item, {name: value})
        return item

    def _note(self, fields: Fields, source: Source, site: Site | None, *, has_fields: bool) -> None:
        reasons = fields.reasons
        if fields.failed and not fields.is_cleaned:
            self._stats.inc_value(stats.ERRORS)
            reasons.insert(0, "error")
        for name, count in fields.counts.items():
            self._stats.inc_value(name, count)
        for form in fields.failed.values():
            self._stats.inc_value(f"{stats.FORMS_FAILED}/{form}")
        for reason, count in fields.simplified.items():
            self._stats.inc_value(f"{stats.FIELDS_SIMPLIFIED}/{reason}", count)
        lacks_field = not has_fields and (self._in_vain.wants_fields or not (reasons or fields.is_cleaned))
        if lacks_field:
            reasons.append("no_field")
        if fields.is_cleaned and fields.made and not lacks_field:
            self._stats.inc_value(stats.ITEMS_CLEANED)
        else:
            self._count_unchanged(reasons[0])
        self._tell(reasons, source, fields)
        if site is None:
            return
        self._in_vain.take_selectors(site.key, fields.selectors)
        if fields.judged is not None:
            self._losses.note(site.key, source.url, fields.judged)
            self._savings.note(fields.judged)
            self._stats.inc_value(f"{stats.PAGE_STATE}/{fields.judged.page_state or 'unclear'}")
            if source.url:
                site.note(source.url, fields.judged)

    def _count_unchanged(self, reason: str) -> None:
        self._stats.inc_value(stats.ITEMS_UNCHANGED)
        self._stats.inc_value(f"{stats.ITEMS_UNCHANGED}/{reason}")

    def _tell(self, reasons: Sequence[str], source: Source, fields: Fields | None = None) -> None:
        """Log each reason for concern once, with the fields that are cleaned nevertheless."""
        for reason in reasons:
            if reason not in self._expected:
                made = ", ".join(fields.made) if fields and fields.is_cleaned else ""
                done = f"cleaned ({made}), but not all of it" if made else "not cleaned"
                details = fields.details.get(reason) if fields else None
                why = stats.REASONS[reason] + (f" ({', '.join(details)})" if details else "")
                message = "An item of %r is %s: %s. Further ones are only counted, as %r."
                self._log.warning(reason, message, source.url or "no known page", done, why, reason)


def _base_of(source: Source, url: str) -> str:
    """Return the base of links in a field of a page at a URL. For a fragment, the BASE element of its page counts."""
    if (page := source.page) is not None:
        with suppress(ValueError):  # its BASE is no URL: <base href="http://[">
            return str(get_base_url(page) if url == page.url else html.get_base_url(page.text[:_HEAD], url))
    return url
