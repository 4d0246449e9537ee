"""Amounts as structured data and pages write them, and whether a page shows the price that it declares.

Plain numbers need no library. Amounts with a currency, or in the ways of other countries, are read by price-parser, of
the extra ``metadata``; without it they count as unknown, and no price is checked.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import Any

# Characters of an amount; lines of a page that are read, as lists of products have; digits of a price with its cents.
_MAX_AMOUNT, _MAX_LINES, _MAX_DIGITS = 40, 500, 9
# Texts whose amounts are remembered: a page may state one of them any number of times.
_MOST_PARSED = 10_000
_PLAIN = re.compile(r"\d{1,12}(?:\.\d{1,2})?")
# With groups of three digits, or without.
_NUMBER = re.compile(r"\d{1,3}(?:[ .,'’\u00a0\u202f]\d{3}){1,4}(?:[.,]\d{1,2})?(?!\d)|\d{1,12}(?:[.,]\d{1,2})?(?!\d)")


def amount(written: Any) -> float | None:
    """Return an amount as a number, or None if it cannot be read as one.

    >>> amount("33.90"), amount(12), amount("none")
    (33.9, 12.0, None)
    """
    if isinstance(written, (int, float)):
        return float(written) if 0 <= written < 1e12 and math.isfinite(written) else None
    if not isinstance(written, str) or len(written) > _MAX_AMOUNT:
        return None
    if _PLAIN.fullmatch(written.strip()):
        return float(written)
    return _parsed(written) if has_price_parser() else None


@lru_cache(_MOST_PARSED)
def _parsed(written: str) -> float | None:
    from price_parser import Price  # of an extra

    found: float | None = Price.fromstring(written).amount_float
    return found if found is not None and 0 <= found < 1e12 else None


def shown_prices(lines: Sequence[str]) -> frozenset[float]:
    """Return the prices that lines of a page show."""
    lines = lines[:_MAX_LINES] if has_price_parser() else ()
    found = map(_parsed, {number for line in lines for number in _NUMBER.findall(line)})
    # Cents may stand in an element of their own, without a mark: 33 90.
    digits = ("".join(filter(str.isdigit, line)) for line in lines)
    joined = (int(written) / 100 for written in digits if 0 < len(written) <= _MAX_DIGITS)
    return frozenset([*(price for price in found if price is not None), *joined])


@cache
def has_price_parser() -> bool:
    return find_spec("price_parser") is not None
