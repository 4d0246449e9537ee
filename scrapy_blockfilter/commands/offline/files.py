"""Find the files to read, and tell their formats."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, NamedTuple, cast

# Suffix of a file, without .gz -> how it is read.
KINDS = {
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".jsonl": "json",
    ".jl": "json",
    ".ndjson": "json",
    ".csv": "csv",
    ".warc": "warc",
}


class InputError(ValueError):
    """A path cannot be read. The message says what can."""


class InputFile(NamedTuple):
    """A file to read.

    Attributes:
        kind: "html", "json", "csv" or "warc".
        folder: the site that its folder names; used for HTML files only.
    """

    path: Path
    kind: str
    folder: str

    def open(self) -> tuple[IO[bytes], IO[bytes]]:
        """Open the file. Return its unpacked bytes, and the file itself, whose position tells the progress."""
        file = self.path.open("rb")
        if self.path.suffix.lower() == ".gz" and self.kind != "warc":  # warcio unpacks by itself, record by record
            return cast("IO[bytes]", gzip.GzipFile(fileobj=file)), file
        return file, file


def find_files(paths: Iterable[str]) -> list[InputFile]:
    """Return the files of these paths; folders with all files below them, ordered by name.

    Raises:
        InputError: a file does not exist or has no readable format, or its reader is not installed.
    """
    files = [found for path in map(Path, paths) for found in _files_of(path)]
    if any(file.kind == "warc" for file in files):
        try:
            import warcio  # noqa: F401
        except ImportError:
            raise InputError("WARC files need warcio: `pip install 'scrapy-blockfilter[warc]'`.") from None
    return files


def _files_of(path: Path) -> Iterator[InputFile]:
    if path.is_dir():
        inside = [InputFile(file, kind, _site_of(file, path)) for file, kind in _below(path)]
        if not inside:
            raise InputError(f"{path} has no file that can be read: {_READABLE}")
        yield from inside
    elif not path.exists():
        raise InputError(f"There is no file or folder {path}.")
    else:
        kind = _kind(path)
        if kind is None:
            raise InputError(f"{path} has no known format: {_READABLE}")
        yield InputFile(path, kind, path.resolve().parent.name)


def _below(folder: Path) -> Iterator[tuple[Path, str]]:
    for file in sorted(folder.rglob("*")):
        kind = _kind(file)
        if kind is not None and file.is_file():
            yield file, kind


def _kind(path: Path) -> str | None:
    suffixes = path.suffixes
    if suffixes and suffixes[-1].lower() == ".gz":
        suffixes.pop()
    return KINDS.get(suffixes[-1].lower()) if suffixes else None


def _site_of(file: Path, folder: Path) -> str:
    """Return the outermost folder named like a host, from the given folder down; else the file's own folder."""
    folders = [folder.resolve().name, *file.relative_to(folder).parts[:-1]]
    return next((name for name in folders if _is_host(name)), folders[-1])


def _is_host(name: str) -> bool:
    labels = name.split(".")
    return name.isascii() and len(labels) > 1 and all(label.replace("-", "a").isalnum() for label in labels)


_READABLE = f"the format follows from the name, {', '.join(f'*{suffix}' for suffix in KINDS)}, all also with .gz."
