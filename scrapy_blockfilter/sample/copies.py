"""Find pages that are the same page again, under another session id or in another section."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CHARS, LINK_CHARS
from scrapy_blockfilter.sample.page_record import MAX_BLOCKS

# Two pages are copies if they share this much of their telling texts. A telling text distinguishes a page: it is at
# least _TELLING long, mostly unlinked, and on no more than _COMMON of the pages. Among the first ten pages of 118
# sites, 24 pairs share .4 or more. The three pairs with equal main text share all, and none of the 17 pairs below .7
# are copies. Four pairs above .7 are no copies either, so their sites learn from one page less.
_SAME_TELLING = 0.7
_TELLING = 80
_COMMON = 0.5
# If they have hardly any such text, copies share this much of all texts. Articles in a heavy template reach .93.
_SAME_TEXTS = 0.95
# A text below this many characters does not make a page different. Characters of scripts without spaces count as three.
LINE = 80
# A text on no more than one in this many other pages is quoted there, not repeated: lists and digests show texts of
# many pages, and three of a site's first ten may be such.
QUOTED = 3


class SampledPages(tuple[Page, ...]):
    """Pages of one site, and which of them are copies, found at the first question."""

    @classmethod
    def of(cls, pages: Iterable[Page]) -> SampledPages:
        return pages if isinstance(pages, SampledPages) else cls(pages)

    @cached_property
    def keys(self) -> list[set[int]]:
        return [set(page.keys.tolist()) for page in self]

    @cached_property
    def on_pages(self) -> Counter[int]:
        """On how many pages each key is."""
        return Counter(chain.from_iterable(self.keys))

    @cached_property
    def common(self) -> set[int]:
        """The keys on more than ``_COMMON`` of the pages, and on at least three."""
        return {key for key, count in self.on_pages.items() if count > max(2, _COMMON * len(self))}

    @cached_property
    def identities(self) -> dict[int, tuple[set[int], set[int]]]:
        """The pages that are no copies of an earlier page, by number: the keys of all texts, and of telling texts."""
        found: dict[int, tuple[set[int], set[int]]] = {}
        for number, (page, keys) in enumerate(zip(self, self.keys, strict=True)):
            # A live page is cut like its record, so that both have the same keys.
            texts = keys if len(page.keys) <= MAX_BLOCKS else set(page.keys[:MAX_BLOCKS].tolist())
            telling = set(page.keys[are_long(page)].tolist()) - self.common
            for others, more_telling in found.values():
                counts = (len(texts), len(others), len(texts & others))
                if are_same(*counts, len(telling), len(more_telling), len(telling & more_telling)):
                    break
            else:
                found[number] = texts, telling
        return found

    @property
    def different(self) -> SampledPages:
        """The pages that remain when copies count once."""
        return self if len(self.identities) == len(self) else SampledPages(map(self.__getitem__, self.identities))


def are_long(page: Page) -> npt.NDArray[np.bool_]:
    """Return which blocks are long and mostly unlinked, among those that a record keeps."""
    is_long = (page.weights >= _TELLING) & (page.numbers[:, LINK_CHARS] * 2 < page.numbers[:, CHARS])
    is_long[MAX_BLOCKS:] = False
    return np.asarray(is_long, np.bool_)


def are_same(texts: Any, other_texts: Any, shared_texts: Any, telling: Any, other_telling: Any, shared: Any) -> Any:
    """Return whether pages are copies, by the numbers, or arrays, of texts and telling texts they have and share."""
    union = telling + other_telling - shared
    all_texts = texts + other_texts - shared_texts
    is_told = (union >= 2) & (shared >= _SAME_TELLING * union)
    return is_told | ((union < 2) & (shared_texts >= _SAME_TEXTS * all_texts))


def differ_by_a_line(pages: Sequence[Page]) -> bool:
    """Return whether pages differ by no more than one short text each.

    Examples are bot walls with a reference number, and pages that print the time. Nothing separates their template from
    their content, and stripping all that they share would leave almost nothing.
    """
    on_pages = SampledPages.of(pages).on_pages
    few = 1 + (len(pages) - 1) // QUOTED
    own = [[number for number, key in enumerate(page.keys.tolist()) if on_pages[key] <= few] for page in pages]
    if len(pages) < 2 or statistics.median(map(len, own)) > 1:
        return False
    return statistics.median(float(page.weights[texts].sum()) for page, texts in zip(pages, own, strict=True)) < LINE
