"""From features to scores: a few small networks, trained on labelled pages, ship with the package.

Each makes of a block's features a few numbers between -1 and 1, its impression of the block; sees the impressions of
what stands around the block, weighted by length of text: of the subtrees it is in, of their slots over the pages of the
site, of what comes before and behind; and gives a score from it all. The mean of their scores counts.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from scrapy_blockfilter.evidence.features import NAMES, Evidence
from scrapy_blockfilter.evidence.tree import LEVELS, Floats, Indices, finite_products, running_sums, sums_at

_FILE = "weights.json"
# Features are counted in standard deviations from their mean, within these bounds.
_BOUND = 4.0
# Blocks before and behind a block that it is seen with, beside its next neighbours.
WINDOWS = (3, 8)
# Impressions a block's score is made from: at its levels on the page and on the site, before, behind, of the page, of
# both neighbours, and in the windows on both sides.
CONTEXTS = 2 * LEVELS + 3 + 2 + 2 * len(WINDOWS)

ARRAYS = ("mean", "scale", "w1", "b1", "we", "be", "w2", "b2", "w3", "b3")


class WeightsError(ValueError):
    """The file of weights does not belong to this release."""


@dataclass(frozen=True, eq=False)
class Network:
    """``K`` networks side by side.

    Attributes:
        mean, scale: of each feature, shape (features,).
        w1, b1: to hidden numbers: (features, K * hidden), (K * hidden,).
        we, be: to impressions: (K, hidden, impressions), (K, 1, impressions).
        w2, b2: from hidden numbers and contexts: (K, hidden + CONTEXTS * impressions, second), (K, 1, second).
        w3, b3: to scores: (K, second, 1), (K, 1, 1).
    """

    mean: Floats
    scale: Floats
    w1: Floats
    b1: Floats
    we: Floats
    be: Floats
    w2: Floats
    b2: Floats
    w3: Floats
    b3: Floats
    _least: Floats = field(init=False, repr=False)
    _most: Floats = field(init=False, repr=False)
    _w1: Floats = field(init=False, repr=False)
    _b1: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        # For features as they are, not yet in standard deviations from their mean.
        w1 = self.w1 * self.scale[:, None]
        bounds = self.mean - _BOUND / self.scale, self.mean + _BOUND / self.scale
        for name, array in zip(("_least", "_most", "_w1", "_b1"), (*bounds, w1, self.b1 - self.mean @ w1), strict=True):
            object.__setattr__(self, name, array)

    def slot_impressions(self, pages: Sequence[Evidence], slots: int) -> Floats:
        """Of each of a site's ``slots`` the mean impression of the subtrees in it, (slots, K * impressions)."""
        networks, _, size = self.we.shape
        sums = np.zeros((slots, networks * size + 1), np.float64)
        for page in pages:
            _, weighted = self._impressions(page, page.matrix)
            inside = page.tree.sums(weighted)
            for rows in page.all_rows:
                sums += sums_at(rows, inside, slots)
        return np.asarray(_means(sums), np.float32)

    @finite_products
    def scores(self, page: Evidence, slot_impressions: Floats, matrix: Floats | None = None) -> Floats:
        """Of each block how likely it is content, from 0 to 1.

        Args:
            matrix: features to go by in place of the page's own.
        """
        if not len(page.matrix):
            return np.zeros(0, np.float32)
        hidden, weighted = self._impressions(page, page.matrix if matrix is None else matrix)
        contexts = self._contexts(page, weighted, slot_impressions)
        networks, size, width = self.we.shape
        logits = np.zeros(len(weighted), np.float32)
        for number in range(networks):
            seen = contexts[:, :, number * width : (number + 1) * width].reshape(len(weighted), CONTEXTS * width)
            second = hidden[:, number * size : (number + 1) * size] @ self.w2[number, :size]
            second += seen @ self.w2[number, size:] + self.b2[number]
            logits += (np.maximum(second, 0) @ self.w3[number] + self.b3[number])[:, 0]
        return np.asarray(1 / (1 + np.exp(-logits / networks)), np.float32)

    def _impressions(self, page: Evidence, matrix: Floats) -> tuple[Floats, Floats]:
        """Hidden numbers, (blocks, K * hidden), and impressions times weight, with the weight as the last column."""
        networks, size, width = self.we.shape
        bounded = np.maximum(matrix, self._least)  # np.clip takes thrice as long
        hidden = np.minimum(bounded, self._most, out=bounded) @ self._w1
        hidden += self._b1
        np.maximum(hidden, 0, out=hidden)
        weights = page.weights + np.float32(1)
        weighted = np.empty((len(hidden), networks * width + 1), np.float32)
        weighted[:, -1] = weights
        for number in range(networks):
            part = hidden[:, number * size : (number + 1) * size] @ self.we[number] + self.be[number]
            weighted[:, number * width : (number + 1) * width] = np.tanh(part) * weights[:, None]
        return hidden, weighted

    def _contexts(self, page: Evidence, weighted: Floats, slot_impressions: Floats) -> Floats:
        """(blocks, CONTEXTS, K * impressions)."""
        count = len(weighted)
        nodes = len(page.tree.starts)
        running = running_sums(weighted)
        starts, ends = _windows(count)
        means = _means(
            running.take(np.concatenate((page.tree.ends, ends)), axis=0)
            - running.take(np.concatenate((page.tree.starts, starts)), axis=0)
        ).astype(np.float32)
        here = means[:nodes]
        there = np.zeros_like(here)
        known = page.rows >= 0
        there[known] = slot_impressions[page.rows[known]]
        contexts = np.zeros((count, CONTEXTS, here.shape[1]), np.float32)
        contexts[:, :LEVELS] = here.take(page.tree.levels, axis=0)
        contexts[:, LEVELS : 2 * LEVELS] = there.take(page.tree.levels, axis=0)
        before, behind, whole, previous, following, windows = range(2 * LEVELS, 2 * LEVELS + 6)
        shares = running[:, :-1] / (running[-1, -1] + 1)
        contexts[:, before] = shares[:-1]
        contexts[:, behind] = shares[-1] - shares[1:]
        contexts[:, whole] = shares[-1]
        impressions = weighted[:, :-1] / weighted[:, -1:]
        contexts[1:, previous] = impressions[:-1]
        contexts[:-1, following] = impressions[1:]
        contexts[:, windows:] = means[nodes:].reshape(2 * len(WINDOWS), count, -1).swapaxes(0, 1)
        return contexts


