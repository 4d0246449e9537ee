"""Apply the user's CSS selectors to blocks. They overrule any method."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from lxml import etree

from scrapy_blockfilter.html.page import TAIL, Page
from scrapy_blockfilter.methods.base import Reason, Verdict
from scrapy_blockfilter.options.selectors import compiled_selector


class Selection:
    """CSS selectors of what is always kept and always stripped; keeping wins."""

    def __init__(self, keep: Sequence[str], drop: Sequence[str]) -> None:
        self._keep = [(selector, compiled_selector(selector)) for selector in keep]
        self._drop = [(selector, compiled_selector(selector)) for selector in drop]

    @property
    def drops(self) -> bool:
        """Whether there are selectors of what is stripped."""
        return bool(self._drop)

    def apply(self, page: Page, verdicts: Sequence[Verdict]) -> Sequence[Verdict]:
        """Overrule verdicts where a selector matches.

        A block goes if all of it is inside matches of a drop selector. It stays if any of it is inside a match of a
        keep selector. A block of several text chunks is split if only some of them are inside a match: there may be
        more verdicts than before.
        """
        if page.root is None or not (self._keep or self._drop):
            return verdicts
        ordinals = {element: ordinal for ordinal, element in enumerate(page.root.iter())}
        drop, keep = (
            [(selector, _inside(page, ordinals, xpath)) for selector, xpath in selectors]
            for selectors in (self._drop, self._keep)
        )
        if page.blocks is not page.chunks:
            origins = page.take_apart(_divided(page, [inside for _, inside in (*drop, *keep)]))
            verdicts = [verdicts[number] for number in origins]
        verdicts = list(verdicts)
        for selector, inside in drop:
            for index, block in enumerate(page.blocks):
                if all(inside[_owner(page, piece)] for piece in block.pieces):
                    verdicts[index] = Verdict(False, 0.0, Reason("selector", f"dropped by selector {selector}"))
        for selector, inside in keep:
            for index, block in enumerate(page.blocks):
                if any(inside[_owner(page, piece)] for piece in block.pieces):
                    verdicts[index] = Verdict(True, 1.0, Reason("selector", f"kept by selector {selector}"))
        return verdicts


def _divided(page: Page, matches: Sequence[Sequence[bool]]) -> set[int]:
    """Return the blocks that have chunks inside of a match and chunks outside of it."""
    marked: set[tuple[int, tuple[bool, ...]]] = set()
    for chunk, number in zip(page.chunks, page.of_chunks(range(len(page.blocks))), strict=True):
        owners = [_owner(page, piece) for piece in chunk.pieces]
        marked.add((number, tuple(any(inside[owner] for owner in owners) for inside in matches)))
    counts = Counter(number for number, _ in marked)
    return {number for number, count in counts.items() if count > 1}


def _owner(page: Page, piece: int) -> int:
    return page.element_parents[piece >> 2] if piece & 3 == TAIL else piece >> 2


def _inside(page: Page, ordinals: dict[etree._Element, int], xpath: etree.XPath) -> list[bool]:
    assert page.root is not None
    matched = {ordinals[element] for element in xpath(page.root) if element in ordinals}
    inside: list[bool] = []
    for ordinal, parent in enumerate(page.element_parents):
        inside.append(ordinal in matched or (parent >= 0 and inside[parent]))
    return inside
