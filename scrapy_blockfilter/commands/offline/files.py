"""Find the files to read, and tell their formats."""

from __future__ import annotations

import gzip
import re
import sys
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import IO, Any, NamedTuple, cast

from scrapy_blockfilter.commands.base import CommandError, ExitCode
from scrapy_blockfilter.commands.output import printable
from scrapy_blockfilter.plugins import PARQUET, URLS, WARC, ZSTANDARD, is_installed

PACKED = (".gz", ".zst")
# A single letter is a drive.
_REMOTE = re.compile(r"\A[a-zA-Z][a-zA-Z0-9+.-]{1,40}://")


def suffix_of(name: str) -> tuple[str, str]:
    """Return the last suffix of a name before that of packing, and that of packing, in lower case.

    >>> suffix_of("crawl.1/feed.JSONL.gz"), suffix_of("feed.csv")
    (('.jsonl', '.gz'), ('.csv', ''))
    """
    name = name.replace("\\", "/").rpartition("/")[2].lower()
    packed = next((suffix for suffix in PACKED if name.endswith(suffix)), "")
    stem, dot, suffix = name.removesuffix(packed).rpartition(".")
    return (f".{suffix}" if dot and stem else "", packed)


def is_remote(name: str) -> bool:
    """Return whether a name is a URL rather than the path of a file."""
    return bool(_REMOTE.match(name))


def zstd() -> ModuleType:
    """Return the module for .zst, which Python has from 3.14 on; raise CommandError if it is not installed."""
    try:
        if sys.version_info >= (3, 14):
            import compression.zstd as module
        else:
            import backports.zstd as module
    except ImportError:
        raise CommandError(f"{ZSTANDARD.missing}.", ExitCode.USAGE) from None
    return module


def unpacked(file: IO[bytes], packing: str) -> IO[bytes]:
    """Return a file as it was before it was packed."""
    if packing == ".gz":
        return cast("IO[bytes]", gzip.GzipFile(fileobj=file))
    return cast("IO[bytes]", zstd().ZstdFile(file)) if packing == ".zst" else file


def packed(data: bytes, packing: str) -> bytes:
    """Pack data. Compressed parts may be concatenated."""
    if packing == ".gz":
        return gzip.compress(data, mtime=0)
    return bytes(zstd().compress(data)) if packing == ".zst" else data


def damage(others: tuple[type[Exception], ...]) -> tuple[type[Exception], ...]:
    """Return some types of errors, and those of unpacking a damaged file."""
    try:
        return (*others, EOFError, zlib.error, zstd().ZstdError)
    except CommandError:
        return (*others, EOFError, zlib.error)


