"""The interface of methods: fit to the pages of a site, then give a verdict on every block of a page."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.options import Arguments, Options, option
from scrapy_blockfilter.options.converters import SHARE, optional, whole_number
from scrapy_blockfilter.storable.array_bytes import ArrayReader, StateError, Values


class Reason(NamedTuple):
    """Why a block stays or goes.

    Attributes:
        kind: one of :data:`scrapy_blockfilter.report.page_facts.KINDS`.
        words: the reason in words.
    """

    kind: str
    words: str


def reason_later(kind: str, template: str, *values: object) -> Callable[[], Reason]:
    """Return a function that makes a reason, by formatting ``template`` with the values, when it is needed."""
    return lambda: Reason(kind, template.format(*values))


class Verdict:
    """Keep or strip, for one block.

    Args:
        why: the reason, or a function that makes it on demand, as most reasons are never read.

    Attributes:
        keep: True for informative, False for redundant.
        score: from 0, surely boilerplate, to 1, surely content, on the method's own scale.
    """

    __slots__ = ("_why", "keep", "score")

    def __init__(self, keep: bool, score: float, why: Reason | Callable[[], Reason]) -> None:
        self.keep = keep
        self.score = score
        self._why = why

    @property
    def why(self) -> Reason:
        """The reason with its kind."""
        return self._why if isinstance(self._why, Reason) else self._why()

    @property
    def reason(self) -> str:
        """The reason in words."""
        return self.why.words

    @property
    def kind(self) -> str:
        """The kind of the reason."""
        return self.why.kind

    def kept(self, why: str, kind: str) -> Verdict:
        """Return a verdict that overrules this one and keeps the block."""
        return Verdict(True, self.score, lambda: Reason(kind, f"{why}; {self.reason}"))

    def __repr__(self) -> str:
        return f"Verdict(keep={self.keep}, score={self.score:.3f}, reason={self.reason!r})"


class Rescue(NamedTuple):
    """When to keep the rest of a unit: if this share of its text is kept, for blocks with this score at least."""

    share: float
    least_score: float


class Rescues(NamedTuple):
    """When to keep the rest of a list, and of a table."""

    of_list: Rescue
    of_table: Rescue


class Comment(NamedTuple):
    """The text of a reader below the content, as numbers of its blocks and of the blocks with its date."""

    texts: list[int]
    dates: list[int]


class FittedMethod(ABC):
    """A method fitted to one site. Immutable.

    Attributes:
        rescues: the share that must be kept to keep a list or table whole. The default for lists is half, because a
            menu may have one or two items of the page's own. It is a tenth for tables, because labels outweigh values.
        multiplies: whether judging may multiply matrices by numpy, which is then limited to one thread.
    """

    rescues: ClassVar[Rescues] = Rescues(Rescue(0.5, 0), Rescue(0.1, 0))

    @property
    def multiplies(self) -> bool:
        return True

    @abstractmethod
    def judge(self, page: Page, *, whole: bool) -> Sequence[Verdict]:
        """Return a verdict for each block of ``page``.

        Args:
            whole: False for a fragment, whose blocks have lost the start of their paths.
        """

    def repetition(self, page: Page, *, whole: bool) -> Sequence[Verdict] | None:
        """Return verdicts that strip only what the site repeats, or None if the method has no others.

        They replace the verdicts of :meth:`judge` where these would leave too little of a page.
        """
        return None

    def pages_compared(self) -> int:
        """Return the number of pages that each block of a page is compared with; 0 if it is not."""
        return 0

    def comments(self, page: Page) -> Sequence[Comment]:
        """Return the readers' comments on a page, kept or not; an empty list if the method finds no comments."""
        return ()

    def hidden_parts(self, page: Page, keep: Sequence[bool]) -> Sequence[int]:
        """Return the places in ``page.pieces`` of texts within kept blocks that no reader sees; by default nothing."""
        return ()

    def state(self) -> Values | None:
        """Return what was learnt, for :meth:`Method.restored`; None if the method is fitted anew each time."""
        return None


