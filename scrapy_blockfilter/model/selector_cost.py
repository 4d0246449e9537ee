"""Estimate how many elements XPath visits on a page, before it is evaluated: libxml2 cannot be interrupted.

A search that is repeated for each result of another one multiplies: ``//*[count(//*[count(//*) > 5]) > 5]`` takes the
cube of a page, and each further level another factor. So do values that are made of text: ``//a[contains(/, 'x')]``
reads the page for each link. One line of such a rule could stop a crawl.
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
# Names of operators, and the token that is read in their place.
_OPERATORS = {"and": "or", "or": "or", "div": "+", "mod": "+"}
# Operators that make values of what is on both sides.
_OF_VALUES = frozenset({"=", "<", ">", "+", "-", "*", "!"})
# Tokens after which a name is no operator, and a path begins anew.
_BEFORE_A_PATH = frozenset({"", "[", "(", "|", ",", "or", *_OF_VALUES})
_WITHIN_A_PATH = frozenset({"/", "//", "@", "::"})
_AXES = {"..": "parent", "//": "descendant", "::": ""}
_GIVES = {".": "nodes", "..": "nodes", "/": "nodes", "//": "nodes", "'": "value"}


class SelectorCost:
    """How many nodes an XPath visits on a page, at most.

    >>> page = PageSize(elements=1000, levels=10, children=50)
    >>> [SelectorCost(path).on(page) for path in ("//a", "//a//b", "//a[.//b]", "//a[//b]", "/html/body")]
    [1000, 11000, 11000, 1001000, 1]
    """

    def __init__(self, path: str) -> None:
        self._visits: Sequence[Power] = _visits(path)

    def on(self, size: PageSize) -> int:
        """Return the number for a page of this size."""
        return sum(visits.of(size) for visits in self._visits) or 1


def _visits(path: str) -> list[Power]:
    """Return how many nodes each step visits that may visit many, and each value that is made of their text."""
    visits: list[Power] = []
    around: list[Path] = []
    here = Path(Power(), is_free=False)
    before = name = ""
    for token in _TOKEN.finditer(_QUOTED.sub("''", path)):
        text = _kind_of(token, before)
        if text in ("/", "//") and before in _BEFORE_A_PATH:
            here.begin()
            here.is_free = True
        here.gives = _GIVES.get(text, here.gives)
        if text == "name":
            name = token["name"] or ""
            here.gives = "values" if before == "@" else "value" if name[:1].isdigit() else "nodes"
        elif text in _OF_VALUES:
            visits += here.operate()
        elif text in ("|", ",", "or"):
            visits += here.read_text() if text == "|" and around else here.end(is_argument=text == ",")
            here.begin()
        elif text in ("[", "("):
            around.append(here)
            function = name if text == "(" and before == "name" else ""
            here = Path(here.visited, is_free=here.is_free, function=function)
        elif text in ("]", ")") and around:
            visits += here.end(is_argument=text == ")")
            inner, here = here, around.pop()
            if text == ")":
                here.take_larger(inner)
            if token["one"]:
                here.take_one()
        elif text in _AXES and (cost := here.search(token["axis"] or _AXES[text])):
            visits.append(cost)
        before = text
    return visits


def _kind_of(token: re.Match[str], before: str) -> str:
    """Return a token as the one that is read in its place."""
    if token["axis"]:
        return "@" if token["axis"] == "attribute" else "::"
    if token["one"]:
        return ")"
    is_operand = before in _BEFORE_A_PATH | _WITHIN_A_PATH
    if token["name"]:
        return "name" if is_operand else _OPERATORS.get(token["name"], "name")
    return "name" if token["other"] == "*" and is_operand else str(token["other"])


_SIBLINGS = frozenset({"following-sibling", "preceding-sibling"})
_ANYWHERE = frozenset({"following", "preceding"})
_UPWARDS = frozenset({"ancestor", "ancestor-or-self"})
# Functions that do not look at the text of their arguments; tests of nodes, which look like functions; and functions
# that look at the text of the node at hand if they have no argument.
_READ_NO_TEXT = frozenset({"boolean", "count", "id", "last", "local-name", "name", "namespace-uri", "not", "position"})
_TESTS = frozenset({"comment", "node", "processing-instruction", "text"})
_OF_CONTEXT = frozenset({"normalize-space", "number", "string", "string-length"})
# Searches that follow each other in CSS (``a b c d e``). They do not compare all with all, as few elements match.
_COMPARED = 5
# Higher powers are over every bound.
_HIGHEST = 6


class PageSize(NamedTuple):
    """The numbers of a page that the cost of a search depends on.

    Attributes:
        elements: how many a page has; more where it has much text for them.
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


