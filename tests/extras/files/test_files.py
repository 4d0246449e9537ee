"""Files that are packed, elsewhere, CSV or Parquet, in and out of ``clean``; and what to install for them."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from scrapy_blockfilter.commands import ExitCode
from scrapy_blockfilter.commands.offline import Record, find_files, read_records
from scrapy_blockfilter.extras.files import formats
from scrapy_blockfilter.extras.files.places import packed, unpacked
from scrapy_blockfilter.plugins import is_installed
from tests.support.archives import items_of, read_lines, write_csv, write_lines
from tests.support.command_line import Commands
from tests.support.made_sites import make_site

SITE = make_site(pages=7)
ITEMS = items_of(SITE, "news.example")
TEXTS = ["\n".join(page.content) for page in SITE.pages]
needs_zstd = pytest.mark.skipif(not (sys.version_info >= (3, 14) or is_installed("backports")), reason="no zstandard")
needs_fsspec = pytest.mark.skipif(not is_installed("fsspec"), reason="no fsspec")
needs_pyarrow = pytest.mark.skipif(not is_installed("pyarrow"), reason="no pyarrow")


def write_parquet(path: Path, items: list[dict[str, Any]]) -> Path:
    import pyarrow as pa
    from pyarrow import parquet

    parquet.write_table(pa.Table.from_pylist(items), path)
    return path


def parquet_rows(path: Path) -> list[dict[str, Any]]:
    from pyarrow import parquet

    rows: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
    return rows


def read(path: Path) -> list[Record]:
    return [record for file in find_files([str(path)]) for record in read_records(file)]


def test_packed_page_is_shown_as_the_page_that_it_was(learnt: Commands) -> None:
    page = learnt.folder / "news.example" / "page.html"
    page.parent.mkdir()
    page.write_text(SITE.pages[0].html, encoding="utf-8")
    blocks = learnt.run("show", str(page), "--json").json["blocks"]
    whole = gzip.compress(page.read_bytes())
    for data, said in ((whole, ""), (whole[:-20], "page.html.gz: the file cannot be read further: ")):
        page.with_name("page.html.gz").write_bytes(data)
        done = learnt.run("show", f"{page}.gz", "--json")
        assert said in done.error if said else done.json["blocks"] == blocks


def test_packed_lines_and_rows_of_csv_are_learnt_and_cleaned(commands: Commands) -> None:
    packed_lines = write_lines(commands.folder / "FEED.JSONL.GZ", ITEMS)
    out = commands.folder / "out.jsonl.gz"
    table = write_csv(commands.folder / "FEED.CSV", ITEMS, delimiter=";")
    table.write_bytes(b"\xef\xbb\xbf" + table.read_bytes())
    for path in (packed_lines, table):
        assert commands.run("learn", str(path)).out.startswith(f"{len(ITEMS)} records: ")
        assert commands.run("clean", str(path), "--format", "text", "-o", str(out), "--overwrite").code == 0
        assert [item["text"] for item in read_lines(out)] == TEXTS
    packed_lines.write_bytes(packed_lines.read_bytes()[:-20])
    assert "the file cannot be read further" in str(read(packed_lines)[-1])


def test_row_of_many_lines_that_is_too_long_is_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "MAX_RECORD_BYTES", 100)
    path = tmp_path / "feed.csv"
    path.write_text("url,html\na,b\nc,d\n" + 'e,"' + "x" * 40 + "\n" * 2 + "x" * 60 + '"\n', encoding="utf-8")
    *read_before, last = read(path)
    assert [record.item for record in read_before] == [{"url": "a", "html": "b"}, {"url": "c", "html": "d"}]
    assert last.error == "the file cannot be read further: the row of line 6 has more than 100 bytes"


def test_row_of_another_length_or_encoding_is_unreadable(tmp_path: Path) -> None:
    path = tmp_path / "feed.csv"
    path.write_text("url,html\nhttp://a/,x\nhttp://b/,x,y\nhttp://c/\nhttp://é/,z\nhttp://d/,z\n", encoding="latin-1")
    assert [record.error == "" for record in read(path)] == [True, False, False, False, True]


@needs_zstd
def test_zstandard_is_read_and_written_and_a_stopped_run_appends_to_it(commands: Commands) -> None:
    path = commands.folder / "feed.jsonl.zst"
    path.write_bytes(packed(write_lines(commands.folder / "feed.jsonl", ITEMS).read_bytes(), ".zst"))
    out = commands.folder / "out.jsonl.zst"
    done = commands.run("clean", str(path), "--learn", "--format", "text", "-o", str(out))
    assert done.code == 0, done.err
    with out.open("rb") as file:
        assert [json.loads(line)["text"] for line in unpacked(file, ".zst")] == TEXTS
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    *_, last = read_records(find_files([str(path)])[0])
    assert "the file cannot be read further" in last.error


@needs_pyarrow
def test_parquet_is_read_and_written_with_the_types_of_its_fields(commands: Commands) -> None:
    items = [{**item, "html": item["html"].encode(), "tags": ["a"], "n": number} for number, item in enumerate(ITEMS)]
    path = write_parquet(commands.folder / "feed.parquet", items)
    out = commands.folder / "out.parquet"
    done = commands.run("clean", str(path), "--learn", "--format", "text", "-o", str(out))
    assert done.code == 0, done.err
    assert parquet_rows(out) == [
        {"url": item["url"], "text": text, "n": number, "tags": ["a"]}
        for number, (item, text) in enumerate(zip(ITEMS, TEXTS, strict=True))
    ]
    assert not list(commands.folder.glob("out.parquet.*"))


@needs_pyarrow
def test_parquet_has_fields_of_later_items_and_json_of_fields_of_several_types(commands: Commands) -> None:
    last = {"e": {}, "\ud800": "\ud800"}
    odd: list[dict[str, Any]] = [{"n": 1}, {"n": 1.5}, {"n": None}, {"m": "a"}, {"m": 2}, {"m": {"deep": [1]}}, last]
    items = [{"url": item["url"], "html": item["html"], **more} for item, more in zip(ITEMS, odd, strict=True)]
    path = write_lines(commands.folder / "feed.jsonl", items)
    out = commands.folder / "out.parquet"
    assert commands.run("clean", str(path), "--learn", "--format", "text", "-o", str(out)).code == 0
    rows = parquet_rows(out)
    assert [row["n"] for row in rows] == [1, 1.5, None, None, None, None, None]
    assert [row["m"] for row in rows] == [None, None, None, '"a"', "2", '{"deep": [1]}', None]
    assert (rows[-1]["e"], rows[-1]["?"]) == (None, "?")


@needs_fsspec
def test_files_elsewhere_are_read_and_written_by_urls(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    import fsspec

    monkeypatch.chdir(commands.folder)
    system = fsspec.filesystem("memory")
    for number, item in enumerate(ITEMS):
        system.pipe(f"/mirror/news.example/{number}.html", item["html"].encode())
    done = commands.run("clean", "memory://mirror", "--learn", "--format", "text", "-o", "memory://made/out.jsonl.gz")
    assert done.code == 0, done.err
    with system.open("/made/out.jsonl.gz", compression="gzip") as file:
        assert [json.loads(line)["text"] for line in file] == TEXTS
    assert [path.name for path in commands.folder.iterdir() if path.name.startswith("out")] == []
    again = commands.run("clean", "memory://mirror", "-o", "memory://made/out.jsonl.gz")
    assert again.error.endswith("memory://made/out.jsonl.gz exists already; --overwrite starts it anew.")
    assert commands.run("clean", "memory://nothing.jsonl").code == ExitCode.NOT_FOUND
    unknown = commands.run("clean", "nowhere://feed.jsonl")
    assert unknown.code == ExitCode.USAGE
    assert "nowhere://feed.jsonl cannot be opened" in unknown.error


@pytest.mark.parametrize(
    ("name", "library", "said"),
    [
        ("feed.jsonl.zst", "backports.zstd", ".zst files are packed and unpacked by backports.zstd"),
        ("feed.parquet", "pyarrow", "Parquet files are read and written by pyarrow"),
        ("memory://feed.jsonl", "fsspec.core", "files at URLs are opened by fsspec"),
    ],
)
def test_what_is_not_installed_is_named_with_its_extra(
    commands: Commands, monkeypatch: pytest.MonkeyPatch, name: str, library: str, said: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    feed = write_lines(commands.folder / "in.jsonl", ITEMS)
    path = (
        name
        if "://" in name
        else str(write_lines(commands.folder / "feed.jsonl", ITEMS).rename(commands.folder / name))
    )
    for arguments in (["learn", path], ["clean", str(feed), "--learn", "-o", name.replace("feed", "out")]):
        done = commands.run(*arguments)
        assert done.code == (ExitCode.NOT_FOUND if arguments[0] == "learn" and "parquet" in name else ExitCode.USAGE)
        assert f"pip install 'scrapy-blockfilter[files]': {said}." in done.error
