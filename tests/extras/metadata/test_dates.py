"""Dates as pages write them, as ISO 8601."""

from __future__ import annotations

import pytest

import scrapy_blockfilter as bf


def published(head: str = "", body: str = "<p>Text</p>", url: str = "", lang: str = "en") -> str:
    html = f"<html lang='{lang}'><head>{head}</head><body><h1>Harbour</h1>{body}</body></html>"
    return bf.clean(html, url).metadata["published"] or ""


@pytest.mark.parametrize(
    ("written", "iso"),
    [
        ("2014-03-12", "2014-03-12"),
        (" 2014/3/2 ", "2014-03-02"),
        ("20140312", "2014-03-12"),
        ("20140312T090500Z", "2014-03-12T09:05:00+00:00"),
        ("2014-03-12T09:05", "2014-03-12T09:05:00"),
        ("2014-03-12T09:05:06.789+05:30", "2014-03-12T09:05:06+05:30"),
        ("2014-03-12T09:05:06-0800", "2014-03-12T09:05:06-08:00"),
        ("2014-03-12 09:05:06 UTC", "2014-03-12T09:05:06+00:00"),
        ("2014-03-12T25:61:00Z", "2014-03-12"),
        ("2014-03-12T09:05:00+99:00", "2014-03-12"),
        ("Wed, 12 Mar 2014 09:05:00 +0100", "2014-03-12T09:05:00+01:00"),
        *((f"2014-03-12 {time}", "2014-03-12T21:05:00") for time in ("9:05 PM", "09:05:00 p.m.", "21:05")),
        *((f"March 12, 2014 {time}", "2014-03-12T00:05:00") for time in ("12:05 AM", "12:05am", "0:05")),
        *((f"2014-03-12 9:05 {word}", "2014-03-12") for word in ("CET", "μ.μ.", "CH")),
        *((f"{day} 2014 09:05:00 GMT+0100 (CET)", "2014-03-12T09:05:00+01:00") for day in ("Wed Mar 12", "12 Mar")),
        *((f"2014-03-12 9:05 PM {zone}", "2014-03-12T21:05:00-08:00") for zone in ("UTC-08:00", "−0800")),
        *((unset, "") for unset in ("1970-01-01T00:00:00Z", "Thu, 01 Jan 1970 00:00:00 GMT", "1969-12-31 19:00-0500")),
        *((none, "") for none in ("2014-02-30", "2014-13-45", "0001-01-01", "9999-12-31", "12.03.2014", "2014")),
        *((none, "") for none in ("yesterday", "{{date}}", "20140", "1" * 10_000, "")),
    ],
)
def test_date_of_a_field_becomes_iso_8601(written: str, iso: str) -> None:
    assert published(f'<meta name="date" content="{written}">') == iso


@pytest.mark.parametrize(
    ("text", "language", "iso"),
    [
        ("Posted on 2014-03-12 by Anna", "en", "2014-03-12"),
        ("Опубликовано 12.03.2014 в 10:00", "ru", "2014-03-12"),
        ("2014年3月12日 10:00", "zh", "2014-03-12"),
        *((text, "ko", "2014-03-12") for text in ("2014년 3월 12일", "2014. 3. 12. 오후")),
        ("Le 03/04/2014 à 10h", "fr", "2014-04-03"),
        *((text, "en", "2014-04-25") for text in ("25/04/2014", "04/25/2014")),
        ("04/04/2014", "en", "2014-04-04"),
        ("Updated 2014-05-20. First published 2014-03-12", "en", "2014-03-12"),
        ("Aktualisiert am 20.05.2014, veröffentlicht am 12.03.2014", "de", "2014-03-12"),
        ("更新时间：2014-05-20 发布时间：2014-03-12", "zh", "2014-03-12"),
        ("Published 2014-03-12, for the races of 2014-01-01", "en", "2014-03-12"),
        *((text, "en", "") for text in ("03/04/2014", "Call 555-0123-2014 now", "1 of 2014 pages")),
    ],
)
def test_day_is_found_in_a_line(text: str, language: str, iso: str) -> None:
    assert published(body=f"<p>{text}</p>", lang=language) == iso


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Published: March 12th, 2014 at noon", "en"),
        ("12 Mar 2014", "en"),
        ("Von Anna, 12. März 2014", "de"),
        ("12 de marzo de 2014", "es"),
        ("12 марта 2014", "ru"),
        ("12 mars 2014", "fr"),
        *(("12. mars 2014", "no"), ("12 במרץ 2014", "iw")),
        *(("12 मार्च 2014", "hi"), ("12 มีนาคม 2014", "th"), ("12 মার্চ 2014", "bn"), ("12 மார்ச் 2014", "ta")),
        ("2014. március 12.", "hu"),
        ("In 2014 updated 20 May 2014, posted 12 March 2014", "en"),
        *(("March 12, 2014", language) for language in ("de", "xx")),
    ],
)
def test_names_of_months_are_read_by_dateparser(text: str, language: str) -> None:
    pytest.importorskip("dateparser")
    assert published(body=f"<p>{text}</p>", lang=language) == "2014-03-12"


def test_day_is_found_in_an_address() -> None:
    assert published(url="http://a.example/2014/03/12/harbour") == "2014-03-12"
    assert published(url="http://a.example/2014-3-12") == "2014-03-12"
    assert published(url="http://a.example/2014/13/45/harbour") == ""
