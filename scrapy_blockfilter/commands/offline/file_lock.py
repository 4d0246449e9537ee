"""Lock a file against other processes, as long as it is open."""

from __future__ import annotations

import errno
import sys
from typing import IO

_TAKEN = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


def lock(file: IO[bytes]) -> bool:
    """Lock an open file, and return whether nobody else has locked it.

    Also True where the file system has no locks, as some network drives.
    """
    try:
        _lock(file)
    except OSError as error:
        return error.errno not in _TAKEN
    return True


if sys.platform == "win32":
    import msvcrt

    # Windows keeps others from locked bytes, so one is locked that no file has.
    _NO_BYTE = 2**31 - 2

    def _lock(file: IO[bytes]) -> None:
        file.seek(_NO_BYTE)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        finally:
            file.seek(0)

else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
