"""The formats that commands read and write: those of the core, and those that an extra adds."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import zlib
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import NamedTemporaryFile

from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode
from scrapy_blockfilter.commands.offline.plain import Done, Lines, Made, Worker
from scrapy_blockfilter.commands.offline.records import READERS, Batch, InputFile, Reader, Record
from scrapy_blockfilter.commands.output import printable
from scrapy_blockfilter.plugins import FILES, WARC, Library, PluginError, is_installed

# Suffix of a file -> how it is read.
KINDS = {
    **dict.fromkeys((".html", ".htm", ".xhtml"), "html"),
    **dict.fromkeys((".jsonl", ".jl", ".ndjson"), "json"),
    ".warc": "warc",
}


class Formats:
    """The files of the core, read in one process, with output written at once. An extra's subclass may do more."""

    paths_help = "HTML files, folders of them, items as JSON lines, WARC files, or - for the standard input"
    output_help = "write JSON lines to this file (default: standard output)"
    kinds: Mapping[str, str] = KINDS
    more = "."  # the end of the sentence on these suffixes
    readers: Mapping[str, Reader] = READERS
    libraries: Mapping[str, Library] = {"warc": WARC}  # by how a file is read

    @property
    def damage(self) -> tuple[type[Exception], ...]:
        """Errors of reading a file that is cut off, damaged, or of another format than its name says."""
        return OSError, UnicodeDecodeError, EOFError, zlib.error

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare further arguments of all commands that read files."""

    def kind_of(self, name: str) -> str | None:
        """Return how a file is read, by its name.

        >>> Formats().kind_of("crawl.1/FEED.JSONL"), Formats().kind_of("c.warc.gz"), Formats().kind_of("a.pdf")
        ('json', 'warc', None)
        """
        name = name.lower()
        return self.kinds.get(Path(name.removesuffix(".gz") if name.endswith(".warc.gz") else name).suffix)

    def known_kind(self, name: str) -> str:
        kind = self.kind_of(name)
        if kind is None:
            lines = f" `jq -c '.[]' {name} > {name}l` makes lines of a JSON array." * name.endswith(".json")
            raise CommandError(f"{name} has no known format: {self.readable}{lines}", ExitCode.NOT_FOUND)
        return kind

    @property
    def readable(self) -> str:
        return f"the format follows from the name, {', '.join(f'*{suffix}' for suffix in self.kinds)}{self.more}"

    def find(self, name: str) -> Iterator[InputFile]:
        """Yield the files of a path, those of a folder by name."""
        path = Path(name)
        if name == "-":
            yield _standard_input()
        elif path.is_dir():
            yield from self._files_in(path)
        elif not path.exists():
            raise CommandError(f"There is no file or folder {path}.", ExitCode.NOT_FOUND)
        else:
            yield InputFile(path, self.known_kind(str(path)), path.resolve().parent.name)

    def _files_in(self, folder: Path) -> Iterator[InputFile]:
        found = [(file, self.kind_of(str(file))) for file in (folder, *sorted(folder.rglob("*")))]
        left = {file for file, kind in found if (kind or file.is_dir()) and _leads_out(file, folder)}
        if left:
            where = printable(str(folder))
            sys.stderr.write(f"links that lead out of {where}, or nowhere, and are left: {len(left):,}\n")
        # A folder without rights is a page that cannot be read, as all below it is missing.
        closed = {file for file, _ in found if file.is_dir() and not os.access(file, os.R_OK | os.X_OK)}
        kinds = [(file, "html" if file in closed else kind) for file, kind in found if file not in left]
        files = [(file, kind) for file, kind in kinds if kind and (file in closed or file.is_file())]
        if not files:
            raise CommandError(f"{folder} has no file that can be read: {self.readable}", ExitCode.NOT_FOUND)
        for file, kind in files:
            yield InputFile(file, kind, named_host([folder.resolve().name, *file.relative_to(folder).parts[:-1]]))

    def open_output(self, call: Call, files: Sequence[InputFile], job: Sequence[object]) -> Lines:
        """Return the output for lines: standard output, or the file, device or pipe that the arguments name.

        The input files and ``job`` are all that the output depends on.
        """
        arguments = call.arguments
        if not arguments.output:
            return Lines()
        path = Path(arguments.output)
        if path.is_dir():
            raise CommandError(f"{path} is a folder: name a file in it.", ExitCode.USAGE)
        if path.is_file() and not arguments.overwrite:
            raise CommandError(f"{path} exists already; --overwrite starts it anew.", ExitCode.USAGE)
        return Lines(path)

    def work(
        self,
        arguments: Namespace,
        size: int,
        batches: Generator[Batch, None, None],
        start: Callable[[], Worker[Made]],
        key: Callable[[Record], str | None] | None = None,
    ) -> Generator[Done[Made], None, None]:
        """Yield the outcomes of batches of ``size`` bytes in order, and last that of closing the worker.

        ``start`` makes the worker. If a subclass has several workers, records with the same ``key`` go to the same
        worker. Work that is stopped closes the workers, too.
        """
        worker = start()
        try:
            with closing(batches):
                yield from map(worker.work, batches)
        finally:
            last = worker.close()
        yield last


def formats() -> Formats:
    """Return the formats of an extra, or else those of the core."""
    try:
        found: Formats = FILES.load("formats")
    except (KeyError, PluginError):
        return Formats()
    return found


def find_files(paths: Iterable[str]) -> list[InputFile]:
    """Return the files at the paths, and those below a folder by name; raise CommandError for what cannot be read."""
    known = formats()
    files: list[InputFile] = []
    for path in paths:
        is_page = path.startswith(("http://", "https://")) and not known.kind_of(path)
        piped = f" `scrapy fetch --nolog {path} | scrapy blockfilter clean -` cleans one page." * is_page
        if is_page and not path.endswith("/"):  # which may be a folder
            raise CommandError(f"{path} is no file;{piped}", ExitCode.NOT_FOUND)
        try:
            files += known.find(path)
        except CommandError as error:
            raise CommandError(f"{error}{piped}", error.code) from None
    kinds = {file.kind for file in files}
    for kind, library in known.libraries.items():
        if kind in kinds and not is_installed(library.module):
            raise CommandError(f"{library.missing}.", ExitCode.NOT_FOUND)
    return files


def read_records(file: InputFile) -> Iterator[Record]:
    """Yield the records of a file, and raise nothing: an unreadable part becomes a record with an error."""
    known = formats()
    number = position = 0
    try:
        stream, raw = file.open()
        with raw:
            for record in known.readers[file.kind](file, stream):
                number, position = number + 1, raw.tell()
                yield record._replace(position=position)
    except known.damage as error:
        why = f"the file cannot be read further: {error or type(error).__name__}"
        yield Record(f"{file.name}:{number + 1}", why, position=position)


def _standard_input() -> InputFile:
    """Return a file with the standard input, which may be read twice. Its first bytes say how to read it."""
    with NamedTemporaryFile(prefix="blockfilter-", delete=False) as file:
        atexit.register(Path(file.name).unlink, missing_ok=True)
        if sys.stdin:  # else it is closed
            shutil.copyfileobj(sys.stdin.buffer, file)
        file.seek(0)
        start = file.read(_START).lstrip(b"\xef\xbb\xbf\xfe\xff\0 \t\r\n\f")
    for kind, first in _FIRST.items():
        if start.startswith(first):
            return InputFile(Path(file.name), kind, "", is_input=True)
    raise CommandError(
        "The standard input is empty, or begins neither as a page does, nor as JSON lines or WARC: unpack it, make "
        "lines of a JSON array by `jq -c '.[]'`, or write it to a file, whose name says the format.",
        ExitCode.NOT_FOUND,
    )


# Bytes of the standard input that are looked at, as some pages begin with many blank lines, and how each kind begins.
_START = 100_000
_FIRST = {"html": b"<", "json": b"{", "warc": b"WARC/"}


def _leads_out(file: Path, folder: Path) -> bool:
    """Return whether a file is a link that leads out of a folder, or nowhere."""
    return file.is_symlink() and not (file.exists() and file.resolve().is_relative_to(folder.resolve()))


def named_host(folders: Sequence[str]) -> str:
    """Return the outermost folder named like a host, from the given folder down; else the file's own folder."""
    return next((name for name in folders if _is_host(name)), folders[-1])


def _is_host(name: str) -> bool:
    labels = name.split(".")
    return name.isascii() and len(labels) > 1 and all(label.replace("-", "a").isalnum() for label in labels)
