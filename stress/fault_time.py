"""Time of every output over pages that repeat one thing: twice the page, at most twice the time, but for noise.

``python -m stress.fault_time`` prints the exponent k of each kind of page and output, where the time grows as size**k,
and exits with 1 if one is over ``LIMIT``. Processor time without garbage collection counts, as the best of several
rounds. An exponent over the limit is measured again, on pages twice as large each time, so that neither noise nor a
cache that fills up is taken for a square.
"""

from __future__ import annotations

import argparse
import gc
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.tables import table
from scrapy_blockfilter import SiteModel, learn
from scrapy_blockfilter.model import Cleaned
from scrapy_blockfilter.report import page_facts, page_report
from scrapy_blockfilter.report.plain_json import to_json
from stress.fragments import fragments

# A square has 2. Sorting has some 1.06 at these sizes, and noise adds .1.
LIMIT = 1.2
# Characters of the smaller page.
SIZE = 60_000
# A report shows pages of up to 3,000 blocks, so its pages are smaller.
SIZE_OF_REPORT = 6_000
ROUNDS = 3
# Times below this many seconds are mostly the same work for every page.
_LEAST = 0.01
_MENU = "".join(f"<p><a href=/{number}>Section number {number}</a></p>" for number in range(20))

Work = Callable[[SiteModel, str], object]


def _output(write: Callable[[Cleaned], object]) -> Work:
    return lambda model, html: write(model.clean(html, "http://example.com/"))


OUTPUTS: dict[str, Work] = {
    "html": _output(lambda cleaned: cleaned.html),
    "text": _output(lambda cleaned: cleaned.text),
    "markdown": _output(lambda cleaned: cleaned.markdown),
    "removed": _output(lambda cleaned: to_json(cleaned.removed)),
    "report": _output(page_report),
    "explain": _output(lambda cleaned: to_json(page_facts(cleaned))),
    "learn": lambda model, html: learn([html, f"{html}<p>another", _page("<p>A page that can be read.</p>")]),
}


@dataclass(frozen=True)
class Growth:
    """How the time of one output grows with one kind of page.

    Attributes:
        seconds: for the smaller page and for the larger.
    """

    kind: str
    output: str
    seconds: tuple[float, float]

    @property
    def exponent(self) -> float:
        smaller, larger = (max(_LEAST, seconds) for seconds in self.seconds)
        return math.log2(larger / smaller)


def run(
    size: int,
    rounds: int,
    kinds: Sequence[str] = (),
    outputs: Sequence[str] = tuple(OUTPUTS),
    tell: Callable[[Growth], object] | None = None,
) -> list[Growth]:
    """Measure the outputs over all kinds of pages, or over those named.

    Args:
        tell: called with each measurement.
    """
    model = learn([_page(f"<p>Text of page {number}, and of no other.</p>") for number in range(6)])
    measured = []
    for kind, make in fragments().items():
        if kinds and kind not in kinds:
            continue
        for output in outputs:
            first = min(size, SIZE_OF_REPORT) if output == "report" else size
            growth = _measured(model, kind, make, output, first, rounds)
            for times in (2, 4, 8):
                if growth.exponent > LIMIT:
                    growth = min(growth, _measured(model, kind, make, output, times * first, 2 * rounds), key=_exponent)
            measured.append(growth)
            if tell:
                tell(growth)
    return measured


def _exponent(growth: Growth) -> float:
    return growth.exponent


def _measured(model: SiteModel, kind: str, make: Callable[[int], str], output: str, size: int, rounds: int) -> Growth:
    pages = _page(make(size)), _page(make(2 * size))
    best = [math.inf, math.inf]
    for _ in range(rounds):
        for place, page in enumerate(pages):
            gc.collect()
            gc.disable()
            start = time.process_time()
            OUTPUTS[output](model, page)
            best[place] = min(best[place], time.process_time() - start)
            gc.enable()
    return Growth(kind, output, (best[0], best[1]))


def _page(content: str) -> str:
    return f"<html><head><title>Page</title></head><body>{_MENU}<div>{content}"


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=SIZE, help="characters of the smaller page")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--kind", action="append", default=[], help="only this kind of page; may be repeated")
    parser.add_argument("--output", action="append", choices=OUTPUTS, help="only this output; may be repeated")
    arguments = parser.parse_args()
    outputs = arguments.output or list(OUTPUTS)
    growths = run(arguments.size, arguments.rounds, arguments.kind, outputs)
    kinds = dict.fromkeys(growth.kind for growth in growths)
    exponents = {(growth.kind, growth.output): f"{growth.exponent:.2f}" for growth in growths}
    print(table(["repeated", *outputs], [[kind, *(exponents[kind, output] for output in outputs)] for kind in kinds]))
    over = [growth for growth in growths if growth.exponent > LIMIT]
    for growth in over:
        print(f"{growth.kind}, {growth.output}: {growth.seconds[0]:.3f} s, of twice the page {growth.seconds[1]:.3f} s")
    print(f"{len(kinds)} kinds of pages, {len(growths)} exponents, the largest {max(map(_exponent, growths)):.2f}")
    return 1 if over else 0


if __name__ == "__main__":
    raise SystemExit(main())
