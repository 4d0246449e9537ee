"""Files of pages read as records: which are found, in which order, and the message for unreadable ones."""

from __future__ import annotations

import gzip
import tracemalloc
from pathlib import Path

import pytest

from scrapy_blockfilter.commands import CommandError
from scrapy_blockfilter.commands.offline import Record, find_files, read_records, records
from tests.support.archives import items_of, write_folder, write_lines, write_warc
from tests.support.made_sites import make_site

SITE = make_site(pages=4)
ITEMS = items_of(SITE, "news.example")


def read(*paths: Path) -> list[Record]:
    return [record for file in find_files(map(str, paths)) for record in read_records(file)]


@pytest.mark.parametrize("name", ["feed.jsonl", "feed.jl", "FEED.JSONL"])
def test_lines_of_json_are_items(tmp_path: Path, name: str) -> None:
    assert [record.item for record in read(write_lines(tmp_path / name, ITEMS))] == ITEMS


def test_files_of_folders_are_pages_in_the_order_of_their_names(tmp_path: Path) -> None:
    write_folder(tmp_path / "mirror" / "news.example" / "2024", SITE)
    (tmp_path / "mirror" / "news.example" / "logo.png").write_bytes(b"")
    found = read(tmp_path / "mirror")
    assert [record.html for record in found] == [page.html.encode() for page in SITE.pages]
    assert {record.folder for record in found} == {"news.example"}
    assert found[0].url == (tmp_path / "mirror/news.example/2024/0.html").as_uri()


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
        assert capsys.readouterr().err == f"links that lead out of {tmp_path / folder} and are left: 2\n"
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
        ITEMS,
        gone=("404 Not Found", "text/html", b"<p>gone"),
        image=("200 OK", "image/png", b"\x89PNG"),
        old=("200 OK", "text/html; charset=iso-8859-1", "<p>Caf\u00e9".encode("latin-1")),
    )
    found = read(path)
    assert [record.url for record in found if record.is_other] == ["", ""]
    assert [(record.url, record.html) for record in found if not record.is_other] == [
        *((item["url"], item["html"]) for item in ITEMS),
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


def test_deeply_nested_json_is_unreadable_and_not_the_end(tmp_path: Path) -> None:
    path = tmp_path / "feed.jsonl"
    path.write_text("[" * 200_000 + '\n{"a": 1}\n', encoding="utf-8")
    first, second = read(path)
    assert first.error.startswith("no JSON")
    assert second.item == {"a": 1}


def test_archive_that_is_cut_off_gives_what_comes_before(tmp_path: Path) -> None:
    path = write_warc(tmp_path / "crawl.warc.gz", items_of(make_site(pages=30), "news.example"))
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    # warcio takes the end of a file for the end of its records.
    assert 5 < sum(not record.error for record in read(path)) < 30


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
    ("name", "said"), [("nothing.jsonl", "There is no file or folder"), ("a.pdf", "*.jsonl"), ("empty", "*.warc")]
)
def test_path_that_cannot_be_read_is_refused_with_what_can(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF")
    (tmp_path / "empty").mkdir()
    with pytest.raises(CommandError) as raised:
        find_files([str(tmp_path / name)])
    assert said in str(raised.value)


def test_reading_tells_how_far_it_is(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "feed.jsonl", ITEMS)
    told = [record.position for record in read(path)]
    assert len(told) == 4
    assert told == sorted(told)
    assert told[-1] == path.stat().st_size
