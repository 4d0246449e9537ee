"""Read the rows of CSV files as records."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import IO

from scrapy_blockfilter.commands.offline.records import InputFile, Record, bounded_lines
from scrapy_blockfilter.options.limits import MAX_RECORD_BYTES


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
