"""Find what a CSS selector names in time that no page can choose.

libxml2 takes a step of a path from each element that it reached, and compares what it finds with all that it found
before: ``div p`` takes the product of the levels and the square of the paragraphs, and ``p ~ p`` the cube of a family.
So each compound of a selector is searched for by itself, and each combinator goes once over what its two sides found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from cssselect import ExpressionError, HTMLTranslator, parse
from cssselect.parser import CombinedSelector, Tree
from lxml import etree

_Elements: TypeAlias = Iterable[etree._Element]
_Combine: TypeAlias = Callable[[set[etree._Element], _Elements], Iterator[etree._Element]]


class CssSearch:
    """A compiled CSS selector. Called with an element, it returns what is found inside of it, each element once.

    ``path`` is the selector as one XPath, and ``paths`` has one for each compound, as they are searched for.
    """

    def __init__(self, selector: str) -> None:
        """Raise SelectorError for what is no CSS selector, XPathError for what libxml2 does not compile."""
        self.path = HTMLTranslator().css_to_xpath(selector)
        branches = [list(_steps(of_one.parsed_tree)) for of_one in parse(selector)]
        self.paths = [path for branch in branches for _, path in branch]
        compiled = ([(combine, etree.XPath(path, regexp=False)) for combine, path in branch] for branch in branches)
        self._branches = list(compiled)

    def __call__(self, root: etree._Element) -> list[etree._Element]:
        found: dict[etree._Element, None] = {}
        for steps in self._branches:
            reached: list[etree._Element] = []
            for number, (combine, search) in enumerate(steps):
                candidates = search(root)
                reached = list(combine(set(reached), candidates)) if number else candidates
                if not reached:
                    break
            found.update(dict.fromkeys(reached))
        return list(found)


def _steps(tree: Tree) -> Iterator[tuple[_Combine, str]]:
    """Yield the compounds of a selector from left to right, each behind the combinator before it."""
    combinator = " "
    if isinstance(tree, CombinedSelector):
        yield from _steps(tree.selector)
        combinator, tree = tree.combinator, tree.subselector
    if combinator not in _COMBINATORS:
        raise ExpressionError(f"the combinator {combinator!r} is not known")
    yield _COMBINATORS[combinator], f"descendant-or-self::{HTMLTranslator().xpath(tree)}"


def _inside(around: set[etree._Element], candidates: _Elements) -> Iterator[etree._Element]:
    """Yield the candidates that are inside of an element. Each of their ancestors is looked at once."""
    known: dict[etree._Element, bool] = {}
    for candidate in candidates:
        passed = []
        ancestor = candidate.getparent()
        while ancestor is not None and ancestor not in around and ancestor not in known:
            passed.append(ancestor)
            ancestor = ancestor.getparent()
        is_inside = ancestor is not None and (ancestor in around or known[ancestor])
        known.update(dict.fromkeys(passed, is_inside))
        if is_inside:
            yield candidate


def _right_inside(parents: set[etree._Element], candidates: _Elements) -> Iterator[etree._Element]:
    return (candidate for candidate in candidates if candidate.getparent() in parents)


def _right_behind(before: set[etree._Element], candidates: _Elements) -> Iterator[etree._Element]:
    for candidate in candidates:
        if next(candidate.itersiblings("*", preceding=True), None) in before:
            yield candidate


def _behind(before: set[etree._Element], candidates: _Elements) -> Iterator[etree._Element]:
    """Yield the candidates that follow a sibling. Each child of its parent is looked at once."""
    wanted = set(candidates)
    for family in dict.fromkeys(element.getparent() for element in before):
        is_behind = False
        for child in () if family is None else family:
            if is_behind and child in wanted:
                yield child
            is_behind = is_behind or child in before


_COMBINATORS: dict[str, _Combine] = {" ": _inside, ">": _right_inside, "+": _right_behind, "~": _behind}
