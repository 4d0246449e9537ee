"""What the runs of a soak note, what the kill leaves, and how items that came out compare with pages asked for.

Notes are files of lines, each written at once, so that a kill takes none of them back.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TextIO

from scrapy_blockfilter import Options
from stress.made_hosts import Place

# A line for each page asked for, and for each item that came out.
ASKED, OUT = "asked.txt", "out.txt"
# The store is this file, with ``.db``, and the memory of pages begins with it.
STORE = "templates"
# Pages by which a changed template is learnt.
_PAGES = Options().pages


class Notes(NamedTuple):
    """What the runs of a crawl noted."""

    asked: int  # pages that were asked for
    items: int  # items that came out
    lost: int  # pages that were asked for and gave no item
    doubled: int  # items beyond the first of a page
    damaged: int  # items that lack content, in HTML or Markdown
    raw: int  # items that have template
    mistold: int  # items whose form ``page_state`` or ``change`` is wrong
    changing: int  # items of the first N pages of a second template
    changing_raw: int  # those of them that have template
    under_way: int  # pages that the kill has taken, and that were asked for again


class Item(NamedTuple):
    """A line of :data:`OUT`."""

    place: Place
    is_whole: bool
    is_raw: bool
    is_told: bool


def note_file(folder: Path, name: str) -> TextIO:
    """Open notes to add to."""
    return (folder / name).open("a", encoding="ascii", buffering=1)


def places(folder: Path, name: str) -> list[Place]:
    """Return the pages that were noted."""
    return [(int(host), int(number)) for host, number in map(str.split, _lines(folder / name))]


def items(folder: Path) -> Iterator[Item]:
    """Yield the items that came out."""
    for host, number, *flags in map(str.split, _lines(folder / OUT)):
        yield Item((int(host), int(number)), *(flag == "1" for flag in flags))


def reached(folder: Path) -> dict[int, int]:
    """Return the last page of each host that was asked for."""
    last: dict[int, int] = {}
    for host, number in places(folder, ASKED):
        last[host] = max(number, last.get(host, 0))
    return last


def killed(notes: Path) -> set[Place]:
    """Return the pages that a kill has taken: those that were asked for, and whose items are not out.

    The queue of Scrapy is forgotten: it would repeat some requests and has lost others.
    """
    shutil.rmtree(notes / "job" / "requests.queue", ignore_errors=True)
    return set(places(notes, ASKED)) - {item.place for item in items(notes)}


def begin_again(notes: Path, under_way: Collection[Place], pages: Sequence[int]) -> list[Place]:
    """Return the pages to begin a run with after a kill: those under way, and of other hosts what comes next."""
    last = reached(notes)
    # A page that is asked for again leads to the next.
    going = {host for host, number in under_way if number == last[host]}
    fresh = {(host, last.get(host, -1) + 1) for host in range(len(pages)) if host not in going}
    return sorted({*under_way, *((host, number) for host, number in fresh if number < pages[host])}, key=_by_number)


def _by_number(place: Place) -> Place:
    return place[1], place[0]


def compare(notes: Path, changes: Sequence[int], under_way: int) -> Notes:
    """Compare the items that came out with the pages that were asked for.

    Args:
        notes: folder of the notes of the crawl.
        changes: for each host the first page of its second template.
        under_way: how many pages the kill has taken.
    """
    asked = set(places(notes, ASKED))
    crawled = list(items(notes))
    out = Counter(item.place for item in crawled)
    changing = [item for item in crawled if 0 <= item.place[1] - changes[item.place[0]] < _PAGES]
    return Notes(
        asked=len(asked),
        items=out.total(),
        lost=len(asked - out.keys()),
        doubled=out.total() - len(out),
        damaged=sum(not item.is_whole for item in crawled),
        raw=sum(item.is_raw for item in crawled) - sum(item.is_raw for item in changing),
        mistold=sum(not item.is_told for item in crawled),
        changing=len(changing),
        changing_raw=sum(item.is_raw for item in changing),
        under_way=under_way,
    )


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="ascii").splitlines() if path.exists() else []
