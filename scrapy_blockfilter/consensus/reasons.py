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


def reason_of(page: Page, evidence: Evidence, block: int, keep: bool) -> Reason:
    """Return the reason of the verdict that its score gave a block."""
    chars, linked = page.numbers[block, [CHARS, LINK_CHARS]].tolist()
    text = f"{chars} characters, {linked} of them links"
    others = f"{evidence.pages_with[block]:.0f} of {evidence.others} other pages"
    if keep:
        though = f", though on {others}" if evidence.pages_with[block] else ""
        return Reason("content", f"content{though}: {text}")
    is_linked = 2 * linked > chars
    if not evidence.are_repeated[block]:
        return _by_surroundings(evidence, block, text, is_linked=is_linked)
    if is_linked:
        return Reason("menu", f"menu: the same link on {others}")
    return Reason("repeated", f"template: the same text on {others}")


def _by_surroundings(evidence: Evidence, block: int, text: str, *, is_linked: bool) -> Reason:
    """Return why a block goes that the site does not repeat."""

    def value(name: str) -> float:
        return float(evidence.column(name)[block])

    is_below, records = evidence.are_below_content[block], float(np.expm1(evidence.records[block]))
    if is_below and (value("named: comments") or records) and not is_linked:
        like = f" (one of {records:.0f} like records with a date)" if records else ""
        return Reason("comments", f"readers' comments below the content{like}")
    in_list = max(value(f"level {level}: run") for level in (1, 2)) >= np.log(_LIST)
    in_links = value("level 2: here: link density")
    around = f" ({in_links:.0%} of the text around it is links)"
    if is_below and in_list and in_links >= _SHARE:
        return Reason("teasers", f"teaser list below the content{around}")
    slot, repeated = value("slot: slot on share of pages"), value("slot: repeated")
    place = f" (its place is on {slot:.0%} of the other pages)" if evidence.others else ""
    if value("text: date"):
        return Reason("byline", f"date or byline{place}")
    if is_linked:
        return Reason("menu", f"links to other pages{place}")
    if slot >= _SHARE and repeated >= _SHARE:
        return Reason("slot", f"in a place of the template: {repeated:.0%} of its text repeats{place}")
    if in_links >= _SHARE:
        return Reason("around", f"among links{around}")
    where = "below" if is_below else "beside"
    return Reason("around", f"{where} the content: {text}{place}")
