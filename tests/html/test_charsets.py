"""Bytes of pages are decoded by the encodings of the web, whatever the page declares."""

from __future__ import annotations

import codecs
import pkgutil
from encodings import __path__ as codec_folders
from encodings.aliases import aliases

import pytest

from scrapy_blockfilter import learn
from scrapy_blockfilter.html.charsets import WEB_ENCODINGS, decode

CODECS = sorted({module.name for module in pkgutil.iter_modules(codec_folders)} | aliases.keys())
NO_ENCODINGS = ["zlib", "hex", "rot13", "idna", "punycode", "undefined", "unicode_escape", "utf-7", "cp037", "nonsense"]


@pytest.mark.parametrize(
    "body",
    [
        codecs.BOM_UTF8 + "<p>Öl и 水</p>".encode(),
        codecs.BOM_UTF16_LE + "<p>Öl и 水</p>".encode("utf-16-le"),
        "<p>Öl и 水</p>".encode(),
        '<meta charset="koi8-r"><p>и</p>'.encode("koi8-r"),
        '<?xml version="1.0" encoding="koi8-r"?><p>и</p>'.encode("koi8-r"),
        *(f"<meta charset={name}>и".encode(codec) for name, codec in (("x-gbk", "gbk"), ("KOI8-RU", "koi8-u"))),
        *(b"<meta charset=euc-jp>%b\xa7\xda" % first for first in (b"\xad\xa1", b"\xad\xfe\xad\xa2", b"\xad<b>")),
    ],
)
def test_bytes_are_decoded_as_browsers_do(body: bytes) -> None:
    assert "и" in decode(body)


def test_bytes_of_no_known_encoding_are_text_all_the_same() -> None:
    assert decode(b"caf\xe9 \x93x\x94") == "café “x”"
    assert decode(b"") == ""


@pytest.mark.parametrize("name", NO_ENCODINGS)
def test_a_declared_codec_that_is_no_encoding_of_the_web_counts_as_none(name: str) -> None:
    page = f"<meta charset={name}><p>a+ADw-b \\x3c</p>".encode() + "é".encode("cp1252")
    expected = f"<meta charset={name}><p>a+ADw-b \\x3c</p>é"
    assert decode(page) == expected
    assert decode(page, f"text/html; charset={name}") == expected
    assert learn([page, page + b"c"]).clean(page).source == expected


def test_no_name_of_a_codec_makes_decoding_raise() -> None:
    for name in CODECS:
        assert "word" in decode(f"<meta charset={name}><p>word</p>".encode()), name
        assert decode(b"<p>word</p>", f"text/html; charset={name}"), name


def test_every_encoding_of_the_web_is_decoded_by_its_own_codec() -> None:
    for name in sorted(WEB_ENCODINGS - {"utf-16", "utf-16-be", "utf-16-le"}):
        every = bytes(range(0x80, 0x100)) * 2
        body = f"<meta charset={name}>".encode() + every
        assert decode(body, f"text/html; charset={name}") == decode(body)
        assert decode(f"<meta charset={name}>".encode() + "abc".encode(name)).endswith("abc")


def test_utf_16_is_taken_from_the_header_and_means_utf_8_within_a_page() -> None:
    assert decode("<p>Grüße".encode("utf-16-le"), "text/html; charset=utf-16") == "<p>Grüße"
    assert decode("<p>Grüße".encode("utf-16-be"), "text/html; charset=utf-16be") == "<p>Grüße"
    assert decode("<meta charset=utf-16><p>Grüße".encode()) == "<meta charset=utf-16><p>Grüße"


def test_the_header_counts_before_the_page() -> None:
    page = "<meta charset=koi8-r><p>и".encode("cp1251")
    assert decode(page, "text/html; charset=windows-1251").endswith("и")
    assert decode(page, "text/html; charset=zlib") == decode(page) == decode(page, "text/html; charset=x-zlib")
    assert decode("и".encode("euc_jp"), "text/html; charset=x-euc-jp") == "и"
