"""Estimate how many elements XPath visits on a page, before it is evaluated: libxml2 cannot be interrupted.

A search that is repeated for each result of another one multiplies: ``//*[count(//*[count(//*) > 5]) > 5]`` takes the
cube of a page, and each further level another factor. Whoever writes such a rule could stop a crawl with one line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_TOKEN = re.compile(
    r"(?P<axis>[a-z]+(?:-[a-z]+)*)\s*::|(?P<name>[\w.-]*\w)|(?P<one>\)\s*\[\s*\d+\s*\])|(?P<other>//|\.\.|[\[\]()/|,=<>+*@!-]|[^\s])",
    re.ASCII,
)
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_SIBLINGS = frozenset({"following-sibling", "preceding-sibling"})
_ANYWHERE = frozenset({"following", "preceding"})
_UPWARDS = frozenset({"ancestor", "ancestor-or-self"})
_OPERATORS = frozenset({"and", "or", "div", "mod"})
# Tokens after which a name is no operator, and a path begins anew.
_BEFORE_A_PATH = frozenset({"", "[", "(", "|", ",", "=", "<", ">", "+", "-", "*", "!"})
_BEGINS = _BEFORE_A_PATH - {"", "[", "("}
_WITHIN_A_PATH = frozenset({"/", "//", "@", "::"})
# Searches that follow each other in CSS (``a b c d e``). They do not compare all with all, as few elements match.
_COMPARED = 5
# Higher powers are over every bound.
_HIGHEST = 6


class PageSize(NamedTuple):
    """What the cost of a search depends on.

    Attributes:
        elements: how many a page has.
        levels: the most that are above an element, with itself.
        children: the most that an element has.
        mean_levels, mean_siblings: how many levels and siblings an element has on the average, with itself. 0 for as
            many as the most.
    """

    elements: int
    levels: int
    children: int
    mean_levels: int = 0
    mean_siblings: int = 0


class _Power(NamedTuple):
    """A product of sizes: how often each is a factor."""

    elements: int = 0
    levels: int = 0
    children: int = 0

    def of(self, size: PageSize) -> int:
        product: int = max(1, size.elements) ** min(self.elements, _HIGHEST)
        for most, mean, times in (
            (size.levels, size.mean_levels, self.levels),
            (size.children, size.mean_siblings, self.children),
        ):
            # A search from all elements visits the sum over them. One from each of what that finds may visit the most.
            is_sum = bool(times and mean and self.elements)
            product *= (mean if is_sum else 1) * max(1, most) ** min(times - is_sum, _HIGHEST)
        return product


class _Path:
    """The path that is being read.

    Attributes:
        visited: how many nodes its last search visits, for all of which a predicate is evaluated.
        found: how many different nodes that are, for each of the nodes that the path starts at.
        is_free: whether a search below these may visit every element for each of them: the path has begun at the root,
            or has left what is below its first node. Otherwise an element is visited once for each level above it.
    """

    def __init__(self, start: _Power, *, is_free: bool) -> None:
        self._start = start
        self._started_free = is_free
        self.begin()

    def begin(self) -> None:
        """Start again at the same nodes."""
        self.visited = self.found = self._start
        self.is_free = self._started_free
        self._searches = 0

    def take_one(self) -> None:
        """Go on from one node in place of all that were found."""
        self.visited = self.found = self._start
        self.is_free = True

    def take_larger(self, other: _Path) -> None:
        """Go on from what another path has found, if that is more."""
        self.visited, self.found = max(self.visited, other.visited), max(self.found, other.found)
        self.is_free = self.is_free or other.is_free

    def search(self, axis: str) -> _Power | None:
        """Follow an axis, and return what it costs; None if it visits few nodes."""
        anywhere = self.is_free or self.found == _Power()
        if axis.startswith("descendant"):
            factor = _ELEMENTS if anywhere else _LEVELS
        elif axis in _ANYWHERE:
            factor = _ELEMENTS
        elif axis in _SIBLINGS:
            factor = _CHILDREN
        elif axis in _UPWARDS:
            factor = _LEVELS
        elif axis == "parent":
            self.is_free = True
            self.visited = _times(self.found, _CHILDREN)  # by the next step, or a predicate of it
            return self.visited
        else:
            return None
        self.is_free = axis in _ANYWHERE | _UPWARDS or (self.is_free and axis in _SIBLINGS)
        self.visited = _times(self.found, factor)
        self.found = min(self.visited, _times(self._start, _ELEMENTS), key=_on_a_usual_page)
        self._searches += 1
        # libxml2 compares what it finds from each of several nodes with what it has found from the others.
        most = _COMPARED if self._start == _Power() and axis not in _ANYWHERE else 1
        compares = self._searches > most
        return _times(self.visited, _ELEMENTS) if compares else self.visited


_AXES = {"..": "parent", "//": "descendant"}
_ELEMENTS, _LEVELS, _CHILDREN = _Power(elements=1), _Power(levels=1), _Power(children=1)


def _on_a_usual_page(power: _Power) -> int:
    return power.of(PageSize(elements=1_000, levels=15, children=50))


def _times(one: _Power, other: _Power) -> _Power:
    return _Power(*(first + second for first, second in zip(one, other, strict=True)))


class SelectorCost:
    """How many nodes an XPath visits on a page, at most.

    >>> page = PageSize(elements=1000, levels=10, children=50)
    >>> [SelectorCost(path).on(page) for path in ("//a", "//a//b", "//a[.//b]", "//a[//b]", "/html/body")]
    [1000, 11000, 11000, 1001000, 1]
    """

    def __init__(self, path: str) -> None:
        self._visits: Sequence[_Power] = _visits(path)

    def on(self, size: PageSize) -> int:
        """Return the number for a page of this size."""
        return sum(visits.of(size) for visits in self._visits) or 1


def _visits(path: str) -> list[_Power]:
    """Return how many nodes each step visits that may visit many."""
    visits: list[_Power] = []
    around: list[_Path] = []
    here = _Path(_Power(), is_free=False)
    before = ""
    for token in _TOKEN.finditer(_QUOTED.sub("''", path)):
        text = token["other"] or ("::" if token["axis"] else ")" if token["one"] else "name")
        if text == "*" and before in _BEFORE_A_PATH | _WITHIN_A_PATH:
            text = "name"
        if text in ("/", "//") and before in _BEFORE_A_PATH:
            here.begin()
            here.is_free = True
        if text == "name" and token["name"] in _OPERATORS and before not in _BEFORE_A_PATH | _WITHIN_A_PATH:
            text = "|"
        if text in _BEGINS:
            here.begin()
        elif text in ("[", "("):
            around.append(here)
            here = _Path(here.visited, is_free=here.is_free)
        elif text in ("]", ")") and around:
            inner, here = here, around.pop()
            if text == ")":
                here.take_larger(inner)
            if token["one"]:
                here.take_one()
        elif text in ("..", "//", "::") and (cost := here.search(token["axis"] or _AXES[text])):
            visits.append(cost)
        before = text
    return visits
