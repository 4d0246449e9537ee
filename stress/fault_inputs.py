"""Clean broken and hostile input of many kinds by every method, and count what goes wrong.

HTML and text of each page are judged by :mod:`stress.invariants`, and of one changed page in ten all outputs by
:mod:`stress.oracle`.
Inputs are tried in a separate process, so that one that hangs can be noticed and ended.
"""

from __future__ import annotations

import argparse
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from multiprocessing.connection import Connection
from random import Random

from benchmarks.generate import GeneratedSite
from benchmarks.tables import print_made_with, table
from scrapy_blockfilter import Options, SiteModel, learn
from stress.hostile import KINDS, mutated, soup
from stress.invariants import broken
from stress.oracle import faults_of
from tests.support.pages import EVERY_METHOD

ROUNDS, SEED = 20_000, 0
# Characters of a page that repeats one thing.
SIZE = 1_000_000
# Seconds after which an input counts as hanging. The slowest takes under two.
HANG = 60.0
# Random inputs that are checked between two reports.
_BATCH = 50
# Of changed pages, one batch in so many is judged by all outputs, which takes ten times as long.
_ALL_OUTPUTS = 10
_LEARNT_FROM = 10
REPEATED = "one thing repeated"
CHANGED = "pages changed at random"
_RANDOM = (CHANGED, "tags in no order", "pages cut short")
ALL = (*_RANDOM, *KINDS)


@dataclass(frozen=True)
class InputFault:
    """Counts of the inputs of one kind."""

    kind: str
    inputs: int = 0  # number tried, once per method
    raised: int = 0  # inputs that raised an exception
    lost: int = 0  # inputs that lost or changed kept content; or whose outputs are wrong in another way
    hangs: int = 0  # inputs that took over ``HANG`` seconds
    examples: tuple[str, ...] = ()  # the first failures

    def plus(self, other: InputFault) -> InputFault:
        return InputFault(
            self.kind,
            self.inputs + other.inputs,
            self.raised + other.raised,
            self.lost + other.lost,
            self.hangs + other.hangs,
            (*self.examples, *other.examples)[:3],
        )


def run(rounds: int, seed: int, size: int = SIZE, kinds: Sequence[str] = ALL, hang: float = HANG) -> list[InputFault]:
    """Try kinds of inputs.

    Args:
        rounds: number of inputs of each random kind; each other kind is one page per method.
        size: characters of those pages.
        hang: seconds after which an input counts as hanging.
    """
    tasks = [
        (kind, step) for kind in kinds for step in range(-(-rounds // _BATCH) if kind in _RANDOM else len(EVERY_METHOD))
    ]
    totals = {kind: InputFault(kind) for kind, _ in tasks}
    done = 0
    while done < len(tasks):
        ours, theirs = multiprocessing.Pipe(duplex=False)
        process = multiprocessing.Process(target=_work, args=(theirs, tasks[done:], seed, size), daemon=True)
        process.start()
        theirs.close()
        for outcome in _reports(ours, tasks[done:], hang):
            totals[outcome.kind] = totals[outcome.kind].plus(outcome)
            done += 1
        process.kill()
        process.join()
    return list(totals.values())


def _reports(reports: Connection, tasks: Sequence[tuple[str, int]], hang: float) -> Iterator[InputFault]:
    """Yield the results of the tasks, up to one that hangs or ends the process."""
    for kind, step in tasks:
        if not reports.poll(hang):
            yield InputFault(kind, inputs=1, hangs=1, examples=(f"hangs in step {step}",))
            return
        try:
            yield reports.recv()
        except EOFError:
            yield InputFault(kind, inputs=1, raised=1, examples=(f"the process ended in step {step}",))
            return


def _work(reports: Connection, tasks: Sequence[tuple[str, int]], seed: int, size: int) -> None:
    pages = [GeneratedSite(seed).page(number, 12_000).html for number in range(_LEARNT_FROM + 2)]
    models = {method: learn(pages[:_LEARNT_FROM], Options(method=method)) for method in EVERY_METHOD}
    for kind, step in tasks:
        outcome = InputFault(kind)
        judge = faults_of if kind == CHANGED and step % _ALL_OUTPUTS == 0 else broken
        for html in _inputs(kind, step, seed, size, pages[_LEARNT_FROM:]):
            outcome = outcome.plus(_tried(kind, models[EVERY_METHOD[step % len(EVERY_METHOD)]], html, judge))
        reports.send(outcome)


def _inputs(kind: str, step: int, seed: int, size: int, pages: list[str]) -> Iterator[str]:
    if kind not in _RANDOM:
        yield KINDS[kind](size)
        return
    random = Random(f"{seed} {kind} {step}")
    for _ in range(_BATCH):
        page = random.choice(pages)
        if kind == "tags in no order":
            yield soup(random, random.choice((5, 30, 200)))
        elif kind == "pages cut short":
            start = random.choice((0, random.randrange(len(page))))
            yield page[start : random.randrange(start, len(page)) + 1]
        else:
            yield mutated(page, random, random.choice((1, 2, 4, 8, 16, 32)))


def _tried(kind: str, model: SiteModel, html: str, judge: Callable[[SiteModel, str], list[str]]) -> InputFault:
    try:
        faults = judge(model, html)
    except Exception as error:
        return InputFault(kind, inputs=1, raised=1, examples=(f"{error!r} in {html[:500]!r}",))
    examples = (f"{', '.join(faults)} in {html[:500]!r}",) if faults else ()
    return InputFault(kind, inputs=1, lost=bool(faults), examples=examples)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="random inputs of each random kind")
    parser.add_argument("--size", type=int, default=SIZE, help="characters of the pages of other kinds")
    parser.add_argument("--kind", action="append", choices=ALL, help="a kind of input (all)", metavar="KIND")
    parser.add_argument("--hang", type=float, default=HANG, help="seconds after which an input counts as hanging")
    arguments = parser.parse_args()
    faults = run(arguments.rounds, SEED, arguments.size, arguments.kind or ALL, arguments.hang)
    of_kinds = [fault for fault in faults if fault.kind not in _RANDOM]
    shown = [fault for fault in faults if fault.kind in _RANDOM]
    if of_kinds:
        shown.append(replace(reduce(InputFault.plus, of_kinds), kind=REPEATED))
    rows = [
        [fault.kind, *(f"{number:,}" for number in (fault.inputs, fault.raised, fault.lost, fault.hangs))]
        for fault in shown
    ]
    print(table(["kind of input", "inputs", "raised", "content lost", "hangs"], rows))
    for fault in faults:
        for example in fault.examples:
            print(f"{fault.kind}: {example}")
    print_made_with()
    return 1 if any(fault.raised or fault.lost or fault.hangs for fault in faults) else 0


if __name__ == "__main__":
    raise SystemExit(main())
