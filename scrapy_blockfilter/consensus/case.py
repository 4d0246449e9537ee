"""A page while the steps act on it, and what a step is."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.consensus.features.evidence import Evidence
from scrapy_blockfilter.consensus.features.of_blocks import LONG_BLOCK
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.class_hints import GROUPS
from scrapy_blockfilter.html.columns import CHARS, LINK_CHARS
from scrapy_blockfilter.html.subtrees import Floats, Tree
from scrapy_blockfilter.html.tags import UNITS
from scrapy_blockfilter.methods.base import Flags

# Per cent of agreement with the TITLE that a headline needs. The name of the site in the TITLE agrees less.
AGREEMENT = 60
# One search finds all that the steps look for.
_LOOKED_FOR = UNITS | {"datalist", "figure", "footer", "select", "textarea"}


@dataclass(frozen=True, eq=False)
class Case:
    """A page while the steps act on it.

    Attributes:
        keep: which blocks stay so far; updated between the steps.
        keeps_comments: whether readers' comments below the content are wanted.
        scores: how likely each block is content.
        labels: hashes of the site's labels of lines that lead to other pages.
    """

    page: Page
    evidence: Evidence
    keep: Flags
    keeps_comments: bool
    scores: Floats
    labels: frozenset[int] = frozenset()

    @property
    def tree(self) -> Tree:
        """The blocks below each node."""
        return self.evidence.tree

    @property
    def is_mixed(self) -> bool:
        """Whether some blocks stay so far and others do not."""
        return bool(self.keep.any() and not self.keep.all())

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
    def _looked_for(self) -> list[tuple[str, int]]:
        return [(self.page.tags[node], node) for node in self.page.nodes_of(_LOOKED_FOR)]

    def nodes_of(self, tags: Container[str]) -> list[int]:
        """Return the nodes that have one of some tags that steps look for, in the order of the page."""
        return [node for tag, node in self._looked_for if tag in tags]

    @property
    def is_long(self) -> Flags:
        """Mark the long blocks that stay so far, and are no links."""
        return np.asarray(self.keep & ~self.is_linked & (self.page.weights >= LONG_BLOCK), np.bool_)


class Change(NamedTuple):
    """Blocks whose verdict a step changes, whatever their score.

    Attributes:
        words: the reason, in words.
    """

    blocks: Sequence[int]
    words: str


class Step(NamedTuple):
    """One step.

    Attributes:
        kind: the kind of reason that its changes get.
        keep: whether the blocks that it changes stay.
        changes: yields the changes to a page. Blocks that already have the verdict are left as they are.
    """

    kind: str
    keep: bool
    changes: Callable[[Case], Iterator[Change]]


class Sums:
    """Sums of columns over ranges of blocks: a single pass does for any number of ranges."""

    def __init__(self, columns: Mapping[str, npt.NDArray[Any]]) -> None:
        self._names = list(columns)
        values = np.stack([*columns.values()], axis=1)
        self._before = np.zeros((len(values) + 1, len(columns)))
        np.cumsum(values, axis=0, dtype=np.float64, out=self._before[1:])

    def between(self, start: int, end: int) -> dict[str, float]:
        """Return the sum of each column from block ``start`` to before ``end``."""
        return dict(zip(self._names, (self._before[end] - self._before[start]).tolist(), strict=True))

    def before(self, name: str) -> npt.NDArray[np.float64]:
        """Return the sum of a column before each block, and the sum of all."""
        return self._before[:, self._names.index(name)]


def bits_of(*groups: str) -> int:
    """Return the bits of some groups of names."""
    return sum(1 << GROUPS.index(group) for group in groups)
