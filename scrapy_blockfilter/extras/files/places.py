"""Files that are packed, and files that are elsewhere, at URLs."""

from __future__ import annotations

import gzip
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import IO, Any, cast

from scrapy_blockfilter.commands.base import CommandError, ExitCode
from scrapy_blockfilter.commands.offline.records import InputFile
from scrapy_blockfilter.plugins import Library

ZSTANDARD = Library("backports.zstd", "files", ".zst files are packed and unpacked by backports.zstd")
URLS = Library("fsspec", "files", "files at URLs are opened by fsspec")

_PACKED = (".gz", ".zst")
# A single letter is a drive.
_REMOTE = re.compile(r"\A[a-zA-Z][a-zA-Z0-9+.-]{1,40}://")


def suffixes_of(name: str) -> tuple[str, str]:
    """Return the last suffix of a name before that of packing, and that of packing, in lower case.

    >>> suffixes_of("crawl.1/feed.JSONL.gz"), suffixes_of("feed.csv")
    (('.jsonl', '.gz'), ('.csv', ''))
    """
    name = name.replace("\\", "/").rpartition("/")[2].lower()
    packed = next((suffix for suffix in _PACKED if name.endswith(suffix)), "")
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


class AnyFile(InputFile):
    """A file that may be packed, and elsewhere if its path is a URL."""

    def open(self) -> tuple[IO[bytes], IO[bytes]]:
        if isinstance(self.path, Path):
            file, _ = super().open()
        else:
            system, path = located(self.path)
            file = cast("IO[bytes]", system.open(path, "rb"))
        packing = suffixes_of(str(self.path))[1]
        if self.kind == "warc" and packing == ".gz":  # warcio unpacks by itself, record by record
            return file, file
        return unpacked(file, packing), file

    def state(self) -> tuple[int, object]:
        if isinstance(self.path, Path):
            return super().state()
        system, path = located(self.path)
        return int(system.size(path) or 0), str(system.ukey(path))

    @property
    def url(self) -> str:
        return super().url if isinstance(self.path, Path) else self.path
