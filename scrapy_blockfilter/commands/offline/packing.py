"""Packed files (.gz, .zst) and files elsewhere (s3://…), through zstandard and fsspec of the extra ``files``."""

from __future__ import annotations

import gzip
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import IO, Any, cast

from scrapy_blockfilter.commands.base import CommandError, ExitCode
from scrapy_blockfilter.libraries import URLS, ZSTANDARD

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
    """Return whether a name is a URL, rather than the path of a file."""
    return bool(_REMOTE.match(name))


def zstd() -> ModuleType:
    """Return the module for .zst, which Python has from 3.14 on.

    Raises:
        CommandError: it is not installed.
    """
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
    """Pack data. Packed parts may be concatenated."""
    if packing == ".gz":
        return gzip.compress(data, mtime=0)
    return bytes(zstd().compress(data)) if packing == ".zst" else data


def damage(others: tuple[type[Exception], ...]) -> tuple[type[Exception], ...]:
    """Return the errors of unpacking a file that is damaged, and others."""
    try:
        return (*others, EOFError, zlib.error, zstd().ZstdError)
    except CommandError:
        return (*others, EOFError, zlib.error)


def located(url: str) -> tuple[Any, str]:
    """Return the file system of a URL, and the path there.

    Raises:
        CommandError: fsspec or the library of that file system is not installed, or there is no such file system.
    """
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise CommandError(f"{URLS.missing}.", ExitCode.USAGE) from None
    with _reaching(url):
        system, path = url_to_fs(url)
    return system, str(path)


@contextmanager
def _reaching(url: str) -> Iterator[None]:
    try:
        yield
    except (ImportError, ValueError) as error:  # fsspec says what to install for a protocol
        raise CommandError(f"{url} cannot be opened: {error}.", ExitCode.USAGE) from None