class Method(ABC):
    """A method that can be fitted to the pages of a site.

    Attributes:
        name: its name in ``BLOCKFILTER_METHOD``.
        arguments: declares what ``BLOCKFILTER_METHOD_ARGS`` may hold; :meth:`Options.arguments` gives their values.
        single_page: whether it judges each page by itself. Such a method is fitted to no pages, and the fitted method
            judges pages of any site.
        tells_copies: whether it takes copies of pages and skips them itself.
    """

    name: ClassVar[str]
    arguments: ClassVar[type[Arguments]] = Arguments
    single_page: ClassVar[bool] = False
    tells_copies: ClassVar[bool] = False

    @abstractmethod
    def fit(self, pages: Sequence[Page], options: Options) -> FittedMethod:
        """Learn from pages of one site. Samples yield them sorted, so their order of arrival does not matter."""

    def restored(self, state: ArrayReader, options: Options) -> FittedMethod:
        """Return the fitted method with this :meth:`FittedMethod.state`, which gives the same verdicts.

        Raises:
            StateError: the state does not come from this method fitted with these options.
        """
        raise StateError(f"{self.name} has no stored state")

    def strips_by_one_page(self, options: Options) -> bool:
        """Return whether a model of one page strips anything; by default, what repeats is stripped."""
        return self.single_page

    def weights(self) -> str:
        """Return a digest of what the method knows before it is fitted; "" for nothing."""
        return ""


# The TITLE never competes with other blocks: cleaned HTML keeps it whatever its verdict.
TITLE_STAYS = Verdict(True, 1.0, Reason("title", "the title, which is no part of the text"))
# Characters, three for one of a script without spaces: a text of this length on several pages may be a quotation.
QUOTATION = 200


@dataclass(frozen=True)
class FrequencyArguments(Arguments):
    """The document frequency that makes a block template."""

    df_share: float = option(0.3, SHARE, "A block is template if it is on at least this share of the sample's pages.")
    df_count: int = option(2, whole_number(2, 1000), "It must be on at least this many pages, too.")

    def threshold_of(self, pages: int) -> int:
        """Return the document frequency for a number of pages, by count and by share.

        >>> FrequencyArguments(df_share=0.3, df_count=2).threshold_of(10), FrequencyArguments().threshold_of(3)
        (3, 2)
        """
        return max(self.df_count, math.ceil(self.df_share * pages - 1e-9))


def threshold_or_none(doc: str, paper: float | None = None) -> Any:
    """Declare an argument ``threshold``, a share; without it, a method finds its own."""
    return option(None, optional(SHARE), doc, paper=paper)


def on_pages(frequency: int, pages: int) -> str:
    """Return a document frequency in words."""
    return f"on {frequency} of {pages} pages"


Flags = npt.NDArray[np.bool_]


class Verdicts(Sequence[Verdict]):
    """The verdicts on the blocks of a page, with a function that makes the reason for a block and its verdict.

    Attributes:
        keep: whether each block stays. Change it by setting a verdict.
        scores: for each block, how likely it is content, whatever verdicts were set; 0 if the page says it is not.
    """

    __slots__ = ("_reason", "_set", "keep", "scores")

    def __init__(self, keep: Flags, scores: npt.NDArray[np.float32], reason: Callable[[int, bool], Reason]) -> None:
        self.keep = keep
        self.scores = scores
        self._reason = reason
        self._set: dict[int, Verdict] = {}

    def __len__(self) -> int:
        return len(self.keep)

    @overload
    def __getitem__(self, block: int) -> Verdict: ...
    @overload
    def __getitem__(self, block: slice) -> list[Verdict]: ...
    def __getitem__(self, block: int | slice) -> Verdict | list[Verdict]:
        if isinstance(block, slice):
            return [self[number] for number in range(*block.indices(len(self)))]
        keep = bool(self.keep[block])  # raises IndexError behind the last block
        if block < 0:
            block += len(self)
        if block in self._set:
            return self._set[block]
        return Verdict(keep, float(self.scores[block]), partial(self._reason, block, keep))

    def __setitem__(self, block: int, verdict: Verdict) -> None:
        self._set[block] = verdict
        self.keep[block] = verdict.keep

    def copy(self) -> Verdicts:
        """Return the same verdicts, to be changed."""
        verdicts = Verdicts(self.keep.copy(), self.scores, self._reason)
        verdicts._set = dict(self._set)
        return verdicts
