"""One process, and lines that are written as they come. Subclasses of an extra do more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, Protocol, TypeVar

from scrapy_blockfilter.commands.offline.tally import Tally
from scrapy_blockfilter.commands.output import Output

Task = TypeVar("Task")
Answer = TypeVar("Answer")
TaskIn = TypeVar("TaskIn", contravariant=True)
AnswerOut = TypeVar("AnswerOut", covariant=True)


class Worker(Protocol[TaskIn, AnswerOut]):
    def work(self, task: TaskIn) -> AnswerOut: ...

    def close(self) -> AnswerOut:
        """Finish, and return the last answer."""


class Workers(Generic[Task, Answer]):
    """A single worker, in this process. A subclass has several, in others.

    Args:
        start: makes a worker, in its process.

    Attributes:
        jobs: the number of workers.
    """

    jobs = 1

    def __init__(self, start: Callable[[], Worker[Task, Answer]]) -> None:
        self._worker = start()

    def __enter__(self) -> Workers[Task, Answer]:
        return self

    def __exit__(self, *error: object) -> None:
        """Do nothing, as no other process runs."""

    def give(self, number: int, task: Task) -> Iterator[Answer]:
        """Give a task to the worker ``number`` modulo the number of workers, and yield an answer that is there by now.

        If tasks are given to the workers in turn, answers come in the order of tasks.
        """
        yield self._worker.work(task)

    def finish(self, first: int = 0) -> Iterator[Answer]:
        """Yield the answers that are still due, starting with the worker ``first``, then the workers' last answers."""
        yield self._worker.close()


class Lines:
    """Output of JSON lines, which are written at once.

    Args:
        close: closes the file.
        remove: removes a file that nobody wants.

    Attributes:
        resumes: whether the same command goes on where it was stopped.
        read, position: number of records that are done, and of their bytes in the input.
        tally: their results.
    """

    resumes = False

    def __init__(
        self, output: Output, close: Callable[[], object] = lambda: None, remove: Callable[[], object] = lambda: None
    ) -> None:
        self._output = output
        self._close = close
        self._remove = remove
        self.read = self.position = 0
        self.tally = Tally()

    def add(self, lines: Sequence[str], tally: Tally, read: int, position: int) -> None:
        """Add the lines of further records."""
        for line in lines:
            self._output.line(line)
        self.tally.add(tally)
        self.read, self.position = read, position

    def finish(self) -> None:
        """Note that the output is whole."""

    def discard(self) -> None:
        """Remove all output."""
        self._close()
        self._remove()

    def close(self) -> None:
        """Close the file."""
        self._close()
        if not self.read:
            self._remove()
