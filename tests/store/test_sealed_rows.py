"""Records as rows: a read returns what was written, for the same page of the same site."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.html import PageCaches, parse, segment
from scrapy_blockfilter.sample import PageRecord
from scrapy_blockfilter.store.sample_rows import seal, unseal

RECORD = PageRecord.of(segment(parse("<p>One</p><p>Other</p>"), PageCaches()))
SEALED = seal("news.example", 7, RECORD)


def test_what_was_sealed_comes_back() -> None:
    assert unseal("news.example", 7, RECORD.keys, SEALED) == RECORD


@pytest.mark.parametrize(
    ("site", "page", "keys", "sealed"),
    [
        ("other.example", 7, RECORD.keys, SEALED),
        ("news.example", 8, RECORD.keys, SEALED),
        ("news.example", 7, RECORD.keys[8:] + RECORD.keys[:8], SEALED),
        ("news.example", 7, b"", SEALED),
        ("news.example", 7, RECORD.keys, SEALED[:-1]),
        ("news.example", 7, RECORD.keys, SEALED[:20] + bytes([SEALED[20] ^ 1]) + SEALED[21:]),
        ("news.example", 7, RECORD.keys, b""),
        ("news.example", 7, RECORD.keys, RECORD.body),
        ("news.example", "7", RECORD.keys, SEALED),
        ("news.example", 7.0, RECORD.keys, SEALED),
        ("news.example", 7, "text", SEALED),
        ("news.example", 7, RECORD.keys, "text"),
        ("news.example", 7, RECORD.keys, 1.5),
    ],
)
def test_anything_else_is_not_what_was_written(site: str, page: object, keys: object, sealed: object) -> None:
    with pytest.raises(ValueError, match="not what was written"):
        unseal(site, page, keys, sealed)


def test_row_that_was_not_read_for_its_size_is_refused() -> None:
    for keys, sealed in ((None, SEALED), (RECORD.keys, None)):
        with pytest.raises(ValueError, match="a record that is too large"):
            unseal("news.example", 7, keys, sealed)


def test_sealed_row_of_another_form_is_refused() -> None:
    forged = PageRecord(RECORD.keys, b"no record")
    with pytest.raises(ValueError, match="not a page record"):
        unseal("news.example", 7, forged.keys, seal("news.example", 7, forged))
