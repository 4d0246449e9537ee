"""Recognise dates and prices in short texts.

A date has a month, a year or a time. Prices, article numbers and counts of views are no dates. Otherwise a row of a
shop or a message board would look like a reader's comment.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files
from itertools import chain
from unicodedata import decimal

from scrapy_blockfilter.text.normal_form import lettered

# Characters: longer texts may mention a date or a price, but are neither.
LONGEST = 90
DATED, PRICED = 1, 2

# Names of months and their usual short forms in lower case, from Unicode's CLDR, in the languages of most web pages.
# Names that are also common words beside a number ("3 set", "5 led") are left out.
_MONTHS = frozenset(map(lettered, files(__package__).joinpath("months.txt").read_text(encoding="utf-8").split()))
_MARKED = re.compile("[\u0900-\u0e7f]")  # scripts from Devanagari to Thai, whose vowels are marks
# A year by itself; a time; three numbers with the same mark between them; a number before a word for year, month or
# day. The pattern begins with a digit and looks back from there, as the search then skips all other characters.
_DATE = re.compile(
    r"\d(?:(?<![\d.,]\d)(?:(?<=1)9[5-9]|(?<=2)0[0-4])\d(?![\d%])(?![.,]\d)"
    r"|(?<!\d\d)(?:\d?:\d{2}(?!\d)|\d?([./-])\d{1,2}\1\d{4}(?![\d.])|\d{3}([./-])\d{1,2}\2\d{1,2}(?!\d))"
    r"|(?<!\d\d)(?<!\d[./-]\d)\d?([./-])\d{1,2}\3\d{2}(?![\d.])"
    r"| ?[年月日]| ?[년월일])"
)
_TIME_OR_YEAR = re.compile(r"(?<!\d)(?:\d?\d:\d\d|(?:19|20)\d\d)(?!\d)")
_OTHER_DIGIT = re.compile(r"[^\x00-\x7f\D]")
# Words longer than any month are skipped, in linear time.
_WORD_BESIDE_NUMBER = re.compile(
    r"\d(?:\w\w)?[\s.,-]{0,2}(?:de )?([^\W\d_]{3,13})|(?<![^\W\d_])([^\W\d_]{3,13})[\s.,-]{1,2}\d"
)
# Codes and short forms of currencies, and words that stand behind an amount alone ("Euro 2024" is no price). Codes that
# mean something else beside a number are left out ("2 cup", "5 kgs", "AMD 5800", "CRC 32").
_CURRENCIES = files(__package__).joinpath("currencies.txt").read_text(encoding="utf-8").split("\n\n")
_CODES, _WORDS = map(str.split, _CURRENCIES)
# Every sign that Unicode has for a currency.
_SIGNS = "[$¢-¥֏؋৲৳૱௹฿៛₠-⃀＄￠￡￥￦]"

_PRICE = re.compile(rf"\d(?:[.,]?[-–])?\s?(?:{_SIGNS}|(?:{'|'.join(_CODES + _WORDS)})(?!\w))")
# A price with its currency before it, read from the end.
_PRICE_BACKWARDS = re.compile(rf"\d\s?(?:{_SIGNS}|\.?(?:{'|'.join(code[::-1] for code in _CODES)})(?!\w))")


@lru_cache(20_000)  # dates and prices recur on a page and from page to page
def meaning_of_figures(text: str) -> int:
    """Return ``DATED``, ``PRICED``, both bits together, or 0.

    >>> [meaning_of_figures(text) for text in ("3. März 2024", "$ 19.99", "SKU 48213", "1,204 views", "2024-01-05 £5")]
    [1, 2, 0, 0, 3]
    """
    text = with_plain_digits(text.lower())
    words = _WORD_BESIDE_NUMBER.findall(lettered(text) if _MARKED.search(text) else text)
    is_date = _DATE.search(text) or not _MONTHS.isdisjoint(chain(*words))
    is_price = _PRICE.search(text) or _PRICE_BACKWARDS.search(text[::-1])
    return (DATED if is_date else 0) | (PRICED if is_price else 0)


def with_plain_digits(text: str) -> str:
    """Return a text with digits of ASCII for the digits of other scripts."""
    return "".join(str(decimal(one, one)) for one in text) if _OTHER_DIGIT.search(text) else text


def are_times(text: str) -> bool:
    """Return whether all figures of a text are times of day, durations or years.

    >>> are_times("9:30 Opening"), are_times("The Mill (1994)"), are_times("9:30, 3 May"), are_times("Opening")
    (True, True, False, False)
    """
    others, times = _TIME_OR_YEAR.subn("", with_plain_digits(text))
    return times > 0 and not any(map(str.isdecimal, others))
