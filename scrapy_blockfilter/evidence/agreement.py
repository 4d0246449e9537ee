"""What the pages of a site say together of a slot, by which the score of a block on one page is put right.

A block that the pages repeat is no page's own: it is judged by itself, not by what the slot holds otherwise. So a line
below each article that stands where its paragraphs do goes, and F1 rises from .9795 to .9800 on pages of today's
generators, held back by site (.9316 to .9317 in the mean of six sets). Nor does the slot speak for links where it holds
text, or for text where it holds links: a line of links to further articles is no paragraph.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.evidence.features import NAMES, Evidence
from scrapy_blockfilter.evidence.repetition import are_repeated
from scrapy_blockfilter.evidence.tree import Floats, sums_at

# How much the mean of a block's slot weighs beside its own logarithm of odds, and those of the next two around it. With
# these the mean F1 of six sets rises from .9221 to .9243, held back by site, and from .9012 to .9022, held back by set;
# from three pages, from .9105 to .9113 and from .8898 to .8901. With .4 to .9 for the first and .13 to .3 for the
# others it is .9239 to .9247 by site.
_WEIGHTS = (0.6, 0.2, 0.2)
# Pages that must have a slot. With two F1 falls from .9009 to .9000, held back by set, where only the first counts.
_LEAST_PAGES = 3
# Logarithms of odds are counted within these bounds in a mean, so that no page decides for the others by being sure:
# .9240, not .9237, held back by site, where only the first counts.
_BOUND = 4.0
# A block whose link density differs by more from its slot's is none of the slot's kind. F1 rises from .9353 to .9363
# on daniel and from .9838 to .9842 on modern, held back by site, and falls from .9748 to .9745 on docs; on wp.pl it is
# .843, not .811, and no site loses more than .006.
_OTHER_DENSITY = 0.5
_OWN_DENSITY, _SLOT_DENSITY = (NAMES.index(f"{of}: link density") for of in ("text", "slot"))
# Scores are taken for this far from 0 and 1 at the least.
_NEVER = 1e-4


class SlotScores:
    """The mean scores of a site's slots, over the pages learnt from and weighted by length of text.

    Args:
        pages: of each the evidence and the scores of its blocks.
        slots: number of the slots.
    """

    def __init__(self, pages: Iterable[tuple[Evidence, Floats]], slots: int) -> None:
        levels = len(_WEIGHTS)
        sums = np.zeros((levels, slots + 1, 2), np.float64)  # the last row for slots that no other page has
        on_pages = np.zeros((levels, slots + 1), np.int64)
        for page, scores in pages:
            weights = page.weights.astype(np.float64) + 1
            odds = np.clip(_log_odds(scores), -_BOUND, _BOUND)
            weighted = np.stack([odds * weights, weights], axis=1)
            for level, rows in enumerate(_rows(page)):
                sums[level] += sums_at(rows % (slots + 1), weighted, slots + 1)
                on_pages[level, np.unique(rows)] += 1
        counts = on_pages >= _LEAST_PAGES
        counts[:, -1] = False
        self._means = np.where(counts, sums[:, :, 0] / np.maximum(sums[:, :, 1], 1), 0).astype(np.float32)
        self._weights = (counts * np.array(_WEIGHTS)[:, None]).astype(np.float32)

    def put_right(self, page: Evidence, scores: Floats) -> Floats:
        """The scores of a page's blocks, each with what the slots of its block say."""
        odds, total = _log_odds(scores), np.ones(len(scores), np.float32)
        is_judged = ~(are_repeated(page) | _differ_from_slot(page))
        for level, rows in enumerate(_rows(page)):
            weights = self._weights[level, rows] * is_judged
            odds += weights * self._means[level, rows]
            total += weights
        return np.asarray(1 / (1 + np.exp(-odds / total)), np.float32)


def _differ_from_slot(page: Evidence) -> npt.NDArray[np.bool_]:
    difference = page.matrix[:, _OWN_DENSITY] - page.matrix[:, _SLOT_DENSITY]
    return np.asarray(np.abs(difference) > _OTHER_DENSITY, np.bool_)


def _rows(page: Evidence) -> Iterable[np.ndarray]:
    """Of each block the row of its own slot, then of the next around it."""
    return page.rows[page.tree.levels[:, : len(_WEIGHTS)]].T


def _log_odds(scores: Floats) -> Floats:
    bounded = np.clip(scores, _NEVER, 1 - _NEVER)
    return np.asarray(np.log(bounded / (1 - bounded)), np.float32)
