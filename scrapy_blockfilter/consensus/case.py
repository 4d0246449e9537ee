"""A page while the steps act on it, and what a step is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, compress
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.consensus.features.evidence import Evidence
from scrapy_blockfilter.consensus.features.of_blocks import LONG_BLOCK
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.class_hints import GROUPS
from scrapy_blockfilter.html.columns import CHARS, FIGURES, LINK_CHARS
from scrapy_blockfilter.html.subtrees import Floats, Indices, Tree
from scrapy_blockfilter.html.tags import UNITS
from scrapy_blockfilter.methods.base import Flags
from scrapy_blockfilter.text.dates_and_prices import DATED, are_times

# Per cent of agreement with the TITLE that a headline needs. The name of the site in the TITLE agrees less.
AGREEMENT = 60
# So many other pages show which texts are a page's own.
_MANY = 5
# One search finds all that the steps look for.
_LOOKED_FOR = UNITS | {"datalist", "figure", "footer", "select", "textarea"}


@dataclass(frozen=True, eq=False)
class Case:
    """A page while the steps act on it."""

    page: Page
    evidence: Evidence
    keep: Flags  # which blocks stay so far; updated between the steps
    keeps_comments: bool  # whether readers' comments below the content are wanted
    scores: Floats  # how likely each block is content
    labels: frozenset[int] = frozenset()  # hashes of the site's labels of lines that lead to other pages

    @property
    def tree(self) -> Tree:
        """The blocks below each node."""
        return self.evidence.tree

    @cached_property
    def ranges(self) -> tuple[memoryview, memoryview, memoryview]:
        """The starts, ends and outer nodes of the tree: single numbers are looked up quicker than in arrays."""
        return self.tree.starts.data, self.tree.ends.data, self.tree.outer.data

    @cached_property
    def children(self) -> tuple[Indices, Indices]:
        """The nodes with blocks but for the root, those of one element next to each other; and their elements."""
        nodes = 1 + (self.tree.ends[1:] > self.tree.starts[1:]).nonzero()[0]
        around = np.asarray(self.page.parents)[nodes]
        order = around.argsort(kind="stable")
        return nodes[order], around[order]

    @property
    def has_others(self) -> bool:
        """Whether enough other pages show which texts are the page's own."""
        return self.evidence.others >= _MANY

    @property
    def is_mixed(self) -> bool:
        """Whether some blocks stay so far and others do not."""
        return bool(0 < np.count_nonzero(self.keep) < len(self.keep))

    @cached_property
    def has_text(self) -> Flags:
        """Mark the blocks that are no images alone."""
        return np.asarray(self.page.numbers[:, CHARS] > 0, np.bool_)

    @cached_property
    def is_linked(self) -> Flags:
        """Mark the blocks with more than half of their text in links."""
        numbers = self.page.numbers
        return np.asarray(2 * numbers[:, LINK_CHARS] > numbers[:, CHARS], np.bool_)

    @cached_property
    def is_heading(self) -> Flags:
        """Mark the blocks that are headings by their tag."""
        return np.asarray(self.evidence.headings == np.arange(len(self.keep)), np.bool_)

    @cached_property
    def has_day(self) -> Flags:
        """Mark the blocks with a date that is more than a time or a year: posts have days, programmes have times."""
        has_day = self.page.numbers[:, FIGURES] & DATED > 0
        for block in has_day.nonzero()[0].tolist():
            has_day[block] = not are_times(self.page.texts[block])
        return np.asarray(has_day, np.bool_)

    @cached_property
    def _looked_for(self) -> dict[str, list[int]]:
        found, tags = dict[str, list[int]](), self.page.tags
        for node, tag in compress(enumerate(tags), map(_LOOKED_FOR.__contains__, tags)):
            found.setdefault(tag, []).append(node)
        return found

    def nodes_of(self, tags: Iterable[str]) -> list[int]:
        """Return the nodes that have one of some tags that steps look for, in the order of the page."""
        return sorted(chain.from_iterable(self._looked_for.get(tag, ()) for tag in tags))

    @cached_property
    def may_be_long(self) -> Flags:
        """Mark the long blocks that are no links."""
        return np.asarray(~self.is_linked & (self.page.weights >= LONG_BLOCK), np.bool_)

    @property
    def is_long(self) -> Flags:
        """Mark the long blocks that stay so far, and are no links."""
        return np.asarray(self.keep & self.may_be_long, np.bool_)


class Change(NamedTuple):
    """Blocks whose verdict a step changes, whatever their score, and the reason in words."""

    blocks: Sequence[int]
    words: str


class Step(NamedTuple):
    """A step: the kind of its reasons, whether the blocks that it changes stay, and what yields the changes.

    If the page itself states what goes, the score of such a block is no reason to suspect a loss.
    """

    kind: str
    keep: bool
    changes: Callable[[Case], Iterator[Change]]
    is_stated: bool = False


class Sums:
    """Sums of columns over ranges of blocks. A column is summed up at its first use, in a single pass."""

    def __init__(self, columns: Mapping[str, npt.NDArray[Any]]) -> None:
        self._columns = columns
        self._before: dict[str, memoryview] = {}

    def between(self, start: int, end: int, name: str) -> float:
        """Return the sum of a column from block ``start`` to before ``end``."""
        if name not in self._before:
            sums = np.zeros(1 + len(self._columns[name]))
            self._columns[name].cumsum(dtype=np.float64, out=sums[1:])
            self._before[name] = sums.data
        before = self._before[name]
        return float(before[end] - before[start])


def bits_of(*groups: str) -> int:
    """Return the bits of some groups of names."""
    return sum(1 << GROUPS.index(group) for group in groups)
