"""Near-equal blocks: cosine over block feature vectors, without comparing all pairs.

A vector has a few scaled numbers and a one for each term. If ``n`` is the number of a block's terms and ``c`` the sum
of squares of its numbers, a partner of cosine > e shares more than ``e**2 * n - (1 - e**2) * c`` of its terms: what the
partner lacks adds nothing to the product, so the cosine is at most sqrt((c + shared) / (c + n)). Hence two partners
meet in the first few terms of each, in any order fixed for all; rarest first, few strangers meet there too.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from operator import mul

MAX_NUMBERS = 8


class FeatureVector:
    """Scaled numbers, each 0 to 1, and the terms that occur.

    At most ``MAX_NUMBERS`` numbers: then no two vectors with terms, but none in common, reach a cosine of .9. Those
    without terms are similar to none.
    """

    __slots__ = ("numbers", "square", "terms")

    def __init__(self, numbers: tuple[float, ...], terms: frozenset[int]) -> None:
        self.numbers = numbers
        self.terms = terms
        self.square = sum(number * number for number in numbers)


def cosine(one: FeatureVector, other: FeatureVector) -> float:
    """SIM of Debnath et al. 2005, section 3.1.

    >>> round(cosine(FeatureVector((1.0,), frozenset({1, 2})), FeatureVector((1.0,), frozenset({1, 3}))), 3)
    0.667
    """
    product = sum(map(mul, one.numbers, other.numbers)) + len(one.terms & other.terms)
    norm = math.sqrt((one.square + len(one.terms)) * (other.square + len(other.terms)))
    return product / norm if norm else 0.0


# Comparisons for one block. Blocks of 118 real sites needed 53 at the most; a page made to need more gets an
# answer from the first of them, the same each time.
MAX_COMPARED = 256


class SimilarBlocks:
    """Tells on which pages stand blocks whose cosine with a given one is above ``threshold``.

    Args:
        vectors: block key -> its vector.
        holders: block key -> the pages that hold it, a bit each.
    """

    def __init__(self, vectors: Mapping[int, FeatureVector], holders: Mapping[int, int], threshold: float) -> None:
        self._threshold = threshold
        self._frequency = Counter(term for vector in vectors.values() for term in vector.terms)
        self._vocabulary = frozenset(self._frequency)
        # By term and by pages: a block is compared only if it may add a page, so that a thousand rows of a list that
        # are alike are not compared with each other.
        self._meeting: dict[int, dict[int, list[FeatureVector]]] = defaultdict(lambda: defaultdict(list))
        for key, vector in vectors.items():
            for term in self._prefix(vector):
                self._meeting[term][holders[key]].append(vector)

    def may_find(self, terms: frozenset[int]) -> bool:
        """False where so few of the terms are in any stored vector that none can be similar; asked before the work of
        making a vector."""
        squared = self._threshold**2
        return len(terms & self._vocabulary) > squared * len(terms) - (1 - squared) * MAX_NUMBERS

    def pages_of(self, vector: FeatureVector, known: int = 0) -> int:
        """The pages that hold a block which counts as the same as ``vector``, a bit each, with those ``known``."""
        pages = known
        compared: set[FeatureVector] = set()
        for term in self._prefix(vector):
            for holders, candidates in self._meeting[term].items() if term in self._meeting else ():
                if holders | pages == pages:
                    continue
                for candidate in candidates:
                    if candidate in compared:
                        continue
                    if cosine(vector, candidate) > self._threshold:
                        pages |= holders
                        break
                    compared.add(candidate)
                    if len(compared) >= MAX_COMPARED:
                        return pages
        return pages

    def _prefix(self, vector: FeatureVector) -> list[int]:
        size = len(vector.terms)
        squared = self._threshold**2
        shared = max(1, math.floor(squared * size - (1 - squared) * vector.square) + 1)
        length = size - shared + 1
        frequency = self._frequency
        known = [term for term in vector.terms if term in frequency]
        length -= size - len(known)  # terms of no stored vector come first, and nobody is met there
        return sorted(known, key=lambda term: (frequency[term], term))[:length] if length > 0 else []
