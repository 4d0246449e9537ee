"""Read dates as pages write them, and write them as ISO 8601.

Dates in figures need no library. Dates with the name of a month are read with dateparser alone, of ``metadata``.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date, datetime
from email.utils import parsedate_to_datetime
from functools import cache, partial
from itertools import islice

from scrapy_blockfilter.plugins import is_installed

has_dateparser = cache(partial(is_installed, "dateparser"))
# Years that a date of a page may have: a mistyped one is worse than none.
FIRST_YEAR, LAST_YEAR = 1900, 2100
# Days that stand for a missing date: of the first second of Unix time.
_UNSET = ("1970-01-01", "1969-12-31")
# Characters of a text that is searched for a date.
MAX_SEARCHED = 500

_ISO = re.compile(
    r"(?P<year>\d{4})(?:[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})|(?P<months>\d{2})(?P<days>\d{2}))(?!\d)"
    r"(?:[T ]\s{0,3}(?P<hour>\d{1,2}):?(?P<minute>\d{2})(?::?(?P<second>\d{2})(?:[.,]\d{1,9})?)?"
    r"\s?(?P<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2}(?!\d))?)?",
    re.IGNORECASE,
)
_YEAR_FIRST = re.compile(r"(?<![\d/.-])(\d{4})(?:\s?[年년]|[/.-])\s?(\d{1,2})(?:\s?[月월]|[/.-])\s?(\d{1,2})(?!\d)")
_YEAR_LAST = re.compile(r"(?<![\d/.-])(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4})(?!\d)")
_IN_ADDRESS = re.compile(r"/((?:19|20)\d{2})[/-](\d{1,2})[/-](\d{1,2})(?=[/-]|\Z)")
# A time in a half of the day, and a name of UTC before a difference from it, as JavaScript writes it: GMT+0100.
_HALF = re.compile(r"(?<!\d)(\d{1,2})(:\d\d(?::\d\d)?)\s?([ap])\.?m\b\.?", re.IGNORECASE)
_BEFORE_OFFSET = re.compile(r"(?:GMT|UTC)(?=[+-]\d)")
# Words for a change of a text: the line may have the day of the text itself, too.
_CHANGED = re.compile(r"(?i)pdat|a[kc]?tuali|mis à jour|aggiorn|bijgewerkt|güncel|обновл|оновл|更新|수정|تحديث|अपडेट")
# Letters, with the marks of scripts that join them: no \w.
_LETTER = r"[^\s\d!-/:-@\[-`{-~]"
# Up to two words and a month between day and year, or a month before both: 12 de marzo de 2014; March 12th, 2014.
BY_NAME = re.compile(
    rf"(?<!\w)(?:\d{{1,2}}(?:\.|st|nd|rd|th|er|º)?,?\s(?:{_LETTER}{{1,4}}\s)?{_LETTER}{{3,15}}\.?,?\s"
    rf"(?:{_LETTER}{{1,4}}\s)?\d{{4}}|{_LETTER}{{3,15}}\.?\s\d{{1,2}}(?:st|nd|rd|th)?,?\s\d{{4}})(?!\d)"
)
_YEAR_BY_NAME = re.compile(rf"(?<!\w)\d{{4}}\.?\s{_LETTER}{{3,15}}\s\d{{1,2}}(?!\d)")

# Codes of languages that dateparser has under another one: that of most Norwegian pages, and former ones.
_OTHER_CODES = {"no": "nb", "iw": "he", "in": "id", "mo": "ro"}


def iso_date(written: str) -> str:
    """Return a date of a field that holds nothing else as ISO 8601, with its time and zone if it has them; else "".

    >>> iso_date("2014-3-12 9:05 +0100"), iso_date("Wed, 12 Mar 2014 09:05:00 GMT"), iso_date("2014-13-45")
    ('2014-03-12T09:05:00+01:00', '2014-03-12T09:05:00+00:00', '')
    """
    written = _BEFORE_OFFSET.sub("", written.strip()[:MAX_SEARCHED].replace("−", "-"))
    written = _HALF.sub(lambda half: f"{int(half[1]) % 12 + 12 * (half[3] in 'Pp'):02}{half[2]}", written)
    found = _ISO.match(written)
    if found is None:
        with suppress(ValueError, TypeError, IndexError, OverflowError):
            mailed = parsedate_to_datetime(written)
            return mailed.isoformat() if _day(str(mailed.year), mailed.month, mailed.day) else ""
        return ""
    day = _day(found["year"], found["month"] or found["months"], found["day"] or found["days"])
    # A word behind the time may be a zone or half of a day in any language.
    if not day or found["hour"] is None or written[found.end() :].lstrip()[:1].isalpha():
        return day
    zone = found["zone"] or ""
    offset = f"{zone[:3]}:{zone[3:].lstrip(':') or '00'}" if zone[:1] in ("+", "-") else "+00:00" if zone else ""
    try:
        clock = f"{int(found['hour']):02}:{found['minute']}:{found['second'] or '00'}"
        return datetime.fromisoformat(f"{day}T{clock}{offset}").isoformat()
    except ValueError:  # 25:00
        return day


def date_in_text(text: str, language: str) -> str:
    """Return the first day that a text names, as ISO 8601, or "": of a text that was changed, the earliest.

    Which figure is the month of 3/4/2014 is left open in English, where both are usual.

    >>> date_in_text("Posted 12.3.2014 by Anna", "de"), date_in_text("Posted 3/4/2014", "en")
    ('2014-03-12', '')
    """
    text = " ".join(text[:MAX_SEARCHED].split())
    most = 2 if _CHANGED.search(text) else 1
    forms = ((_YEAR_FIRST, _by_figures), (_YEAR_LAST, _by_figures), (BY_NAME, _by_name), (_YEAR_BY_NAME, _by_name))
    for form, read in forms:
        if days := [read(found, language) for found in islice(form.finditer(text), most)]:
            return min(filter(None, days), default="")
    return ""


def _by_figures(found: re.Match[str], language: str) -> str:
    if len(found[1]) == 4:
        return _day(*found.groups())
    first, second = int(found[1]), int(found[3])
    if second > 12:
        return _day(found[4], first, second)
    is_open = first <= 12 and first != second and language in ("", "en") and found[2] != "."
    return "" if is_open else _day(found[4], second, first)


def date_in_address(url: str) -> str:
    """Return the day that an address names, as ISO 8601, or "".

    >>> date_in_address("http://a.example/2014/03/12/b"), date_in_address("http://a.example/2014/b")
    ('2014-03-12', '')
    """
    found = _IN_ADDRESS.search(url)
    return _day(*found.groups()) if found else ""


def _day(year: str, month: str | int, day: str | int) -> str:
    try:
        written = date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return ""
    return written if FIRST_YEAR <= int(year) <= LAST_YEAR and written not in _UNSET else ""


def _by_name(named: re.Match[str], language: str) -> str:
    """Read a date with the name of a month, first in the language of the page."""
    if not has_dateparser():
        return ""
    import dateparser  # takes longer to import than the add-on

    settings = {"PARSERS": ["absolute-time"], "REQUIRE_PARTS": ["day", "month", "year"], "STRICT_PARSING": True}
    for tried in dict.fromkeys((_OTHER_CODES.get(language, language), "en")):
        if tried:
            with suppress(ValueError, TypeError, OverflowError, RecursionError):  # a language that it does not know
                found = dateparser.parse(named[0], languages=[tried], settings=settings)
                if found is not None:
                    return _day(str(found.year), found.month, found.day)
    return ""
