"""Work on many sites in several processes."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

A = TypeVar("A")
B = TypeVar("B")

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def mapped(work: Callable[[A], B], items: Sequence[A], processes: int) -> Iterator[B]:
    """The results of the work in the order of the items; in this process if one is enough."""
    if processes == 1:
        yield from map(work, items)
        return
    # Spawned, so that a worker has nothing of this process but the item.
    with _one_thread_each(), ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(work, items)


def forked(work: Callable[[A], B], items: Sequence[A], processes: int) -> Iterator[B]:
    """The same by processes that share the memory of this one, for work on more data than could be handed over."""
    if processes == 1 or len(items) == 1:
        yield from map(work, items)
        return
    _Forked.work = staticmethod(work)
    with ProcessPoolExecutor(processes, multiprocessing.get_context("fork")) as pool:
        results: Iterator[Any] = pool.map(_Forked.run, items)
        yield from results


class _Forked:
    """What forked processes find in their memory."""

    work: Callable[..., object]

    @staticmethod
    def run(item: object) -> object:
        return _Forked.work(item)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Has processes that start meanwhile multiply matrices in one thread: those of several wait for each other, and
    double the processor time of pages as small as these."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
