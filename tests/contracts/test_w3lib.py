"""w3lib: URLs in one form, the base of a page, and the encodings that pages declare."""

from __future__ import annotations

import pytest
from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom, to_unicode
from w3lib.html import get_base_url
from w3lib.url import canonicalize_url, safe_url_string


def test_urls_have_one_form() -> None:
    assert canonicalize_url(safe_url_string("http://Example.com/ä?b=2&a=1#c")) == "http://example.com/%C3%A4?a=1&b=2"
    assert canonicalize_url("http://a.example/?q=%7e&p=") == "http://a.example/?p=&q=~"


def test_the_base_of_a_page_is_found_or_its_address() -> None:
    assert get_base_url("<base href='/b/'>", "http://a.example/c") == "http://a.example/b/"
    assert get_base_url("<p>", "http://a.example/c") == "http://a.example/c"
    with pytest.raises(ValueError, match="IPv6"):
        get_base_url("<base href='http://['>", "http://a.example/")


def test_encodings_are_those_that_are_declared() -> None:
    assert read_bom(b"\xef\xbb\xbfa") == ("utf-8", b"\xef\xbb\xbf")
    assert read_bom(b"a") == (None, None)
    assert http_content_type_encoding("text/html; charset=latin1") == "cp1252"
    assert http_content_type_encoding(None) is None
    assert html_body_declared_encoding(b"<meta charset=koi8-r>") == "koi8-r"
    assert html_body_declared_encoding(b"<p>") is None
    assert to_unicode(b"a\xff\xe9", "utf-8") == "a\ufffd\ufffd"
