"""ContentExtractor: strip blocks with a low inverse block document frequency.

Sandip Debnath, Prasenjit Mitra, C. Lee Giles: Automatic Extraction of Informative Blocks from Webpages, SAC 2005.

GetBlockSet cuts pages at an ordered tag set (algorithm 1). Two blocks count as the same if the cosine of their feature
vectors is above 0.9. A vector has the numbers of terms, items, images, links, scripts, form controls, lists and tables,
and one binary feature per term. As in section 3.2.1, numbers are scaled by their maximum over the site's blocks.
Otherwise the number of terms would outweigh the terms themselves. IBDF is 1 / the number of pages with the same block;
blocks with an IBDF above a threshold stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from scrapy_blockfilter.html.tags import LISTS
from scrapy_blockfilter.methods.base import FittedMethod, Method, Reason, Verdict, frequency_threshold, on_pages
from scrapy_blockfilter.methods.tools.block_sets import BLOCK_SET_TAGS, block_set, group_key
from scrapy_blockfilter.methods.tools.similarity import MAX_NUMBERS, FeatureVector, SimilarBlocks
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import PageFeatures

_Numbers = tuple[int, ...]


class Ibdf(Method):
    name = "ibdf"

    def fit(self, pages: Sequence[PageFeatures], options: Options) -> FittedIbdf:
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
        similar = SimilarBlocks(vectors, holders, options.block_similarity)
        merged = {key: similar.pages_of(vector, holders[key]) for key, vector in vectors.items()}
        theta = options.ibdf_threshold
        if theta is None:
            theta = 1 / frequency_threshold(len(pages), options)
        return FittedIbdf(merged, holders, vectors, scale, len(pages), theta, options.block_similarity)


class FittedIbdf(FittedMethod):
    def __init__(
        self,
        merged: dict[int, int],
        holders: dict[int, int],
        vectors: dict[int, FeatureVector],
        scale: list[int],
        pages: int,
        theta: float,
        similarity: float,
    ) -> None:
        self.pages = pages
        self.theta = theta
        self._frequency = {key: mask.bit_count() for key, mask in merged.items()}
        self._verdicts = {frequency: self._verdict(frequency) for frequency in range(1, pages + 1)}
        # Only blocks on several pages can make a new block redundant.
        shared = {key: vector for key, vector in vectors.items() if self._frequency[key] > 1}
        self._similar = SimilarBlocks(shared, holders, similarity)
        self._scale = scale

    def judge(self, page: PageFeatures, *, whole: bool) -> list[Verdict]:
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

    def _frequency_of_similar(self, page: PageFeatures, group: list[int]) -> int:
        terms = _terms(page, group)
        if not self._similar.may_find(terms):
            return 0
        return self._similar.pages_of(_vector(_numbers(page, group), terms, self._scale)).bit_count()


_KEPT = Verdict(True, 1.0, Reason("other", "no block like it on other pages"))


def _terms(page: PageFeatures, group: list[int]) -> frozenset[int]:
    return frozenset().union(*(page.blocks[index].terms for index in group))


def _numbers(page: PageFeatures, group: list[int]) -> _Numbers:
    """Count terms, items (text chunks), images, links, scripts, form controls, lists and tables of a block."""
    blocks = [page.blocks[index] for index in group]
    tag = page.structure.tags[page.structure.nearest(BLOCK_SET_TAGS)[blocks[0].node]]
    counted = map(sum, zip(*(block.counts for block in blocks), strict=True))
    return sum(len(block.terms) for block in blocks), len(blocks), *counted, int(tag in LISTS), int(tag == "table")


def _vector(numbers: _Numbers, terms: frozenset[int], scale: list[int]) -> FeatureVector:
    return FeatureVector(tuple(min(1.0, n / most) for n, most in zip(numbers, scale, strict=True)), terms)
