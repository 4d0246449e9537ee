"""Amounts as structured data and pages write them, and whether a page shows the price that it declares.

Plain numbers need no library. Amounts with a currency, or in the ways of other countries, are read by price-parser, of
the extra ``metadata``; without it they count as unknown, and no price is checked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache, partial
from typing import Any

from scrapy_blockfilter.plugins import is_installed
from scrapy_blockfilter.text.dates_and_prices import with_plain_digits
from scrapy_blockfilter.text.normal_form import normalized

has_price_parser = cache(partial(is_installed, "price_parser"))
# Characters of an amount; lines of a page that are read, as lists of products have; digits of a price with its cents.
_MAX_AMOUNT, _MAX_LINES, _MAX_DIGITS = 40, 500, 9
# Texts whose amounts are remembered: a page may state one of them any number of times.
_MOST_PARSED = 10_000
# Currencies with three decimals: 12.500 is twelve and a half.
THREE_DECIMALS = frozenset({"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"})
_MARKS = str.maketrans("’٫٬−", "'.,-")
# Three decimals may be a group of thousands.
_PLAIN = re.compile(r"\d{1,12}(?:\.(?!\d{3}\Z)\d{1,16})?|\d{1,12}(?:\.\d{1,16})?[eE]\+?\d{1,2}")
# With groups of three digits, in India of two before the last, or without groups.
_NUMBER = re.compile(r"\d{1,3}(?:[ .,']\d{3}|,\d\d(?=,)){1,4}(?:[.,]\d{1,2})?(?!\d)|\d{1,12}(?:[.,]\d{1,2})?(?!\d)")


def amount(written: Any, point: str = "") -> float | None:
    """Return an amount as a number, or None if it cannot be read as one; ``point`` is a sure decimal point.

    >>> amount("33.90"), amount(12), amount("none")
    (33.9, 12.0, None)
    """
    if isinstance(written, str) and len(written) <= _MAX_AMOUNT:
        folded = _folded(written).strip()
        is_known = has_price_parser() and not folded.startswith("-")
        written = float(folded) if _PLAIN.fullmatch(folded) else _parsed(folded, point) if is_known else None
    return float(written) if isinstance(written, (int, float)) and 0 <= written < 1e12 else None


def _folded(written: str) -> str:
    """Return a text with the digits and marks that price-parser reads."""
    return with_plain_digits(normalized("NFKC", written).translate(_MARKS))


@lru_cache(_MOST_PARSED)
def _parsed(written: str, point: str) -> float | None:
    from price_parser import Price  # of an extra

    found: float | None = Price.fromstring(written, decimal_separator=point if point in written else None).amount_float
    return found


def shown_prices(lines: Sequence[str], points: Sequence[str]) -> frozenset[float]:
    """Return the prices that lines of a page show, read with each of the decimal points; of "" it is a guess."""
    lines = [_folded(line) for line in lines[:_MAX_LINES]] if has_price_parser() else []
    numbers = {number for line in lines for number in _NUMBER.findall(line)}
    found = (_parsed(number, point) for number in numbers for point in points)
    # Cents may stand in an element of their own, without a mark: 33 90.
    digits = ("".join(filter(str.isdecimal, line)) for line in lines)
    joined = (int(written) / 100 for written in digits if 0 < len(written) <= _MAX_DIGITS)
    return frozenset([*(price for price in found if price is not None), *joined])
