"""ContentExtractor: blocks by their inverse block document frequency.

Sandip Debnath, Prasenjit Mitra, C. Lee Giles: Automatic Extraction of Informative Blocks from Webpages, SAC 2005.

GetBlockSet cuts pages at an ordered tag set (algorithm 1). Two blocks are the same where the cosine of their feature
vectors is above 0.9: numbers of terms, images, links, scripts, form controls and items, and a binary feature a term.
The numbers are scaled by their maximum over the site's blocks, as section 3.2.1 does; unscaled, the number of terms
alone would outweigh all terms. IBDF is 1 / the number of pages with a same block; blocks above a threshold stay.
"""

from __future__ import annotations

from collections.abc import Sequence

from scrapy_blockfilter.methods.base import Verdict, frequency_threshold, on_pages
from scrapy_blockfilter.methods.groups import block_set, group_key
from scrapy_blockfilter.methods.similarity import FeatureVector, SimilarBlocks
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import BlockFeatures, PageFeatures

_Numbers = tuple[int, ...]


class Ibdf:
    name = "ibdf"

    def fit(self, pages: Sequence[PageFeatures], options: Options) -> FittedIbdf:
        holders: dict[int, int] = {}  # block -> the pages that hold it, a bit each
        features: dict[int, tuple[_Numbers, frozenset[int]]] = {}
        for number, page in enumerate(pages):
            for group in block_set(page):
                blocks = [page.blocks[index] for index in group]
                key = group_key(blocks)
                holders[key] = holders.get(key, 0) | 1 << number
                if key not in features:
                    features[key] = _features(blocks)
        scale = [max(1, *column) for column in zip(*(numbers for numbers, _ in features.values()), strict=True)]
        vectors = {key: _vector(*feature, scale) for key, feature in features.items()}
        similar = SimilarBlocks(vectors, options.block_similarity)
        merged = {key: _union(holders, similar.find(vector)) | holders[key] for key, vector in vectors.items()}
        theta = options.ibdf_threshold or 1 / frequency_threshold(len(pages), options)
        return FittedIbdf(merged, holders, vectors, scale, len(pages), theta, options.block_similarity)


class FittedIbdf:
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
        # Only blocks that others resemble can make a new block redundant.
        shared = {key: vector for key, vector in vectors.items() if self._frequency[key] > 1}
        self._holders = {key: holders[key] for key in shared}
        self._similar = SimilarBlocks(shared, similarity)
        self._scale = scale

    def judge(self, page: PageFeatures, *, whole: bool) -> list[Verdict]:
        verdicts: list[Verdict] = [_KEPT] * len(page.blocks)
        for group in block_set(page):
            frequency = self._page_frequency([page.blocks[index] for index in group])
            if frequency:
                ibdf = 1 / frequency
                reason = f"a block like it {on_pages(frequency, self.pages)}"
                verdict = Verdict(ibdf > self.theta + 1e-9, ibdf if frequency > 1 else 1.0, reason)
                for index in group:
                    verdicts[index] = verdict
        return verdicts

    def _page_frequency(self, blocks: list[BlockFeatures]) -> int:
        known = self._frequency.get(group_key(blocks))
        if known is not None:
            return known
        return _union(self._holders, self._similar.find(_vector(*_features(blocks), self._scale))).bit_count()


_KEPT = Verdict(True, 1.0, "no block like it on the pages learnt from")


def _features(blocks: list[BlockFeatures]) -> tuple[_Numbers, frozenset[int]]:
    terms = [block.terms for block in blocks]
    words = sum(sum(counts.values()) for counts in terms)
    counted = tuple(map(sum, zip(*(block.counts for block in blocks), strict=True)))
    return (words, len(blocks), *counted), frozenset().union(*terms)


def _vector(numbers: _Numbers, terms: frozenset[int], scale: list[int]) -> FeatureVector:
    return FeatureVector(tuple(min(1.0, n / most) for n, most in zip(numbers, scale, strict=True)), terms)


def _union(holders: dict[int, int], keys: object) -> int:
    mask = 0
    for key in keys:  # type: ignore[attr-defined]
        mask |= holders[key]
    return mask
