"""pyarrow: rows of several types to Parquet and back, and errors for what no column has."""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any

import pytest

pytest.importorskip("pyarrow")

import pyarrow as pa
from pyarrow import parquet

ROWS: list[dict[str, Any]] = [
    {"url": "a", "n": 1, "tags": ["x"], "more": {"b": None}},
    {"url": "ü", "n": None, "tags": [], "more": None},
]


def test_rows_come_back_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    schema = pa.schema([(name, pa.array([row[name] for row in ROWS]).type) for name in ROWS[0]])
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        writer.write_table(pa.Table.from_pylist(ROWS, schema))
    with path.open("rb") as stream:
        file = parquet.ParquetFile(stream, pre_buffer=False)
        assert [row for batch in file.iter_batches(batch_size=1) for row in batch.to_pylist()] == ROWS


def test_schemas_of_several_types_are_unified_or_refused() -> None:
    def unified(one: object, other: object) -> str:
        schemas = [pa.schema([("a", pa.array([value]).type)]) for value in (one, other)]
        return str(pa.unify_schemas(schemas, promote_options="permissive").field("a").type)

    assert unified(None, "a") == "string"
    assert unified(1, 0.5) == "double"
    with pytest.raises(pa.ArrowException):
        unified("a", 1)
    with pytest.raises((pa.ArrowException, OverflowError)):
        pa.array([2**70])


def test_files_that_are_none_raise_arrow_errors(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    path.write_bytes(b"PAR1 no more")
    with pytest.raises(pa.ArrowException):
        parquet.ParquetFile(path)


def test_columns_of_a_row_group_are_each_read_at_once_and_in_order(tmp_path: Path) -> None:
    class Stream:
        """Notes where and how much is read."""

        def __init__(self, stream: IO[bytes]) -> None:
            self.reads: list[tuple[int, int]] = []
            self._stream = stream

        def read(self, size: int) -> bytes:
            self.reads.append((self._stream.tell(), size))
            return self._stream.read(size)

        def __getattr__(self, name: str) -> Any:
            return getattr(self._stream, name)

    path = tmp_path / "rows.parquet"
    parquet.write_table(pa.Table.from_pylist(ROWS * 2_000), path, row_group_size=1_000)
    metadata = parquet.read_metadata(path)
    assert metadata.num_row_groups == 4
    with path.open("rb") as file:
        stream = Stream(file)
        rows = parquet.ParquetFile(stream, metadata=metadata, pre_buffer=False)
        for number in range(metadata.num_row_groups):
            columns = [metadata.row_group(number).column(place) for place in range(metadata.num_columns)]
            assert len(list(rows.iter_batches(batch_size=1, row_groups=[number], use_threads=False))) == 1_000
            assert stream.reads == [
                (each.dictionary_page_offset or each.data_page_offset, each.total_compressed_size) for each in columns
            ]
            stream.reads.clear()


def test_repeated_texts_of_lists_can_be_read_as_dictionaries(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    parquet.write_table(pa.Table.from_pylist([{"tags": ["a"] * 1_000}]), path)
    with path.open("rb") as stream:
        file = parquet.ParquetFile(stream, read_dictionary=[parquet.read_metadata(path).schema.column(0).path])
        (batch,) = file.iter_batches()
    assert batch.column(0).values.dictionary.to_pylist() == ["a"]
