"""Parquet files that nobody would write: read in bounded memory, and what cannot be read is told."""

from __future__ import annotations

import random
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow")

import pyarrow as pa
from pyarrow import parquet

from scrapy_blockfilter.commands.offline import Record, find_files, read_records

# Bytes of memory for records of a few bytes on disk: a record may have 64 MiB, which is held more than once.
ROOM = 200_000_000
LONG = "x" * 2**20


def repeated(text: str, times: int) -> Any:
    """A column of one text, which the file has once."""
    return pa.DictionaryArray.from_arrays(pa.array([0] * times, pa.int32()), pa.array([text]))


def lists(values: Any) -> Any:
    """A column of one row: a list of all values."""
    return pa.ListArray.from_arrays(pa.array([0, len(values)], pa.int32()), values)


def write(path: Path, columns: dict[str, Any], **options: Any) -> Path:
    parquet.write_table(pa.table(columns), path, compression="zstd", **options)
    return path


def read(path: Path) -> list[Record]:
    return list(read_records(find_files([str(path)])[0]))


def peak_of_reading(path: Path) -> tuple[list[str], int]:
    """The errors of a file's records, and the bytes of memory that reading them took at once."""
    before = pa.default_memory_pool()
    pool = pa.proxy_memory_pool(before)
    pa.set_memory_pool(pool)
    tracemalloc.start()
    try:
        errors = [record.error for record in read_records(find_files([str(path)])[0])]
        return errors, pool.max_memory() + tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        pa.set_memory_pool(before)


BEYOND = "write it anew with shorter values, or fewer rows in one"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "use_dictionary", "error"),
    [
        (lambda: {"url": pa.array(range(64)), "html": repeated(LONG * 8, 64)}, True, ""),
        (lambda: {"url": pa.array(range(64)), "html": pa.array([LONG * 8] * 64)}, False, BEYOND),
        (lambda: {"url": ["a"], "tags": lists(repeated(LONG, 400))}, True, "the row has more than 67,108,864 bytes"),
        (lambda: {"url": ["a"], "tags": lists(pa.nulls(2**25, pa.int64()))}, False, BEYOND),
        (lambda: {"url": ["a"], "tags": lists(repeated("a", 2**25))}, True, BEYOND),
        (lambda: {"url": ["a"], **{str(number): repeated(LONG * 8, 1) for number in range(50)}}, True, BEYOND),
    ],
    ids=["text of many rows", "long rows", "text of a long list", "list of nulls", "list of letters", "many columns"],
)
def test_few_bytes_that_unpack_to_many_are_refused(tmp_path: Path, make: Any, use_dictionary: bool, error: str) -> None:
    path = write(tmp_path / "feed.parquet", make(), use_dictionary=use_dictionary)
    assert path.stat().st_size < 50_000
    errors, peak = peak_of_reading(path)
    assert errors[-1].endswith(error)
    assert peak < ROOM


def test_column_that_is_too_large_is_named_with_its_size_and_what_to_do(tmp_path: Path) -> None:
    path = write(tmp_path / "feed.parquet", {"url": ["a"] * 20, "html": [LONG * 8] * 20}, use_dictionary=False)
    (record,) = read(path)
    assert record.place == f"{path}:1"
    assert record.error.startswith("the file cannot be read further: column 'html', 167,772,")
    assert record.error.endswith(BEYOND)


def test_sizes_that_the_footer_tells_are_not_believed(tmp_path: Path) -> None:
    path = write(tmp_path / "feed.parquet", {"url": ["a"], "html": [LONG * 80]}, use_dictionary=False)
    data = path.read_bytes()
    column = parquet.read_metadata(path).row_group(0).column(1)
    told, other = zigzag(column.total_uncompressed_size), zigzag(2**26)
    assert data.count(told) == 1
    path.write_bytes(data.replace(told, other))
    assert parquet.read_metadata(path).row_group(0).column(1).total_uncompressed_size == 2**26
    (record,) = read(path)
    assert record.error.endswith(BEYOND)


def zigzag(number: int) -> bytes:
    """A number as Thrift writes it."""
    parts = []
    number *= 2
    while number:
        number, part = divmod(number, 128)
        parts.append(part | 128 * bool(number))
    return bytes(parts)


def test_row_that_is_too_long_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrapy_blockfilter.extras.files.parquet.MAX_RECORD_BYTES", 100)
    path = write(tmp_path / "feed.parquet", {"n": [1, 2, 3], "html": ["a", "x" * 500, "b"]})
    first, second, third = read(path)
    assert (first.item, third.item) == ({"n": 1, "html": "a"}, {"n": 3, "html": "b"})
    assert second.error == "field 'html' cannot be read: the row has more than 100 bytes"
    assert second.place == f"{path}:2"


@pytest.mark.parametrize(
    ("value", "read_as"),
    [
        (pa.array([2**30], pa.int32()).cast(pa.date32()), "<value out of range: 1073741824>"),
        (pa.array([10**9 + 1], pa.int64()).cast(pa.timestamp("ns")), "1970-01-01 00:00:01.000000001"),
        (pa.array([0], pa.int64()).cast(pa.timestamp("us")), "1970-01-01 00:00:00"),
        (pa.StructArray.from_arrays([pa.array([1]), pa.array([2])], ["a", "a"]), {"a": 2}),
        (pa.array([[("k", [1.5])]], pa.map_(pa.string(), pa.list_(pa.float64()))), [{"key": "k", "value": [1.5]}]),
        (pa.array([b"\xffa"]), "\ufffda"),
        (pa.array([None], pa.list_(pa.string())), None),
    ],
    ids=["date", "nanoseconds", "time", "fields of one name", "map", "no UTF-8", "none"],
)
def test_values_that_python_or_json_lacks_become_text(tmp_path: Path, value: Any, read_as: Any) -> None:
    (record,) = read(write(tmp_path / "feed.parquet", {"odd": value}))
    assert (record.item, record.error) == ({"odd": read_as}, "")


def test_value_that_cannot_be_read_costs_its_row_alone(tmp_path: Path) -> None:
    times = pa.array([None, 1, None], pa.int64()).view(pa.timestamp("us", "Mars/Phobos"))
    first, second, third = read(write(tmp_path / "feed.parquet", {"n": [1, 2, 3], "at": times}))
    assert (first.item, third.item) == ({"n": 1, "at": None}, {"n": 3, "at": None})
    assert second.error.startswith("field 'at' cannot be read: ")


def test_damaged_file_raises_nothing(tmp_path: Path) -> None:
    columns = {"url": ["a", "b"], "tags": [["x", "y"], []], "more": [{"n": 1}, None]}
    path = write(tmp_path / "feed.parquet", columns)
    data = path.read_bytes()
    chance = random.Random(7)
    for _ in range(300):
        place = chance.randrange(len(data))
        changed = data[:place] + chance.randbytes(1) + data[place + 1 :]
        path.write_bytes(changed[: chance.choice((None, -100))])
        assert all(bool(record.error) != isinstance(record.item, dict) for record in read(path))
