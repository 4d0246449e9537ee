"""Pages with boxes, as a browser that runs the page script would leave them."""

from __future__ import annotations

import re
from random import Random

_START = re.compile(r"<([a-z][a-z0-9]*(?: [^<>]*)?)>")
_FLAGS = ("", " l", " m", " i", " l i", " p", " a", " f18 w700", " bfff", " c333 l", " t0,0,0,90,20", " t1,5,30,90,20")


def boxed(html: str, seed: object = 0, *, share: float = 0.8) -> str:
    """Write boxes of any kind on a share of the start tags of a page: of no layout that a browser would make."""
    random = Random(f"{seed}")

    def written(tag: re.Match[str]) -> str:
        if random.random() > share:
            return tag[0]
        box = (random.randint(-40, 900), random.randint(-40, 900), random.randint(0, 1280), random.randint(0, 600))
        return f'<{tag[1]} data-bf="{" ".join(map(str, box))}{random.choice(_FLAGS)}">'

    return _START.sub(written, html)


def at(x: int, y: int, width: int, height: int, more: str = "l") -> str:
    """Return the attribute of an element."""
    return f'data-bf="{x} {y} {width} {height}{f" {more}" if more else ""}"'
