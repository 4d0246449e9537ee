"""Read and write items as Parquet, through pyarrow of the extra ``files``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
from pyarrow import parquet

# Rows that are in memory at a time. A row may be a page.
_ROWS = 64


def rows_of(stream: IO[bytes]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file, with bytes that are text as text."""
    file = parquet.ParquetFile(stream, pre_buffer=False)
    for batch in file.iter_batches(batch_size=_ROWS):
        for row in batch.to_pylist():
            yield {name: _plain(value) for name, value in row.items()}


def _plain(value: Any) -> Any:
    """Return a value that JSON has: times as text, and bytes as text where they are UTF-8."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def write_rows(lines: Path, path: Path) -> None:
    """Write JSON lines as Parquet. A column of values of several types becomes one of JSON."""
    schema = pa.schema([])
    mixed: set[str] = set()
    for rows in _chunks(lines):
        for name in dict.fromkeys(name for row in rows for name in row):
            try:
                column = pa.schema([(name, pa.array([row.get(name) for row in rows]).type)])
                known = pa.schema([schema.field(name)]) if name in schema.names else column
                unified = pa.unify_schemas([known, column], promote_options="permissive").field(name)
            except (pa.ArrowException, OverflowError):
                mixed.add(name)
                unified = pa.field(name, pa.string())
            place = schema.get_field_index(name)
            schema = schema.append(unified) if place < 0 else schema.set(place, unified)
    for name in mixed:
        schema = schema.set(schema.get_field_index(name), pa.field(name, pa.string()))
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for rows in _chunks(lines):
            for row in rows:
                row.update({name: json.dumps(row[name], ensure_ascii=False) for name in mixed if name in row})
            writer.write_table(pa.Table.from_pylist(rows, schema))


def _chunks(lines: Path) -> Iterator[list[dict[str, Any]]]:
    with lines.open(encoding="utf-8") as file:
        while rows := [json.loads(line) for line in islice(file, _ROWS)]:
            yield rows
