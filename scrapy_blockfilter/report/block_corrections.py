"""Write selectors for the blocks of a page: of their text, of their element, and of the elements around it.

Selectors hold on other pages of the site, too. So they are made of tags, ids and classes, as slots are, and never of
places among siblings. Each is tried on the page before it is offered.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice, pairwise, starmap
from typing import NamedTuple

import numpy as np
from cssselect import SelectorError
from lxml import etree

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.methods import Reason
from scrapy_blockfilter.model.cleaned import JudgedBlock
from scrapy_blockfilter.model.selection import selector_of
from scrapy_blockfilter.options.selectors import Corrections, compiled_selector
from scrapy_blockfilter.sample.slots import xpath_text

# Selectors offered for a block.
_MOST = 4
# Characters of a selector, and of a text that one names. Nobody reads longer ones before they type them: a longer text
# is named by its beginning and its length.
_LONGEST = 300
_LONGEST_TEXT = 120
_BEGINNING = 60
# Elements that all selectors together may visit on a page, a second or two: one of 72 real pages takes 9 million. If no
# other selector can be tried, blocks are named by their texts.
_MOST_VISITS = 10_000_000
_CHARACTERS_OF_A_VISIT = 16
# Elements around a block that are looked at for the same text.
_LEVELS = 8
# An element with a larger share of the page's blocks is the page rather than a part of it.
_LARGEST_SHARE = 0.6
# Steps up to an element with a name of its own, beyond which a path is no longer read.
_STEPS = 4
_CLASSES = 3
_TAG = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_PLAIN = re.compile(r"-?[A-Za-z_][A-Za-z_-]*")
_LEAST_PREFIX = 3
# Elements around a block that stand for the page.
_WHOLE = frozenset({"html", "body"})


class BlockSelector(NamedTuple):
    """A selector that a block can be corrected with."""

    text: str
    label: str  # its matches in words, for people
    blocks: int  # those on the page that are inside of its matches


class BlockSelectors:
    """The selectors for the blocks of a page with its tree."""

    def __init__(self, page: Page) -> None:
        assert page.root is not None
        self._parents = page.element_parents
        self._ends = page.element_ends
        self._elements = page.elements
        self._ordinals = {element: ordinal for ordinal, element in enumerate(self._elements)}
        owners = [list(map(page.holder_of, block.pieces)) or [0] for block in page.blocks]
        # Comparing neighbours walks each element between two pieces once, whatever its depth.
        self._owners = [min(starmap(self._common, pairwise([*some, some[-1]]))) for some in owners]
        self._all_owners = np.array([owner for of_block in owners for owner in of_block], np.int64)
        self._starts = np.cumsum([0, *map(len, owners)], dtype=np.int64)[:-1]
        self._blocks = [0] * len(self._elements)
        for owner in self._owners:
            self._blocks[owner] += 1
        for ordinal in range(len(self._elements) - 1, 0, -1):
            self._blocks[self._parents[ordinal]] += self._blocks[ordinal]
        self._steps = list(map(_step, self._elements))
        # Elements around each other may hold the same blocks: the outermost for each, and that of the best name.
        self._outermost = list(range(len(self._elements)))
        self._best = self._outermost.copy()
        for ordinal, parent in enumerate(self._parents[1:], 1):
            is_same = self._blocks[parent] == self._blocks[ordinal]
            if is_same and self._elements[parent].tag not in _WHOLE:
                outermost = self._outermost[ordinal] = self._outermost[parent]
                if self._rank(ordinal) <= self._rank(self._best[outermost]):
                    self._best[outermost] = ordinal
        self._matches: dict[str, set[int]] = {}
        self._counts: dict[str, int] = {}
        names = sum(len(element.get("class", "")) + len(element.get("id", "")) for element in page.root.iter("*"))
        self._cost = len(self._elements) + names // _CHARACTERS_OF_A_VISIT
        self._left = _MOST_VISITS
        self._texts: dict[int, str] = {}
        self._note_texts()

    def of(self, number: int) -> list[BlockSelector]:
        """Return the selectors for a block, those of the fewest blocks first."""
        offered: dict[str, BlockSelector] = {}
        for ordinal in islice(self._elements_around(number), _MOST):
            selector = self._selector_of(ordinal)
            if selector:
                offered.setdefault(selector, BlockSelector(selector, selector, self.count(selector)))
        text = self._texts.get(self._owners[number])
        if text and self._blocks[self._owners[number]] == 1:
            offered[text] = BlockSelector(text, "Only this text", self.count(text))
        most = max(1, _LARGEST_SHARE * len(self._owners))
        some = [one for one in offered.values() if one.blocks <= most]
        return sorted(some, key=lambda one: one.blocks)[:_MOST]

    def _note_texts(self) -> None:
        """Note the text of each element with one block, and of a few elements around it.

        Elements with one block that are not within each other hold each character once. So this is linear.
        """
        text_of = etree.XPath("normalize-space()")
        for owner in self._owners:
            at = owner
            for _ in range(_LEVELS):
                if at < 0 or self._blocks[at] != 1:
                    break
                selector = _text_selector(_tag(self._elements[at]), str(text_of(self._elements[at])))
                if selector:
                    self._texts[at] = selector
                    self._matches.setdefault(selector, set()).add(at)
                at = self._parents[at]

    def _common(self, one: int, other: int) -> int:
        """Return the innermost element around two, by their places: those in an element follow it up to its end."""
        around, inner = min(one, other), max(one, other)
        while self._ends[around] <= inner:
            around = self._parents[around]
        return around

    def _elements_around(self, number: int) -> Iterator[int]:
        """Yield elements from the innermost on, but only the best named of elements with the same blocks."""
        ordinal = self._owners[number]
        while ordinal >= 0 and self._elements[ordinal].tag not in _WHOLE:
            outermost = self._outermost[ordinal]
            yield self._best[outermost]
            ordinal = self._parents[outermost]

    def _rank(self, ordinal: int) -> int:
        step = self._steps[ordinal]
        return 0 if "#" in step else 1 if step != _tag(self._elements[ordinal]) else 2

    def _selector_of(self, ordinal: int) -> str:
        """Return the shortest selector from an element with a name down to this element, "" if none selects it."""
        steps: list[str] = []
        at = ordinal
        while at >= 0 and len(steps) < _STEPS:
            element = self._elements[at]
            steps.insert(0, self._steps[at])
            if steps[0] != _tag(element) or element.tag in _WHOLE:
                break
            at = self._parents[at]
        selector = " > ".join(steps)
        if selector not in self._matches:
            self._left -= self._cost
        is_allowed = len(selector) <= _LONGEST and (selector in self._matches or self._left >= 0)
        return selector if is_allowed and ordinal in self._matched(selector) else ""

    def _matched(self, selector: str) -> set[int]:
        if selector not in self._matches:
            elements: Sequence[etree._Element] = ()
            with suppress(SelectorError, etree.XPathError):
                elements = compiled_selector(selector)(self._elements[0])
            self._matches[selector] = {self._ordinals[element] for element in elements if element in self._ordinals}
        return self._matches[selector]

    def count(self, selector: str) -> int:
        """Return the number of blocks that are wholly inside of the matches of a selector."""
        if selector not in self._counts:
            borders = np.zeros(len(self._elements) + 1, np.int64)
            for ordinal in self._matched(selector):
                borders[ordinal] += 1
                borders[self._ends[ordinal]] -= 1
            inside = np.cumsum(borders) > 0
            self._counts[selector] = int(np.logical_and.reduceat(inside[self._all_owners], self._starts).sum())
        return self._counts[selector]


def _text_selector(tag: str, text: str) -> str:
    """Return a selector of the elements with a tag and a text, "" if the text cannot be typed."""
    beginning = text if len(text) <= _LONGEST_TEXT else text[:_BEGINNING]
    if tag in ("*", *_WHOLE) or not beginning or not beginning.isprintable():
        return ""
    if beginning == text:
        return f"//{tag}[normalize-space(.)={xpath_text(text)}]"
    begins = f"starts-with(normalize-space(.), {xpath_text(beginning)})"
    return f"//{tag}[{begins} and string-length(normalize-space(.))={len(text)}]"


def _tag(element: etree._Element) -> str:
    """Return the tag of an element for CSS, * if CSS has no way to write it."""
    tag = element.tag
    return tag if isinstance(tag, str) and _TAG.fullmatch(tag) else "*"


def _step(element: etree._Element) -> str:
    """Return an element's part of a selector: its id, else its tag with classes, else its tag.

    Names with digits often belong to one page. Such a class is left out, unless there is no other.

    >>> _step(etree.XML("<p class='note  md:w-9' id='p812'/>")), _step(etree.XML("<li class='post-812'/>"))
    ('p.note', 'li[class*="post-"]')
    """
    tag = _tag(element)
    if tag in _WHOLE or not isinstance(element.tag, str):  # such as a comment
        return tag
    identifier = element.get("id", "").strip()
    if _PLAIN.fullmatch(identifier):
        return f"#{identifier}"
    names = element.get("class", "").split()
    plain = [name for name in names if _PLAIN.fullmatch(name)][:_CLASSES]
    if plain:
        return tag + "".join(f".{name}" for name in plain)
    for attribute, sign, name in (("id", "^", identifier), *(("class", "*", name) for name in names)):
        begin = re.match(_PLAIN, name)
        if begin and len(begin[0]) >= _LEAST_PREFIX:
            return f'{tag}[{attribute}{sign}="{begin[0]}"]'
    return tag


class Correcting(NamedTuple):
    """The site that corrections go to, those in effect there, and further arguments such as ``("--store", "FILE")``."""

    site: str
    made: Corrections = Corrections()
    more: tuple[str, ...] = ()

    @property
    def can_be_typed(self) -> bool:
        """Whether the site can be named in a command."""
        return bool(self.site) and self.site.isprintable() and not self.site.startswith("-")

    def arguments(self, selector: str) -> str:
        """Return the arguments after ``scrapy blockfilter drop``, quoted for a shell.

        >>> Correcting("news.example").arguments("#menu > li")
        "news.example '#menu > li'"
        """
        return shlex.join((self.site, selector, *self.more))


class Choice(NamedTuple):
    """A correction that would change the verdict on a block: "keep", "drop" or "undo" with a selector."""

    action: str
    selector: BlockSelector


def choices(page: Page, blocks: Sequence[JudgedBlock], correcting: Correcting) -> list[list[Choice]]:
    """Return the corrections of each block of a page with its tree, the narrowest first."""
    if not correcting.can_be_typed:
        return [[] for _ in blocks]
    selectors = BlockSelectors(page)
    return [_of_block(block, number, selectors, correcting.made) for number, block in enumerate(blocks)]


def _of_block(block: JudgedBlock, number: int, selectors: BlockSelectors, made: Corrections) -> list[Choice]:
    if block.tag == "title":  # a page keeps it
        return []
    decided = selector_of(Reason(block.kind, block.reason))
    found = []
    # Corrections may come from a file of anyone: text that is pasted into a terminal must not steer it.
    if decided and decided.isprintable() and decided in (made.keep if block.keep else made.drop):
        label = f"Undo {'keep' if block.keep else 'drop'} {decided}"
        found.append(Choice("undo", BlockSelector(decided, label, selectors.count(decided))))
    if decided and block.keep:  # nothing overrules a selector of what is kept
        return found
    # A page of which too little would be left is stripped after all if more of it is kept.
    action = "drop" if block.keep and block.kind != "guard" else "keep"
    return [*found, *(Choice(action, selector) for selector in selectors.of(number))]
