"""Near-equal blocks: cosine over block feature vectors, without comparing all pairs.

A vector has a few scaled numbers and a one for each term. If ``n`` is the number of a block's terms and ``c`` the sum
of squares of its numbers, a partner of cosine > e shares more than ``e**2 * n - (1 - e**2) * c`` of its terms: what the
partner lacks adds nothing to the product, so the cosine is at most sqrt((c + shared) / (c + n)). Hence two partners
meet in the first few terms of each, in any order fixed for all; rarest first, few strangers meet there too.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple


class FeatureVector(NamedTuple):
    """Scaled numbers, each 0 to 1, and the terms that occur. At most eight numbers: then no pair without a common term
    reaches a cosine of .9."""

    numbers: tuple[float, ...]
    terms: frozenset[int]

    @property
    def square(self) -> float:
        return sum(number * number for number in self.numbers)


def cosine(one: FeatureVector, other: FeatureVector) -> float:
    """SIM of Debnath et al. 2005, section 3.1.

    >>> round(cosine(FeatureVector((1.0,), frozenset({1, 2})), FeatureVector((1.0,), frozenset({1, 3}))), 3)
    0.667
    """
    product = sum(a * b for a, b in zip(one.numbers, other.numbers, strict=True)) + len(one.terms & other.terms)
    norm = math.sqrt((one.square + len(one.terms)) * (other.square + len(other.terms)))
    return product / norm if norm else 0.0


class SimilarBlocks:
    """Finds the stored vectors whose cosine with a given one is above ``threshold``."""

    def __init__(self, vectors: Mapping[int, FeatureVector], threshold: float) -> None:
        self._vectors = vectors
        self._threshold = threshold
        self._frequency = Counter(term for vector in vectors.values() for term in vector.terms)
        self._meeting: dict[int, list[int]] = defaultdict(list)
        for key, vector in vectors.items():
            for term in self._prefix(vector):
                self._meeting[term].append(key)

    def find(self, vector: FeatureVector) -> Iterable[int]:
        """Keys of the vectors that count as the same block as ``vector``."""
        candidates = {key for term in self._prefix(vector) for key in self._meeting.get(term, ())}
        return [key for key in candidates if cosine(vector, self._vectors[key]) > self._threshold]

    def _prefix(self, vector: FeatureVector) -> list[int]:
        size = len(vector.terms)
        squared = self._threshold**2
        shared = max(1, math.floor(squared * size - (1 - squared) * vector.square) + 1)
        ordered = sorted(vector.terms, key=lambda term: (self._frequency.get(term, 0), term))
        return ordered[: size - shared + 1]