def located(url: str) -> tuple[Any, str]:
    """Return the file system of a URL, and the path there; raise CommandError if a library is missing."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise CommandError(f"{URLS.missing}.", ExitCode.USAGE) from None
    try:
        system, path = url_to_fs(url)
    except (ImportError, ValueError) as error:  # fsspec says what to install for a protocol
        raise CommandError(f"{url} cannot be opened: {error}.", ExitCode.USAGE) from None
    return system, str(path)


# Suffix of a file, without .gz and .zst -> how it is read.
KINDS = {
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".jsonl": "json",
    ".jl": "json",
    ".ndjson": "json",
    ".csv": "csv",
    ".parquet": "parquet",
    ".warc": "warc",
}


class InputFile(NamedTuple):
    """A file to read.

    Attributes:
        path: its path, or its URL if it is elsewhere.
        kind: "html", "json", "csv", "parquet" or "warc".
        folder: the site that its folder names; used for HTML files only.
    """

    path: Path | str
    kind: str
    folder: str

    def open(self) -> tuple[IO[bytes], IO[bytes]]:
        """Open the file. Return its unpacked bytes, and the file itself, whose position tells the progress."""
        if isinstance(self.path, Path):
            file = cast("IO[bytes]", self.path.open("rb"))
        else:
            system, path = located(self.path)
            file = cast("IO[bytes]", system.open(path, "rb"))
        packing = suffix_of(str(self.path))[1]
        if self.kind == "warc" and packing == ".gz":  # warcio unpacks by itself, record by record
            return file, file
        return unpacked(file, packing), file

    def state(self) -> tuple[int, object]:
        """Return the size of the file, and a value that changes with its content."""
        if isinstance(self.path, Path):
            status = self.path.stat()
            return status.st_size, status.st_mtime_ns
        system, path = located(self.path)
        return int(system.size(path) or 0), str(system.ukey(path))

    @property
    def url(self) -> str:
        return self.path.resolve().as_uri() if isinstance(self.path, Path) else self.path


def find_files(paths: Iterable[str]) -> list[InputFile]:
    """Return the files of these paths and URLs; folders with all files below them, ordered by name.

    Raises:
        CommandError: a file does not exist or has no readable format, or a library that it needs is not installed.
    """
    files = [found for path in paths for found in (_remote_files(path) if is_remote(path) else _files_of(Path(path)))]
    kinds = {file.kind for file in files}
    for kind, library in (("warc", WARC), ("parquet", PARQUET)):
        if kind in kinds and not is_installed(library.module):
            raise CommandError(f"{library.missing}.", ExitCode.NOT_FOUND)
    if any(suffix_of(str(file.path))[1] == ".zst" for file in files):
        zstd()
    return files


def _files_of(path: Path) -> Iterator[InputFile]:
    if path.is_dir():
        found = [(file, _kind(str(file))) for file in sorted(path.rglob("*"))]
        left = {file for file, kind in found if (kind or file.is_dir()) and _leads_out(file, path)}
        if left:
            sys.stderr.write(f"links that lead out of {printable(str(path))} and are left: {len(left):,}\n")
        files = [(file, kind) for file, kind in found if kind and file.is_file() and file not in left]
        inside = [InputFile(file, kind, _site_of(file, path)) for file, kind in files]
        if not inside:
            raise CommandError(f"{path} has no file that can be read: {_READABLE}", ExitCode.NOT_FOUND)
        yield from inside
    elif not path.exists():
        raise CommandError(f"There is no file or folder {path}.", ExitCode.NOT_FOUND)
    else:
        yield InputFile(path, _known_kind(str(path)), path.resolve().parent.name)


def _leads_out(file: Path, folder: Path) -> bool:
    return file.is_symlink() and file.exists() and not file.resolve().is_relative_to(folder.resolve())


def _remote_files(url: str) -> Iterator[InputFile]:
    system, path = located(url)
    if system.isdir(path):
        names = [str(name) for name in sorted(system.find(path)) if _kind(str(name))]
        if not names:
            raise CommandError(f"{url} has no file that can be read: {_READABLE}", ExitCode.NOT_FOUND)
        for name in names:
            folders = [PurePosixPath(path).name, *PurePosixPath(name).parts[len(PurePosixPath(path).parts) : -1]]
            yield InputFile(str(system.unstrip_protocol(name)), _known_kind(name), _named_host(folders))
    elif not system.exists(path):
        raise CommandError(f"There is no file or folder {url}.", ExitCode.NOT_FOUND)
    else:
        yield InputFile(url, _known_kind(path), PurePosixPath(path).parent.name)


def _kind(name: str) -> str | None:
    return KINDS.get(suffix_of(name)[0])


def _known_kind(name: str) -> str:
    kind = _kind(name)
    if kind is None:
        raise CommandError(f"{name} has no known format: {_READABLE}", ExitCode.NOT_FOUND)
    return kind


def _site_of(file: Path, folder: Path) -> str:
    """Return the outermost folder named like a host, from the given folder down; else the file's own folder."""
    return _named_host([folder.resolve().name, *file.relative_to(folder).parts[:-1]])


def _named_host(folders: list[str]) -> str:
    return next((name for name in folders if _is_host(name)), folders[-1])


def _is_host(name: str) -> bool:
    labels = name.split(".")
    return name.isascii() and len(labels) > 1 and all(label.replace("-", "a").isalnum() for label in labels)


_READABLE = (
    f"the format follows from the name, {', '.join(f'*{suffix}' for suffix in KINDS)}, all also with .gz or .zst."
)
