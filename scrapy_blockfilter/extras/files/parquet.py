"""Read and write records as Parquet, through pyarrow of the extra ``files``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
from pyarrow import parquet

from scrapy_blockfilter.commands.offline.records import InputFile, Record
from scrapy_blockfilter.extras.files.parquet_pages import CheckedStream
from scrapy_blockfilter.options.limits import MAX_RECORD_BYTES
from scrapy_blockfilter.text.normal_form import encodable

# Rows that are in memory at a time while they are written. A row may be a page.
_ROWS = 64
# Bytes of a value beside its text.
_VALUE_SIZE = 8
# Characters of an error of pyarrow.
_MAX_REASON = 200


def read_parquet(file: InputFile, stream: IO[bytes]) -> Iterator[Record]:
    """Yield the rows of a file, which may be damaged, or take more memory than it may."""
    number = 0
    try:
        for number, batch in enumerate(_rows(stream), 1):
            yield _Row().read(f"{file.path}:{number}", batch)
    except (pa.ArrowException, ValueError) as error:
        reason = " ".join(str(error).split())
        yield Record(f"{file.path}:{number + 1}", f"the file cannot be read further: {reason[:_MAX_REASON]}")


def _rows(stream: IO[bytes]) -> Iterator[pa.RecordBatch]:
    """Yield batches of one row, as a batch of more may repeat a long text, too."""
    metadata = parquet.read_metadata(stream)
    columns = [metadata.schema.column(number) for number in range(metadata.num_columns)]
    if not columns:
        return
    # A list may repeat a long text, which a dictionary array holds once.
    repeated = [each.path for each in columns if each.max_repetition_level and each.physical_type == "BYTE_ARRAY"]
    checked = CheckedStream(stream, columns)
    file = parquet.ParquetFile(checked, metadata=metadata, read_dictionary=repeated, pre_buffer=False)
    for group in range(metadata.num_row_groups):
        checked.begin()
        yield from file.iter_batches(batch_size=1, row_groups=[group], use_threads=False)


class _Row:
    """The values of one row, of at most ``MAX_RECORD_BYTES``."""

    def __init__(self) -> None:
        self._left = MAX_RECORD_BYTES

    def read(self, place: str, batch: pa.RecordBatch) -> Record:
        """Return the fields of a batch of one row, with bytes that are text as text, or why they cannot be read."""
        name = ""
        try:
            fields = {}
            for name, column in zip(batch.schema.names, batch.columns, strict=True):
                fields[name] = self._plain(column[0])
        except (pa.ArrowException, ValueError, OverflowError, LookupError, RecursionError) as error:
            return Record(place, f"field {name!r} cannot be read: {error}")
        return Record(place, item=fields)

    def _plain(self, value: pa.Scalar) -> Any:
        """Return a value that JSON has: times as text, and bytes as text where they are UTF-8."""
        self._take(_VALUE_SIZE)
        if not value.is_valid:
            return None
        if isinstance(value, pa.DictionaryScalar):
            return self._plain(value.value)
        if isinstance(value, pa.BinaryScalar):
            data = value.as_buffer()
            self._take(data.size)
            return str(data, "utf-8", "replace")
        if isinstance(value, pa.ListScalar):
            return [self._plain(part) for part in value.values]
        if isinstance(value, pa.StructScalar):
            return {field.name: self._plain(value[number]) for number, field in enumerate(value.type)}
        try:
            found = value.as_py()
        except (ValueError, OverflowError, LookupError):  # Python has no such time, or no such zone
            found = value.cast(pa.string()).as_py()
        return found if isinstance(found, str | int | float | bool) else str(found)

    def _take(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise ValueError(f"the row has more than {MAX_RECORD_BYTES:,} bytes")


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
        while rows := [_row_of(line) for line in islice(file, _ROWS)]:
            yield rows


def _row_of(line: str) -> dict[str, Any]:
    """Return the fields of a line, with None for objects without fields and ? for half characters: Parquet has none."""
    if "\\ud" in line:
        line = encodable(json.dumps(json.loads(line), ensure_ascii=False))
    row: dict[str, Any] | None = json.loads(line, object_hook=lambda found: found or None)
    return row or {}
