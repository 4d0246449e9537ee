"""ContentExtractor: strip blocks with a low inverse block document frequency.

Sandip Debnath, Prasenjit Mitra, C. Lee Giles: Automatic Extraction of Informative Blocks from Webpages, SAC 2005.

GetBlockSet cuts pages at an ordered tag set (algorithm 1). Two blocks count as the same if the cosine of their feature
vectors is above 0.9. A vector has the numbers of terms, items, images, links, scripts, form controls, lists and tables,
and one binary feature per term. Numbers are scaled by their maximum over the site's blocks, as in section 3.2.1.
Otherwise the number of terms would outweigh the terms themselves. IBDF is 1 / the number of pages with the same block;
blocks with an IBDF above a threshold stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.tags import LISTS
from scrapy_blockfilter.methods.base import (
    FittedMethod,
    FrequencyArguments,
    Method,
    Reason,
    Verdict,
    on_pages,
    threshold_or_none,
)
from scrapy_blockfilter.methods.tools.block_sets import BLOCK_SET_TAGS, block_set, group_key
from scrapy_blockfilter.methods.tools.similarity import MAX_NUMBERS, FeatureVector, SimilarBlocks
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample.site_sample import MAX_PAGES
from scrapy_blockfilter.state import State, StateError, Values

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
                key = group_key([page.blocks[index] for index in group])
                holders[key] = holders.get(key, 0) | 1 << number
                if key not in features:
                    features[key] = _numbers(page, group), _terms(page, group)
        counted = [numbers for numbers, _ in features.values()]
        scale = [max(column) for column in zip((1,) * MAX_NUMBERS, *counted, strict=True)]
        vectors = {key: _vector(*feature, scale) for key, feature in features.items()}
        similar = SimilarBlocks(vectors, holders, MIN_COSINE)
        frequency = {key: similar.pages_of(vector, holders[key]).bit_count() for key, vector in vectors.items()}
        # Only blocks on several pages can make a new block redundant.
        shared = {key: (holders[key], vector) for key, vector in vectors.items() if frequency[key] > 1}
        return FittedIbdf(frequency, shared, scale, len(pages), options)

    def restored(self, state: State, options: Options) -> FittedIbdf:
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
        vectors = [
            FeatureVector(tuple(row), frozenset(terms[end - size : end]))
            for row, size, end in zip(numbers.tolist(), sizes.tolist(), ends, strict=True)
        ]
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
        vectors = {key: vector for key, (_, vector) in shared.items()}
        holders = {key: mask for key, (mask, _) in shared.items()}
        self._similar = SimilarBlocks(vectors, holders, MIN_COSINE)
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
            frequency = self._frequency.get(group_key([page.blocks[index] for index in group]))
            if frequency is None:
                unknown.append(group)
                continue
            for index in group:
                verdicts[index] = self._verdicts[frequency]
        page.prepare_terms(chain.from_iterable(unknown))
        for group in unknown:
            frequency = self._frequency_of_similar(page, group)
            if frequency:
                for index in group:
                    verdicts[index] = self._verdicts[frequency]
        return verdicts

    def _verdict(self, frequency: int) -> Verdict:
        ibdf = 1 / frequency
        reason = Reason("repeated", f"a block like it {on_pages(frequency, self.pages)}")
        return Verdict(ibdf > self.theta + 1e-9, ibdf, reason)

    def _frequency_of_similar(self, page: Page, group: list[int]) -> int:
        terms = _terms(page, group)
        if not self._similar.may_find(terms):
            return 0
        return self._similar.pages_of(_vector(_numbers(page, group), terms, self._scale)).bit_count()


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
