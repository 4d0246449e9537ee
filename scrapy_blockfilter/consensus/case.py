"""A page while the steps act on it, and what a step is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from scrapy_blockfilter.consensus.features.evidence import Evidence
from scrapy_blockfilter.consensus.features.of_blocks import LONG_BLOCK
from scrapy_blockfilter.consensus.marked import blocks_in
from scrapy_blockfilter.consensus.tiles import Tiles
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CHARS, LINK_CHARS
from scrapy_blockfilter.html.subtrees import Floats
from scrapy_blockfilter.html.tags import UNITS
from scrapy_blockfilter.methods.base import Flags

# One search finds what the steps look for.
_LOOKED_FOR = UNITS | {"datalist", "figure", "footer", "pre", "select", "textarea"}


@dataclass(frozen=True, eq=False)
class Case:
    """A page while the steps act on it.

    Attributes:
        keep: which blocks stay so far; updated between the steps.
        keeps_comments: whether readers' comments below the content are wanted.
        scores: how likely each block is content.
        labels: hashes of the site's labels of lines that lead to other pages.
    """

    columns: Page
    evidence: Evidence
    keep: Flags
    keeps_comments: bool
    scores: Floats
    labels: frozenset[int] = frozenset()

    @cached_property
    def is_linked(self) -> Flags:
        """Mark the blocks with more than half of their text in links."""
        numbers = self.columns.numbers
        return np.asarray(2 * numbers[:, LINK_CHARS] > numbers[:, CHARS], np.bool_)

    @cached_property
    def is_heading(self) -> Flags:
        """Mark the blocks that are headings by their tag."""
        return np.asarray(self.evidence.headings == np.arange(len(self.keep)), np.bool_)

    @cached_property
    def tiles(self) -> Tiles:
        """The tiles of the page."""
        return Tiles(self.columns, self.evidence.tree)

    @cached_property
    def _by_tag(self) -> dict[str, list[int]]:
        """The nodes of each tag that steps look for."""
        found: dict[str, list[int]] = {tag: [] for tag in _LOOKED_FOR}
        for node in self.columns.nodes_of(_LOOKED_FOR):
            found[self.columns.tags[node]].append(node)
        return found

    def nodes_of(self, *tags: str) -> list[int]:
        """Return the nodes that have one of some tags that steps look for, in the order of the page."""
        return sorted(node for tag in tags for node in self._by_tag[tag])

    @property
    def is_long(self) -> Flags:
        """Mark the long blocks that stay so far, and are no links."""
        return np.asarray(self.keep & ~self.is_linked & (self.columns.weights >= LONG_BLOCK), np.bool_)

    @cached_property
    def may_be_unseen(self) -> bool:
        """Whether text that stays so far is in elements that may be hidden, or ask for a choice."""
        return any(self.keep[blocks].any() for blocks in blocks_in(self.columns, self.columns.marked).values())


class Change(NamedTuple):
    """Blocks whose verdict a step changes, whatever their score.

    Attributes:
        keep: whether they stay.
        words: the reason, in words.
    """

    blocks: list[int]
    keep: bool
    words: str


class Step(Protocol):
    """One step.

    Attributes:
        kind: the kind of reason that its changes get.
    """

    @property
    def kind(self) -> str: ...

    def changes(self, case: Case) -> Iterator[Change]:
        """Yield the changes to a page. Blocks that already have the verdict are left as they are."""
        ...
