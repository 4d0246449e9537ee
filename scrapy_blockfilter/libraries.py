"""Libraries that extras of the package install. An error about a missing one begins with the line to type."""

from __future__ import annotations

from importlib.util import find_spec
from typing import NamedTuple


class Library(NamedTuple):
    """A library that only some users need.

    Attributes:
        module: the name to import.
        extra: the extra that installs it.
        purpose: why it is needed, as a sentence without its end.
    """

    module: str
    extra: str
    purpose: str

    @property
    def missing(self) -> str:
        """The message of an error about it.

        >>> COPIES.missing
        "pip install 'scrapy-blockfilter[copies]': keys of similar text are made by datasketch"
        """
        return f"{install_line(self.extra)}: {self.purpose}"

    def require(self) -> None:
        """Check that the library is installed.

        Raises:
            ImportError: it is missing; the message begins with what installs it.
        """
        if not is_installed(self.module):
            raise ImportError(self.missing)


def install_line(extra: str) -> str:
    """Return what to type to install an extra."""
    return f"pip install 'scrapy-blockfilter[{extra}]'"


def is_installed(module: str) -> bool:
    """Return whether a module can be imported."""
    try:
        return find_spec(module) is not None
    except ValueError:  # another module has its name
        return False


COPIES = Library("datasketch", "copies", "keys of similar text are made by datasketch")
REDIS = Library("redis", "redis", "a store on a Redis server is reached by redis")
WARC = Library("warcio", "warc", "WARC files are read by warcio")
PARQUET = Library("pyarrow", "files", "Parquet files are read and written by pyarrow")
ZSTANDARD = Library("backports.zstd", "files", ".zst files are packed and unpacked by backports.zstd")
URLS = Library("fsspec", "files", "files at URLs are opened by fsspec")
SPARK = Library("pyarrow", "spark", "batches of Spark are read by pyarrow")
SPARK_WARC = Library("warcio", "spark,warc", "WARC files are read by warcio")
