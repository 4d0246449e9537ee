"""InfoDiscoverer: blocks by the entropy of their features.

Shian-Hua Lin, Jan-Ming Ho: Discovering Informative Content Blocks from Web Documents, KDD 2002.

A page is a tree of blocks by TABLE, the text of a child block left out of its parent's (section 4.1); TITLE is a block
of its own. A feature's entropy tells how evenly it spreads over the pages, with the number of pages as base of the
logarithm (section 4.3): 1 on every page alike, 0 on one page. A block's entropy is the mean of its features' (section
4.4); blocks above a threshold are redundant, and the threshold is found for each site by the greedy rule (section
4.5).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.html.columns import Integers
from scrapy_blockfilter.methods.base import FittedMethod, Method, Reason, Verdict, reason_later
from scrapy_blockfilter.methods.tools.block_sets import SECTION_TAGS, TREE_TAGS, block_set
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import BlockFeatures, PageFeatures

Floats = npt.NDArray[np.float64]

# A block of more features than this is refined: a paragraph or a menu has fewer.
OVERLONG = 100
# A block is ambiguous, and refined, where its entropy is further than this from both 0 and 1.
AMBIGUOUS = 0.1
# The threshold is looked for from where this share of features is included: below, steps are flat for lack of blocks.
MIN_INCLUDED = 0.1


class Entropy(Method):
    name = "entropy"

    def fit(self, pages: Sequence[PageFeatures], options: Options) -> FittedEntropy:
        entropies = feature_entropies([page_frequencies(page) for page in pages])
        repeated = _repeated_blocks(pages)
        fitted = FittedEntropy(entropies, repeated, len(pages), 1.0)
        threshold = options.entropy_threshold
        if threshold is None:
            blocks = [block for page in pages for block in fitted.refined_blocks(page)]
            threshold = greedy_threshold([(block.entropy, block.size) for block in blocks], options.entropy_step)
        return FittedEntropy(entropies, repeated, len(pages), threshold)


class ContentBlock(NamedTuple):
    """A node of the block tree: the indices of the page's blocks in it, the number of their features and H(CB).

    A feature counts once in each of the blocks, so that a block is measured once whatever node it is in.
    """

    members: Sequence[int]
    size: int
    entropy: float


class FittedEntropy(FittedMethod):
    def __init__(
        self, entropies: Mapping[int, float], repeated: Iterable[BlockFeatures], pages: int, threshold: float
    ) -> None:
        self.pages = pages
        self.threshold = threshold
        self._entropies = {feature: value for feature, value in entropies.items() if value > 0}
        # Template is measured once and not on every page: it is most of a page's blocks.
        self._measured = {block.key: self._measure(block) for block in repeated}

    def judge(self, page: PageFeatures, *, whole: bool) -> list[Verdict]:
        verdicts: list[Verdict] = [_KEPT] * len(page.blocks)
        for block in self.refined_blocks(page):
            verdict = self._verdict(block.entropy)
            for index in block.members:
                verdicts[index] = verdict
        return verdicts

    def judge_block(self, block: BlockFeatures) -> Verdict:
        """The verdict on one block by itself."""
        total, size = self._measured.get(block.key) or self._measure(block)
        return self._verdict(total / size)

    def refined_blocks(self, page: PageFeatures) -> Iterator[ContentBlock]:
        """The block tree by TABLE; what is overlong or ambiguous refined by sections, then by paragraphs."""
        known = self._measured
        measured = [known.get(block.key) or self._measure(block) for block in page.blocks]
        sections = page.structure.nearest(SECTION_TAGS)
        for table in block_set(page, TREE_TAGS):
            for part in self._refine(page, table, measured, sections):
                block = _content_block(part, measured)
                if _is_settled(block):
                    yield block
                else:
                    yield from (_content_block([index], measured) for index in part)

    @staticmethod
    def _refine(
        page: PageFeatures, members: Sequence[int], measured: Sequence[tuple[float, int]], sections: Sequence[int]
    ) -> Iterable[Sequence[int]]:
        if _is_settled(_content_block(members, measured)):
            return [members]
        parts: dict[int, list[int]] = {}
        for index in members:
            parts.setdefault(sections[page.blocks[index].node], []).append(index)
        return parts.values()

    def _measure(self, block: BlockFeatures) -> tuple[float, int]:
        """The sum of the entropies of a block's features, and their number."""
        entropies = self._entropies
        features = set(features_of(block))
        return math.fsum([entropies[feature] for feature in features if feature in entropies]), len(features)

    def _verdict(self, entropy: float) -> Verdict:
        keep = entropy <= self.threshold + 1e-9
        return Verdict(keep, 1 - entropy, reason_later("entropy", _REASON, entropy, self.threshold))


