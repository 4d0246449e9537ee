"""The bytes of held items: their number in memory, and those on disk.

Bytes on disk are in a temporary file of this process, which is gone with the process, however that ends.
"""

from __future__ import annotations

import logging
import zlib
from tempfile import TemporaryFile
from typing import IO, TypeAlias

from scrapy_blockfilter.crawl.stats import STORE_ERRORS, Stats

logger = logging.getLogger(__name__)

# Bytes of a block, which file systems give out whole.
_BLOCK = 4_096

# The numbers of the blocks that packed bytes are in.
Blocks: TypeAlias = tuple[int, ...]


class HeldBytes:
    """The bytes that held items take of ``memory`` and ``disk``, with a bounded file that the first write makes."""

    def __init__(self, most_on_disk: int, stats: Stats) -> None:
        self.memory = 0
        self.disk = 0
        self._most_on_disk = most_on_disk
        self._stats = stats
        self._file: IO[bytes] | None = None
        self._free: list[int] = []  # blocks of the file

    def write(self, packed: bytes) -> Blocks | None:
        """Write packed bytes to disk, and return their blocks; None if there is no room, or the file has failed."""
        parts = [packed[start : start + _BLOCK] for start in range(0, len(packed), _BLOCK)]
        used = self.disk // _BLOCK
        if (used + len(parts)) * _BLOCK > self._most_on_disk:
            return None
        new = range(used + len(self._free), used + len(parts))
        blocks = (*self._free[: len(parts)], *new)
        try:
            if self._file is None:
                # A buffer would keep what a full disk refuses, and fail each later read.
                self._file = TemporaryFile(buffering=0)  # noqa: SIM115
            for block, part in zip(blocks, parts, strict=True):
                self._file.seek(block * _BLOCK)
                if self._file.write(part) < len(part):
                    raise OSError("the disk is full")
        except OSError as error:
            self._most_on_disk = 0
            self._stats.inc_value(STORE_ERRORS)
            message = "Held items go on early from now on when memory is short, as their temporary file has failed: %s"
            logger.error(message, error)
            return None
        del self._free[: len(parts)]
        self.disk += len(blocks) * _BLOCK
        return blocks

    def take(self, blocks: Blocks) -> bytes:
        """Return the bytes of blocks, unpacked, and free the blocks; raise OSError for a file that cannot be read."""
        assert self._file is not None
        self.disk -= len(blocks) * _BLOCK
        self._free.extend(blocks)
        try:
            packed = []
            for block in blocks:
                self._file.seek(block * _BLOCK)
                packed.append(self._file.read(_BLOCK))
            return zlib.decompress(b"".join(packed))  # what is left in the last block is passed over
        except (OSError, ValueError, zlib.error) as error:
            self._stats.inc_value(STORE_ERRORS)
            raise OSError(f"the temporary file of held items cannot be read: {error}") from error

    def close(self) -> None:
        """Delete the file."""
        if self._file is not None:
            self._file.close()
