"""pyarrow: rows of several types to Parquet and back, and errors for what no column has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

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
