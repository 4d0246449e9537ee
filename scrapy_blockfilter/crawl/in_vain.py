"""Watch the items of a crawl for fields and selectors that have no effect, and log them."""

from __future__ import annotations

import logging
import os
from collections.abc import Container, Iterable, Mapping
from typing import Any

from scrapy_blockfilter.crawl.item_fields import texts_of
from scrapy_blockfilter.crawl.log_once import MOST_NAMED, named
from scrapy_blockfilter.crawl.stats import FIELDS_ABSENT, SELECTORS_UNMATCHED, Stats
from scrapy_blockfilter.options import PREFIX, Options

logger = logging.getLogger(__name__)

# Selectors of single sites that are watched: 300 bytes each.
_MOST_WATCHED = 10_000
# Characters of a line that may be a whole page, of its ends, and of what the ends of all share if it has the template.
_LONG_LINE, _END, _SHARED = 200, 300, 12


class InVain:
    """The fields and selectors that had no effect so far. ``settings`` are those that somebody has set."""

    def __init__(self, options: Options, settings: Container[str], stats: Stats) -> None:
        self.wants_fields = bool(options.fields) and f"{PREFIX}FIELDS" in settings
        self._stats = stats
        self._of_settings = frozenset((*options.keep, *options.drop))
        self._absent = {*options.fields} - {*options.output_fields} if self.wants_fields else set()
        self._present: dict[str, None] = {}
        self._items = 0
        # Site, "" for selectors of settings, and selector -> items in which it matched nothing; None once it matched.
        self._unmatched: dict[tuple[str, str], int | None] = {}
        self._told_lines: set[str] = set()
        # Site and plain-text field -> the start and the reversed end of the first long lines.
        self._lines: dict[tuple[str, str], list[tuple[str, str]]] = {}
        self._enough = options.pages

    def take_fields(self, fields: Iterable[str]) -> None:
        """Note which fields an item has."""
        self._items += 1
        if self._absent:
            fields = list(fields)
            self._absent.difference_update(fields)
            self._present.update(dict.fromkeys(fields[: MOST_NAMED - len(self._present)]))

    def take_text(self, site: str, name: str, value: Any) -> None:
        """Note a plain-text field. Warn once of a field whose texts are whole pages in one line, template and all."""
        key = site, name
        if name in self._told_lines or not (key in self._lines or len(self._lines) < _MOST_WATCHED):
            return
        lines = self._lines.setdefault(key, [])
        texts = texts_of(value) or ()
        if len(lines) >= self._enough or len(texts) != 1:
            return
        text = texts[0].strip()
        ends = text[:_END], text[: -_END - 1 : -1]
        if ends in lines:
            return
        lines.append(ends if len(text) >= _LONG_LINE and "\n" not in text else ("", ""))
        if len(lines) == self._enough > 1:
            shared = [os.path.commonprefix(some) for some in zip(*lines, strict=True)]  # noqa: RUF071 - of text
            if max(map(len, shared)) >= _SHARED:
                self._told_lines.add(name)
                logger.warning(_ONE_LINE, name, site, shared[0] or shared[1][::-1], name)
            lines[:] = [("", "")] * self._enough

    def take_selectors(self, site: str, selectors: Mapping[str, bool]) -> None:
        """Note whether each selector that was tried on an item has matched."""
        for selector, has_matched in selectors.items():
            key = "" if selector in self._of_settings else site, selector
            if key in self._unmatched or len(self._unmatched) < _MOST_WATCHED:
                count = self._unmatched.get(key, 0)
                self._unmatched[key] = None if has_matched or count is None else count + 1

    def tell(self) -> None:
        """Log and count the fields and selectors that were in vain."""
        if self._absent and self._items:
            self._stats.inc_value(FIELDS_ABSENT, len(self._absent))
            absent = named(map(repr, sorted(self._absent)))
            present = named(map(repr, self._present)) or "none"
            message = "%sFIELDS names %s, which none of %d items had. Fields of items: %s."
            logger.warning(message, PREFIX, absent, self._items, present)
        in_vain = sorted((site, selector, count) for (site, selector), count in self._unmatched.items() if count)
        if in_vain:
            self._stats.inc_value(SELECTORS_UNMATCHED, len(in_vain))
        if of_settings := [f"{selector:.200} (items: {count})" for site, selector, count in in_vain if not site]:
            message = "Selectors of %sKEEP and %sDROP that matched nothing: %s"
            logger.warning(message, PREFIX, PREFIX, named(of_settings))
        if of_sites := [f"{site} {selector:.200} (items: {count})" for site, selector, count in in_vain if site]:
            message = "Corrections that matched nothing: %s. `scrapy blockfilter undo SITE SELECTOR` takes one back."
            logger.warning(message, named(of_sites))


_ONE_LINE = (
    "The field %r of items of %s is a whole page in one line, from which no line of the template can go (%r): have it "
    'made anew by BLOCKFILTER_OUTPUT_FIELDS = {%r: "text"}. Or put each text on a line of its own, as '
    '"\\n".join(response.css("body ::text").getall()) does; menus whose links share a line stay then.'
)
