"""Time of every output over pages that repeat one thing: twice the page, at most twice the time, but for noise.

``python -m stress.fault_time`` prints the largest exponent k, where the time grows as size**k, and each page and output
that is over ``LIMIT``, and exits with 1 if there is any. Crafted pages are measured with native code and without, and
may take at most ``MOST_RATIO`` times as long as pages at random. No output of a page of :mod:`stress.families` with
``LARGE`` characters may take longer than ``MOST_SECONDS``.

Processor time without garbage collection counts, as the best of several rounds. What is over a limit is measured again,
pages that repeat one thing at twice the size each time, so that neither noise nor a cache that fills up is taken for a
square.
"""

from __future__ import annotations

import argparse
import gc
import math
import multiprocessing
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

from benchmarks.native import is_native, without_native
from benchmarks.tables import table
from scrapy_blockfilter import Cleaned, SiteModel, learn
from scrapy_blockfilter.options.output_forms import FORMS
from scrapy_blockfilter.report import page_facts, page_report
from scrapy_blockfilter.report.plain_json import to_json
from stress.crafted import crafted_pages
from stress.families import families
from stress.fragments import fragments
from stress.page_time import OUTPUTS as OF_PAGE
from stress.page_time import page_of, seconds_of

# A square has 2. Sorting has some 1.06 at these sizes, and noise adds .1.
LIMIT = 1.2
# Times of crafted pages to those of pages at random, and the elements of the smaller of them.
MOST_RATIO = 1.2
ELEMENTS = 8_000
# Characters of the smaller page.
SIZE = 60_000
# A report shows pages of up to 3,000 blocks, so its pages are smaller.
SIZE_OF_REPORT = 6_000
ELEMENTS_OF_REPORT = 1_000
ROUNDS = 3
# Children on the smaller page of a family, and on a large one: a page may close few more at great depth.
CHILDREN, MOST_CHILDREN = 3_000, 25_000
# Characters of a large page, and the seconds that each of its outputs may take.
LARGE, MOST_SECONDS = 300_000, 2.0
# Times below this many seconds are mostly the same work for every page.
_LEAST = 0.01
# The same for pages of families. A square that stays below takes less than MOST_SECONDS for a large page.
_LEAST_OF_FAMILY = 0.05
_MENU = "".join(f"<p><a href=/{number}>Section number {number}</a></p>" for number in range(20))

Work = Callable[[SiteModel, str], object]


def _output(write: Callable[[Cleaned], object]) -> Work:
    return lambda model, html: write(model.clean(html, "http://example.com/"))


