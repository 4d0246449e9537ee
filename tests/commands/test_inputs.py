"""Files of pages read as records: which are found, in which order, and the message for unreadable ones."""

from __future__ import annotations

import gzip
import os
import re
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from scrapy_blockfilter.commands import CommandError
from scrapy_blockfilter.commands.offline import Record, find_files, read_records, records
from tests.support.archives import items_of, write_folder, write_lines, write_warc
from tests.support.made_sites import make_site

SITE = make_site(pages=4)
ITEMS = items_of(SITE, "news.example")
Pack = Callable[[bytes], bytes]


def read(*paths: Path) -> list[Record]:
    return [record for file in find_files(map(str, paths)) for record in read_records(file)]


@pytest.mark.parametrize("name", ["feed.jsonl", "feed.jl", "FEED.JSONL"])
def test_lines_of_json_are_items_and_tell_how_far_reading_is(tmp_path: Path, name: str) -> None:
    path = write_lines(tmp_path / name, ITEMS)
    assert [record.item for record in read(path)] == ITEMS
    told = [record.position for record in read(path)]
    assert (told, told[-1]) == (sorted(told), path.stat().st_size)


def test_files_of_folders_are_pages_in_the_order_of_their_names(tmp_path: Path) -> None:
    write_folder(tmp_path / "mirror" / "news.example" / "2024", SITE)
    (tmp_path / "mirror" / "news.example" / "logo.png").write_bytes(b"")
    found = read(tmp_path / "mirror")
    assert [record.html for record in found] == [page.html.encode() for page in SITE.pages]
    assert {record.folder for record in found} == {"news.example"}
    assert found[0].url == (tmp_path / "mirror/news.example/2024/0.html").as_uri()


@pytest.mark.skipif(os.name == "nt", reason="folders have no such rights")
def test_folder_without_rights_is_a_record_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_folder(tmp_path / "news.example", SITE)
    (tmp_path / "news.example" / "closed").mkdir(mode=0)
    access = os.access  # to root all is open
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "closed" and access(path, mode))
    *pages, closed = read(tmp_path / "news.example")
    assert [record.html for record in pages] == [page.html.encode() for page in SITE.pages]
    assert closed.error.startswith("the file cannot be read further")
    assert closed.place.startswith(str(tmp_path / "news.example" / "closed"))


def test_links_that_lead_out_of_a_folder_are_told_and_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_folder(tmp_path / "mirror" / "news.example", SITE)
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret.html").write_text("<p>secret", encoding="utf-8")
    for name, target in {
        "inside.html": "0.html",
        "out.html": "../../secret.html",
        "folder": "../../secret",
        "broken.html": "none.html",
        "loop.html": "loop.html",
    }.items():
        (tmp_path / "mirror" / "news.example" / name).symlink_to(target)
    (tmp_path / "named").symlink_to("mirror")
    for folder in ("mirror", "named"):
        found = read(tmp_path / folder)
        assert [record.html for record in found] == [*(page.html.encode() for page in SITE.pages), found[0].html]
        assert capsys.readouterr().err == f"links that lead out of {tmp_path / folder}, or nowhere, and are left: 4\n"
    assert [record.html for record in read(tmp_path / "mirror/news.example/out.html")] == [b"<p>secret"]


@pytest.mark.parametrize(
    ("named", "folder"), [("mirror/plain", "plain"), ("mirror/plain/deep", "deep"), ("mirror/plain/0.html", "plain")]
)
def test_folder_without_the_name_of_a_host_names_the_site_itself(tmp_path: Path, named: str, folder: str) -> None:
    for folder_of in ("mirror/plain", "mirror/plain/deep"):
        (tmp_path / folder_of).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder_of / "0.html").write_text("<p>a", encoding="utf-8")
    assert read(tmp_path / named)[0].folder == folder


def test_pages_of_an_archive_are_those_that_a_crawl_would_learn_from(tmp_path: Path) -> None:
    path = write_warc(
        tmp_path / "crawl.warc.gz",
        [*ITEMS, {"url": "", "html": "<p>No address"}],
        gone=("404 Not Found", "text/html", b"<p>gone"),
        image=("200 OK", "image/png", b"\x89PNG"),
        old=("200 OK", "text/html; charset=iso-8859-1", "<p>Caf\u00e9".encode("latin-1")),
    )
    found = read(path)
    assert [record.url for record in found if record.is_other] == ["", ""]
    assert [(record.url, record.html) for record in found if not record.is_other] == [
        *((item["url"], item["html"]) for item in ITEMS),
        ("", "<p>No address"),
        ("http://more.example/old", "<p>Caf\u00e9"),
    ]


