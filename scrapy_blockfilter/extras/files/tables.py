"""Read the rows of tables as records: CSV, and Parquet through pyarrow."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import IO

from scrapy_blockfilter.commands.offline.records import InputFile, Record, bounded_lines
from scrapy_blockfilter.options.limits import MAX_RECORD_BYTES

# Characters of a library's error.
_MAX_REASON = 200


def read_csv(file: InputFile, stream: IO[bytes]) -> Iterator[Record]:
    csv.field_size_limit(MAX_RECORD_BYTES)
    size = 0

    def decoded_lines() -> Iterator[str]:
        nonlocal size
        for number, line in bounded_lines(stream):
            size += len(line or "")
            if line is None or size > MAX_RECORD_BYTES:
                raise csv.Error(f"the row of line {number} has more than {MAX_RECORD_BYTES:,} bytes")
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")

    reader = csv.DictReader(decoded_lines())
    for row in reader:
        size = 0
        place = f"{file.path}:{reader.line_num}"
        if None in row or None in row.values():
            yield Record(place, "it has another number of fields than the header line")
        else:
            yield Record(place, item=row)


def read_parquet(file: InputFile, stream: IO[bytes]) -> Iterator[Record]:
    import pyarrow as pa  # needs the extra

    from scrapy_blockfilter.extras.files.parquet import rows_of

    number = 0
    try:
        for number, item in enumerate(rows_of(stream), 1):
            place = f"{file.path}:{number}"
            yield Record(place, item) if isinstance(item, str) else Record(place, item=item)
    except (pa.ArrowException, ValueError) as error:
        reason = " ".join(str(error).split())
        yield Record(f"{file.path}:{number + 1}", f"the file cannot be read further: {reason[:_MAX_REASON]}")
