"""Tell whether cleaning a page may have gone wrong, by what pages of its site usually lose.

Only the result is looked at, not the method, so mistakes of any method show.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.html.columns import CHARS, LINK_CHARS, PageColumns
from scrapy_blockfilter.sample.copies import LINE
from scrapy_blockfilter.sample.presence import Presence
from scrapy_blockfilter.state import State, Values, parts

Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]

# A page is suspicious if it keeps less than this part of what others usually keep. With a larger part most reports
# would be wrong: short pages in a heavy template, and articles with many comments.
_FAR = 0.2
# A page is suspicious if it loses at least this many characters of its own text: a paragraph. Less is a reader's
# remark, or the text of a box.
_LEAST = 500
# A page learnt from is the page at hand, or a copy, if it has this share of the page's long texts. Texts on most pages
# do not count.
_COPY = 0.5


class Loss(NamedTuple):
    """What a page loses.

    Attributes:
        kept: the share of its text that stays.
        own: characters of its own text: unlinked, in blocks of at least a line that no other page has.
        own_lost: how many of these characters go.
    """

    kept: float
    own: int
    own_lost: int

    @property
    def own_share(self) -> float:
        """The share of its own text that goes."""
        return self.own_lost / self.own if self.own else 0.0


class Suspicion:
    """Find pages that lose far more than the pages learnt from. Immutable.

    Args:
        different: the pages learnt from, without copies; at least two.
        pages, keeps: all pages learnt from, and for each page, which blocks stay.

    Attributes:
        usual_kept: the median share of its text that a page keeps.
        usual_own_share: the median share of its own text that a page loses, among pages that have any.
    """

    def __init__(self, different: Sequence[PageColumns], pages: Sequence[PageColumns], keeps: Sequence[Flags]) -> None:
        self._texts = Presence([page.keys[page.weights >= LINE] for page in different])
        losses = [self.loss(page, keep) for page, keep in zip(pages, keeps, strict=True)]
        self.usual_kept = statistics.median(loss.kept for loss in losses)
        self.usual_own_share = statistics.median([loss.own_share for loss in losses if loss.own] or [0.0])

    @classmethod
    def restored(cls, state: State, different: int) -> Suspicion:
        """Return the object with this :meth:`state`, given the number of pages without copies."""
        suspicion = cls.__new__(cls)
        suspicion._texts = Presence.restored(state.part("texts"), different)
        suspicion.usual_kept = state.number("usual_kept", 0, 1)
        suspicion.usual_own_share = state.number("usual_own_share", 0, 1)
        return suspicion

    def state(self) -> Values:
        """Return what it holds."""
        usual: Values = {"usual_kept": self.usual_kept, "usual_own_share": self.usual_own_share}
        return usual | parts(texts=self._texts.state())

    def reason(self, page: PageColumns, keep: Flags, counted: Flags | None = None) -> str:
        """Return why a page whose blocks ``keep`` stay is suspicious, "" if nothing is odd.

        See :meth:`loss` for the arguments.
        """
        loss = self.loss(page, keep, counted, least=_LEAST)
        if loss.kept < _FAR * self.usual_kept:
            return f"keeps {loss.kept:.0%} of its text, pages of its site usually keep {self.usual_kept:.0%}"
        if loss.own_lost >= _LEAST and 1 - loss.own_share < _FAR * (1 - self.usual_own_share):
            return (
                f"loses {loss.own_share:.0%} of the unlinked text that no other page has ({loss.own_lost:,} "
                f"characters); pages of its site usually lose {self.usual_own_share:.0%}"
            )
        return ""

    def loss(self, page: PageColumns, keep: Flags, counted: Flags | None = None, *, least: int = 0) -> Loss:
        """Return what a page loses if its blocks ``keep`` stay.

        Args:
            counted: the blocks to look at, None for all. The TITLE never counts, as it is in no text.
            least: characters. If less unlinked text is lost, nothing is said of the page's own text.
        """
        looked_at = np.ones(len(keep), np.bool_) if counted is None else counted
        if "title" in page.tags:
            looked_at = looked_at & (page.nodes != page.tags.index("title"))
        chars = page.numbers[:, CHARS] * looked_at
        total = int(chars.sum())
        kept = int(chars[keep].sum()) / total if total else 1.0
        long = np.flatnonzero(looked_at & (page.weights >= LINE))
        unlinked = chars[long] - page.numbers[long, LINK_CHARS]
        lost = unlinked * ~keep[long]
        if lost.sum() < least:
            return Loss(kept, 0, 0)
        is_own = self._are_own(page, long)
        return Loss(kept, int(unlinked[is_own].sum()), int(lost[is_own].sum()))

    def _are_own(self, page: PageColumns, blocks: Places) -> Flags:
        """Mark the blocks whose text is on no page learnt from, other than this page and its copies."""
        on_pages = self._texts.of(page.keys[blocks]).astype(np.bool_)
        telling = page.weights[blocks] * (2 * on_pages.sum(axis=1) <= on_pages.shape[1])
        is_this = (telling @ on_pages >= _COPY * telling.sum()) & (telling.sum() > 0)
        return np.asarray(~on_pages[:, ~is_this].any(axis=1), np.bool_)