def test_what_cannot_be_read_is_a_record_that_says_why(tmp_path: Path) -> None:
    path = tmp_path / "feed.jsonl"
    path.write_bytes(b'{"url": 1}\n\n{"url": \n[1, 2]\n"\xff"\n{"url": 2}')
    found = read(path)
    assert [record.item for record in found if not record.error] == [{"url": 1}, {"url": 2}]
    assert [(record.place.rpartition(":")[2], record.error.partition(":")[0]) for record in found if record.error] == [
        ("3", "no JSON"),
        ("4", "JSON of a list, not of an item with fields"),
        ("5", "no JSON"),
    ]
    path.write_text("[" * 200_000 + '\n{"a": 1}\n', encoding="utf-8")
    deep, after = read(path)
    assert (deep.error.startswith("no JSON"), after.item) == (True, {"a": 1})
    path.write_text('{"a": 1}', encoding="utf-16")
    assert [record.error.rpartition(": it is in UTF-16")[1] for record in read(path)] == [": it is in UTF-16"]


@pytest.mark.parametrize("unpacked", [bytes, gzip.decompress])
def test_archive_that_is_cut_off_gives_pages_and_an_error(tmp_path: Path, unpacked: Pack) -> None:
    path = tmp_path / "crawl.warc.gz"
    two, three = (unpacked(write_warc(path, ITEMS[:number]).read_bytes()) for number in (2, 3))
    for size in range(len(two) + 1, len(three) - 4, 7):
        path.write_bytes(three[:size])
        *found, last = read(path)
        assert [record.html for record in found] == [item["html"] for item in ITEMS[: len(found)]]
        assert len(found) == 2 or (unpacked is bytes and size > len(three) - 20)
        assert re.search("cut off|cannot be read further", last.error)


@pytest.mark.parametrize(
    ("pack", "unpacked"),
    [
        (bytes, "zstd br gzip deflate identity"),
        (gzip.compress, "gzip GZIP x-gzip"),
        (zlib.compress, "deflate"),
        (lambda data: gzip.compress(gzip.compress(data)), ""),
    ],
)
def test_packed_page_is_read_or_an_error_with_its_encoding(tmp_path: Path, pack: Pack, unpacked: str) -> None:
    for encoding in ("zstd", "br", "gzip", "GZIP", "x-gzip", "deflate", "gzip, gzip", *unpacked.split()):
        reply = ("200 OK", f"text/html\r\nContent-Encoding: {encoding}", pack(b"\xef\xbb\xbf <p>A page"))
        (record,) = read(write_warc(tmp_path / "crawl.warc.gz", [], page=reply))
        if pack is bytes or encoding in unpacked.split():
            assert (record.error, str(record.html).strip()) == ("", "<p>A page")
        else:
            assert f"cannot be unpacked from {encoding.lower().removeprefix('x-')}" in record.error


@pytest.mark.slow
@pytest.mark.parametrize("headers", ["own", "response's", "many"])
def test_headers_of_an_archive_that_never_end_take_little_memory(tmp_path: Path, headers: str) -> None:
    path = write_warc(tmp_path / "crawl.warc.gz", ITEMS)
    size = 60_000_000
    many = b"X: y\r\n" * (size // 6) if headers == "many" else b"X: " + b"y" * size
    if headers == "response's":
        head = b"WARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: 300000000\r\n\r\n"
        bomb = b"WARC/1.0\r\n" + head + b"HTTP/1.1 200 OK\r\n" + many
    else:
        bomb = b"WARC/1.0\r\n" + many
    with path.open("ab") as file:
        file.write(gzip.compress(bomb, compresslevel=1))
    del bomb, many
    tracemalloc.start()
    try:
        found = read(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [record.url for record in found[:-1]] == [item["url"] for item in ITEMS]
    assert found[-1].error == "the archive cannot be read further: a record's headers have more than 1,048,576 bytes"
    assert peak < 40_000_000


def test_lines_that_are_too_long_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MAX_RECORD_BYTES", 100)
    path = write_lines(tmp_path / "feed.jsonl", [{"n": 1}, {"n": "x" * 500}, {"n": 2}])
    first, second, third = read(path)
    assert (first.item, third.item) == ({"n": 1}, {"n": 2})
    assert second.error == "the line has more than 100 bytes"


@pytest.mark.parametrize(
    ("name", "said"), [("nothing.jsonl", "There is no file or folder"), ("a.json", "l` make"), ("empty", "*.warc")]
)
def test_path_that_cannot_be_read_is_refused_with_what_can(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "a.json").write_bytes(b"[]")
    (tmp_path / "empty").mkdir()
    with pytest.raises(CommandError) as raised:
        find_files([str(tmp_path / name)])
    assert said in str(raised.value)
