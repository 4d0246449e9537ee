"""All formats of files, in the place of the core's own."""

from __future__ import annotations

import csv
import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import IO

from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode, whole_number
from scrapy_blockfilter.commands.offline.files import KINDS, Formats, named_host
from scrapy_blockfilter.commands.offline.plain import Done, Lines, Made, Worker
from scrapy_blockfilter.commands.offline.records import READERS, Batch, InputFile, Reader, Record, bounded_lines
from scrapy_blockfilter.extras.files.places import AnyFile, is_remote, located, suffixes_of, zstd
from scrapy_blockfilter.extras.files.processes import Processes, jobs_for
from scrapy_blockfilter.extras.files.resumable_output import PARQUET, ResumableOutput
from scrapy_blockfilter.options.limits import MAX_RECORD_BYTES
from scrapy_blockfilter.plugins import Library
from scrapy_blockfilter.text.normal_form import encodable


def _read_csv(file: InputFile, stream: IO[bytes]) -> Iterator[Record]:
    csv.field_size_limit(MAX_RECORD_BYTES)
    size = 0

    def decoded_lines() -> Iterator[str]:
        nonlocal size
        for number, line in bounded_lines(stream):
            size += len(line or "")
            if line is None or size > MAX_RECORD_BYTES:
                raise csv.Error(f"the row of line {number} has more than {MAX_RECORD_BYTES:,} bytes")
            yield line.decode("utf-8-sig" if number == 1 else "utf-8", "surrogateescape")

    lines = decoded_lines()
    header = next(lines, "")
    sign = next(filter(header.__contains__, ",;\t"), ",")  # spreadsheets put others where the comma is a decimal mark
    reader = csv.DictReader(chain((header,), lines), delimiter=sign)
    for row in reader:
        size = 0
        place = f"{file.path}:{reader.line_num}"
        if None in row or None in row.values():
            yield Record(place, "it has another number of fields than the header line")
        elif encodable(text := "".join((*row, *row.values()))) != text:
            yield Record(place, "it is not in UTF-8")
        else:
            yield Record(place, item=row)


def _read_parquet(file: InputFile, stream: IO[bytes]) -> Iterator[Record]:
    from scrapy_blockfilter.extras.files.parquet import read_parquet  # needs the extra

    return read_parquet(file, stream)


class AllFormats(Formats):
    """Files that are packed, elsewhere, CSV or Parquet; output that is resumed; several processes."""

    paths_help = (
        "HTML files, folders of them, items as JSON lines, CSV or Parquet, WARC files; all also with .gz or .zst, "
        "and elsewhere by a URL such as s3://; - for the standard input"
    )
    output_help = (
        "write JSON lines to this file or URL, packed if it ends with .gz or .zst, or Parquet if it ends with "
        ".parquet; a stopped run resumes where it was (default: standard output)"
    )
    kinds: Mapping[str, str] = {**KINDS, ".csv": "csv", ".parquet": "parquet"}
    more = ", all also with .gz or .zst."
    readers: Mapping[str, Reader] = {**READERS, "csv": _read_csv, "parquet": _read_parquet}
    libraries: Mapping[str, Library] = {**Formats.libraries, "parquet": PARQUET}

    @property
    def damage(self) -> tuple[type[Exception], ...]:
        try:
            return (*super().damage, csv.Error, zstd().ZstdError)
        except CommandError:
            return (*super().damage, csv.Error)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--jobs",
            type=whole_number,
            metavar="N",
            help="number of processes (default: one per core if there are more than 16 MB to read)",
        )

    def kind_of(self, name: str) -> str | None:
        return self.kinds.get(suffixes_of(name)[0])

    def find(self, name: str) -> Iterator[InputFile]:
        for file in self._elsewhere(name) if is_remote(name) else super().find(name):
            if suffixes_of(str(file.path))[1] == ".zst":
                zstd()
            yield AnyFile(*file)

    def _elsewhere(self, url: str) -> Iterator[InputFile]:
        system, path = located(url)
        if system.isdir(path):
            names = [str(name) for name in sorted(system.find(path)) if self.kind_of(str(name))]
            if not names:
                raise CommandError(f"{url} has no file that can be read: {self.readable}", ExitCode.NOT_FOUND)
            for name in names:
                folders = [PurePosixPath(path).name, *PurePosixPath(name).parts[len(PurePosixPath(path).parts) : -1]]
                yield InputFile(str(system.unstrip_protocol(name)), self.known_kind(name), named_host(folders))
        elif not system.exists(path):
            raise CommandError(f"There is no file or folder {url}.", ExitCode.NOT_FOUND)
        else:
            yield InputFile(url, self.known_kind(path), PurePosixPath(path).parent.name)

    def open_output(self, call: Call, files: Sequence[InputFile], job: Sequence[object]) -> Lines:
        """Return output that a stopped run resumes, but for devices and pipes, which no file may replace."""
        name = call.arguments.output
        if not name or (Path(name).exists() and not (Path(name).is_file() or Path(name).is_dir())):
            return super().open_output(call, files, job)
        described = [[file.url, *file.state()] for file in files]  # as they are now
        run = {"files": described, "arguments": json.loads(json.dumps(job, default=str))}
        return ResumableOutput(name, run, overwrite=call.arguments.overwrite)

    def work(
        self,
        arguments: Namespace,
        size: int,
        batches: Generator[Batch, None, None],
        start: Callable[[], Worker[Made]],
        key: Callable[[Record], str | None] | None = None,
    ) -> Generator[Done[Made], None, None]:
        jobs = jobs_for(arguments.jobs, size)
        if jobs == 1:
            return super().work(arguments, size, batches, start, key)
        return Processes(jobs, start).work(batches, key)


FORMATS = AllFormats()
