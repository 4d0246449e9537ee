"""Text of its own: more than a label, and for the most part no link."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.evidence.features import Evidence
from scrapy_blockfilter.evidence.tree import Floats
from scrapy_blockfilter.html.columns import CHARS, LINK_CHARS, PageColumns

# Less than this much of it is linked, and it is a line long, characters of scripts without spaces counted as three.
_LINKED, _LINE = 0.5, 80
# A few sentences.
_CONTENT = 300
# A page with so much text that no other has is judged wrongly if it keeps hardly any of that, and of all text not half
# as much. F1 on wcxb rises from .7711 to .7849, held back by site, and from .7264 to .7454, held back by set
# (amazon.com, apple.com, steampowered.com), and no site of 118 loses. With .05 for hardly any a page goes wrong whose
# comments are 25 times its text (wp.pl), without the last a list of links with a few summaries (90minutos).
_TEXT, _HARDLY_ANY, _OF_ALL = 200, 0.03, 0.5


def own_text(page: PageColumns, *, line: int = _LINE) -> Floats:
    """Of each block the length of its text if it is one of its own, with as much of it as a line has, else 0."""
    return np.where(is_linked(page) | (page.weights < line), np.float32(0), page.weights)


def is_linked(page: PageColumns) -> npt.NDArray[np.bool_]:
    """Whether each block is links for the most part."""
    return np.asarray(page.numbers[:, LINK_CHARS] >= _LINKED * np.maximum(page.numbers[:, CHARS], 1), np.bool_)


def has_content(page: PageColumns, keep: npt.NDArray[np.bool_]) -> bool:
    """Whether a page keeps enough text of its own for there to be something beside it."""
    return bool(own_text(page)[keep].sum() >= _CONTENT)


def text_of_this_page(page: PageColumns, evidence: Evidence, *, line: int = _LINE) -> Floats:
    """The same where no other page has it."""
    return np.where(evidence.pages_with > 0, np.float32(0), own_text(page, line=line))


def is_lost(page: PageColumns, evidence: Evidence, keep: npt.NDArray[np.bool_], judged: npt.NDArray[np.bool_]) -> bool:
    """Whether a page that keeps some of the blocks ``judged``, the TITLE not among them, loses all that it says itself:
    what no other page does, so that there must be one."""
    if not evidence.others:
        return False
    text = text_of_this_page(page, evidence)
    total = float(text[judged].sum())
    if total < _TEXT or text[keep].sum() > _HARDLY_ANY * total:
        return False
    return bool(page.weights[keep].sum() <= _OF_ALL * total)
