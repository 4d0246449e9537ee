"""What a step behind the score is: it sees a page with its verdicts so far, and changes some."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.consensus.features.evidence import Evidence
from scrapy_blockfilter.html.columns import CHARS, LINK_CHARS, PageColumns

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Case:
    """A page in the making.

    Attributes:
        keep: which blocks stay so far; changed between the steps.
        keeps_comments: whether what readers wrote below the content is wanted.
    """

    columns: PageColumns
    evidence: Evidence
    keep: Flags
    keeps_comments: bool

    @property
    def is_linked(self) -> Flags:
        """Which blocks are links for the most part."""
        numbers = self.columns.numbers
        return np.asarray(2 * numbers[:, LINK_CHARS] > numbers[:, CHARS], np.bool_)


class Change(NamedTuple):
    """Blocks whose verdict a step changes, whatever their score.

    Attributes:
        keep: whether they stay.
        words: why.
    """

    blocks: list[int]
    keep: bool
    words: str


class Step(Protocol):
    """One step.

    Attributes:
        kind: the name of the kind of reason that its changes are.
    """

    @property
    def kind(self) -> str: ...

    def changes(self, case: Case) -> Iterator[Change]:
        """What the step changes on a page; of blocks that have the verdict already nothing comes of it."""
        ...
