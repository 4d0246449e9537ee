"""The pages, and the places on them that are written by a program."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
README = ROOT / "README.md"

_PLACE = re.compile(r"(?P<start><!-- table: (?P<name>[\w-]+) -->\n)(?P<body>.*?)(?P<end><!-- end -->)", re.DOTALL)

Tables = Mapping[str, Callable[[], str]]


class PageError(Exception):
    """A page asks for a table that there is not, or does not say where one ends."""


def pages() -> Iterator[Path]:
    """The README, then the pages of the site by name."""
    yield README
    yield from sorted(DOCS.rglob("*.md"))


def filled(text: str, tables: Tables) -> str:
    """The text of a page with each of its tables as the program makes it.

    Raises:
        PageError: a name is unknown, or a table has no end.

    >>> filled("<!-- table: one -->\\nold\\n<!-- end -->\\n", {"one": lambda: "| new |"})
    '<!-- table: one -->\\n\\n| new |\\n\\n<!-- end -->\\n'
    """

    def fill(place: re.Match[str]) -> str:
        if place["name"] not in tables:
            raise PageError(f"there is no table {place['name']}; there are {', '.join(sorted(tables))}")
        return f"{place['start']}\n{tables[place['name']]()}\n\n{place['end']}"

    starts = text.count("<!-- table: ")
    if starts != len(_PLACE.findall(text)) or starts != text.count("<!-- end -->"):
        raise PageError("a table has no name, or no <!-- end -->")
    return _PLACE.sub(fill, text)


def names(text: str) -> list[str]:
    """The names of the tables on a page.

    >>> names("<!-- table: one -->\\n<!-- end -->")
    ['one']
    """
    return [place["name"] for place in _PLACE.finditer(text)]
