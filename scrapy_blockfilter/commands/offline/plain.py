"""One process, and lines that are written as they come. Subclasses of an extra do more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from scrapy_blockfilter.commands.offline.records import Batch
from scrapy_blockfilter.commands.offline.tally import Tally
from scrapy_blockfilter.commands.output import Output

Made = TypeVar("Made")


@dataclass
class Done(Generic[Made]):
    """The outcome of a batch. The last answer of a worker has no ``read``."""

    made: list[Made] = field(default_factory=list)  # of the readable records, in order
    tally: Tally = field(default_factory=Tally)
    read: int = 0
    position: int = 0


class Worker(Protocol[Made]):
    def work(self, batch: Batch) -> Done[Made]: ...

    def close(self) -> Done[Made]:
        """Finish, and return the last answer."""


class Workers(Generic[Made]):
    """A single worker, in this process. A subclass has several, each made in its own process by ``start``."""

    jobs = 1

    def __init__(self, start: Callable[[], Worker[Made]]) -> None:
        self._worker = start()

    def __enter__(self) -> Workers[Made]:
        return self

    def __exit__(self, *error: object) -> None:
        """Do nothing, as no other process runs."""

    def give(self, number: int, batch: Batch) -> Iterator[Done[Made]]:
        """Give a batch to the worker ``number`` modulo the number of workers, and yield an answer that is there by now.

        If batches are given to the workers in turn, answers come in the order of batches.
        """
        yield self._worker.work(batch)

    def finish(self, first: int = 0) -> Iterator[Done[Made]]:
        """Yield the answers that are still due, starting with the worker ``first``, then the workers' last answers."""
        yield self._worker.close()


class Lines:
    """Output of JSON lines, which are written at once."""

    resumes = False  # whether the same command goes on where it was stopped

    def __init__(
        self, output: Output, close: Callable[[], object] = lambda: None, remove: Callable[[], object] = lambda: None
    ) -> None:
        self._output = output
        self._close = close
        self._remove = remove
        self.read = self.position = 0  # records that are done, and their bytes in the input
        self.tally = Tally()

    def add(self, done: Done[str]) -> None:
        """Add the lines of further records."""
        for line in done.made:
            self._output.line(line)
        self.tally.add(done.tally)
        self.read, self.position = done.read, done.position

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
