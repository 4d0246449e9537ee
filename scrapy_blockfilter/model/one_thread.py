"""Multiply matrices in one thread: those of a page are so small that the threads of a BLAS library only wait.

The library's number of threads is set while a model works, and set back afterwards. The environment of the process does
not change.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from threading import Lock
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


@lru_cache(1)
class _Limit:
    """The limit on the BLAS libraries of this process, for as long as any thread of it is inside."""

    def __init__(self) -> None:
        from threadpoolctl import ThreadpoolController  # when numpy has loaded BLAS; native scores do without

        self._libraries = ThreadpoolController().select(user_api="blas")
        self._lock = Lock()
        self._inside = 0

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._limited = self._libraries.limit(limits=1)
            self._inside += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._limited.restore_original_limits()


def in_one_thread(work: Callable[P, R]) -> Callable[P, R]:
    """Have a function multiply matrices in one thread."""

    @wraps(work)
    def limited(*arguments: P.args, **named: P.kwargs) -> R:
        with _Limit():
            return work(*arguments, **named)

    return limited
