"""The entropy of features (Lin & Ho 2002, section 4.3): how evenly each spreads over the pages of a site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.html import Block, Page
from scrapy_blockfilter.html.columns import Integers

Floats = npt.NDArray[np.float64]


def features_of(block: Block) -> Sequence[int]:
    """Return the terms of a block, or its whole text as one feature if it has none (punctuation, stop words)."""
    return block.terms or (block.key,)


def page_frequencies(page: Page) -> Counter[int]:
    """Count the features of a page."""
    return Counter(feature for block in page.blocks for feature in features_of(block))


def feature_entropies(documents: Sequence[Mapping[int, int]]) -> dict[int, float]:
    """Return the entropy H(F) of each feature from its frequency in each document."""
    features = np.fromiter(chain.from_iterable(documents), np.int64)
    frequencies = np.fromiter(chain.from_iterable(document.values() for document in documents), np.float64)
    distinct, places = np.unique(features, return_inverse=True)
    entropies = entropies_of(places, frequencies, np.full(len(distinct), len(documents)))
    return dict(zip(distinct.tolist(), entropies.tolist(), strict=True))


def entropies_of(places: Integers, frequencies: npt.NDArray[np.number], bases: Integers) -> Floats:
    """Return the entropy of each item from its frequencies: ``(ln S - T / S) / ln d``.

    S is the sum of its frequencies tf, and T the sum of tf ln tf. This equals -sum w log_d w for weights w = tf / S.

    Args:
        places: number of the item that each frequency belongs to.
        bases: base d of the logarithm for each item. Base 1 gives entropy 0.
    """
    total = np.bincount(places, frequencies)
    weighted = np.bincount(places, frequencies * np.log(frequencies))
    entropies = (np.log(total) - weighted / total) / np.log(np.maximum(bases, 2))
    return np.where(bases > 1, np.clip(entropies, 0.0, 1.0), 0.0)
