"""Worker processes besides the one that reads, each with its own state."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Thread
from typing import Any, Generic, Protocol, TypeVar

from scrapy_blockfilter.commands.base import CommandError

Task = TypeVar("Task")
Answer = TypeVar("Answer")
TaskIn = TypeVar("TaskIn", contravariant=True)
AnswerOut = TypeVar("AnswerOut", covariant=True)
# Bytes of input that make several processes worth their start, which takes a second of processor time each. Packed
# pages of this many bytes take 17 s to clean.
_WORTHWHILE = 16_000_000


class Worker(Protocol[TaskIn, AnswerOut]):
    def work(self, task: TaskIn) -> AnswerOut: ...

    def close(self) -> AnswerOut:
        """Finish, and return the last answer."""


def jobs_for(asked: int | None, size: int) -> int:
    """Return the number of processes to use: that asked for, else one per core if there is enough to do."""
    if asked is not None or size <= _WORTHWHILE:
        return max(1, asked or 1)
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


class Workers(Generic[Task, Answer]):
    """Some workers, each with at most one task at a time. A single one works in this process.

    Args:
        start: makes a worker, in its process.
    """

    def __init__(self, jobs: int, start: Callable[[], Worker[Task, Answer]]) -> None:
        self.jobs = jobs
        self._start = start
        self._alone = start() if jobs == 1 else None
        context = multiprocessing.get_context("spawn")  # a forked process would share connections to the store
        # Each worker has a pool, because it gets tasks of its own.
        self._pools = [ProcessPoolExecutor(1, context, _follow_parent) for _ in range(jobs if jobs > 1 else 0)]
        self._due: list[Future[Answer] | None] = [None] * jobs

    def __enter__(self) -> Workers[Task, Answer]:
        return self

    def __exit__(self, *error: object) -> None:
        for pool in self._pools:
            pool.shutdown(cancel_futures=True)

    def give(self, number: int, task: Task) -> Iterator[Answer]:
        """Give a task to the worker ``number`` modulo the number of workers, and yield its answer to its previous task.

        If tasks are given to the workers in turn, answers come in the order of tasks.
        """
        if self._alone is not None:
            yield self._alone.work(task)
            return
        number %= self.jobs
        yield from self._answer(number)
        self._send(number, task)

    def finish(self, first: int = 0) -> Iterator[Answer]:
        """Yield the answers that are still due, starting with the worker ``first``, then the workers' last answers."""
        if self._alone is not None:
            yield self._alone.close()
            return
        for number in range(first, first + self.jobs):
            yield from self._answer(number % self.jobs)
        for number in range(self.jobs):
            self._send(number, None)
            yield from self._answer(number)

    def _send(self, number: int, task: Task | None) -> None:
        with _reaching_worker():
            self._due[number] = self._pools[number].submit(_work, self._start, task)

    def _answer(self, number: int) -> Iterator[Answer]:
        due, self._due[number] = self._due[number], None
        if due is not None:
            with _reaching_worker():
                answer = due.result()
            yield answer


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
_WORKER: ContextVar[Worker[Any, Any]] = ContextVar("worker")


def _work(start: Callable[[], Worker[Any, Any]], task: Any) -> Any:
    """Run in a worker process: start its worker with the first task, and close it for a task of None."""
    worker = _WORKER.get(None)
    if worker is None:
        worker = start()
        _WORKER.set(worker)
    return worker.close() if task is None else worker.work(task)
