"""ContentExtractor: strip blocks with a low inverse block document frequency.

Sandip Debnath, Prasenjit Mitra, C. Lee Giles: Automatic Extraction of Informative Blocks from Webpages, SAC 2005.

GetBlockSet cuts pages at an ordered tag set (algorithm 1). Two blocks count as the same if the cosine of their feature
vectors is above 0.9. A vector has the numbers of terms, items, images, links, scripts, form controls, lists and tables,
and one binary feature per term. Numbers are scaled by their maximum over the site's blocks, as in section 3.2.1.
Otherwise the number of terms would outweigh the terms themselves. IBDF is 1 / the number of pages with the same block;
blocks with an IBDF above a threshold stay.

Similar blocks are found without comparing all pairs. Let ``n`` be the number of a block's terms, and ``c`` the sum of
squares of its numbers. Missing terms add nothing to the product, so a cosine is at most
sqrt((c + shared) / (c + n)). A partner with a cosine > e therefore shares more than ``e**2 * n - (1 - e**2) * c``
terms. If all blocks sort their terms in the same order, two partners have a term in common among the first few of each.
Rarest terms come first, so that few other blocks have one in common there.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import mul

import numpy as np

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.tags import LISTS
from scrapy_blockfilter.methods import FittedMethod, Method, Reason, Verdict
from scrapy_blockfilter.methods.base import FrequencyArguments, on_pages, threshold_or_none
from scrapy_blockfilter.methods.block_sets import BLOCK_SET_TAGS, block_set, group_key
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample.site_sample import MAX_PAGES
from scrapy_blockfilter.storable.array_bytes import ArrayReader, StateError, Values

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


# Comparisons per block. Blocks of 118 real sites needed at most 53. More are left out, the same ones each time.
MAX_COMPARED = 256


class SimilarBlocks:
    """Finds the pages, a bit for each, with blocks whose cosine with a given block is above ``threshold``.

    Args:
        blocks: those to find: the pages that hold each, and its vector.
    """

    def __init__(self, blocks: Collection[tuple[int, FeatureVector]], threshold: float) -> None:
        self._threshold = threshold
        self._frequency = Counter(term for _, vector in blocks for term in vector.terms)
        self._vocabulary = frozenset(self._frequency)
        # By term and by pages: a block is compared only if it may add a page, so similar rows of one list are not.
        self._meeting: dict[int, dict[int, list[FeatureVector]]] = defaultdict(lambda: defaultdict(list))
        for holders, vector in blocks:
            for term in self._prefix(vector):
                self._meeting[term][holders].append(vector)

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
        squared = self._threshold**2
        shared = max(1, math.floor(squared * len(vector.terms) - (1 - squared) * vector.square) + 1)
        known = vector.terms & self._vocabulary  # others come first, where no other block has them
        length = len(known) - shared + 1
        return sorted(known, key=lambda term: (self._frequency[term], term))[:length] if length > 0 else []


# Blocks whose vectors have a cosine above this are the same (section 3.1).
MIN_COSINE = 0.9

_Numbers = tuple[int, ...]
_Shared = dict[int, tuple[int, FeatureVector]]  # block -> the pages that hold it, one bit per page, and its vector


@dataclass(frozen=True)
class IbdfArguments(FrequencyArguments):
    threshold: float | None = threshold_or_none(
        "Blocks with an IBDF (1 / pages with the same block) above this stay; None: use df_share and df_count.",
        paper=0.5,
    )


class Ibdf(Method):
    name = "ibdf"
    arguments = IbdfArguments

    def fit(self, pages: Sequence[Page], options: Options) -> FittedIbdf:
        holders: dict[int, int] = {}  # block -> the pages that hold it, one bit per page
        features: dict[int, tuple[_Numbers, frozenset[int]]] = {}
        for number, page in enumerate(pages):
            for group in block_set(page):
                key = group_key([page.blocks[index].key for index in group])
                holders[key] = holders.get(key, 0) | 1 << number
                if key not in features:
                    features[key] = _numbers(page, group), _terms(page, group)
        counted = [numbers for numbers, _ in features.values()]
        scale = [max(column) for column in zip((1,) * MAX_NUMBERS, *counted, strict=True)]
        vectors = {key: _vector(*feature, scale) for key, feature in features.items()}
        similar = SimilarBlocks([(holders[key], vector) for key, vector in vectors.items()], MIN_COSINE)
        frequency = {key: similar.pages_of(vector, holders[key]).bit_count() for key, vector in vectors.items()}
        # Only blocks on several pages can make a new block redundant.
        shared = {key: (holders[key], vector) for key, vector in vectors.items() if frequency[key] > 1}
        return FittedIbdf(frequency, shared, scale, len(pages), options)

    def restored(self, state: ArrayReader, options: Options) -> FittedIbdf:
        pages = state.whole("pages", 1, MAX_PAGES)
        frequency = dict(state.integers("frequency", None, 2).tolist())
        if not all(0 < count <= pages for count in frequency.values()):
            raise StateError("blocks on a number of pages that there is not")
        keys = state.integers("keys", None).tolist()
        holders = [int.from_bytes(row, "little") for row in state.octets("holders", len(keys), (pages + 7) // 8)]
        if any(mask >> pages for mask in holders):
            raise StateError("blocks on pages that there are not")
        numbers = state.doubles("numbers", len(keys), MAX_NUMBERS, most=1)
        sizes, terms = state.integers("sizes", len(keys), least=0), state.integers("terms", None).tolist()
        ends = np.cumsum(sizes).tolist()
        if (ends or [0])[-1] != len(terms) or ends != sorted(ends):
            raise StateError("terms of no block")
        rows = zip(numbers.tolist(), sizes.tolist(), ends, strict=True)
        vectors = [FeatureVector(tuple(row), frozenset(terms[end - size : end])) for row, size, end in rows]
        shared = dict(zip(keys, zip(holders, vectors, strict=True), strict=True))
        scale = state.integers("scale", MAX_NUMBERS, least=1).tolist()
        return FittedIbdf(frequency, shared, scale, pages, options)


class FittedIbdf(FittedMethod):
    def __init__(
        self, frequency: dict[int, int], shared: _Shared, scale: list[int], pages: int, options: Options
    ) -> None:
        self.pages = pages
        arguments = options.arguments(IbdfArguments)
        theta = arguments.threshold
        self.theta = 1 / arguments.threshold_of(pages) if theta is None else theta
        self._frequency = frequency
        self._verdicts = {frequency: self._verdict(frequency) for frequency in range(1, pages + 1)}
        self._shared = shared
        self._similar = SimilarBlocks(shared.values(), MIN_COSINE)
        self._scale = scale

    def state(self) -> Values:
        size = (self.pages + 7) // 8
        holders = b"".join(mask.to_bytes(size, "little") for mask, _ in self._shared.values())
        vectors = [vector for _, vector in self._shared.values()]
        terms = [term for vector in vectors for term in sorted(vector.terms)]
        return {
            "pages": self.pages,
            "frequency": np.array(list(self._frequency.items()), np.int64).reshape(-1, 2),
            "keys": np.array(list(self._shared), np.int64),
            "holders": np.frombuffer(holders, np.uint8).reshape(-1, size),
            "numbers": np.array([vector.numbers for vector in vectors], np.float64).reshape(-1, MAX_NUMBERS),
            "sizes": np.array([len(vector.terms) for vector in vectors], np.int64),
            "terms": np.array(terms, np.int64),
            "scale": np.array(self._scale, np.int64),
        }

    def judge(self, page: Page, *, whole: bool) -> list[Verdict]:
        verdicts: list[Verdict] = [_KEPT] * len(page.blocks)
        unknown: list[list[int]] = []
        for group in block_set(page):
            frequency = self._frequency.get(group_key([page.blocks[index].key for index in group]))
            if frequency is None:
                unknown.append(group)
                continue
            for index in group:
                verdicts[index] = self._verdicts[frequency]
        page.prepare_terms(chain.from_iterable(unknown))
        for group in unknown:
            terms = _terms(page, group)
            if self._similar.may_find(terms):
                vector = _vector(_numbers(page, group), terms, self._scale)
                if frequency := self._similar.pages_of(vector).bit_count():
                    for index in group:
                        verdicts[index] = self._verdicts[frequency]
        return verdicts

    def _verdict(self, frequency: int) -> Verdict:
        ibdf = 1 / frequency
        reason = Reason("repeated", f"a block like it {on_pages(frequency, self.pages)}")
        return Verdict(ibdf > self.theta + 1e-9, ibdf, reason)


_KEPT = Verdict(True, 1.0, Reason("other", "no block like it on other pages"))


def _terms(page: Page, group: list[int]) -> frozenset[int]:
    return frozenset().union(*(page.blocks[index].terms for index in group))


def _numbers(page: Page, group: list[int]) -> _Numbers:
    """Count terms, items (text chunks), images, links, scripts, form controls, lists and tables of a block."""
    blocks = [page.blocks[index] for index in group]
    tag = page.tags[page.nearest(BLOCK_SET_TAGS)[blocks[0].node]]
    counted = map(sum, zip(*(block.counts for block in blocks), strict=True))
    return sum(len(block.terms) for block in blocks), len(blocks), *counted, int(tag in LISTS), int(tag == "table")


def _vector(numbers: _Numbers, terms: frozenset[int], scale: list[int]) -> FeatureVector:
    return FeatureVector(tuple(min(1.0, n / most) for n, most in zip(numbers, scale, strict=True)), terms)
