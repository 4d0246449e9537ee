"""What the runs of a soak note, what a kill leaves, and how items that came out compare with pages asked for.

Notes are files of lines, each written at once, so that a kill takes none of them back.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import compress
from operator import not_
from pathlib import Path
from typing import NamedTuple, TextIO

from scrapy_blockfilter.options import Options
from stress.made_hosts import Place

# A line for each page asked for, for each page whose callback was called, and for each item that came out.
ASKED, TAKEN, OUT = "asked.txt", "taken.txt", "out.txt"
# The store is this file, with ``.db``, and the memory of pages begins with it.
STORE = "templates"
# Pages by which a changed template is learnt.
_PAGES = Options().pages


class Kill(NamedTuple):
    """What a kill has left.

    Attributes:
        under_way: pages that were asked for, and whose items are not out: queued requests, responses, and items in the
            pipelines or held.
        reached: the last page of each host that was asked for.
    """

    under_way: frozenset[Place]
    reached: dict[int, int]

    def first(self, pages: Sequence[int]) -> list[Place]:
        """Return the pages to begin the next run with: those under way, and what comes next."""
        last = {(host, self.reached.get(host, -1)) for host in range(len(pages))}
        # A page that is asked for again leads to the next.
        fresh = {(host, number + 1) for host, number in last - self.under_way if number + 1 < pages[host]}
        return sorted(self.under_way | fresh, key=lambda place: (place[1], place[0]))


class Notes(NamedTuple):
    """What the runs of a crawl noted.

    Attributes:
        asked: pages that were asked for.
        items: items that came out.
        lost: pages that were asked for and gave no item.
        doubled: items beyond the first of a page.
        damaged: items that lack content, in HTML or Markdown.
        raw: items that have template.
        changing: items of the first N pages of a second template.
        changing_raw: those of them that have template.
        under_way: pages that kills have taken, and that were asked for again.
    """

    asked: int
    items: int
    lost: int
    doubled: int
    damaged: int
    raw: int
    changing: int
    changing_raw: int
    under_way: int


class Item(NamedTuple):
    """A line of :data:`OUT`."""

    place: Place
    is_whole: bool
    is_raw: bool


def note_file(folder: Path, name: str) -> TextIO:
    """Open notes to add to."""
    return (folder / name).open("a", encoding="ascii", buffering=1)


def places(folder: Path, name: str) -> list[Place]:
    """Return the pages that were noted."""
    return [(int(host), int(number)) for host, number in map(str.split, _lines(folder / name))]


def items(folder: Path) -> Iterator[Item]:
    """Yield the items that came out."""
    for host, number, whole, raw in map(str.split, _lines(folder / OUT)):
        yield Item((int(host), int(number)), whole == "1", raw == "1")


def reached(folder: Path) -> dict[int, int]:
    """Return the last page of each host that was asked for."""
    last: dict[int, int] = {}
    for host, number in places(folder, ASKED):
        last[host] = max(number, last.get(host, 0))
    return last


def killed(notes: Path, settled: Collection[Place]) -> Kill:
    """Say what a kill has left, and forget the queue of Scrapy, which would repeat some requests and has lost others.

    Args:
        settled: pages that earlier runs took. Those of them that are missing are lost, and not asked for again.
    """
    shutil.rmtree(notes / "job" / "requests.queue", ignore_errors=True)
    out = {item.place for item in items(notes)}
    return Kill(frozenset(places(notes, ASKED)).difference(settled, out), reached(notes))


def compare(notes: Path, changes: Sequence[int], kills: Mapping[int, Kill]) -> Notes:
    """Compare the items that came out with the pages that were asked for.

    Args:
        notes: folder of the notes of the crawl.
        changes: for each host the first page of its second template.
        kills: what each run has left that was killed.
    """
    asked = set(places(notes, ASKED))
    crawled = list(items(notes))
    out = Counter(item.place for item in crawled)
    is_changing = [_is_changing(item.place, changes, kills.values()) for item in crawled]
    changing = list(compress(crawled, is_changing))
    steady = compress(crawled, map(not_, is_changing))
    return Notes(
        asked=len(asked),
        items=out.total(),
        lost=len(asked - out.keys()),
        doubled=out.total() - len(out),
        damaged=sum(not item.is_whole for item in crawled),
        raw=sum(item.is_raw for item in steady),
        changing=len(changing),
        changing_raw=sum(item.is_raw for item in changing),
        under_way=sum(len(kill.under_way) for kill in kills.values()),
    )


def _is_changing(place: Place, changes: Sequence[int], kills: Iterable[Kill]) -> bool:
    """Tell whether a page is one of the first N of a second template.

    A kill amid these forgets the pages that were to be learnt from, as the store has them only when there are N.
    """
    host, number = place
    end = changes[host] + _PAGES
    for kill in kills:
        if changes[host] <= kill.reached.get(host, -1) < end:
            end = kill.reached[host] + 1 + _PAGES
    return changes[host] <= number < end


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="ascii").splitlines() if path.exists() else []
