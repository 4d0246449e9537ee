"""Read dates as pages write them, and write them as ISO 8601.

Dates in figures need no library. Names of months are read by dateparser, of the extra ``metadata``; without it such a
date counts as none.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from importlib.util import find_spec

# Years that a date of a page may have: a mistyped one is worse than none.
FIRST_YEAR, LAST_YEAR = 1900, 2100
# Characters of a text that is searched for a date.
MAX_SEARCHED = 500

_ISO = re.compile(
    r"(?P<year>\d{4})(?:[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})|(?P<months>\d{2})(?P<days>\d{2}))(?!\d)"
    r"(?:[T ]\s{0,3}(?P<hour>\d{1,2}):?(?P<minute>\d{2})(?::?(?P<second>\d{2})(?:[.,]\d{1,9})?)?"
    r"\s?(?P<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2}(?!\d))?)?",
    re.IGNORECASE,
)
_YEAR_FIRST = re.compile(
    r"(?<![\d/.-])(\d{4})(?:\s?[年년]\s?|[/.-])(\d{1,2})(?:\s?[月월]\s?|[/.-])(\d{1,2})(?!\d)",
)
_YEAR_LAST = re.compile(r"(?<![\d/.-])(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4})(?!\d)")
_IN_ADDRESS = re.compile(r"/((?:19|20)\d{2})[/-](\d{1,2})[/-](\d{1,2})(?=[/-]|\Z)")
# Up to two words and a month between day and year, or a month before both: 12 de marzo de 2014; March 12th, 2014.
_BY_NAME = re.compile(
    r"(?<!\w)(?:\d{1,2}(?:\.|st|nd|rd|th|er|º)?,?\s(?:[^\W\d_]{1,4}\s)?[^\W\d_]{3,15}\.?,?\s(?:[^\W\d_]{1,4}\s)?\d{4}"
    r"|[^\W\d_]{3,15}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s\d{4})(?!\d)"
)


def iso_date(written: str) -> str:
    """Return a date of a field that holds nothing else as ISO 8601, with its time and zone if it has them; else "".

    >>> iso_date("2014-3-12 9:05 +0100"), iso_date("Wed, 12 Mar 2014 09:05:00 GMT"), iso_date("2014-13-45")
    ('2014-03-12T09:05:00+01:00', '2014-03-12T09:05:00+00:00', '')
    """
    written = written.strip()[:MAX_SEARCHED]
    found = _ISO.match(written)
    if found is None:
        with suppress(ValueError, TypeError, IndexError, OverflowError):
            mailed = parsedate_to_datetime(written)
            return mailed.isoformat() if FIRST_YEAR <= mailed.year <= LAST_YEAR else ""
        return ""
    day = _day(found["year"], found["month"] or found["months"], found["day"] or found["days"])
    if not day or found["hour"] is None:
        return day
    zone = found["zone"] or ""
    offset = f"{zone[:3]}:{zone[3:].lstrip(':') or '00'}" if zone[:1] in ("+", "-") else "+00:00" if zone else ""
    try:
        clock = f"{int(found['hour']):02}:{found['minute']}:{found['second'] or '00'}"
        return datetime.fromisoformat(f"{day}T{clock}{offset}").isoformat()
    except ValueError:  # 25:00
        return day


def date_in_text(text: str, language: str) -> str:
    """Return the first day that a text names, as ISO 8601, or "".

    Which figure is the month of 3/4/2014 is left open in English, where both are usual.

    >>> date_in_text("Posted 12.3.2014 by Anna", "de"), date_in_text("Posted 3/4/2014", "en")
    ('2014-03-12', '')
    """
    text = " ".join(text[:MAX_SEARCHED].split())
    if found := _YEAR_FIRST.search(text):
        return _day(*found.groups())
    if found := _YEAR_LAST.search(text):
        first, second = int(found[1]), int(found[3])
        if second > 12:
            return _day(found[4], first, second)
        is_open = first <= 12 and first != second and language in ("", "en") and found[2] != "."
        return "" if is_open else _day(found[4], second, first)
    found = _BY_NAME.search(text)
    return _by_name(found[0], language) if found else ""


def date_in_address(url: str) -> str:
    """Return the day that an address names, as ISO 8601, or "".

    >>> date_in_address("http://a.example/2014/03/12/b"), date_in_address("http://a.example/2014/b")
    ('2014-03-12', '')
    """
    found = _IN_ADDRESS.search(url)
    return _day(*found.groups()) if found else ""


def _day(year: str, month: str | int, day: str | int) -> str:
    try:
        return date(int(year), int(month), int(day)).isoformat() if FIRST_YEAR <= int(year) <= LAST_YEAR else ""
    except ValueError:
        return ""


def _by_name(written: str, language: str) -> str:
    """Read a date with the name of a month, first in the language of the page."""
    if not has_dateparser():
        return ""
    import dateparser  # takes longer to import than the add-on

    settings = {"PARSERS": ["absolute-time"], "REQUIRE_PARTS": ["day", "month", "year"], "STRICT_PARSING": True}
    for tried in dict.fromkeys((language, "en")):
        if tried:
            with suppress(ValueError, TypeError, OverflowError, RecursionError):  # a language that it does not know
                found = dateparser.parse(written, languages=[tried], settings=settings)
                if found is not None:
                    return _day(str(found.year), found.month, found.day)
    return ""


@cache
def has_dateparser() -> bool:
    return find_spec("dateparser") is not None
