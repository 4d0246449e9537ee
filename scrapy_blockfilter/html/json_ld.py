"""Read JSON-LD by the standard library's JSON, within limits, as strangers write it.

A page has one or more SCRIPTs of it, each with an item or a list of items. Items are kept as declared; addresses of
contexts are never followed. A slip that templates make, such as a trailing comma, costs nothing but itself.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from html import unescape
from itertools import islice
from typing import Any

from lxml import etree

# Characters of one string of structured data: the text of most articles.
MAX_STRING = 10_000
# Characters, and values, of all structured data of a page. Pages of shops with reviews have half as much.
MAX_CHARACTERS, MAX_VALUES = 200_000, 5_000
# Levels of nesting that are kept; the deepest examples of schema.org have eight.
MAX_DEPTH = 16
MEDIA_TYPE = "application/ld+json"
# SCRIPTs that are read, and items of a page that are looked at; graphs have some tens.
_MAX_SCRIPTS = _MAX_ITEMS = 500
# Properties that hold items of their own: graphs, lists, and the subject of a page.
HOLDING = ("@graph", "mainEntity", "itemListElement", "item")
# A longer SCRIPT is passed over. It takes some 20 ms to read, and up to half a second if slips are mended.
MAX_SCRIPT = 1_000_000
# Before a value there may be the start of a comment or of CDATA, or the end of the value before.
_BEFORE = re.compile(r"[^{\[]*(?:(?<=<!)\[CDATA\[[^{\[]*)?")
_MAX_BEFORE = 100
# A string, or a row of commas, white space, characters that nobody sees, and comments. No part can begin with what
# another one takes, and each may end with the SCRIPT, so that reading takes linear time.
_STRING_OR_ROW = re.compile(
    r'"[^"\\]*(?:\\.[^"\\]*)*"?'
    r"|(?:[,\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2060\ufeff]+|//[^\n]*|/\*.*?(?:\*/|\Z))+",
    re.DOTALL,
)
_BACKSLASH = re.compile(r'\\(["\\/bfnrt]|u[0-9a-fA-F]{4})?')

_DECODER = json.JSONDecoder(strict=False, parse_constant=lambda name: None)
_UNWANTED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")

Item = dict[str, Any]


class Budget:
    """How much is still read of the structured data of a page."""

    def __init__(self) -> None:
        self.is_cut = False  # whether something was cut or left out
        self._characters = MAX_CHARACTERS
        self._values = MAX_VALUES

    def take(self) -> bool:
        """Count a value, and return whether it is within the limits."""
        self._values -= 1
        is_left = self._values >= 0 and self._characters > 0
        self.is_cut = self.is_cut or not is_left
        return is_left

    def text(self, written: str) -> str:
        """Count a string, and return it, cut to the limits."""
        most = min(MAX_STRING, self._characters)
        self.is_cut = self.is_cut or len(written) > most
        written = written[:most]
        self._characters -= len(written)
        return without_control(written)


def without_control(written: str) -> str:
    """Return text without control characters and lone surrogates, which other formats refuse."""
    return _UNWANTED.sub("", written)


def unescaped(written: str) -> str:
    """Return text with characters for its references: JSON-LD is often escaped as if it were HTML."""
    return unescape(written) if _REFERENCE.search(written) else written


def json_ld_scripts(root: etree._Element) -> Iterator[etree._Element]:
    """Yield the SCRIPTs with JSON-LD."""
    kinds = ((script, script.get("type", "").partition(";")[0]) for script in root.iter("script"))
    return (script for script, kind in kinds if kind.strip().lower() == MEDIA_TYPE)


def items_of(root: etree._Element, budget: Budget) -> tuple[list[Item], int]:
    """Return the items of a page, and the number of SCRIPTs that cannot be read."""
    return read_json_ld((script.text or "" for script in islice(json_ld_scripts(root), _MAX_SCRIPTS)), budget)


def held_items(items: Sequence[Item]) -> Iterator[Item]:
    """Yield items, and those that they hold, in document order."""
    waiting: list[Any] = list(reversed(items))
    for _ in range(_MAX_ITEMS):
        if not waiting:
            return
        item = waiting.pop()
        if isinstance(item, dict):
            yield item
            inner: list[Any] = []
            for name in HOLDING:
                value = item.get(name)
                inner += value if isinstance(value, list) else [value]
            waiting += reversed(inner[:_MAX_ITEMS])


def types_of(item: Item) -> tuple[str, ...]:
    """Return the names of an item's types, without the address of their vocabulary."""
    value = item.get("@type")
    names = value if isinstance(value, list) else [value]
    return tuple(name.rpartition("/")[2].rpartition(":")[2] for name in names if isinstance(name, str))


def read_json_ld(scripts: Iterable[str], budget: Budget) -> tuple[list[Item], int]:
    """Return the items of a page's SCRIPTs, and the number of SCRIPTs that cannot be read."""
    items: list[Item] = []
    unreadable = 0
    for script in scripts:
        try:
            for value in _decoded(script):
                if not budget.take():
                    break
                declared = value if isinstance(value, list) else [value]
                kept = (_bounded(item, budget) for item in declared if isinstance(item, dict))
                items += [item for item in kept if item]
        except (ValueError, RecursionError):  # of Python's reader, at some 1,000 levels
            unreadable += 1
    return items, unreadable


def _decoded(script: str) -> Iterator[Any]:
    """Yield the values of a SCRIPT. Slips are mended from the first value on that cannot be read with them."""
    if len(script) > MAX_SCRIPT:
        raise ValueError("too long")
    script = script.lstrip()
    begin = _next_value(script, 0)
    if begin is None:
        raise ValueError("no JSON")
    is_mended = False
    while begin is not None:
        try:
            value, end = _DECODER.raw_decode(script, begin)
        except ValueError:
            if is_mended:
                raise
            script, end, is_mended = _STRING_OR_ROW.sub(_mended, script[begin:]), 0, True
        else:
            yield value
        begin = _next_value(script, end)


def _next_value(script: str, end: int) -> int | None:
    """Return the start of the value that closely follows a place, or None."""
    before = _BEFORE.match(script, end)
    assert before is not None
    begin = before.end()
    return begin if begin - end <= _MAX_BEFORE and begin < len(script) else None


def _mended(found: re.Match[str]) -> str:
    """Return a string without backslashes that stand for nothing; of a row, a comma between two values, or a space."""
    part = found[0]
    if part[0] == '"':
        return _BACKSLASH.sub(lambda at: at[0] if at[1] else "", part)
    around = found.string[found.start() - 1] + found.string[found.end() : found.end() + 1]
    if "," in part and around[0] not in "{[:" and around[-1] not in ":}]":
        return ","
    return " " if any(map(str.isspace, part)) else ""


def _bounded(value: Any, budget: Budget, depth: int = 0) -> Any:
    """Return a copy of a JSON value within the limits, with numbers that JSON has; None for what is beyond them."""
    if isinstance(value, str):
        return budget.text(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, int):  # a bool, too
        return value if abs(value) < 2**63 else None  # what other readers of JSON take
    if value is None:
        return None
    if depth == MAX_DEPTH:
        budget.is_cut = True
        return None
    if isinstance(value, dict):
        return {budget.text(name): _bounded(inner, budget, depth + 1) for name, inner in value.items() if budget.take()}
    return [_bounded(inner, budget, depth + 1) for inner in value if budget.take()]
