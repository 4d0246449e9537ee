"""Processes that start in milliseconds, report what they have done, and never outlive a trial."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from stress.store_damage import Tally

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerContext, SpawnContext

# A process that reports nothing for this many seconds hangs: its work takes milliseconds.
PATIENCE = 120.0
# A server that has imported all modules starts a process in milliseconds.
CONTEXT: ForkServerContext | SpawnContext = (
    multiprocessing.get_context("forkserver") if os.name == "posix" else multiprocessing.get_context("spawn")
)
CONTEXT.set_forkserver_preload(["stress.store_crowds"])
Work = tuple[Callable[..., None], tuple[Any, ...]]
Running = tuple[Any, Connection]


@contextmanager
def processes(work: Sequence[Work]) -> Iterator[list[Running]]:
    """Start processes, each with a pipe for its reports, and kill those that are left at the end."""
    running = []
    try:
        for target, arguments in work:
            told, teller = CONTEXT.Pipe(duplex=False)
            process = CONTEXT.Process(target=target, args=(teller, *arguments), daemon=True)
            process.start()
            teller.close()
            running.append((process, told))
        yield running
    finally:
        for process, told in running:
            process.kill()
            process.join()
            told.close()


def run_all(work: Sequence[Work], tally: Tally) -> list[str]:
    """Run processes, and return the problems they report at the end; one that reports nothing hangs or has failed."""
    problems: list[str] = []
    with processes(work) as running:
        for _, told in running:
            try:
                if told.poll(PATIENCE):
                    problems += told.recv()
                    continue
                tally.hangs += 1
            except EOFError:
                tally.errors += 1
            problems.append("a process reported nothing")
    return problems
