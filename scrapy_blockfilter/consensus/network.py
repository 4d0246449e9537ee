"""Score blocks by their features, with a small network trained on labelled pages.

The network looks twice. First it turns a block's features into an impression: a few numbers between -1 and 1. It
combines this with impressions of the surroundings, weighted by text length: subtrees, slots over the site, the heading
above, the blocks before and after. This gives a second impression, which is combined with its surroundings in turn,
and yields the score.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.consensus.features.evidence import Evidence
from scrapy_blockfilter.html.subtrees import LEVELS, Floats, finite_products, running_sums, sums_at
from scrapy_blockfilter.storable.array_bytes import ArrayReader, Values

# Features are bounded to this many standard deviations from their mean.
_BOUND = 4.0
# Window sizes: a block sees the impressions of this many blocks before and after it, besides its direct neighbours.
WINDOWS = (3, 8)
# Number of impressions that a block sees. There is one for each of its levels, on the page and on the
# site. Others are of all blocks before, all after and the whole page; of both neighbours, the heading above and the
# windows.
CONTEXTS = 2 * LEVELS + 3 + 2 + 1 + 2 * len(WINDOWS)


class SlotImpressions(NamedTuple):
    """Mean impressions of the subtrees in each slot of a site, at the first and second look.

    Both arrays have the shape (slots, impressions).
    """

    first: Floats
    second: Floats

    @classmethod
    def restored(cls, state: ArrayReader, slots: int, network: Network) -> SlotImpressions:
        """Return the impressions with this :meth:`state`, of a site with this number of slots."""
        first, second = len(network.be), len(network.bf)
        return cls(state.floats("first", slots, first, most=1), state.floats("second", slots, second, most=1))

    def state(self) -> Values:
        """Return the impressions at both looks."""
        return {"first": self.first, "second": self.second}


@dataclass(frozen=True, eq=False)
class Network:
    """Weights of the network.

    Attributes:
        mean, scale: per feature, shape (features,).
        w1, b1: to hidden numbers: (features, hidden), (hidden,).
        we, be: to first impressions: (hidden, impressions), (impressions,).
        w2, b2: from hidden numbers and contexts: (hidden + CONTEXTS * impressions, second), (second,).
        wf, bf: to second impressions: (second, impressions), (impressions,).
        w3, b3: from those and their contexts: (second + CONTEXTS * impressions, third), (third,).
        w4, b4: to scores: (third, 1), (1,).
    """

    mean: Floats
    scale: Floats
    w1: Floats
    b1: Floats
    we: Floats
    be: Floats
    w2: Floats
    b2: Floats
    wf: Floats
    bf: Floats
    w3: Floats
    b3: Floats
    w4: Floats
    b4: Floats
    _first: tuple[Floats, Floats, Floats, Floats] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        # Fold the standardization into the first layer, so that it takes raw features: their bounds, and its weights.
        w1, bound = self.w1 * self.scale[:, None], _BOUND / self.scale
        object.__setattr__(self, "_first", (self.mean - bound, self.mean + bound, w1, self.b1 - self.mean @ w1))

    @finite_products
    def learn(
        self, pages: Sequence[Evidence], slots: int, native: ModuleType | None = None
    ) -> tuple[SlotImpressions, list[Floats]]:
        """Return the impressions of a site's slots over the pages learnt from, and the scores of each page."""
        hidden = [self._hidden(page.matrix) for page in pages]
        of_slots: list[Floats] = []
        for weights, next_weights in ((self.we, self.be), (self.w2, self.b2)), ((self.wf, self.bf), (self.w3, self.b3)):
            weighted = [_weighted(page, of_page, *weights) for page, of_page in zip(pages, hidden, strict=True)]
            of_slots.append(_mean_of_slots(pages, weighted, slots, native))
            hidden = [
                _looked(page, of_page, impressions, of_slots[-1], *next_weights, native)
                for page, of_page, impressions in zip(pages, hidden, weighted, strict=True)
            ]
        return SlotImpressions(*of_slots), [self._scores(of_page) for of_page in hidden]

    @finite_products
    def scores(self, page: Evidence, slots: SlotImpressions, native: ModuleType | None = None) -> Floats:
        """Return how likely each block of a page is content, from 0 to 1; native code gives nearly the same numbers.

        Raises:
            ValueError: arrays do not fit each other.
        """
        if native is not None:
            tree = page.tree
            scene = page.matrix, page.weights, tree.levels, page.headings, tree.starts, tree.ends, page.rows
            in_native: Floats = native.scores(scene, self._layers(slots), len(slots.first))
            return in_native
        hidden = self._hidden(page.matrix)
        hidden = _looked(page, hidden, _weighted(page, hidden, self.we, self.be), slots.first, self.w2, self.b2)
        hidden = _looked(page, hidden, _weighted(page, hidden, self.wf, self.bf), slots.second, self.w3, self.b3)
        return self._scores(hidden)

    def _layers(self, slots: SlotImpressions) -> tuple[Any, ...]:
        """Return the arrays that scores are made of, for native code."""

        def laid_out(*arrays: Floats) -> tuple[Floats, ...]:
            return tuple(map(np.ascontiguousarray, arrays))

        first = laid_out(self.we, self.be, self.w2, self.b2, slots.first)
        second = laid_out(self.wf, self.bf, self.w3, self.b3, slots.second)
        return *laid_out(*self._first), first, second, *laid_out(self.w4, self.b4)

    def _scores(self, hidden: Floats) -> Floats:
        logits = (hidden @ self.w4 + self.b4)[:, 0]
        return np.asarray(1 / (1 + np.exp(-logits)), np.float32)

    def _hidden(self, matrix: Floats) -> Floats:
        least, most, w, b = self._first
        bounded = np.maximum(matrix, least)  # np.clip takes thrice as long
        hidden = np.minimum(bounded, most, out=bounded) @ w
        hidden += b
        return np.maximum(hidden, 0, out=hidden)


