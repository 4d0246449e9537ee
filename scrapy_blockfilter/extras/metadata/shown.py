"""Visible sources of metadata on a page: headings that stay, and bylines that went."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.class_hints import GROUPS
from scrapy_blockfilter.html.columns import FIGURES
from scrapy_blockfilter.html.permalinks import without_permalinks
from scrapy_blockfilter.methods import Verdict
from scrapy_blockfilter.model.cleaned import Cleaned
from scrapy_blockfilter.text.dates_and_prices import DATED, PRICED

# Characters of a byline, and of the lines beside it that may name its author; longer texts are sentences. A size in
# bytes is at most four times as much.
_MAX_BYLINE, _MAX_BESIDE = 300, 100
# How far from a byline such lines are looked for, in blocks; the author is before or behind the date.
_BESIDE = 2
# Blocks behind a heading that may be a byline that stays, and their characters.
_BEHIND_HEADING, _MAX_KEPT = 3, 80
# Stripped blocks that are looked at from the start of the page, and headings and bylines that are taken.
_MAX_LOOKED_AT, _MAX_TAKEN = 500, 10
# A line in such a place is no byline of the page. Elements around it whose names count.
_ASIDE = sum(1 << GROUPS.index(name) for name in ("navigation", "footer", "sidebar"))
_LEVELS = 6
# Lines with a date of the site that are looked at: each takes dateparser up to a millisecond.
_MAX_SHARED = 20


@dataclass
class Shown:
    """The parts of a visible page that metadata are made of.

    Attributes:
        url: its address, "" if unknown.
        base: what its addresses are relative to.
        headings: its kept H1s.
        bylines: texts of the blocks that were stripped as dates and bylines.
        text: the text that is kept, without bylines; made on demand.
        language: that of its site, or a guess from function words.
        shared: stripped lines with a date that the site repeats, such as "Prices of 1 August 2026".
        kept_prices, other_prices: the lines with a price that stay, and those that go.
    """

    url: str = ""
    base: str = ""
    headings: Sequence[str] = ()
    bylines: Sequence[str] = ()
    text: Callable[[], str] = field(default=str)
    language: str = ""
    shared: Sequence[str] = ()
    kept_prices: Sequence[str] = ()
    other_prices: Sequence[str] = ()


def shown(cleaned: Cleaned) -> Shown:
    """Return what a page shows after it was judged; of a page that could not be read, its address alone."""
    page = cleaned.page
    if page is None:
        return Shown(cleaned.url, cleaned.base)
    tags = page.tags
    judged = zip(page.chunks.nodes.tolist(), page.of_chunks(cleaned.keep), strict=True)
    headings = [number for number, (node, kept) in enumerate(judged) if kept and tags[node] == "h1"][:_MAX_TAKEN]
    language = page.declared_language or page.language
    bylines = _bylines(page, cleaned.verdicts, cleaned.keep, headings[0] if headings else None)
    shared = _shared_dates(page, cleaned.verdicts, cleaned.keep)
    return Shown(
        url=cleaned.url,
        base=cleaned.base,
        headings=_texts_of(page, headings),
        bylines=bylines,
        shared=shared,
        kept_prices=_prices(page, cleaned.keep, kept=True),
        other_prices=_prices(page, cleaned.keep, kept=False),
        text=lambda: cleaned.text,
        language=language,
    )


def _prices(page: Page, keep: Sequence[bool], *, kept: bool) -> list[str]:
    priced = np.flatnonzero(page.numbers[:, FIGURES] & PRICED).tolist()
    return [_line(page, number) for number in priced if keep[number] is kept]


def _shared_dates(page: Page, verdicts: Sequence[Verdict], keep: Sequence[bool]) -> list[str]:
    """Return the lines with a date that stand on many pages of the site: none of these dates is this page's own."""
    dated = np.flatnonzero(page.numbers[:, FIGURES] & DATED).tolist()
    shared = (number for number in dated if not keep[number] and verdicts[number].kind == "repeated")
    return [_line(page, number) for number in islice(shared, _MAX_SHARED)]


def _texts_of(page: Page, headings: Sequence[int]) -> list[str]:
    blocks = page.chunks.blocks
    return [
        without_permalinks(blocks[number].text, page.elements[page.ordinals[blocks[number].node]])
        for number in headings
    ]


def _bylines(page: Page, verdicts: Sequence[Verdict], keep: Sequence[bool], heading: int | None) -> list[str]:
    """Return texts that may name author and day, those nearest to the heading first, as teasers have dates, too.

    They were stripped as dates and bylines, or are short and kept behind the heading. Last come short stripped lines
    beside a date, which may name the author.
    """
    if page.segmenter is not None:
        heading = None  # it is the number of a chunk, not of a block
    sizes = page.sizes
    stripped = [number for number, kept in enumerate(keep) if not kept and sizes[number] <= 4 * _MAX_BYLINE]
    found = {
        number
        for number in stripped[:_MAX_LOOKED_AT]
        if verdicts[number].kind == "byline" and not _is_aside(page, number)
    }
    near = {number + step for number in found for step in range(-_BESIDE, _BESIDE + 1)} - found
    beside = {number for number in stripped if number in near and sizes[number] <= 4 * _MAX_BESIDE}
    if heading is not None:
        behind = range(heading + 1, min(len(sizes), heading + 1 + _BEHIND_HEADING))
        found |= {number for number in behind if keep[number] and sizes[number] <= 4 * _MAX_KEPT}
    ranked = [(number in beside, abs(number - (heading or 0)), number) for number in found | beside]
    numbers = [number for _, _, number in sorted(ranked)[:_MAX_TAKEN]]
    return [_line(page, number) for number in numbers]


def _is_aside(page: Page, number: int) -> bool:
    """Return whether an element around a block is named a menu, sidebar or footer, where dates are of other things."""
    at = int(page.nodes[number])
    for _ in range(_LEVELS):
        if at < 0 or page.hints[at] & _ASIDE:
            return at >= 0
        at = page.parents[at]
    return False


def _line(page: Page, number: int) -> str:
    return " ".join(page.texts[number].split())[:_MAX_BYLINE]
