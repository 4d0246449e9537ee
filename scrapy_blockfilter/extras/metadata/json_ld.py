"""Read JSON-LD by the standard library's JSON, within limits.

A page has one or more SCRIPTs of it, each with an item or a list of items. They are kept as declared; addresses of
contexts are never followed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any

from scrapy_blockfilter.extras.metadata.values import Budget

# Levels of nesting that are kept; the deepest examples of schema.org have eight.
MAX_DEPTH = 16
# A longer SCRIPT is passed over. It takes some 20 ms to read.
MAX_SCRIPT = 1_000_000
# Before the first brace there may be the start of a comment or of CDATA.
_MAX_BEFORE = 100
_CDATA = "<![CDATA["

_DECODER = json.JSONDecoder(strict=False, parse_constant=lambda name: None)


def read_json_ld(scripts: Iterable[str], budget: Budget) -> tuple[list[dict[str, Any]], int]:
    """Return the items of a page's SCRIPTs, and the number of SCRIPTs that cannot be read.

    >>> read_json_ld(['{"@type": "Article"}', '{"@type": '], Budget())
    ([{'@type': 'Article'}], 1)
    """
    items: list[dict[str, Any]] = []
    unreadable = 0
    for script in scripts:
        try:
            value = _decoded(script)
        except (ValueError, RecursionError):  # of Python's reader, at some 1,000 levels
            unreadable += 1
            continue
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict):
                kept = bounded(item, budget)
                items += [kept] if isinstance(kept, dict) and kept else []
    return items, unreadable


def _decoded(script: str) -> Any:
    if len(script) > MAX_SCRIPT:
        raise ValueError("too long")
    if (place := script.find(_CDATA, 0, _MAX_BEFORE)) >= 0:
        script = script[place + len(_CDATA) :]
    starts = [place for bracket in "{[" if (place := script.find(bracket, 0, _MAX_BEFORE + 1)) >= 0]
    return _DECODER.raw_decode(script, min(starts))[0]


def bounded(value: Any, budget: Budget, depth: int = 0) -> Any:
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
        return {budget.text(name): bounded(inner, budget, depth + 1) for name, inner in value.items() if budget.take()}
    return [bounded(inner, budget, depth + 1) for inner in value if budget.take()]
