"""Read the boxes of a page's elements in a browser: the attribute ``data-bf`` that a page script writes.

``8 16 640 320 l f18 w700 c333 bfff t0,0,0,120,20`` is the position relative to the nearest element around that has the
attribute, width and height, in pixels. Behind them:

- ``l`` or ``m``: all in it is inline, with one font or several. No element in it has the attribute.
- ``i``: it is inline itself. ``p``, ``a``: its position is fixed, or absolute.
- ``f``, ``w``, ``c``, ``b``: font size, font weight, colour and background, where they differ from those around.
- ``t``: number of children before a text that stands between elements, and its box.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Rectangle(NamedTuple):
    """A box, in pixels."""

    x: int
    y: int
    width: int
    height: int

    @property
    def area(self) -> int:
        return self.width * self.height

    @property
    def right(self) -> int:
        return self.x + self.width

    @property
    def bottom(self) -> int:
        return self.y + self.height


def enclosing(boxes: Sequence[Rectangle]) -> Rectangle:
    """Return the smallest box around boxes."""
    x, y = min(box.x for box in boxes), min(box.y for box in boxes)
    return Rectangle(x, y, max(box.right for box in boxes) - x, max(box.bottom for box in boxes) - y)


class Annotation(NamedTuple):
    """The attribute of an element, read."""

    box: Rectangle  # relative to the nearest annotated element around
    flags: frozenset[str]  # the letters without a value
    style: Mapping[str, str]  # ``f``, ``w``, ``c`` and ``b`` with their values, where they differ from those around
    texts: Mapping[int, Rectangle]  # number of children before a text -> its box, relative to the element


def read_annotation(value: str) -> Annotation:
    """Read a value of the attribute.

    >>> read_annotation("0 8 640 20 m f18 t2,0,4,90,20").texts
    {2: Rectangle(x=0, y=4, width=90, height=20)}
    """
    x, y, width, height, *tokens = value.split(" ")
    flags, style, texts = set(), {}, {}
    for token in tokens:
        kind, told = token[0], token[1:]
        if kind == "t":
            numbers = told.split(",")
            if len(numbers) == 5 and all(map(_is_number, numbers)):
                place, *box = map(int, numbers)
                texts[place] = Rectangle(*box)
        elif told:
            style[kind] = told
        else:
            flags.add(kind)
    return Annotation(Rectangle(int(x), int(y), int(width), int(height)), frozenset(flags), style, texts)


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isdecimal() and len(text) <= 8
