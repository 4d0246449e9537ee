"""What most of the text in a slot comes to on the pages learnt from, by which all text in it is judged.

Where paragraphs of articles stand, they stand on every page: a page on which they all score a little lower than on the
others, or one teaser a little higher, is put right by the others' verdicts. F1 on daniel rises from .9426 to .9439,
held back by site, and from .9365 to .9402, held back by set (dailymail.co.uk by .094); on dragnet by site from .9426 to
.9434; no site of 118 loses more than .004.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.evidence.features import Evidence
from scrapy_blockfilter.evidence.own_text import text_of_this_page
from scrapy_blockfilter.html.columns import PageColumns

# Pages learnt from that must have text of its own in a slot. With three a site that is learnt from five loses .03 by
# the weights that ship (engadget.com); with six dailymail.co.uk gains as much, wp.pl nothing.
_LEAST_PAGES = 5
# Half a line is text enough: short posts are of such. F1 on dragnet rises from .9434 to .9498, held back by site
# (tweetrightbrain.posterous.com by .271), on daniel from .9404 to .9410 by set, and no site loses more than .005.
_LINE = 40


class SlotMajority:
    """The slots of a site with text that no other page has, by whether most of it stays.

    Args:
        pages: of each page learnt from its columns, its evidence, and which of its blocks are kept.
    """

    def __init__(self, pages: Iterable[tuple[PageColumns, Evidence, npt.NDArray[np.bool_]]]) -> None:
        on_pages: Counter[int] = Counter()
        balance: Counter[int] = Counter()
        for columns, evidence, keep in pages:
            text = text_of_this_page(columns, evidence, line=_LINE)
            blocks = np.flatnonzero(text)
            slots = columns.slots[columns.nodes[blocks]].tolist()
            on_pages.update(set(slots))
            for slot, stays, length in zip(slots, keep[blocks].tolist(), text[blocks].tolist(), strict=True):
                balance[slot] += int(length) if stays else -int(length)
        self._stays = {
            slot: balance[slot] > 0 for slot, count in on_pages.items() if count >= _LEAST_PAGES and balance[slot]
        }

    def disagreeing(
        self, columns: PageColumns, evidence: Evidence, keep: npt.NDArray[np.bool_]
    ) -> tuple[list[int], list[int]]:
        """The blocks of a page that are stripped though most text in their slot stays, and those that are kept though
        most of it goes."""
        stripped: list[int] = []
        kept: list[int] = []
        if self._stays:
            blocks = np.flatnonzero(text_of_this_page(columns, evidence, line=_LINE))
            slots = columns.slots[columns.nodes[blocks]]
            for block, slot in zip(blocks.tolist(), slots.tolist(), strict=True):
                if (stays := self._stays.get(slot)) is not None and stays != keep[block]:
                    (stripped if stays else kept).append(block)
        return stripped, kept
