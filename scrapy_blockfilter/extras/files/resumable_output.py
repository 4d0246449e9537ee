"""Output that an interrupted run can resume, without doubling or losing a record.

Unfinished output is ``FILE.part``. ``FILE.progress`` has the numbers of its bytes and records that are done. Lines are
on disk before it counts them: a resumed run cuts off all bytes after these. At the end the part is renamed. The part is
locked while it is open, so that two runs never write one file.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from filelock import lock_descriptor

from scrapy_blockfilter.commands.base import CommandError, ExitCode
from scrapy_blockfilter.commands.offline.plain import Done, Lines, Tally
from scrapy_blockfilter.extras.files.places import is_remote, located, packed, suffixes_of, zstd
from scrapy_blockfilter.plugins import Library, is_installed

PARQUET = Library("pyarrow", "files", "Parquet files are read and written by pyarrow")

# Output is made durable after so many characters or seconds, which bounds the cost of a kill.
_SAVE_CHARACTERS = 2_000_000
_SAVE_SECONDS = 5.0
_VERSION = 1


class ResumableOutput(Lines):
    """JSON lines in a file, packed if its name ends with .gz or .zst; Parquet if it ends with .parquet.

    A file that is elsewhere is written here, and sent there when it is whole.

    Args:
        name: its path or URL.
        job: identifies this run. Only output of the same run is resumed.
    """

    resumes = True

    def __init__(
        self, name: str | Path, job: Mapping[str, Any], *, overwrite: bool, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._target = Target(str(name))
        path = self._target.path
        self._part = path.with_name(f"{path.name}.part")
        self._state = path.with_name(f"{path.name}.progress")
        self._job = {"version": _VERSION, **job}
        self._clock = clock
        self._lines: list[str] = []
        self._characters = 0
        self._saved = clock()
        self.read = self.position = 0
        self.tally = Tally()
        self._file, is_new = self._locked_part()
        try:
            size = 0 if overwrite else self._left(is_new=is_new)
            if overwrite:
                self._state.unlink(missing_ok=True)
            self._file.truncate(size)
            self._file.seek(size)
        except BaseException:
            self._let_go(self._part.unlink if is_new else lambda: None)
            raise

    def add(self, done: Done[str]) -> None:
        """Add the lines of further records."""
        self._lines += done.made
        self._characters += sum(map(len, done.made))
        self.tally.add(done.tally)
        self.read, self.position = done.read, done.position
        if self._characters >= _SAVE_CHARACTERS or self._clock() >= self._saved + _SAVE_SECONDS:
            self.save()

    def save(self) -> None:
        """Make all added lines durable."""
        data = "".join(f"{line}\n" for line in self._lines).encode()
        self._file.write(packed(data, self._target.packing) if data else data)
        self._file.flush()
        os.fsync(self._file.fileno())
        done = {"bytes": self._file.tell(), "read": self.read, "position": self.position}
        state = {"job": self._job, **done, **self.tally.as_dict()}
        beside = self._state.with_name(f"{self._state.name}.new")
        with beside.open("w", encoding="utf-8") as file:
            json.dump(state, file)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self._state)
        self._lines, self._characters, self._saved = [], 0, self._clock()

    def finish(self) -> None:
        """Give the file its final name."""
        self.save()
        self._let_go(lambda: self._target.take(self._part))
        self._state.unlink()

    def discard(self) -> None:
        """Remove all output, so that there is nothing to resume."""
        self._let_go(self._part.unlink)
        self._state.unlink(missing_ok=True)

    def close(self) -> None:
        """Close the files, so that another run can resume."""
        if self._file.closed:
            return
        if self.read:
            self.save()
            self._file.close()
        else:
            self._let_go(self._part.unlink)

    def _let_go(self, act: Callable[[], object]) -> None:
        """Act on the part while nobody else can open it as theirs, and close it."""
        if sys.platform == "win32":  # where open files cannot be renamed or deleted
            self._file.close()
        act()
        self._file.close()

    def _locked_part(self) -> tuple[BinaryIO, bool]:
        """Open the part, and lock it. Return it, and whether it is new."""
        while True:
            is_new = not self._part.exists()
            file = self._part.open("a+b")
            try:
                is_locked = lock_descriptor(file.fileno(), blocking=False)
            except OSError:  # the file system has no locks, as some network drives
                is_locked = True
            if not is_locked:
                file.close()
                message = f"Another run is writing {self._target.path} now. Wait for its end, or name another --output."
                raise CommandError(message, ExitCode.USAGE)
            try:
                is_same = os.path.samestat(os.fstat(file.fileno()), self._part.stat())
            except FileNotFoundError:
                is_same = False
            if is_same:
                return file, is_new
            file.close()  # its run ended meanwhile, and gave it the final name

    def _left(self, *, is_new: bool) -> int:
        """Return the bytes of the part that an earlier run has left, and take over its counts."""
        if is_new or not self._state.exists():
            if self._target.exists():
                raise CommandError(f"{self._target.name} exists already; --overwrite starts it anew.", ExitCode.USAGE)
            return 0
        try:
            state = json.loads(self._state.read_text(encoding="utf-8"))
            size, self.read, self.position = (int(state[name]) for name in ("bytes", "read", "position"))
            self.tally = Tally(Counter(state["counts"]), list(state["unreadable"]), list(state.get("suspicious", ())))
            is_same = state["job"] == self._job and self._part.stat().st_size >= size
        except (ValueError, KeyError, TypeError):
            is_same = False
        if not is_same:
            raise CommandError(
                f"{self._part} was left by a run with other input or arguments: repeat those to resume, "
                "or use --overwrite to start anew.",
                ExitCode.USAGE,
            )
        return size


class Target:
    """The file that a command writes; raise CommandError if a library that it needs is not installed."""

    def __init__(self, name: str) -> None:
        self.name = name  # its path or URL
        kind, self.packing = suffixes_of(name)  # suffix of the packing of JSON lines, "" for none
        self._is_parquet = kind == ".parquet"
        self._remote = located(name) if is_remote(name) else None
        # A URL has a path in the working directory, beside which the unfinished output is.
        self.path = Path(name.rstrip("/").rpartition("/")[2]) if self._remote else Path(name)
        if self.path.is_dir() and not self._remote:
            raise CommandError(f"{name} is a folder: name a file in it.", ExitCode.USAGE)
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
            from scrapy_blockfilter.extras.files.parquet import write_rows  # needs the extra

            made = part.with_name(f"{self.path.name}.new")
            write_rows(part, made)
        if self._remote:
            system, path = self._remote
            system.put_file(str(made), path)
            made.unlink()
        else:
            made.replace(self.path)
        part.unlink(missing_ok=True)
