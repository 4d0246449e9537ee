"""warcio: pages of an archive, and one error for an archive that is damaged."""

from __future__ import annotations

import gzip
from io import BytesIO

import pytest

pytest.importorskip("warcio")

from warcio.archiveiterator import ArchiveIterator
from warcio.bufferedreaders import DecompressingBufferedReader
from warcio.exceptions import ArchiveLoadFailed


def archive() -> bytes:
    page = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>été".encode()
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(page)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + page + b"\r\n\r\n")


def test_a_page_of_an_archive_has_address_headers_and_body() -> None:
    (record,) = [
        (
            found.rec_type,
            found.rec_headers.get_header("WARC-Target-URI"),
            found.http_headers,
            found.content_stream().read(),
        )
        for found in ArchiveIterator(BytesIO(archive()))
    ]
    kind, url, headers, body = record
    assert (kind, url, body.decode()) == ("response", "http://a.example/", "<p>été")
    assert headers.get_statuscode() == "200"
    assert headers.get_header("content-type").startswith("text/html")


def test_the_reader_of_an_archive_may_be_another() -> None:
    lines: list[bytes] = []

    class Reader(DecompressingBufferedReader):  # type: ignore[misc]
        def readline(self, length: int | None = None) -> bytes:
            lines.append(super().readline(length))
            return lines[-1]

    stream = BytesIO(archive())
    records = ArchiveIterator(stream)
    records.reader = Reader(stream)
    assert [found.rec_type for found in records] == ["response"]
    assert any(line.startswith(b"WARC/1") for line in lines)


@pytest.mark.parametrize("data", [b"no archive at all\r\n\r\n", b"<html>" * 9])
def test_what_is_no_archive_raises_one_error(data: bytes) -> None:
    with pytest.raises(ArchiveLoadFailed):
        list(ArchiveIterator(BytesIO(data)))
