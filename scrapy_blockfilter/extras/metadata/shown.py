"""Parts of a visible page that metadata are made of: headings that stay, bylines, lines with a date or a price."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from scrapy_blockfilter.extras.metadata.bylines import begins_as_byline
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.class_hints import GROUPS
from scrapy_blockfilter.html.columns import FIGURES
from scrapy_blockfilter.html.permalinks import without_permalinks
from scrapy_blockfilter.model.cleaned import Cleaned
from scrapy_blockfilter.text.dates_and_prices import DATED, PRICED

# Characters of a byline, of the lines beside it that may name its author, and of one that stays; longer texts are
# sentences. A size in bytes is at most four times as much.
_MAX_BYLINE, _MAX_BESIDE, _MAX_KEPT = 300, 100, 80
# Blocks from a byline to the lines beside it; from a heading to a byline that stays; around it, to any short line that
# may have a date, and to any line that has one.
_BESIDE, _BEHIND_HEADING, _NEAR, _FAR = 2, 3, 4, 50
# A line before the heading is three times as far as one behind it: it may be of the site.
_BEFORE = 3
# Headings and bylines that are taken, and lines with a date. Each costs dateparser up to a millisecond.
_MAX_TAKEN, MAX_DATED = 10, 20
# A line in such a place is no byline of the page. Elements around it whose names count.
_ASIDE = sum(1 << GROUPS.index(name) for name in ("navigation", "footer", "sidebar"))
_LEVELS = 6


@dataclass
class Shown:
    """The parts of a visible page that metadata are made of."""

    url: str = ""  # its address, "" if unknown
    base: str = ""  # what its addresses are relative to
    headings: Sequence[str] = ()  # its kept H1s
    bylines: Sequence[str] = ()  # lines that may name authors, those nearest to the heading first
    dated: Sequence[str] = ()  # lines that may name its day, those nearest to the heading first
    shared: Sequence[str] = ()  # stripped lines with a date that the site repeats, such as "Prices of 1 August 2026"
    kept_prices: Sequence[str] = ()  # the lines with a price that stay
    other_prices: Sequence[str] = ()  # those that go, as of related products
    text: Callable[[], str] = field(default=str)  # the text that is kept, without bylines; made on demand
    language: str = ""  # that of its site, or a guess from function words


def shown(cleaned: Cleaned) -> Shown:
    """Return what a page shows after it was judged; of a page that could not be read, its address alone."""
    page, keep = cleaned.page, cleaned.keep
    if page is None:
        return Shown(cleaned.url, cleaned.base)
    judged = zip(page.chunks.nodes.tolist(), page.of_chunks(keep), strict=True)
    headings = [number for number, (node, kept) in enumerate(judged) if kept and page.tags[node] == "h1"][:_MAX_TAKEN]
    said = [(page.chunks.texts[number].replace("\xad", ""), int(page.chunks.nodes[number])) for number in headings]
    # The number of a chunk is that of a block, but for pages whose chunks were joined.
    bylines, dated = _near(page, cleaned, headings[0] if headings and page.segmenter is None else None)
    stripped = (number for number in _with(page, DATED) if not keep[number])
    priced = _with(page, PRICED)
    return Shown(
        url=cleaned.url,
        base=cleaned.base,
        headings=[without_permalinks(text, page.elements[page.ordinals[node]]) for text, node in said],
        bylines=_lines(page, bylines[:_MAX_TAKEN]),
        dated=_lines(page, dated[:MAX_DATED]),
        shared=_lines(page, [n for n in stripped if cleaned.verdicts[n].kind == "repeated"][:MAX_DATED]),
        kept_prices=_lines(page, (number for number in priced if keep[number])),
        other_prices=_lines(page, (number for number in priced if not keep[number])),
        text=lambda: cleaned.text,
        language=page.declared_language or page.language,
    )


def _near(page: Page, cleaned: Cleaned, heading: int | None) -> tuple[list[int], list[int]]:
    """Return blocks that may name authors, and those that may name the day, the nearest to the heading first.

    Such blocks were stripped as dates and bylines, are short and near to the heading or a byline, or have a date.
    """
    keep, sizes, start = cleaned.keep, page.sizes, heading or 0
    window = [n for n in range(max(0, start - _FAR), min(len(sizes), start + _FAR + 1)) if _is_own(page, cleaned, n)]
    short = {number for number in window if sizes[number] <= 4 * _MAX_BYLINE}
    bylines = {number for number in short if not keep[number] and cleaned.verdicts[number].kind == "byline"}
    beside = short & {near for number in bylines for near in range(number - _BESIDE, number + _BESIDE + 1)}
    around = short & set(() if heading is None else range(heading - _NEAR, heading + _NEAR + 1))
    behind = short & set(() if heading is None else range(heading + 1, heading + 1 + _BEHIND_HEADING))
    distances = {n: n - start if n >= start else _BEFORE * (start - n) for n in window}
    dated = beside.union(around, _with(page, DATED)).intersection(window)
    authoring = bylines | {n for n in beside if not keep[n] and sizes[n] <= 4 * _MAX_BESIDE}
    authoring |= {n for n in behind if keep[n] and sizes[n] <= 4 * _MAX_KEPT}
    if heading is not None:  # the byline of a site with one author is on all of its pages
        lines = range(heading + 1, min(len(sizes), heading + 1 + _BEHIND_HEADING))
        authoring |= {n for n in lines if sizes[n] <= 4 * _MAX_BESIDE and begins_as_byline(page.texts[n])}
        distances.update((n, n - heading) for n in lines)
    by_author, by_day = (sorted(found, key=lambda n: (distances[n], n)) for found in (authoring, dated))
    return by_author, by_day


def _is_own(page: Page, cleaned: Cleaned, number: int) -> bool:
    """Return whether a block stays, or went as no line of the site. A menu or footer has dates of other things."""
    if page.tags[page.nodes[number]] == "title":
        return False
    return cleaned.keep[number] or (cleaned.verdicts[number].kind != "repeated" and not _is_aside(page, number))


def _is_aside(page: Page, number: int) -> bool:
    """Return whether an element around a block is named a menu, sidebar or footer."""
    at = int(page.nodes[number])
    for _ in range(_LEVELS):
        if at < 0 or page.hints[at] & _ASIDE:
            return at >= 0
        at = page.parents[at]
    return False


def _with(page: Page, figures: int) -> list[int]:
    found: list[int] = np.flatnonzero(page.numbers[:, FIGURES] & figures).tolist()
    return found


def _lines(page: Page, numbers: Iterable[int]) -> list[str]:
    return [" ".join(page.texts[number].replace("\xad", "").split())[:_MAX_BYLINE] for number in numbers]
