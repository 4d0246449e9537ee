"""Times of pieces of work, and what they cost as a multiple of lxml's own parsing and serialising of the same pages."""

from __future__ import annotations

import gc
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from lxml import etree

T = TypeVar("T")

PARSE, BASELINE = "lxml: parse", "lxml: parse + serialise"

# Time of the processor, in which other processes do not count; Windows tells it in steps of 16 ms.
clock = time.perf_counter if sys.platform == "win32" else time.process_time


def lxml_parse(html: str) -> etree._Element:
    """The tree of a page as parsel builds it, without a look at what is parsed."""
    parser = etree.HTMLParser(recover=True, encoding="utf-8", huge_tree=True)
    return etree.fromstring(html.replace("\x00", "").encode("utf-8", "replace"), parser)


def lxml_serialise(root: etree._Element) -> str:
    return etree.tostring(root, encoding="unicode", method="html")


@contextmanager
def without_collector() -> Iterator[None]:
    """Keeps the garbage collector out of single pages: it would come upon the same one in each round."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class Stopwatch:
    """Keeps the best time of each piece of work over rounds: what else the machine does can only add to it."""

    def __init__(self) -> None:
        self._best: dict[str, dict[Hashable, float]] = defaultdict(dict)

    def measure(self, what: str, item: Hashable, work: Callable[[], T]) -> T:
        """Do a piece of work and note its seconds under its name and the item, a page or a site, that it is done on."""
        start = clock()
        result = work()
        seconds = clock() - start
        times = self._best[what]
        times[item] = min(seconds, times.get(item, seconds))
        return result

    def baseline(self, item: Hashable, html: str) -> etree._Element:
        """Have lxml parse and serialise a page, which everything else is compared to. Returns a tree of it.

        As with everything else, to free what was made for it on the way, here the tree, is a part of the work: a tenth
        of this, a twelfth of cleaning to HTML.
        """
        lxml_parse(html)  # not timed: what comes after finds the page in the processor's cache, so should this
        self.measure(BASELINE, item, lambda: lxml_serialise(lxml_parse(html)))
        return self.measure(PARSE, item, lambda: lxml_parse(html))

    def seconds(self, what: str) -> Mapping[Hashable, float]:
        """The best time for each item."""
        return self._best.get(what, {})

    def names(self) -> list[str]:
        return list(self._best)

    def cost(self, what: str) -> dict[str, Any]:
        """What a piece of work costs a page: milliseconds, and as a multiple of parse + serialise of the same pages,
        over all pages, of the median page, and of the page that 95 % of pages stay under."""
        seconds = self.seconds(what)
        base = self._best[BASELINE]
        ratios = sorted(seconds[item] / base[item] for item in seconds)
        return {
            "pages": len(seconds),
            "ms_a_page": 1000 * statistics.fmean(seconds.values()),
            "ratio": sum(seconds.values()) / sum(base[item] for item in seconds),
            "median_ratio": statistics.median(ratios),
            "ratio_of_95_percent": ratios[min(len(ratios) - 1, int(0.95 * len(ratios)))],
        }
