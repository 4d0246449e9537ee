"""Tell the user at the end of a crawl which selectors and fields were in vain, and which sites to look into.

Some sites have no text of their own, and some pages may have lost content.
"""

from __future__ import annotations

import logging
import shlex
from collections import Counter
from collections.abc import Container, Iterable, Mapping
from typing import NamedTuple

from scrapy_blockfilter.crawl.stats import (
    FIELDS_ABSENT,
    ITEMS_SUSPICIOUS,
    ITEMS_WITHOUT_TEXT,
    SELECTORS_UNMATCHED,
    SITES_SUSPICIOUS,
    Stats,
)
from scrapy_blockfilter.model.cleaned import Cleaned
from scrapy_blockfilter.options import PREFIX, Options
from scrapy_blockfilter.store.suspects import plain_url

logger = logging.getLogger(__name__)

# Sites that are watched, and selectors of single sites: 300 bytes each.
_MOST_WATCHED = 10_000
# Sites, selectors and fields that the log names: people read no longer lists.
_MOST_NAMED = 10


class Told:
    """Watch the items of a crawl, and tell at its end which fields, selectors and sites to look into.

    Args:
        settings: the names of settings that somebody has set.

    Attributes:
        wants_fields: whether somebody has named the fields to clean.
    """

    def __init__(self, options: Options, settings: Container[str], stats: Stats) -> None:
        self.wants_fields = f"{PREFIX}FIELDS" in settings
        self._stats = stats
        self._of_settings = frozenset((*options.keep, *options.drop))
        self._absent = {*options.fields} - {*options.output_fields} if self.wants_fields else set()
        self._present: dict[str, None] = {}
        self._items = 0
        # Site, "" for selectors of settings, and selector -> items in which it matched nothing; None once it matched.
        self._in_vain: dict[tuple[str, str], int | None] = {}
        self._judged: Counter[str] = Counter()
        self._without_text: Counter[str] = Counter()

    def take_fields(self, fields: Iterable[str]) -> None:
        """Note which fields an item has."""
        self._items += 1
        if self._absent:
            fields = list(fields)
            self._absent.difference_update(fields)
            self._present.update(dict.fromkeys(fields[: _MOST_NAMED - len(self._present)]))

    def take_selectors(self, site: str | None, selectors: Mapping[str, bool]) -> None:
        """Note whether each selector that was tried on an item has matched."""
        for selector, has_matched in selectors.items():
            key = "" if selector in self._of_settings else site or "", selector
            if key in self._in_vain or len(self._in_vain) < _MOST_WATCHED:
                count = self._in_vain.get(key, 0)
                self._in_vain[key] = None if has_matched or count is None else count + 1

    def take_page(self, site: str, *, has_own_text: bool) -> None:
        """Note whether the page of an item says anything that others of its site do not."""
        if site in self._judged or len(self._judged) < _MOST_WATCHED:
            self._judged[site] += 1
        if not has_own_text:
            self._stats.inc_value(ITEMS_WITHOUT_TEXT)
            if site in self._judged:
                self._without_text[site] += 1

    def tell(self) -> None:
        """Log and count the fields and selectors that were in vain, and log sites without text."""
        if self._absent and self._items:
            self._stats.inc_value(FIELDS_ABSENT, len(self._absent))
            absent = _named(map(repr, sorted(self._absent)))
            present = _named(map(repr, self._present)) or "none"
            message = "%sFIELDS names %s, which none of %d items had. Fields of items: %s."
            logger.warning(message, PREFIX, absent, self._items, present)
        in_vain = sorted((site, selector, count) for (site, selector), count in self._in_vain.items() if count)
        if in_vain:
            self._stats.inc_value(SELECTORS_UNMATCHED, len(in_vain))
        if of_settings := [f"{selector:.200} ({count} items)" for site, selector, count in in_vain if not site]:
            message = "Selectors of %sKEEP and %sDROP that matched nothing: %s"
            logger.warning(message, PREFIX, PREFIX, _named(of_settings))
        if of_sites := [f"{site} {selector:.200} ({count} items)" for site, selector, count in in_vain if site]:
            message = "Corrections that matched nothing: %s. `scrapy blockfilter undo SITE SELECTOR` takes one back."
            logger.warning(message, _named(of_sites))
        # Sites most of whose items are from pages without text.
        sites = [(site, count) for site, count in self._without_text.most_common() if 2 * count > self._judged[site]]
        for site, count in sites[:_MOST_NAMED]:
            message = (
                "The pages of %d of %d items of %s have no text of their own: built by scripts? Render them, e.g. with "
                "scrapy-playwright. Or do they all show the same wall, for logins or bots?"
            )
            logger.warning(message, count, self._judged[site], site)


def _named(names_of: Iterable[str]) -> str:
    """Return the first of some names as a list in words, with the number of the others."""
    listed = list(names_of)
    more = f" and {len(listed) - _MOST_NAMED:,} more" if len(listed) > _MOST_NAMED else ""
    return ", ".join(listed[:_MOST_NAMED]) + more


class SuspectLog:
    """Count items whose pages may have lost content by site. Log the first page at once, and the sites at the end."""

    def __init__(self, stats: Stats) -> None:
        self._stats = stats
        self._sites: dict[str, _Losses] = {}
        self._is_told = False

    def note(self, site: str, url: str | None, cleaned: Cleaned) -> None:
        """Count an item of a site whose page was judged."""
        of_site = self._sites.get(site, _Losses())
        is_odd = bool(cleaned.suspicious)
        self._sites[site] = _Losses(
            of_site.items + 1,
            of_site.suspicious + is_odd,
            of_site.chars + cleaned.own_text.chars,
            of_site.kept + cleaned.own_text.kept,
        )
        if is_odd:
            self._stats.inc_value(ITEMS_SUSPICIOUS)
            if not of_site.suspicious:
                self._stats.inc_value(SITES_SUSPICIOUS)
            if url and not self._is_told:
                self._is_told = True
                plain = plain_url(url)
                message = (
                    "%s may have lost content: it %s. `scrapy blockfilter explain %s` shows why. Further pages are "
                    "counted, as %s, and told by site at the end."
                )
                logger.warning(message, plain, cleaned.suspicious, shlex.quote(plain), ITEMS_SUSPICIOUS)

    def tell(self) -> None:
        """Log the sites with such items, those that lose most first, and the number of the others."""
        found = [(losses, site) for site, losses in self._sites.items() if losses.suspicious]
        for losses, site in sorted(found, key=_badness)[:_MOST_NAMED]:
            keeps = f"; it keeps {losses.kept / losses.chars:.0%} of its pages' own text" if losses.chars else ""
            message = "%s: %d of %d items may have lost content%s: see `scrapy blockfilter report %s`"
            logger.warning(message, site, losses.suspicious, losses.items, keeps, shlex.quote(site))
        if more := len(found[_MOST_NAMED:]):
            plural = "s" * (more > 1)
            logger.warning("%d more site%s may have lost content: see `scrapy blockfilter sites`", more, plural)


class _Losses(NamedTuple):
    """Numbers of a site's items, of suspicious ones, and of characters of their pages' own text. Each site has one."""

    items: int = 0
    suspicious: int = 0
    chars: int = 0
    kept: int = 0


def _badness(of_site: tuple[_Losses, str]) -> tuple[float, int, str]:
    losses, site = of_site
    return -losses.suspicious / losses.items, losses.kept - losses.chars, site
