"""Say why a score kept or stripped a block, in words that fit what a person sees on the page.

The score is made from hundreds of numbers. The reason names the clearest sign among them: signs are tried from the
surest to the least.
"""

from __future__ import annotations

import numpy as np

from scrapy_blockfilter.consensus.features.evidence import Evidence
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CHARS, LINK_CHARS
from scrapy_blockfilter.methods.base import Reason

# A slot on this share of the other pages is template, as a text is. From the same share on, linked or repeated
# surroundings are worth telling.
_SHARE = 0.3
# This many similar elements side by side are a list.
_LIST = 3


class Reasons:
    """Reasons of one page's verdicts by score, worked out on request."""

    def __init__(self, page: Page, evidence: Evidence) -> None:
        self._page = page
        self._evidence = evidence

    def of(self, block: int, keep: bool) -> Reason:
        """Return the reason of the verdict on a block."""
        return self._kept(block) if keep else self._stripped(block)

    def _value(self, block: int, name: str) -> float:
        return float(self._evidence.column(name)[block])

    def _others(self, block: int) -> str:
        return f"{self._evidence.pages_with[block]:.0f} of {self._evidence.others} other pages"

    def _is_linked(self, block: int) -> bool:
        chars, linked = self._page.numbers[block, [CHARS, LINK_CHARS]].tolist()
        return bool(2 * linked > chars)

    def _kept(self, block: int) -> Reason:
        if self._evidence.pages_with[block]:
            return Reason("content", f"content, though on {self._others(block)}: {self._text(block)}")
        return Reason("content", f"content: {self._text(block)}")

    def _text(self, block: int) -> str:
        chars, linked = self._page.numbers[block, [CHARS, LINK_CHARS]].tolist()
        return f"{chars} characters, {linked} of them links"

    def _stripped(self, block: int) -> Reason:
        linked = self._is_linked(block)
        if self._evidence.are_repeated[block]:
            if linked:
                return Reason("menu", f"menu: the same link on {self._others(block)}")
            return Reason("repeated", f"template: the same text on {self._others(block)}")
        is_below = self._evidence.are_below_content[block]
        if is_below and (self._value(block, "named: comments") or self._evidence.records[block]) and not linked:
            return Reason("comments", f"readers' comments below the content{self._records(block)}")
        in_list = max(self._value(block, f"level {level}: run") for level in (1, 2)) >= np.log(_LIST)
        if is_below and in_list and self._in_links(block):
            return Reason("teasers", f"teaser list below the content{self._links_around(block)}")
        slot = self._value(block, "slot: slot on share of pages")
        if self._value(block, "text: date"):
            return Reason("byline", f"date or byline{self._place(slot)}")
        if linked:
            return Reason("menu", f"links to other pages{self._place(slot)}")
        repeated = self._value(block, "slot: repeated")
        if slot >= _SHARE and repeated >= _SHARE:
            return Reason("slot", f"in a place of the template: {repeated:.0%} of its text repeats{self._place(slot)}")
        if self._in_links(block):
            return Reason("around", f"among links{self._links_around(block)}")
        where = "below" if is_below else "beside"
        return Reason("around", f"{where} the content: {self._text(block)}{self._place(slot)}")

    def _in_links(self, block: int) -> bool:
        return self._value(block, "level 2: here: link density") >= _SHARE

    def _links_around(self, block: int) -> str:
        return f" ({self._value(block, 'level 2: here: link density'):.0%} of the text around it is links)"

    def _records(self, block: int) -> str:
        records = float(np.expm1(self._evidence.records[block]))
        return f" (one of {records:.0f} like records with a date)" if records else ""

    def _place(self, share: float) -> str:
        """Say on how many other pages the slot is; "" if there are no others."""
        return f" (its place is on {share:.0%} of the other pages)" if self._evidence.others else ""
