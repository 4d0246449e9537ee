"""Where output goes when it is whole: to a file, as Parquet, or to another place."""

from __future__ import annotations

from pathlib import Path

from scrapy_blockfilter.commands.base import CommandError, ExitCode
from scrapy_blockfilter.commands.offline.packing import is_remote, located, suffix_of, zstd
from scrapy_blockfilter.libraries import PARQUET, is_installed


class Target:
    """The file that a command writes.

    Attributes:
        name: its path or URL.
        path: its path; of a URL one in the working directory, beside which the unfinished output is.
        packing: suffix of the packing of JSON lines, "" for none.

    Raises:
        CommandError: a library that it needs is not installed.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        kind, self.packing = suffix_of(name)
        self._is_parquet = kind == ".parquet"
        self._remote = located(name) if is_remote(name) else None
        self.path = Path(name.rstrip("/").rpartition("/")[2]) if self._remote else Path(name)
        if self.packing == ".zst":
            zstd()
        if self._is_parquet:
            if self.packing:
                raise CommandError(f"{name}: Parquet packs by itself; leave out {self.packing}.", ExitCode.USAGE)
            if not is_installed(PARQUET.module):
                raise CommandError(f"{PARQUET.missing}.", ExitCode.USAGE)

    def exists(self) -> bool:
        if self._remote:
            system, path = self._remote
            return bool(system.exists(path))
        return self.path.exists()

    def take(self, part: Path) -> None:
        """Take the whole output, which is JSON lines, packed or not."""
        made = part
        if self._is_parquet:
            from scrapy_blockfilter.commands.offline.parquet import write_rows  # needs the extra

            made = part.with_name(f"{self.path.name}.new")
            write_rows(part, made)
        if self._remote:
            system, path = self._remote
            system.put_file(str(made), path)
            made.unlink()
        else:
            made.replace(self.path)
        part.unlink(missing_ok=True)
