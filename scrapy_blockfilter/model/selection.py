"""Apply the user's CSS selectors to blocks. They overrule any method."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from lxml import etree

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.methods.base import Reason, Verdict
from scrapy_blockfilter.options.css_search import CssSearch
from scrapy_blockfilter.options.selectors import SEARCH, compiled_selector

logger = logging.getLogger(__name__)

_DECIDED = re.compile(r"(?s)(?:kept|dropped) (?:as \S+ says, )?by selector (.*)")
# Elements that all selectors together may visit on a page, about half a second: hundreds of usual ones visit fewer.
_MOST_VISITS = 50_000_000
# The same of a selector that comes first: a person's only one is worth some seconds of a very large page.
_MOST_ALONE = 10 * _MOST_VISITS
# Questions for the text of an element, which libxml2 joins from all nodes below: twice as many as its elements, about.
_ASKS_TEXT = re.compile(
    r"(?:contains|starts-with|string|string-length|normalize-space|translate)"
    r"\(\s*(?!concat\(|normalize-space\(\s*@|[@'\"])|\.\s*!?="
)
# Comparisons of libxml2 that take as long as a visit.
_COMPARISONS = 40
# Cost, in such visits, of looking up the blocks inside of a match, for each element of the page.
_LOOKING_UP = 20

_Find: TypeAlias = Callable[[etree._Element], Iterable[etree._Element]]


class _Shape(NamedTuple):
    """The number of elements of a page; sums of their levels, and of the squares and cubes of its families."""

    elements: int
    around: int
    squares: int
    cubes: int


class _Selector:
    def __init__(self, text: str, decides: str) -> None:
        self.text = text
        self.reason = Reason("selector", f"{decides}by selector {text}")
        self.find = compiled_selector(text)
        self.is_told = False
        self._is_xpath = not isinstance(self.find, CssSearch)
        paths = self.find.paths if isinstance(self.find, CssSearch) else [self.find.path]
        # The first search of a path looks at each element once.
        self._further = sum(max(0, len(SEARCH.findall(path)) - 1) for path in paths)
        self._for_text = sum(2 * len(_ASKS_TEXT.findall(path)) for path in paths)
        self._of_siblings = sum(path.count("-sibling::") for path in paths)

    def visits(self, page: _Shape) -> int:
        """Return how many elements the selector visits on a page, at most."""
        visits = _LOOKING_UP * page.elements + self._of_siblings * page.squares
        visits += (self._further + self._for_text) * page.around
        if self._is_xpath:
            visits += (self._further * page.around * page.elements + self._of_siblings * page.cubes) // _COMPARISONS
        return visits


class Selection:
    """CSS selectors of what is always kept and always stripped, and names of teachers for some; keeping wins.

    Selectors beyond the bound of a page are left out on it, with one warning.
    """

    def __init__(self, keep: Sequence[str], drop: Sequence[str], by: Iterable[tuple[str, str]] = ()) -> None:
        says = {selector: f"as {teacher} says, " for selector, teacher in by}
        self._keep = [_Selector(selector, f"kept {says.get(selector, '')}") for selector in keep]
        self._drop = [_Selector(selector, f"dropped {says.get(selector, '')}") for selector in drop]

    @property
    def drops(self) -> bool:
        """Whether there are selectors of what is stripped."""
        return bool(self._drop)

    def apply(self, page: Page, verdicts: Sequence[Verdict]) -> tuple[Page, Sequence[Verdict]]:
        """Return a page and its verdicts, overruled where a selector matches.

        A block goes if all of it is inside matches of a drop selector. It stays if any of it is inside a match of a
        keep selector. A block of several text chunks is split if only some of them are inside a match: the page then
        has more blocks than before.
        """
        if page.root is None or not (self._keep or self._drop):
            return page, verdicts
        ordinals = {element: ordinal for ordinal, element in enumerate(page.elements)}
        found = {selector: inside_matches(page, ordinals, selector.find) for selector in self._affordable(page)}
        page.selectors = {selector.text: bool(inside) for selector, inside in found.items()}
        keep, drop = ([(one.reason, found[one]) for one in some if found.get(one)] for some in (self._keep, self._drop))
        if page.before_joining is not None:
            page, origins = page.divided(_divided(page, [inside for _, inside in (*drop, *keep)]))
            verdicts = [verdicts[number] for number in origins]
        verdicts = list(verdicts)
        for decided, of_selectors, matches in ((False, drop, all), (True, keep, any)):
            for reason, inside in of_selectors:
                for index, block in enumerate(page.blocks):
                    if matches(inside[page.holder_of(piece)] for piece in block.pieces):
                        verdicts[index] = Verdict(decided, float(decided), reason)
        return page, verdicts

    def _affordable(self, page: Page) -> Iterator[_Selector]:
        """Yield the selectors that are applied to a page: by its size alone, so the same page is cleaned the same."""
        shape = _shape(page.element_parents)
        left = _MOST_VISITS
        for selector in (*self._keep, *self._drop):
            visits = selector.visits(shape)
            if visits <= (left if left < _MOST_VISITS else _MOST_ALONE):
                left -= visits
                yield selector
            elif not selector.is_told:
                selector.is_told = True
                logger.warning(
                    "The selector %.200s is not applied to a page of %d elements: with those before it, it could take "
                    "too long. Use fewer selectors.",
                    selector.text,
                    shape.elements,
                )


def _shape(parents: Sequence[int]) -> _Shape:
    levels: list[int] = []
    for parent in parents:
        levels.append(levels[parent] + 1 if parent >= 0 else 1)
    families = Counter(parents).values()
    squares, cubes = (sum(family**power for family in families) for power in (2, 3))
    return _Shape(len(parents), sum(levels), squares, cubes)


def selector_of(reason: Reason) -> str:
    """Return the selector that decided on a block, "" if none did.

    >>> selector_of(Reason("selector", "dropped by selector h1"))
    'h1'
    """
    found = _DECIDED.fullmatch(reason.words) if reason.kind == "selector" else None
    return found[1] if found else ""


def _divided(page: Page, matches: Sequence[Sequence[bool]]) -> set[int]:
    """Return the blocks that have chunks inside of a match and chunks outside of it."""
    marked: set[tuple[int, tuple[bool, ...]]] = set()
    for chunk, number in zip(page.chunks.blocks, page.of_chunks(range(len(page.blocks))), strict=True):
        holders = list(map(page.holder_of, chunk.pieces))
        marked.add((number, tuple(any(inside[holder] for holder in holders) for inside in matches)))
    counts = Counter(number for number, _ in marked)
    return {number for number, count in counts.items() if count > 1}


def inside_matches(page: Page, ordinals: dict[etree._Element, int], find: _Find) -> list[bool]:
    """Return for each element whether it is inside of a match; nothing if there is no match."""
    assert page.root is not None
    matched = {ordinals[element] for element in find(page.root) if element in ordinals}
    if not matched:
        return []
    inside: list[bool] = []
    for ordinal, parent in enumerate(page.element_parents):
        inside.append(ordinal in matched or (parent >= 0 and inside[parent]))
    return inside
