"""Processes that work beside the one that reads, each with a state of its own."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Generic, Protocol, TypeVar

from scrapy_blockfilter.commands.base import CommandError

Task = TypeVar("Task")
Answer = TypeVar("Answer")
TaskIn = TypeVar("TaskIn", contravariant=True)
AnswerOut = TypeVar("AnswerOut", covariant=True)
# Bytes of input from which on several processes are worth their start, a second of processor time each: packed pages
# of as many bytes take 17 s to clean.
_WORTHWHILE = 16_000_000


class Worker(Protocol[TaskIn, AnswerOut]):
    def work(self, task: TaskIn) -> AnswerOut: ...

    def close(self) -> AnswerOut:
        """Called at the end; what is still to be told."""
        ...


def jobs_for(asked: int | None, size: int) -> int:
    """How many processes are used: as many as asked for, else one for each core if there is enough to do."""
    if asked is not None:
        return max(1, asked)
    return _cores() if size > _WORTHWHILE else 1


def _cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


class Workers(Generic[Task, Answer]):
    """Some workers, each given one task at a time, so that no more than one task of each is in memory.

    Args:
        jobs: how many; one alone works in this process.
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
            connection.close()  # which ends those that wait
        for process in self._processes:
            if kind is not None:
                process.terminate()
            process.join()

    def give(self, number: int, task: Task) -> Iterator[Answer]:
        """Give a task to the worker of a number, modulo their number; its answer to the task before, if it had one.
        Given in turn to one worker after the other, tasks are answered in their order."""
        if self._alone is not None:
            yield self._alone.work(task)
            return
        number %= self.jobs
        yield from self._answer(number)
        self._connections[number].send(task)
        self._busy[number] = True

    def finish(self, first: int = 0) -> Iterator[Answer]:
        """The answers that are still due, from the worker ``first`` on, then what they have to tell at the end."""
        if self._alone is not None:
            yield self._alone.close()
            return
        for number in range(first, first + self.jobs):
            yield from self._answer(number % self.jobs)
        for number in range(self.jobs):
            self._connections[number].send(None)
            self._busy[number] = True
            yield from self._answer(number)

    def _answer(self, number: int) -> Iterator[Answer]:
        if self._busy[number]:
            try:
                answer = self._connections[number].recv()
            except (EOFError, ConnectionError):
                raise CommandError(
                    "a process that worked beside this one was killed, perhaps for want of memory: type the same "
                    "again, with --jobs 1."
                ) from None
            self._busy[number] = False
            if isinstance(answer, Exception):
                raise answer
            yield answer


def _serve(connection: Connection, start: Callable[[], Worker[Any, Any]]) -> None:
    """What a process does: answer tasks until there are none."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one that gives the tasks says when to stop
    worker: Worker[Any, Any] | None = None
    try:
        while True:
            task = connection.recv()
            try:
                worker = worker or start()
                connection.send(worker.close() if task is None else worker.work(task))
            except Exception as error:  # raised again where the answer is looked for
                connection.send(error)
            if task is None:
                return
    except (EOFError, ConnectionError):  # nobody waits for more
        return