OTHER_FORMS = [form for form in FORMS.names() if form not in ("html", "text", "markdown", "removed")]
OUTPUTS: dict[str, Work] = {
    "html": _output(lambda cleaned: cleaned.html),
    "text": _output(lambda cleaned: cleaned.text),
    "markdown": _output(lambda cleaned: cleaned.markdown),
    "removed": _output(lambda cleaned: to_json(cleaned.removed)),
    "other forms": _output(lambda cleaned: to_json([getattr(cleaned, form) for form in OTHER_FORMS])),
    "report": _output(lambda cleaned: page_report(cleaned, site="example.com")),
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

    least = _LEAST

    @property
    def exponent(self) -> float:
        smaller, larger = (max(self.least, seconds) for seconds in self.seconds)
        return math.log2(larger / smaller) if smaller < math.inf else math.inf

    @property
    def is_over(self) -> bool:
        return self.exponent > LIMIT


@dataclass(frozen=True)
class CraftedGrowth(Growth):
    """How the time of one output grows with crafted pages.

    Attributes:
        at_random: seconds for a page at random of the larger one's size.
    """

    at_random: float

    @property
    def ratio(self) -> float:
        return max(_LEAST, self.seconds[1]) / max(_LEAST, self.at_random)

    @property
    def is_over(self) -> bool:
        return super().is_over or self.ratio > MOST_RATIO


@dataclass(frozen=True)
class FamilyGrowth(Growth):
    """How the time of one output grows with pages of a family.

    Attributes:
        of_large: seconds for a large page, estimated if there is no doubt that they are few.
    """

    of_large: float
    least = _LEAST_OF_FAMILY

    @property
    def is_over(self) -> bool:
        return super().is_over or self.of_large > MOST_SECONDS


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


def run_crafted(
    elements: int, rounds: int, kinds: Sequence[str] = (), outputs: Sequence[str] = tuple(OUTPUTS)
) -> list[CraftedGrowth]:
    """Measure the outputs over crafted pages, each beside a page at random; all kinds, or those named."""
    measured = []
    for kind, (crafted, at_random) in crafted_pages().items():
        if kinds and kind not in kinds:
            continue
        made = {}
        for count in {ELEMENTS_OF_REPORT, elements}:
            contents = crafted(count), crafted(2 * count), at_random(2 * count)
            made[count] = [f"<html><body>{content}" for content in contents]
        for output in outputs:
            pages = made[ELEMENTS_OF_REPORT if output == "report" else elements]
            growth = _crafted(kind, pages, output, rounds)
            for times in (2, 4):
                if growth.is_over:  # noise, perhaps
                    again = _crafted(kind, pages, output, times * rounds)
                    growth = min(growth, again, key=lambda each: (each.is_over, each.ratio))
            measured.append(growth)
    return measured


def _crafted(kind: str, pages: Sequence[str], output: str, rounds: int) -> CraftedGrowth:
    # All names are new to each model.
    learnt = [f"<html><body><p>{text}" for text in ("a", "b")]
    smaller, larger, at_random = _best_times(pages, output, rounds, lambda: learn(learnt))
    return CraftedGrowth(kind, output, (smaller, larger), at_random)


def run_families(children: int, kinds: Sequence[str] = (), processes: int | None = None) -> list[FamilyGrowth]:
    """Measure the outputs over pages of all families, or of the kinds named, each page in a process of its own."""
    chosen = [kind for kind in families() if not kinds or kind in kinds]
    with ProcessPoolExecutor(processes, multiprocessing.get_context("fork")) as pool:
        return [growth for of_kind in pool.map(partial(_of_family, children), chosen) for growth in of_kind]


def _of_family(children: int, kind: str) -> list[FamilyGrowth]:
    make = families()[kind]
    pages = page_of(make(children)), page_of(make(2 * children))
    times = max(1.0, LARGE / len(pages[1]))
    best = [dict.fromkeys(OF_PAGE, math.inf) for _ in pages]
    growths: list[FamilyGrowth] = []
    for _ in range(2 * ROUNDS):
        for least, page in zip(best, pages, strict=True):
            least.update({output: min(least[output], seconds) for output, seconds in seconds_of(page).items()})
        smaller, larger = best
        growths = [FamilyGrowth(kind, out, (smaller[out], larger[out]), times * larger[out]) for out in OF_PAGE]
        if not any(LIMIT < growth.exponent < math.inf for growth in growths):  # else noise, perhaps
            break
    if times > 1 and any(MOST_SECONDS / 2 < growth.of_large < math.inf for growth in growths):
        of_large = seconds_of(page_of(make(min(MOST_CHILDREN, int(2 * children * times)))))
        growths = [replace(each, of_large=max(of_large[each.output], each.seconds[1])) for each in growths]
    return growths


def _exponent(growth: Growth) -> float:
    return growth.exponent


def _measured(model: SiteModel, kind: str, make: Callable[[int], str], output: str, size: int, rounds: int) -> Growth:
    pages = _page(make(size)), _page(make(2 * size))
    smaller, larger = _best_times(pages, output, rounds, lambda: model)
    return Growth(kind, output, (smaller, larger))


def _best_times(pages: Sequence[str], output: str, rounds: int, model_for: Callable[[], SiteModel]) -> list[float]:
    best = [math.inf] * len(pages)
    for _ in range(rounds):
        for place, page in enumerate(pages):
            model = model_for()
            gc.collect()
            gc.disable()
            start = time.process_time()
            OUTPUTS[output](model, page)
            best[place] = min(best[place], time.process_time() - start)
            gc.enable()
    return best


def _page(content: str) -> str:
    return f"<html><head><title>Page</title></head><body>{_MENU}<div>{content}"


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=SIZE, help="characters of the smaller page")
    parser.add_argument("--elements", type=int, default=ELEMENTS, help="elements of the smaller crafted page")
    parser.add_argument("--children", type=int, default=CHILDREN, help="elements of the smaller page of a family")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--kind", action="append", default=[], help="only this kind of page; may be repeated")
    parser.add_argument("--output", action="append", choices=OUTPUTS, help="only this output; may be repeated")
    arguments = parser.parse_args()
    outputs = arguments.output or list(OUTPUTS)
    wanted = arguments.elements, arguments.rounds, arguments.kind, outputs
    parts: dict[str, Sequence[Growth]] = {"repeated": run(arguments.size, arguments.rounds, arguments.kind, outputs)}
    if is_native():
        parts["crafted, native"] = run_crafted(*wanted)
    parts["crafted, Python"] = without_native(run_crafted, *wanted)
    parts["families"] = run_families(arguments.children, arguments.kind)
    print(table(["pages", "outputs measured", "largest exponent"], [_row(*part) for part in parts.items() if part[1]]))
    over = [growth for growths in parts.values() for growth in growths if growth.is_over]
    for growth in over:
        of_large = f", of a large one {growth.of_large:.3f} s" if isinstance(growth, FamilyGrowth) else ""
        seconds = f"{growth.seconds[0]:.3f} s, of twice the page {growth.seconds[1]:.3f} s{of_large}"
        print(f"{growth.kind}, {growth.output}: {seconds}")
    return 1 if over else 0


def _row(part: str, growths: Sequence[Growth]) -> list[str]:
    return [part, f"{len(growths):,}", f"{max(map(_exponent, growths)):.2f}"]


if __name__ == "__main__":
    raise SystemExit(main())