def _windows(count: int) -> tuple[Indices, Indices]:
    """Where the windows to the left and to the right of each of ``count`` blocks start and end: for each size of
    windows, for each side, for each block."""
    place = np.arange(count)
    starts, ends = np.empty((2, len(WINDOWS), 2, count), np.int64)
    for number, size in enumerate(WINDOWS):
        np.maximum(place - size, 0, out=starts[number, 0])
        np.minimum(place + (size + 1), count, out=ends[number, 1])
    starts[:, 1] = place + 1
    ends[:, 0] = place
    return starts.ravel(), ends.ravel()


def _means(sums: Any) -> Any:
    """Weighted sums, the weights in the last column, as means that fade where there is hardly any weight."""
    return sums[:, :-1] / (sums[:, -1:] + 1)


@lru_cache(1)
def load_network() -> Network:
    """The network that ships with the package.

    Raises:
        WeightsError: its features are not those of this release.
    """
    return read_network(files(__package__).joinpath(_FILE).read_text(encoding="ascii"))


def read_network(text: str) -> Network:
    """A network from the text of a file of weights.

    Raises:
        WeightsError: the features it was trained on are not those of this release.
    """
    stored = json.loads(text)
    if tuple(stored["features"]) != NAMES:
        raise WeightsError("the weights were trained on other features: run python -m benchmarks.train")
    return Network(
        **{
            name: np.frombuffer(base64.b64decode(stored["arrays"][name]["float16"]), "<f2")
            .reshape(stored["arrays"][name]["shape"])
            .astype(np.float32)
            for name in ARRAYS
        }
    )


def write_network(network: Network, about: dict[str, Any]) -> str:
    """The text of a file of weights, the same for the same network and ``about``."""
    arrays = {
        name: {
            "shape": list(array.shape),
            "float16": base64.b64encode(np.ascontiguousarray(array).astype("<f2").tobytes()).decode("ascii"),
        }
        for name in ARRAYS
        for array in (getattr(network, name),)
    }
    return json.dumps({"about": about, "features": NAMES, "arrays": arrays}, indent=1) + "\n"