def _looked(
    page: Evidence,
    hidden: Floats,
    weighted: Floats,
    of_slots: Floats,
    w: Floats,
    b: Floats,
    native: ModuleType | None = None,
) -> Floats:
    """Compute the next hidden numbers from the current ones and the impressions around each block."""
    if native is None:
        contexts = _contexts(page, weighted, of_slots)
    else:
        tree = page.tree
        indices = tree.levels, page.headings, tree.starts, tree.ends, page.rows
        contexts = native.contexts(indices, weighted, of_slots)
    size = hidden.shape[1]
    looked: Floats = hidden @ w[:size] + b
    looked += contexts @ w[size:]
    return np.maximum(looked, 0, out=looked)


def _weighted(page: Evidence, hidden: Floats, w: Floats, b: Floats) -> Floats:
    """Return impressions times weight, with the weight as last column: (blocks, impressions + 1)."""
    weights = (page.weights + np.float32(1))[:, None]
    return np.hstack([np.tanh(hidden @ w + b) * weights, weights])


def _mean_of_slots(
    pages: Sequence[Evidence], weighted: Sequence[Floats], slots: int, native: ModuleType | None = None
) -> Floats:
    """Return the mean impressions of the subtrees in each slot."""
    sums = np.zeros((slots, weighted[0].shape[1]), np.float64)
    for page, of_page in zip(pages, weighted, strict=True):
        if native is not None:
            native.slot_sums((page.tree.starts, page.tree.ends, *page.all_rows), of_page, sums)
            continue
        inside = page.tree.sums(of_page)
        for rows in page.all_rows:
            sums += sums_at(rows, inside, slots)
    return _means(sums)


def _contexts(page: Evidence, weighted: Floats, of_slots: Floats) -> Floats:
    """Return the impressions that each block sees: (blocks, CONTEXTS * impressions)."""
    count, width = len(weighted), of_slots.shape[1]
    running = running_sums(weighted)
    contexts = np.empty((count, CONTEXTS, width), np.float32)
    tree = page.tree
    here = _means(running.take(tree.ends, axis=0) - running.take(tree.starts, axis=0))
    there = np.zeros_like(here)
    known = page.rows >= 0
    there[known] = of_slots[page.rows[known]]
    contexts[:, :LEVELS] = here.take(tree.levels, axis=0)
    contexts[:, LEVELS : 2 * LEVELS] = there.take(tree.levels, axis=0)
    before, behind, whole, previous, following, heading, windows = range(2 * LEVELS, 2 * LEVELS + 7)
    shares = running[:, :-1] / (running[-1, -1] + 1)
    contexts[:, before] = shares[:-1]
    contexts[:, behind] = shares[-1] - shares[1:]
    contexts[:, whole] = shares[-1]
    impressions = weighted[:, :-1] / weighted[:, -1:]
    contexts[1:, previous] = impressions[:-1]
    contexts[:-1, following] = impressions[1:]
    contexts[:1, previous] = contexts[-1:, following] = 0
    contexts[:, heading] = impressions.take(page.headings, axis=0) if count else 0
    contexts[page.headings < 0, heading] = 0
    for place, means in enumerate(map(_means, _windows(running)), windows):
        contexts[:, place] = means
    return contexts.reshape(count, CONTEXTS * width)


def _windows(running: npt.NDArray[np.float64]) -> Iterator[npt.NDArray[np.float64]]:
    """For each window size, yield the sums over the blocks before each block, and over those after it."""
    for size in WINDOWS:
        before = running[:-1].copy()
        before[size:] -= running[: max(0, len(before) - size)]
        yield before
        after = np.empty_like(before)
        inside = max(0, len(after) - size)
        after[:inside] = running[size + 1 :]
        after[inside:] = running[-1]
        after -= running[1:]
        yield after


def _means(sums: npt.NDArray[np.float64]) -> Floats:
    """Turn weighted sums (weights in the last column) into means, which fade to 0 where there is hardly any weight."""
    return np.asarray(sums[:, :-1] / (sums[:, -1:] + 1), np.float32)
