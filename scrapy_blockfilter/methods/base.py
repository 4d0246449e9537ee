"""What a method is: fitted to the pages of a site once, then asked for a verdict on every block of a page."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import PageFeatures


class Reason(NamedTuple):
    """Why a block stays or goes.

    Attributes:
        kind: one of :data:`scrapy_blockfilter.report.reason_kinds.KINDS`.
        words: what decided, in words.
    """

    kind: str
    words: str


def reason_later(kind: str, template: str, *values: object) -> Callable[[], Reason]:
    """A reason whose words are the values in a template of ``str.format``, made when it is asked for."""
    return lambda: Reason(kind, template.format(*values))


class Verdict:
    """Whether a block stays.

    Args:
        why: the reason, or what gives it when it is asked for: most verdicts are never read.

    Attributes:
        keep: True for informative, False for redundant.
        score: from 0, surely template, to 1, surely content, on the method's own measure.
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
        """What decided, in words."""
        return self.why.words

    @property
    def kind(self) -> str:
        """What kind of reason that is."""
        return self.why.kind

    def kept(self, why: str, kind: str) -> Verdict:
        """This verdict overruled: the block stays after all."""
        return Verdict(True, self.score, lambda: Reason(kind, f"{why}; {self.reason}"))

    def __repr__(self) -> str:
        return f"Verdict(keep={self.keep}, score={self.score:.3f}, reason={self.reason!r})"


class Rescue(NamedTuple):
    """When the rest of a unit, a list or a table, is kept.

    Attributes:
        share: the share of its text that must be kept by itself.
        least_score: the lowest score of a block that is kept with it.
    """

    share: float
    least_score: float


class Rescues(NamedTuple):
    """When the rest of a list is kept, and that of a table."""

    of_list: Rescue
    of_table: Rescue


class FittedMethod(ABC):
    """A method with what it has learnt of one site. Immutable.

    Attributes:
        rescues: when a table or a list is kept whole. By default half of a list, as a menu has one or two items of the
            page's own, and a tenth of a table, as labels outweigh values.
    """

    rescues: ClassVar[Rescues] = Rescues(Rescue(0.5, 0), Rescue(0.1, 0))

    @abstractmethod
    def judge(self, page: PageFeatures, *, whole: bool) -> list[Verdict]:
        """A verdict for each block of ``page``.

        Args:
            whole: False where the page is a fragment, whose blocks have lost the start of their paths.
        """

    def repetition(self, page: PageFeatures, *, whole: bool) -> list[Verdict] | None:
        """Verdicts by what the site repeats alone, for a page of which :meth:`judge` leaves too little; None where the
        method has no others to give."""
        return None


class Method(ABC):
    """Of a name, and fitted to the pages of a site.

    Attributes:
        name: as ``BLOCKFILTER_METHOD`` takes it.
        single_page: whether it looks at each page by itself, so that there is nothing to learn of a site: it is fitted
            to no pages, and what it gives then judges the pages of any site.
        tells_copies: whether it is fitted to copies of a page, too, and passes over them itself.
    """

    name: ClassVar[str]
    single_page: ClassVar[bool] = False
    tells_copies: ClassVar[bool] = False

    @abstractmethod
    def fit(self, pages: Sequence[PageFeatures], options: Options) -> FittedMethod:
        """Learn from pages of one site; the same whatever their order of arrival, as samples give them sorted."""


# Where blocks of a page compete, the TITLE does not: cleaned HTML keeps it whatever its verdict.
TITLE_STAYS = Verdict(True, 1.0, Reason("title", "the title, which is no part of the text"))
# Characters from which a text on several pages may be one that they quote, those of scripts without spaces counted as
# three.
QUOTATION = 200


def frequency_threshold(pages: int, options: Options) -> int:
    """On how many of ``pages`` a block must occur to be template: as count and as share of the pages.

    >>> options = Options(df_share=0.3, df_count=2)
    >>> frequency_threshold(10, options), frequency_threshold(3, options)
    (3, 2)
    """
    return max(options.df_count, math.ceil(options.df_share * pages - 1e-9))


def on_pages(frequency: int, pages: int) -> str:
    """A document frequency in words.

    >>> on_pages(9, 10)
    'on 9 of 10 pages'
    """
    return f"on {frequency} of {pages} pages"
