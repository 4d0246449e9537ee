"""Worker processes besides the reading process, each with its own state."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from contextvars import ContextVar
from threading import Thread
from typing import Any, Generic
from zlib import crc32

from scrapy_blockfilter.commands.base import CommandError
from scrapy_blockfilter.commands.offline.plain import Done, Made, Worker
from scrapy_blockfilter.commands.offline.records import Batch, Record

# Bytes of input that make several processes worth their start, which takes a second of processor time each. Packed
# pages of this many bytes take 17 s to clean.
_WORTHWHILE = 16_000_000


def jobs_for(asked: int | None, size: int) -> int:
    """Return the number of processes to use: that asked for, else one per core if there is enough to do."""
    if asked is not None or size <= _WORTHWHILE:
        return max(1, asked or 1)
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


class Processes(Generic[Made]):
    """Several workers, each in a process of its own, with at most one task at a time."""

    def __init__(self, jobs: int, start: Callable[[], Worker[Made]]) -> None:
        self.jobs = jobs
        self._start = start
        context = multiprocessing.get_context("spawn")  # a forked process would share connections to the store
        # Each worker has a pool, because it gets tasks of its own.
        self._pools = [ProcessPoolExecutor(1, context, _follow_parent) for _ in range(jobs)]
        self._due: list[Future[Done[Made]] | None] = [None] * jobs

    def work(
        self, batches: Generator[Batch, None, None], key: Callable[[Record], str | None] | None
    ) -> Generator[Done[Made], None, None]:
        """Let the workers work: see :meth:`scrapy_blockfilter.commands.offline.files.Formats.work`."""
        given = 0
        with closing(self), closing(batches):
            try:
                for batch in batches:
                    for number, part in ((given, batch),) if key is None else _split(batch, key, self.jobs):
                        given += 1
                        yield from self.give(number, part)
            except BaseException:
                deque(self.finish(), 0)
                raise
            yield from self.finish(given)

    def close(self) -> None:
        for pool in self._pools:
            pool.shutdown(cancel_futures=True)

    def give(self, number: int, batch: Batch) -> Iterator[Done[Made]]:
        """Give a batch to the worker ``number`` modulo their number, and yield its answer to the one before.

        If batches are given to the workers in turn, answers come in the order of batches.
        """
        number %= self.jobs
        yield from self._answer(number)
        self._send(number, batch)

    def finish(self, first: int = 0) -> Iterator[Done[Made]]:
        """Yield the answers that are still due, starting with the worker ``first``, then the workers' last answers."""
        for number in range(first, first + self.jobs):
            yield from self._answer(number % self.jobs)
        for number in range(self.jobs):
            self._send(number, None)
            yield from self._answer(number)

    def _send(self, number: int, batch: Batch | None) -> None:
        with _reaching_worker():
            self._due[number] = self._pools[number].submit(_work, self._start, batch)

    def _answer(self, number: int) -> Iterator[Done[Made]]:
        due, self._due[number] = self._due[number], None
        if due is not None:
            with _reaching_worker():
                answer = due.result()
            yield answer


def _split(batch: Batch, key: Callable[[Record], str | None], jobs: int) -> Iterator[tuple[int, Batch]]:
    """Yield the records of a batch for each of the workers that get some, by their keys."""
    parts: dict[int, list[Record]] = {}
    for record in batch.records:
        parts.setdefault(crc32((key(record) or "").encode()) % jobs, []).append(record)
    others = batch.others
    for number, records in (parts or {0: []}).items():
        yield number, batch._replace(records=records, others=others)
        others = 0


@contextmanager
def _reaching_worker() -> Iterator[None]:
    """Turn the loss of a worker, busy or idle, into an error for people."""
    try:
        yield
    except BrokenProcessPool:
        message = "a worker process was killed, perhaps for lack of memory: run the same again with --jobs 1."
        raise CommandError(message) from None


def _follow_parent() -> None:
    """Run in a worker process: the parent process says when to stop, and if it is killed, this one ends as well."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)


# The worker of a worker process.
_WORKER: ContextVar[Worker[Any]] = ContextVar("worker")


def _work(start: Callable[[], Worker[Any]], batch: Batch | None) -> Any:
    """Run in a worker process: start its worker with the first batch, and close it for None."""
    worker = _WORKER.get(None)
    if worker is None:
        worker = start()
        _WORKER.set(worker)
    return worker.close() if batch is None else worker.work(batch)
