"""Time of every output over pages of many kinds: twice the page, at most twice the time, but for noise.

``python -m stress.fault_time`` prints the largest exponent k, where the time grows as size**k, and each page and output
that is over ``LIMIT``, and exits with 1 if there is any. No output of a page with ``LARGE`` characters may take longer
than ``MOST_SECONDS``.

Processor time without garbage collection counts, as the best of several rounds. A page that is over the limit is
measured again, so that noise is not taken for a square, and then at four times its size, as a square shows at each
doubling: the second look at a page of which too little would be left, or the end of a processor's cache, at one alone.
"""

from __future__ import annotations

import gc
import math
import multiprocessing
import os
import resource
import signal
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise
from typing import NamedTuple

from benchmarks.tables import table
from scrapy_blockfilter import Cleaned, Options, SiteModel, learn
from scrapy_blockfilter.options.output_forms import FORMS
from scrapy_blockfilter.report import page_facts, page_report
from stress.families import families, fragments

# A square has 2. Sorting has some 1.06 at these sizes, and noise adds .1.
LIMIT = 1.2
ROUNDS = 6
# Characters of the smaller page that repeats a fragment, those of a large page, and seconds for each output of it.
SIZE, LARGE, MOST_SECONDS = 60_000, 300_000, 2.0
# Children on the smaller page of a family, and on a large one: a page may close few more at great depth.
CHILDREN, MOST_CHILDREN = 3_000, 25_000
# Seconds: less is mostly the same work for every page, and a square below it takes under MOST_SECONDS for a large page.
_LEAST = 0.05
_CLEAN, _LEARN = "clean", "learn"
# Made one after another of the same cleaned page, as a crawl with many output fields does.
_OF_CLEANED: dict[str, Callable[[Cleaned], object]] = {
    **{form: partial(lambda name, cleaned: cleaned.form(name), form) for form in FORMS.names()},
    "report": lambda cleaned: page_report(cleaned, site="example.com"),
    "explain": page_facts,
}
OUTPUTS = (_CLEAN, *_OF_CLEANED, _LEARN)
# Seconds and bytes for all outputs of a page.
_HANGS, _ROOM = 10.0, 4 * 2**30


class Kind(NamedTuple):
    """A kind of pages: its function from a number to the content of a page, and the least and the largest number."""

    make: Callable[[int], str]
    smaller: int
    most: int


@dataclass(frozen=True)
class Growth:
    """How the time of one output grows with one kind of page."""

    kind: str
    output: str
    # For the smaller page and for the larger, and for one of twice its size if there is doubt.
    seconds: tuple[float, ...]
    of_large: float  # seconds for a large page, estimated if there is no doubt that they are few

    @property
    def exponent(self) -> float:
        if math.inf in self.seconds:
            return math.inf
        return min(math.log2(max(_LEAST, two) / max(_LEAST, one)) for one, two in pairwise(self.seconds))

    @property
    def is_over(self) -> bool:
        return self.exponent > LIMIT or self.of_large > MOST_SECONDS


def kinds(scale: float = 1.0) -> dict[str, Kind]:
    """Return all kinds of pages, those that repeat a fragment first; ``scale`` is that of the smaller pages."""
    repeated = {name: Kind(make, int(scale * SIZE), LARGE) for name, make in fragments().items()}
    return repeated | {name: Kind(make, int(scale * CHILDREN), MOST_CHILDREN) for name, make in families().items()}


def run(names: Sequence[str] = (), scale: float = 1.0, processes: int | None = None) -> list[Growth]:
    """Measure the outputs over pages of all kinds, or of those named, each page in a process of its own."""
    names = [name for name in kinds() if not names or name in names]
    with ProcessPoolExecutor(processes, multiprocessing.get_context("fork")) as pool:
        return [growth for growths in pool.map(_of_kind, names, [scale] * len(names)) for growth in growths]


def _of_kind(name: str, scale: float) -> list[Growth]:
    make, smaller, most = kinds(scale)[name]
    pages = page_of(make(smaller)), page_of(make(2 * smaller))
    times = max(1.0, LARGE / len(pages[1]))
    best = [dict.fromkeys(OUTPUTS, math.inf) for _ in pages]
    growths: list[Growth] = []
    for _ in range(ROUNDS):
        for least, page in zip(best, pages, strict=True):
            least.update({output: min(least[output], seconds) for output, seconds in seconds_of(page).items()})
        first, second = best
        growths = [Growth(name, out, (first[out], second[out]), times * second[out]) for out in OUTPUTS]
        if not any(LIMIT < growth.exponent < math.inf for growth in growths):  # else noise, perhaps
            break
    if any(LIMIT < growth.exponent < math.inf for growth in growths) and 4 * smaller <= most:
        of_four = seconds_of(page_of(make(4 * smaller)))
        growths = [replace(each, seconds=(*each.seconds, of_four[each.output])) for each in growths]
    if times > 1 and any(MOST_SECONDS / 2 < growth.of_large < math.inf for growth in growths):
        of_large = seconds_of(page_of(make(min(most, int(2 * smaller * times)))))
        growths = [replace(each, of_large=max(of_large[each.output], each.seconds[1])) for each in growths]
    return growths


def page_of(content: str) -> str:
    """Return a page of which something goes, and whose text is spelled out."""
    return f"<html><head><title>Page</title></head><body><p class=gone>Menu</p><p>a<sup>2</sup></p><div>{content}"


def seconds_of(page: str, seconds: float = _HANGS) -> dict[str, float]:
    """Return the processor time of each output; infinite for those that the child process did not come to.

    Args:
        seconds: how long all of them may take.
    """
    model = _model()
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        signal.setitimer(signal.ITIMER_PROF, seconds)  # its signal ends the process, whatever it does
        resource.setrlimit(resource.RLIMIT_AS, (_ROOM, _ROOM))
        gc.disable()
        try:
            _measure(model, page, lambda output, taken: os.write(writer, f"{output} {taken}\n".encode()))
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as told:
        rows = [line.split() for line in told]
    os.waitpid(child, 0)
    return {**dict.fromkeys(OUTPUTS, math.inf), **{output: float(taken) for output, taken in rows}}


@cache
def _model() -> SiteModel:
    """Return a model that strips what is of the class "gone", once all outputs have imported what they need."""
    pages = [page_of(f"<p>Text of page {number}, and of no other.") for number in range(6)]
    model = learn(pages, options=Options(drop=(".gone",)))
    _measure(model, pages[0], lambda output, taken: None)
    return model


def _measure(model: SiteModel, page: str, tell: Callable[[str, float], object]) -> None:
    start = time.process_time()
    cleaned = model.clean(page, "http://example.com/")
    tell(_CLEAN, time.process_time() - start)
    for output, make in _OF_CLEANED.items():
        start = time.process_time()
        make(cleaned)
        tell(output, time.process_time() - start)
    start = time.process_time()
    learn([page, f"{page}<p>another", page_of("<p>A page that can be read.")])
    tell(_LEARN, time.process_time() - start)


def main() -> int:
    """The command."""
    growths = run()
    row = [f"{len(growths):,}", f"{max(growth.exponent for growth in growths):.2f}"]
    print(table(["outputs measured", "largest exponent"], [row]))
    over = [growth for growth in growths if growth.is_over]
    for growth in over:
        seconds = ", of twice the page ".join(f"{each:.3f} s" for each in growth.seconds)
        print(f"{growth.kind}, {growth.output}: {seconds}, of a large one {growth.of_large:.3f} s")
    return 1 if over else 0


if __name__ == "__main__":
    raise SystemExit(main())