class Power(NamedTuple):
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


class Path:
    """The path that is being read.

    Attributes:
        visited: how many nodes its last search visits, for all of which a predicate is evaluated.
        found: how many different nodes that are, for each of the nodes that the path starts at.
        is_free: whether a search below these may visit every element for each of them: the path has begun at the root,
            or has left what is below its first node. Otherwise an element is visited once for each level above it.
        function: the function that it is an argument of, "" for none.
        gives: "" if nothing was read yet, "nodes" for elements, which have text, "values" for attributes and texts, and
            "value" for a single one.
    """

    def __init__(self, start: Power, *, is_free: bool, function: str = "") -> None:
        self.function = function
        self._start = start
        self._started_free = is_free
        # What the other side of an operator has found.
        self._other: Power | None = None
        self.begin()

    def begin(self) -> None:
        """Start again at the same nodes."""
        self.visited = self.found = self._start
        self.is_free = self._started_free
        self.gives = ""
        self._searches = self._parents = 0

    def read_text(self) -> list[Power]:
        """Return what it costs to read the text of the nodes that were found; nothing for other values."""
        if self.gives != "nodes":
            return []
        if self._parents == 1:
            return [_times(_times(self.found, _LEVELS), _CHILDREN)]
        return [_times(self.found, _ELEMENTS if self.is_free or self.found == Power() else _LEVELS)]

    def operate(self) -> list[Power]:
        """End one side of an operator, and return what its value costs."""
        costs = self.read_text()
        if self.gives:
            self._other = max(self._many, self._other or Power())
        self.begin()
        return costs

    def end(self, *, is_argument: bool = False) -> list[Power]:
        """End the path, and return what its value costs."""
        costs: list[Power] = []
        if self._other is not None and self.gives:
            # Each value of one side may be compared with each of the other.
            pairs = zip(self._many, self._other, self._start, strict=True)
            costs = [*self.read_text(), Power(*(one + other - start for one, other, start in pairs))]
        elif is_argument and self.function and self.function not in _READ_NO_TEXT | _TESTS:
            if not self.gives and self.function in _OF_CONTEXT:
                self.gives = "nodes"
            costs = self.read_text()
        self._other = None
        return costs

    @property
    def _many(self) -> Power:
        return self._start if self.gives == "value" else self.found

    def take_one(self) -> None:
        """Go on from one node in place of all that were found."""
        self.visited = self.found = self._start
        self.is_free = True

    def take_larger(self, other: Path) -> None:
        """Go on from what another path has found, if that is more."""
        self.visited, self.found = max(self.visited, other.visited), max(self.found, other.found)
        self.is_free = self.is_free or other.is_free
        if other.function:
            self.gives = {"node": "nodes", "text": "values"}.get(other.function, "value")
        else:
            self.gives = other.gives

    def search(self, axis: str) -> Power | None:
        """Follow an axis, and return what it costs; None if it visits few nodes."""
        anywhere = self.is_free or self.found == Power()
        if axis.startswith("descendant"):
            factor = _ELEMENTS if anywhere else _LEVELS
        elif axis in _ANYWHERE:
            factor = _ELEMENTS
        elif axis in _SIBLINGS:
            factor = _CHILDREN
        elif axis in _UPWARDS:
            factor = _LEVELS
        elif axis == "parent":
            self._parents += 1 if self._parents or not self.is_free else 2
            self.is_free = True
            self.visited = _times(self.found, _CHILDREN)  # by the next step, or a predicate of it
            return self.visited
        else:
            return None
        self._parents = 0
        self.is_free = axis in _ANYWHERE | _UPWARDS or (self.is_free and axis in _SIBLINGS)
        self.visited = _times(self.found, factor)
        self.found = min(self.visited, _times(self._start, _ELEMENTS), key=_on_a_usual_page)
        self._searches += 1
        # libxml2 compares what it finds from each of several nodes with what it has found from the others.
        most = _COMPARED if self._start == Power() and axis not in _ANYWHERE else 1
        compares = self._searches > most
        return _times(self.visited, _ELEMENTS) if compares else self.visited


_ELEMENTS, _LEVELS, _CHILDREN = Power(elements=1), Power(levels=1), Power(children=1)


def _on_a_usual_page(power: Power) -> int:
    return power.of(PageSize(elements=1_000, levels=15, children=50))


def _times(one: Power, other: Power) -> Power:
    return Power(*(first + second for first, second in zip(one, other, strict=True)))
