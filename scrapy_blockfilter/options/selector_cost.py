"""Estimate how many elements XPath visits on a page, before it is evaluated: libxml2 cannot be interrupted.

A search that is repeated for each result of another one multiplies: ``//*[count(//*[count(//*) > 5]) > 5]`` takes the
cube of a page, and each further level another factor. So do values that are made of text: ``//a[contains(/, 'x')]``
reads the page for each link. Whoever writes such a rule could stop a crawl with one line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrapy_blockfilter.options.selector_path import PageSize, Path, Power

__all__ = ["PageSize", "SelectorCost"]

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
