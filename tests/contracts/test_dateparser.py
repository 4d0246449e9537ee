"""dateparser: names of months in a language that is named, and nothing read into what is no whole date."""

from __future__ import annotations

import pytest

dateparser = pytest.importorskip("dateparser")

SETTINGS = {"PARSERS": ["absolute-time"], "REQUIRE_PARTS": ["day", "month", "year"], "STRICT_PARSING": True}


@pytest.mark.parametrize(
    ("written", "language"),
    [("3. März 2024", "de"), ("March 3, 2024", "en"), ("3 mars 2024", "fr"), ("3 марта 2024", "ru")],
)
def test_a_date_with_the_name_of_a_month_is_read(written: str, language: str) -> None:
    found = dateparser.parse(written, languages=[language], settings=SETTINGS)
    assert (found.year, found.month, found.day) == (2024, 3, 3)


@pytest.mark.parametrize("written", ["March 2024", "yesterday", "3 March", "no date"])
def test_what_is_no_whole_date_is_none(written: str) -> None:
    assert dateparser.parse(written, languages=["en"], settings=SETTINGS) is None


def test_an_unknown_language_raises_value_error() -> None:
    with pytest.raises(ValueError, match="xx"):
        dateparser.parse("3 March 2024", languages=["xx"], settings=SETTINGS)
