"""Work on many sites in several processes."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

A = TypeVar("A")
B = TypeVar("B")

# The variables by which libraries of linear algebra are told how many threads to use.
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def mapped(work: Callable[[A], B], items: Sequence[A], processes: int) -> Iterator[B]:
    """Yield results in the order of the items: of this process if it is one, else of workers, counted on stderr."""
    if processes == 1:
        yield from map(work, items)
        return
    # Spawned, so that a worker shares nothing with this process but the item.
    with _one_thread_each(), ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        for number, result in enumerate(pool.map(work, items), 1):
            print(f"{number}/{len(items)}", file=sys.stderr, flush=True)
            yield result


def forked(work: Callable[[A], B], items: Sequence[A], processes: int) -> Iterator[B]:
    """Yield the same from forked processes, which share this one's memory: for data too large to hand over."""
    if processes == 1 or len(items) == 1:
        yield from map(work, items)
        return
    _Forked.work = staticmethod(work)
    with ProcessPoolExecutor(processes, multiprocessing.get_context("fork")) as pool:
        results: Iterator[Any] = pool.map(_Forked.run, items)
        yield from results


class _Forked:
    """The work, which forked processes find in their memory."""

    work: Callable[..., object]

    @staticmethod
    def run(item: object) -> object:
        return _Forked.work(item)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Make processes that start meanwhile multiply matrices in one thread.

    Several threads wait for each other, and double the processor time of such small pages.
    """
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
