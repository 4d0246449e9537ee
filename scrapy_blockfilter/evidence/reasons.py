"""Why a block stays or goes, in words: the kind of evidence without which its score would move most."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.evidence.features import NAMES, Evidence
from scrapy_blockfilter.evidence.network import Network
from scrapy_blockfilter.evidence.tree import Floats
from scrapy_blockfilter.html.columns import CHARS, LINK_CHARS, PageColumns
from scrapy_blockfilter.html.names import GROUPS

_PLACES = {name: place for place, name in enumerate(NAMES)}


def _is_of(name: str, kind: str) -> bool:
    on_site = name.startswith("slot:") or ": on the site: " in name or name.endswith("on share of pages")
    if kind == "pages":
        return name.startswith("pages:") or name.endswith(": repeated")
    if kind == "slot":
        return on_site and not _is_of(name, "pages")
    if kind == "around":
        return name.startswith(("level", "inside", "text: records", "text: share of records")) and not on_site
    return name.startswith(kind) and not name.startswith(("text: records", "text: share of records"))


# The last: the text itself, and its tag.
_KINDS = ("pages", "slot", "around", "named", "t")
_HIDDEN = {kind: np.array([_is_of(name, kind) for name in NAMES]) for kind in _KINDS}


class Reasons:
    """The reasons of one page's verdicts, worked out when the first is asked for.

    Args:
        by_slot: which blocks' verdicts their own scores do not tell, but what the site's pages say of their slots.
    """

    def __init__(
        self,
        page: PageColumns,
        evidence: Evidence,
        network: Network,
        slot_impressions: Floats,
        by_slot: npt.NDArray[np.bool_],
    ) -> None:
        self._page = page
        self._evidence = evidence
        self._network = network
        self._slot_impressions = slot_impressions
        self._by_slot = by_slot

    def of(self, block: int, keep: bool) -> str:
        """What decided on a block, given the verdict."""
        if self._by_slot[block]:
            return f"its slot is {'content' if keep else 'template'} on most of the pages learnt from"
        moved = self._moved[:, block]
        kind = _KINDS[int(moved.argmax() if keep else moved.argmin())]
        repeated = f"on {self._evidence.pages_with[block]:.0f} of {self._evidence.others} other pages"
        words = getattr(self, f"_{kind}")(block)
        if keep or kind == "pages" or self._evidence.pages_with[block] < 2:
            return str(words)
        return f"{repeated}; {words}"

    @cached_property
    def _moved(self) -> npt.NDArray[np.float32]:
        """By how much each kind of evidence raises the score of each block, (kinds, blocks)."""
        scores = self._network.scores(self._evidence, self._slot_impressions)
        hidden = [
            self._network.scores(
                self._evidence, self._slot_impressions, np.where(hide, self._network.mean, self._evidence.matrix)
            )
            for hide in _HIDDEN.values()
        ]
        return np.stack([scores - other for other in hidden])

    def _value(self, block: int, name: str) -> float:
        return float(self._evidence.matrix[block, _PLACES[name]])

    def _pages(self, block: int) -> str:
        if not self._evidence.others:
            return "no other page to compare with"
        count = int(self._evidence.pages_with[block])
        if count:
            return f"on {count} of {self._evidence.others} other pages"
        share = self._value(block, "slot: repeated")
        return f"on no other page; {share:.0%} of the text in its slot is on several"

    def _slot(self, block: int) -> str:
        share = self._value(block, "slot: slot on share of pages")
        if not share:
            return "its slot is on no other page"
        links, repeated = self._value(block, "slot: link density"), self._value(block, "slot: repeated")
        return f"slot is {links:.0%} links and {repeated:.0%} repeated text, on {share:.0%} of the other pages"

    def _around(self, block: int) -> str:
        records = self._evidence.records[block]
        if records:
            return f"one of {np.expm1(records):.0f} like records with a date"
        share, links = (
            self._value(block, "level 2: here: share of page"),
            self._value(block, "level 2: here: link density"),
        )
        return f"what is around it has {share:.0%} of the page's text, {links:.0%} of it links"

    def _named(self, block: int) -> str:
        groups = [group for group in GROUPS if self._value(block, f"named: {group}")]
        return f"in elements named like {', '.join(groups)}" if groups else "in elements whose names say nothing"

    def _t(self, block: int) -> str:
        chars, linked = (int(self._page.numbers[block, column]) for column in (CHARS, LINK_CHARS))
        ends = np.expm1(self._value(block, "text: number of sentence ends"))
        return f"{chars} characters, {linked} of them links, {ends:.0f} sentence ends"
