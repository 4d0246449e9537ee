"""Worker processes besides the one that reads, each with its own state."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from types import TracebackType
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
        ...


def jobs_for(asked: int | None, size: int) -> int:
    """Return how many processes to use: as many as asked for, else one per core if there is enough to do."""
    if asked is not None:
        return max(1, asked)
    return _cores() if size > _WORTHWHILE else 1


def _cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


class Workers(Generic[Task, Answer]):
    """Some workers, each given one task at a time, so that each has at most one task in memory.

    Args:
        jobs: number of workers; a single one works in this process.
        start: makes a worker, in its process.
    """

    def __init__(self, jobs: int, start: Callable[[], Worker[Task, Answer]]) -> None:
        self.jobs = jobs
        self._alone = start() if jobs == 1 else None
        self._busy = [False] * jobs
        self._connections: list[Connection] = []
        self._processes: list[Any] = []
        if jobs > 1:
            context = multiprocessing.get_context("spawn")  # a forked process would share connections to the store
            for _ in range(jobs):
                ours, theirs = context.Pipe()
                process = context.Process(target=_serve, args=(theirs, start), daemon=True)
                process.start()
                theirs.close()
                self._connections.append(ours)
                self._processes.append(process)

    def __enter__(self) -> Workers[Task, Answer]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for connection in self._connections:
            connection.close()  # ends those that wait
        for process in self._processes:
            if kind is not None:
                process.terminate()
            process.join()

    def give(self, number: int, task: Task) -> Iterator[Answer]:
        """Give a task to the worker ``number`` modulo the number of workers.

        Yields that worker's answer to its previous task, if there was one. If tasks are given to the workers in turn,
        answers come in the order of tasks.
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
            self._connections[number].send(task)
        self._busy[number] = True

    def _answer(self, number: int) -> Iterator[Answer]:
        if self._busy[number]:
            with _reaching_worker():
                answer = self._connections[number].recv()
            self._busy[number] = False
            if isinstance(answer, Exception):
                raise answer
            yield answer


@contextmanager
def _reaching_worker() -> Iterator[None]:
    """Say what it means when a worker is gone, whether it was busy or idle."""
    try:
        yield
    except (EOFError, ConnectionError):
        raise CommandError(
            "a worker process was killed, perhaps for lack of memory: run the same again with --jobs 1."
        ) from None


def _serve(connection: Connection, start: Callable[[], Worker[Any, Any]]) -> None:
    """Run in a worker process: answer tasks until there are none."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process says when to stop
    worker: Worker[Any, Any] | None = None
    try:
        while True:
            task = connection.recv()
            try:
                worker = worker or start()
                connection.send(worker.close() if task is None else worker.work(task))
            except Exception as error:  # raised again in the parent process
                connection.send(error)
            if task is None:
                return
    except (EOFError, ConnectionError):  # nobody waits for more
        return
