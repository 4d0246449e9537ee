"""Find near-equal blocks by the cosine of their feature vectors, without comparing all pairs.

A vector has a few scaled numbers, and a 1 for each term. Let ``n`` be the number of a block's terms, and ``c`` the sum
of squares of its numbers. Missing terms add nothing to the product, so a cosine is at most
sqrt((c + shared) / (c + n)). A partner with a cosine > e therefore shares more than ``e**2 * n - (1 - e**2) * c``
terms. If all blocks sort their terms in the same order, two partners have a term in common among the first few of each.
Rarest terms come first, so that few other blocks have one in common there.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from operator import mul

MAX_NUMBERS = 8


class FeatureVector:
    """Scaled numbers, each 0 to 1, and the set of terms.

    With at most ``MAX_NUMBERS`` numbers, no two vectors with terms but none in common reach a cosine of .9. Vectors
    without terms are similar to none.
    """

    __slots__ = ("numbers", "square", "terms")

    def __init__(self, numbers: tuple[float, ...], terms: frozenset[int]) -> None:
        self.numbers = numbers
        self.terms = terms
        self.square = sum(number * number for number in numbers)


def cosine(one: FeatureVector, other: FeatureVector) -> float:
    """Return the similarity SIM of two vectors (Debnath et al. 2005, section 3.1).

    >>> round(cosine(FeatureVector((1.0,), frozenset({1, 2})), FeatureVector((1.0,), frozenset({1, 3}))), 3)
    0.667
    """
    product = sum(map(mul, one.numbers, other.numbers)) + len(one.terms & other.terms)
    norm = math.sqrt((one.square + len(one.terms)) * (other.square + len(other.terms)))
    return product / norm if norm else 0.0


# Comparisons per block. Blocks of 118 real sites needed at most 53. A page made to need more is judged by the first
# ones, with the same result each time.
MAX_COMPARED = 256


class SimilarBlocks:
    """Finds the pages with blocks whose cosine with a given block is above ``threshold``.

    Args:
        vectors: block key -> its vector.
        holders: block key -> the pages that hold it, one bit per page.
    """

    def __init__(self, vectors: Mapping[int, FeatureVector], holders: Mapping[int, int], threshold: float) -> None:
        self._threshold = threshold
        self._frequency = Counter(term for vector in vectors.values() for term in vector.terms)
        self._vocabulary = frozenset(self._frequency)
        # By term and by pages: a block is compared only if it may add a page. A thousand similar rows of one list are
        # therefore not compared with each other.
        self._meeting: dict[int, dict[int, list[FeatureVector]]] = defaultdict(lambda: defaultdict(list))
        for key, vector in vectors.items():
            for term in self._prefix(vector):
                self._meeting[term][holders[key]].append(vector)

    def may_find(self, terms: frozenset[int]) -> bool:
        """Return False if too few terms are known for any stored vector to be similar. Ask before making a vector."""
        squared = self._threshold**2
        return len(terms & self._vocabulary) > squared * len(terms) - (1 - squared) * MAX_NUMBERS

    def pages_of(self, vector: FeatureVector, known: int = 0) -> int:
        """Return the pages that hold a block similar to ``vector``, one bit per page, together with ``known``."""
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
        length -= size - len(known)  # terms of no stored vector come first, where no other block has them
        return sorted(known, key=lambda term: (frequency[term], term))[:length] if length > 0 else []
