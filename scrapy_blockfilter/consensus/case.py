"""A page while the steps act on it, and what a step is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from lxml import etree

from scrapy_blockfilter.consensus.features.evidence import Evidence
from scrapy_blockfilter.consensus.features.of_blocks import LONG_BLOCK
from scrapy_blockfilter.consensus.marked import marked_elements
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.class_hints import LOOK
from scrapy_blockfilter.html.columns import CHARS, LINK_CHARS
from scrapy_blockfilter.html.subtrees import Floats
from scrapy_blockfilter.methods.base import Flags


@dataclass(frozen=True, eq=False)
class Case:
    """A page while the steps act on it.

    Attributes:
        keep: which blocks stay so far; updated between the steps.
        keeps_comments: whether readers' comments below the content are wanted.
        scores: how likely each block is content.
    """

    columns: Page
    evidence: Evidence
    keep: Flags
    keeps_comments: bool
    scores: Floats

    @cached_property
    def is_linked(self) -> Flags:
        """Mark the blocks with more than half of their text in links."""
        numbers = self.columns.numbers
        return np.asarray(2 * numbers[:, LINK_CHARS] > numbers[:, CHARS], np.bool_)

    @cached_property
    def marked(self) -> list[etree._Element]:
        """Elements that may be hidden or dialogs."""
        return marked_elements(self.columns)

    @property
    def is_long(self) -> Flags:
        """Mark the long blocks that stay so far, and are no links."""
        return np.asarray(self.keep & ~self.is_linked & (self.columns.weights >= LONG_BLOCK), np.bool_)

    @cached_property
    def may_be_unseen(self) -> bool:
        """Whether text that stays so far is in elements that may be hidden, or ask for a choice."""
        marks = self.evidence.tree.inherited[self.columns.nodes[self.keep]]
        return bool((marks & LOOK).any())


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
