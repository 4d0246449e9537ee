"""Site statistics: the pages on which each text stands, and how each slot behaves.

Copies of a page (another session id, another section) count once. A page is compared with the others, never with its
own copies: text on a copy has not been repeated.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.consensus.features.of_blocks import (
    BLOCKS,
    SUBTREE,
    SUMS,
    WEIGHT,
    arrays_of,
    block_sums,
    of_subtrees,
    side_by_side,
)
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.subtrees import Floats, Indices, Tree, finite_products, sums_at
from scrapy_blockfilter.sample.copies import LINE, QUOTED, SampledPages, are_long, are_same
from scrapy_blockfilter.sample.page_record import MAX_BLOCKS
from scrapy_blockfilter.sample.presence import Hashes, Presence
from scrapy_blockfilter.storable.array_bytes import ArrayReader, Values, parts
from scrapy_blockfilter.storable.hashing import distinct

# Odd, so that multiplying by it loses no bits.
_MIX = np.int64(0x9E3779B97F4A7C1)
# The largest count of a page record.
_MOST = 1e9


class Comparison(NamedTuple):
    """How much of a page is on ``others`` other pages.

    Attributes:
        keys, keys_in_slots: for each block, how many of them repeat it, and how many have it in the same slot. Pages
            that have it elsewhere do not repeat it if they are few.
        style_paths, tag_paths: for each node, how many of them have its style path and its tag path.
        style_rows, tag_rows: for each node, the row of its path in the table of slots; -1 where no page had the path.
    """

    others: int
    keys: Floats
    keys_in_slots: Floats
    style_paths: Floats
    tag_paths: Floats
    style_rows: Indices
    tag_rows: Indices


class SiteStatistics:
    """Statistics of the pages learnt from. Immutable.

    Args:
        native: adds up the pages, to the same numbers.

    Attributes:
        pages: number of different pages.
        kept: indices of the different pages among the pages given.
        of_slots: for each slot, its own blocks: numbers of nodes, distinct texts and blocks, then ``SUBTREE`` without
            the share of the page. The last row is for unknown slots.
        of_subtrees: for each slot, the blocks in its subtrees as ``SUBTREE``. The last row is for unknown slots.
    """

    def __init__(self, pages: Sequence[Page], native: ModuleType | None = None) -> None:
        sampled = SampledPages.of(pages)
        identities, different = sampled.identities, sampled.different
        self._common = Presence([np.array(list(sampled.common), np.int64)])
        self.kept = list(identities)
        self.pages = len(different)
        self._keys = Presence([page.keys for page in different])
        self._places = Presence([_keys_in_slots(page) for page in different])
        self._slots = Presence([_all_slots(page) for page in different])
        self._texts = np.array([len(texts) for texts, _ in identities.values()], np.int64)
        self._telling = np.array([len(telling) for _, telling in identities.values()], np.int64)
        self._sum_up(different, native)

    @classmethod
    def restored(cls, state: ArrayReader) -> SiteStatistics:
        """Return the statistics with this :meth:`state`."""
        site = cls.__new__(cls)
        site.kept = state.integers("kept", None, least=0).tolist()
        pages = site.pages = len(site.kept)
        site._common = Presence.restored(state.part("common"), 1)
        site._keys, site._places, site._slots = (
            Presence.restored(state.part(name), pages) for name in ("keys", "places", "slots")
        )
        site._texts = state.integers("texts", pages, least=0)
        site._telling = state.integers("telling", pages, least=0)
        site.of_slots = state.floats("of_slots", site.slots + 1, len(SUBTREE) + 2, most=_MOST)
        site.of_subtrees = state.floats("of_subtrees", site.slots + 1, len(SUBTREE), most=_MOST)
        return site

    def state(self) -> Values:
        numbers: Values = {
            "kept": np.array(self.kept, np.int64),
            "texts": self._texts,
            "telling": self._telling,
            "of_slots": self.of_slots,
            "of_subtrees": self.of_subtrees,
        }
        presences = {"common": self._common, "keys": self._keys, "places": self._places, "slots": self._slots}
        return numbers | parts(**{name: presence.state() for name, presence in presences.items()})

    @property
    def slots(self) -> int:
        """Number of slots."""
        return len(self._slots)

    @property
    def arrays(self) -> tuple[Any, ...]:
        """All that a page is compared with, for native code."""
        keys, places, slots = ((one.hashes, one.bits) for one in (self._keys, self._places, self._slots))
        tables = self._texts, self._telling, self.of_slots, self.of_subtrees
        return self.pages, keys, places, slots, self._common.hashes, *tables

    @finite_products
    def compare(self, page: Page) -> Comparison:
        """Count how much of ``page`` is on the other pages."""
        keys, places, _ = page.distinct_keys
        on_pages = self._keys.at(self._keys.rows(keys)).astype(np.float32)
        others = self._others(page, on_pages).astype(np.float32)
        slots = self._slots.rows(_all_slots(page))
        style_paths, tag_paths = np.split(self._slots.at(slots) @ others, 2)
        in_slots, at_tag_paths = np.split(self._places.of(_keys_in_slots(page)) @ others, 2)
        here = np.where(style_paths[page.nodes] > 0, in_slots, at_tag_paths)
        anywhere = (on_pages @ others)[places]
        nodes = len(page.slots)
        return Comparison(
            others=int(others.sum()),
            keys=np.where(QUOTED * anywhere > others.sum(), anywhere, here),
            keys_in_slots=in_slots,
            style_paths=style_paths,
            tag_paths=tag_paths,
            style_rows=slots[:nodes],
            tag_rows=slots[nodes:],
        )

    def _others(self, page: Page, on_pages: Floats) -> npt.NDArray[np.bool_]:
        """Mark the different pages that are neither this page nor copies of it."""
        keys, places, _ = page.distinct_keys
        texts, telling = marks = np.zeros((2, len(keys)), np.float32)
        texts[places[:MAX_BLOCKS]] = 1
        telling[places[are_long(page)]] = 1
        telling[self._common.rows(keys) >= 0] = 0
        shared_texts, shared_telling = marks @ on_pages
        copies = are_same(texts.sum(), self._texts, shared_texts, telling.sum(), self._telling, shared_telling)
        if self.pages == 1 and self._differs_by_a_line(page, on_pages[places, 0]):
            copies = np.ones(1, np.bool_)
        return np.asarray(~copies, np.bool_)

    def _differs_by_a_line(self, page: Page, on_only_page: Floats) -> bool:
        """Return whether a page differs by a line from the only page learnt from, which then shows no template."""
        own = np.flatnonzero(on_only_page == 0)
        shared = len(distinct(page.keys[on_only_page > 0]))
        return len(own) <= 1 and self._texts[0] - shared <= 1 and page.weights[own].sum() < LINE

    def _sum_up(self, pages: Sequence[Page], native: ModuleType | None) -> None:
        """Fill the tables of slots with means over the pages that have each slot."""
        size = len(self._slots)
        self.of_slots = np.zeros((size + 1, len(SUBTREE) + 2), np.float32)  # until the sums are known
        self.of_subtrees = np.zeros((size + 1, len(SUBTREE)), np.float32)
        on_pages = np.zeros(size, np.float32)
        totals = np.zeros((size, 2 + 2 * SUMS), np.float64)
        places: list[Indices] = []
        keys: list[Hashes] = []
        for page in pages:
            if native is not None:
                rows = native.add_page(arrays_of(page), self.arrays, totals, on_pages)
            else:
                seen = self.compare(page)
                rows = np.concatenate([seen.style_rows, seen.tag_rows])
                _add_page(page, seen.keys > 0, rows, totals, on_pages)
            for half in np.split(rows, 2):
                places.append(half[page.nodes])
                keys.append(page.keys)
        texts = _distinct(np.concatenate(places), np.concatenate(keys), size)
        nodes, shares, own, subtree = np.split(totals.astype(np.float32), (1, 2, 2 + SUMS), axis=1)
        pages_of_slot = on_pages[:, None]
        counts = (np.log1p(nodes[:, 0] / on_pages), texts / np.maximum(own[:, BLOCKS], 1))
        own_per_page = own / pages_of_slot
        of_own = np.delete(of_subtrees(own_per_page, 0), SUBTREE.index("share of page"), axis=1)
        texts_and_blocks = side_by_side(size, (*counts, np.log1p(own_per_page[:, BLOCKS])))
        self.of_slots = _with_unknown(np.concatenate([texts_and_blocks, of_own], axis=1))
        self.of_subtrees = _with_unknown(of_subtrees(subtree / pages_of_slot, shares[:, 0] / on_pages))


def _add_page(
    page: Page, repeated: npt.NDArray[np.bool_], rows: Indices, totals: npt.NDArray[np.float64], on_pages: Floats
) -> None:
    """Add a page to the totals of its slots: nodes, shares of the page, own sums and those of subtrees."""
    sums = block_sums(page, repeated)
    inside = Tree.of(page).sums(sums)
    share = inside[:, WEIGHT] / max(1.0, float(inside[0, WEIGHT]))
    own_of_page = sums_at(page.nodes, sums, len(page.slots))
    numbers = np.concatenate([np.ones((len(share), 1)), share[:, None], own_of_page, inside], axis=1)
    for half in np.split(rows, 2):
        here = np.zeros(len(on_pages), np.float32)
        here[half] = 1
        on_pages += here
        totals += sums_at(half, numbers, len(totals))


def numbers_of_rows(*columns: Indices) -> Indices:
    """Return the number of each row of some columns among their distinct rows, in a fraction of numpy.unique's time."""
    order = np.lexsort(columns)
    is_new = np.zeros(len(order), np.bool_)
    for column in columns:
        in_order = column[order]
        is_new[1:] |= in_order[1:] != in_order[:-1]
    numbers = np.empty(len(order), np.int64)
    numbers[order] = np.cumsum(is_new)
    return numbers


def _distinct(places: Indices, keys: Hashes, size: int) -> Indices:
    """Return how many distinct keys there are at each of ``size`` places."""
    numbers = numbers_of_rows(keys, places)
    place_of = np.zeros(numbers.max(initial=-1) + 1, np.int64)
    place_of[numbers] = places
    return np.bincount(place_of, minlength=size)


def _with_unknown(table: Floats) -> Floats:
    """Append a row of zeros, which the index -1 of an unknown slot selects."""
    return np.concatenate([table, np.zeros((1, table.shape[1]), np.float32)])


def _all_slots(page: Page) -> Hashes:
    """Return the style paths of all nodes, then their tag paths.

    If names change from page to page ("post-slug"), the tag path still identifies the slot.
    """
    return np.concatenate([page.slots, page.tag_paths ^ _MIX])


def _keys_in_slots(page: Page) -> Hashes:
    """Hash each block's key together with its style path, then with its tag path."""
    return np.concatenate([page.keys ^ (paths[page.nodes] * _MIX) for paths in np.split(_all_slots(page), 2)])