def _content_block(members: Sequence[int], measured: Sequence[tuple[float, int]]) -> ContentBlock:
    if len(members) == 1:
        total, size = measured[members[0]]
    else:
        total = sum(measured[index][0] for index in members)
        size = sum(measured[index][1] for index in members)
    return ContentBlock(members, size, total / size)


def _is_settled(block: ContentBlock) -> bool:
    ambiguous = AMBIGUOUS < block.entropy < 1 - AMBIGUOUS
    return len(block.members) == 1 or not (ambiguous or block.size > OVERLONG)


def feature_entropies(documents: Sequence[Mapping[int, int]]) -> dict[int, float]:
    """H(F) of each feature, from its frequency in each document."""
    features = np.fromiter(chain.from_iterable(documents), np.int64)
    frequencies = np.fromiter(chain.from_iterable(document.values() for document in documents), np.float64)
    distinct, places = np.unique(features, return_inverse=True)
    entropies = entropies_of(places, frequencies, np.full(len(distinct), len(documents)))
    return dict(zip(distinct.tolist(), entropies.tolist(), strict=True))


def entropies_of(places: Integers, frequencies: npt.NDArray[np.number], bases: Integers) -> Floats:
    """The entropy of each of several things, from how often it is met: ``(ln S - T / S) / ln d``.

    With S the sum of its frequencies tf and T that of tf ln tf, this is -sum w log_d w for weights w = tf / S.

    Args:
        places: for each frequency the number of the thing.
        bases: of each thing the base d of the logarithm; where it is 1 the entropy is 0.
    """
    total = np.bincount(places, frequencies)
    weighted = np.bincount(places, frequencies * np.log(frequencies))
    entropies = (np.log(total) - weighted / total) / np.log(np.maximum(bases, 2))
    return np.where(bases > 1, np.clip(entropies, 0.0, 1.0), 0.0)


def inclusion_curve(blocks: Sequence[tuple[float, int]], step: float) -> list[int]:
    """How many features blocks have, of entropy and size each, up to the entropies 0, ``step``, 2 ``step`` … 1."""
    steps = round(1 / step)
    return [sum(size for entropy, size in blocks if entropy <= number / steps + 1e-9) for number in range(steps + 1)]


def greedy_threshold(blocks: Sequence[tuple[float, int]], step: float) -> float:
    """The threshold beyond which one step more includes the fewest further features (section 4.5).

    The paper stops where a step includes none. On 118 real sites that happened on 10 below .9; the flattest step is the
    same there, and elsewhere the nearest thing to it: F1 .588 -> .688 on the news set daniel, none of six sets worse.

    Args:
        blocks: of each block its entropy and its number of features.
    """
    included = inclusion_curve(blocks, step)
    steps = len(included) - 1
    flat = [number for number in range(1, steps) if included[number] > MIN_INCLUDED * included[-1]]
    return min(flat, key=lambda number: (included[number + 1] - included[number], number), default=steps - 1) / steps


def _repeated_blocks(pages: Sequence[PageFeatures]) -> Sequence[BlockFeatures]:
    seen: dict[int, BlockFeatures] = {}
    repeated: dict[int, BlockFeatures] = {}
    for page in pages:
        for block in page.blocks:
            first = seen.setdefault(block.key, block)
            if first is not block:
                repeated[block.key] = first
    return list(repeated.values())


def features_of(block: BlockFeatures) -> Sequence[int]:
    """The terms of a block; where it has none (punctuation, stop words), its text as a whole is the one feature."""
    return block.terms or (block.key,)


def page_frequencies(page: PageFeatures) -> Counter[int]:
    """How often each feature is on a page."""
    return Counter(feature for block in page.blocks for feature in features_of(block))


_REASON = "entropy {:.2f}, threshold {:.2f}"
_KEPT = Verdict(True, 1.0, Reason("other", "no feature of it on other pages"))
