"""Times of pieces of work, and their cost as a multiple of lxml's own parsing and serialising of the same pages."""

from __future__ import annotations

import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Container, Hashable, Mapping
from typing import Any, TypeVar

from lxml import etree

T = TypeVar("T")

BASELINE = "lxml: parse + serialise"

# Processor time, which leaves out other processes; on Windows it has steps of 16 ms.
clock = time.perf_counter if sys.platform == "win32" else time.process_time


def lxml_parse(html: str) -> etree._Element:
    """Return the tree of a page as parsel builds it, without any checks."""
    parser = etree.HTMLParser(recover=True, encoding="utf-8", huge_tree=True)
    return etree.fromstring(html.replace("\x00", "").encode("utf-8", "replace"), parser)


def lxml_serialise(root: etree._Element) -> str:
    return etree.tostring(root, encoding="unicode", method="html")


class Stopwatch:
    """Keeps the best time of each piece of work over rounds: other load on the machine can only add to it."""

    def __init__(self) -> None:
        self._best: dict[str, dict[Hashable, float]] = defaultdict(dict)

    def measure(self, what: str, item: Hashable, work: Callable[[], T]) -> T:
        """Do a piece of work, and note its seconds under its name and its item, a page or a site."""
        start = clock()
        result = work()
        seconds = clock() - start
        times = self._best[what]
        times[item] = min(seconds, times.get(item, seconds))
        return result

    def baseline(self, item: Hashable, html: str) -> None:
        """Time lxml's parse + serialise of a page, the unit of all costs.

        As in all work, freeing what was made counts, here the tree: a tenth of this time, a twelfth of cleaning it.
        """
        lxml_parse(html)  # not timed: later work finds the page in the processor's cache, so this must too
        self.measure(BASELINE, item, lambda: lxml_serialise(lxml_parse(html)))

    def seconds(self, what: str) -> Mapping[Hashable, float]:
        """Return the best time for each item."""
        return self._best.get(what, {})

    def names(self) -> list[str]:
        return list(self._best)

    def cost(self, what: str, items: Container[Hashable] | None = None) -> dict[str, Any]:
        """Return the cost per page of items, by default of all: milliseconds, and the multiple of parse + serialise."""
        seconds = {item: each for item, each in self.seconds(what).items() if items is None or item in items}
        base = self._best[BASELINE]
        return {
            "pages": len(seconds),
            "ms_a_page": 1000 * statistics.fmean(seconds.values()),
            "ratio": sum(seconds.values()) / sum(base[item] for item in seconds),
        }
