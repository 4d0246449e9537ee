"""Count the work on a page, to tell whether it grows with its square: visits of nodes, characters read, calls."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any
from unittest.mock import patch

from lxml import etree

# The most work for twice the page, in that for the page: twice, and what both have in common.
MOST = 2.3


def growth(work: Callable[[str], object], make: Callable[[int], str], count: int) -> float:
    """Return how many times the work on one page is that on a page of half the elements."""
    smaller, larger = visits(work, make(count)), visits(work, make(2 * count))
    assert smaller > 0
    return larger / smaller


def visits(work: Callable[[str], object], html: str) -> int:
    """Return how many nodes are visited, and characters of attributes and texts read, on a page that is parsed."""
    Counted.work = 0
    with patch.object(etree, "HTMLParser", _parser):
        work(html)
    return Counted.work


def calls(work: Callable[[], object]) -> int:
    """Return how many functions are called."""
    count = 0

    def note(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


class Counted(etree.ElementBase):
    """An element that counts what lxml does for it: a walk visits each node up to the last one that is asked for."""

    work = 0

    def iter(self, *tags: Any) -> Iterator[Any]:
        return _counted(etree.ElementBase.iter(self), etree.ElementBase.iter(self, *tags))

    def itersiblings(self, *tags: Any, preceding: bool = False) -> Iterator[Any]:
        every, some = (etree.ElementBase.itersiblings(self, *of, preceding=preceding) for of in ((), tags))
        return _counted(every, some)

    def iterancestors(self, *tags: Any) -> Iterator[Any]:
        return _counted(etree.ElementBase.iterancestors(self), etree.ElementBase.iterancestors(self, *tags))

    def itertext(self, *tags: Any, with_tail: bool = True) -> Iterator[str]:
        Counted.work += sum(1 for _ in etree.ElementBase.iter(self))
        return etree.ElementBase.itertext(self, *tags, with_tail=with_tail)

    def find(self, path: Any, namespaces: Any = None) -> Any:
        return next((child for child in _counted(iter(self), iter(self)) if child.tag == path), None)

    def __len__(self) -> int:
        children = etree.ElementBase.__len__(self)
        Counted.work += children
        return children

    def getparent(self) -> Any:
        Counted.work += 1
        return etree.ElementBase.getparent(self)

    def get(self, key: Any, default: Any = None) -> Any:
        value = etree.ElementBase.get(self, key, default)
        Counted.work += len(value or "")
        return value


def _counted(every: Iterator[Any], some: Iterator[Any]) -> Iterator[Any]:
    following = next(some, None)
    for node in every:
        Counted.work += 1
        if node is following:
            yield node
            following = next(some, None)


_HTMLParser = etree.HTMLParser


def _parser(**options: Any) -> Any:
    parser = _HTMLParser(**options)
    parser.set_element_class_lookup(etree.ElementDefaultClassLookup(element=Counted))
    return parser
