"""Find pages that are the same page again, under another session id or in another section."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CHARS, LINK_CHARS
from scrapy_blockfilter.sample.page_record import MAX_BLOCKS
from scrapy_blockfilter.sample.presence import Hashes, Presence
from scrapy_blockfilter.storable.hashing import distinct

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


def different_pages(pages: Sequence[Page]) -> list[int]:
    """Return the numbers of the pages that remain when copies count once."""
    return without_copies(pages, common_keys(pages)) if pages else []


def common_keys(pages: Sequence[Page]) -> Presence:
    """Return the keys on more than ``_COMMON`` of the pages, and on at least three."""
    hashes, counts = np.unique(np.concatenate([page.distinct_keys[0] for page in pages]), return_counts=True)
    return Presence([hashes[counts > max(2, _COMMON * len(pages))]])


def without_copies(pages: Sequence[Page], common: Presence) -> list[int]:
    """Return the numbers of the pages that are no copies of an earlier one, given the common keys of the site."""
    kept: list[int] = []
    identities: list[tuple[set[int], set[int]]] = []
    for number, page in enumerate(pages):
        keys, telling = set(texts_of(page).tolist()), set(telling_keys(page, common).tolist())
        for other_keys, other_telling in identities:
            counts = (len(keys), len(other_keys), len(keys & other_keys))
            if are_same(*counts, len(telling), len(other_telling), len(telling & other_telling)):
                break
        else:
            kept.append(number)
            identities.append((keys, telling))
    return kept


def telling_keys(page: Page, common: Presence) -> Hashes:
    """Return the keys of a page's telling texts."""
    keys = distinct(page.keys[are_long(page)])
    return np.asarray(keys[common.rows(keys) < 0], np.int64)


def texts_of(page: Page) -> Hashes:
    """Return the keys that identify a page. A live page is cut like its record, so that both have the same keys."""
    return page.distinct_keys[0] if len(page.keys) <= MAX_BLOCKS else distinct(page.keys[:MAX_BLOCKS])


def are_long(page: Page) -> npt.NDArray[np.bool_]:
    """Return which blocks are long and mostly unlinked, among those that a record keeps."""
    is_long = (page.weights >= _TELLING) & (page.numbers[:, LINK_CHARS] * 2 < page.numbers[:, CHARS])
    is_long[MAX_BLOCKS:] = False
    return np.asarray(is_long, np.bool_)


def are_same(texts: Any, other_texts: Any, shared_texts: Any, telling: Any, other_telling: Any, shared: Any) -> Any:
    """Return whether two pages are copies, by the numbers of texts and telling texts they have and share.

    Takes numbers or arrays.
    """
    union = telling + other_telling - shared
    all_texts = texts + other_texts - shared_texts
    return np.where(union >= 2, shared >= _SAME_TELLING * union, shared_texts >= _SAME_TEXTS * all_texts)


def differ_by_a_line(pages: Sequence[Page]) -> bool:
    """Return whether pages differ by no more than one short text each.

    Examples are bot walls with a reference number, and pages that print the time. Nothing separates their template from
    their content, and stripping all that they share would leave almost nothing.
    """
    on_pages = Counter(key for page in pages for key in set(page.keys.tolist()))
    few = 1 + (len(pages) - 1) // QUOTED
    own_texts, own_lengths = [], []
    for page in pages:
        own = [number for number, key in enumerate(page.keys.tolist()) if on_pages[key] <= few]
        own_texts.append(len(own))
        own_lengths.append(float(page.weights[own].sum()))
    return len(pages) > 1 and statistics.median(own_texts) <= 1 and statistics.median(own_lengths) < LINE
