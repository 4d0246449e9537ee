"""What most of the text in a slot, or in a place, comes to on the pages learnt from, by which all in it is judged.

Where paragraphs of articles stand, they stand on every page: a page on which they all score a little lower than on the
others, or one teaser a little higher, is put right by the others' verdicts. F1 on daniel rises from .9426 to .9439,
held back by site, and from .9365 to .9402, held back by set (dailymail.co.uk by .094); on dragnet by site from .9426 to
.9434; no site of 118 loses more than .004.

Links and labels have no slots of that kind, but go where most text goes: F1 on modern rises from .9863 to .9890, held
back by site (90minutos by .026), and on daniel from .9415 to .9432, held back by set, on l3s-gn1 from .9771 to .9793.
No site loses more than .011 (theglobeandmail.com by the weights that ship, steampowered.com by set).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.evidence.features import Evidence
from scrapy_blockfilter.evidence.own_text import has_content, is_linked, text_of_this_page
from scrapy_blockfilter.evidence.presence import Hashes
from scrapy_blockfilter.html.columns import CHARS, PageColumns

Flags = npt.NDArray[np.bool_]

# Pages learnt from that must have text of its own in a slot. With three a site that is learnt from five loses .03 by
# the weights that ship (engadget.com); with six dailymail.co.uk gains as much, wp.pl nothing.
_LEAST_PAGES = 5
# Half a line is text enough: short posts are of such. F1 on dragnet rises from .9434 to .9498, held back by site
# (tweetrightbrain.posterous.com by .271), on daniel from .9404 to .9410 by set, and no site loses more than .005.
_LINE = 40
# For links and labels three pages do; text stays where three fifths of it does, as with .5 F1 on daniel is .0003 less,
# held back by set. A label is shorter than a name and a date: with 40 characters F1 on l3s-gn1, by the weights that
# ship, falls by .0018.
_LEAST_PAGES_OF_PATH, _STAYS, _LABEL = 3, 0.6, 20


class SlotMajority:
    """The slots of a site with text that no other page has, by whether most of it stays.

    Args:
        pages: of each page learnt from its columns, its evidence, and which of its blocks are kept.
    """

    def __init__(self, pages: Iterable[tuple[PageColumns, Evidence, Flags]]) -> None:
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

    def disagreeing(self, columns: PageColumns, evidence: Evidence, keep: Flags) -> tuple[list[int], list[int]]:
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


class PathMajority:
    """The tag paths of a site where most text goes: its links there, and labels, have nothing to stay for.

    Classes change from page to page, and what is alone in its slot is judged alone; tags tell the place all the same.
    A label stays where text with its very classes does: a price among labels.

    Args:
        pages: of each page learnt from its columns, and which of its blocks are kept.
    """

    def __init__(self, pages: Iterable[tuple[PageColumns, Flags]]) -> None:
        with_content = [(columns, keep) for columns, keep in pages if has_content(columns, keep)]
        self._goes, _ = _by_most_text((columns.tag_paths, columns, keep) for columns, keep in with_content)
        _, self._stays = _by_most_text((columns.slots, columns, keep) for columns, keep in with_content)

    def blocks_in(self, columns: PageColumns, keep: Flags) -> list[int]:
        """The links and labels in such paths that a page with content keeps."""
        if not len(self._goes) or not has_content(columns, keep):
            return []
        is_label = (columns.weights < _LABEL) & ~np.isin(columns.slots[columns.nodes], self._stays)
        found = keep & (columns.numbers[:, CHARS] > 0) & (is_linked(columns) | is_label)
        return np.flatnonzero(found & np.isin(columns.tag_paths[columns.nodes], self._goes)).tolist()


def _by_most_text(pages: Iterable[tuple[Hashes, PageColumns, Flags]]) -> tuple[Hashes, Hashes]:
    """Of the paths on enough pages, given for each node: where most text goes, and where it stays."""
    on_pages: Counter[int] = Counter()
    text: Counter[int] = Counter()
    kept: Counter[int] = Counter()
    for of_nodes, columns, keep in pages:
        paths, places = np.unique(of_nodes[columns.nodes], return_inverse=True)
        names = paths.tolist()
        on_pages.update(names)
        for counter, weights in ((text, columns.weights), (kept, columns.weights * keep)):
            counter.update(dict(zip(names, np.bincount(places, weights, len(names)).tolist(), strict=True)))
    enough = [path for path, count in on_pages.items() if count >= _LEAST_PAGES_OF_PATH and text[path]]
    goes = [path for path in enough if kept[path] < _STAYS * text[path]]
    stays = [path for path in enough if kept[path] >= _STAYS * text[path]]
    return np.array(goes, np.int64), np.array(stays, np.int64)
