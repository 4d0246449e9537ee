"""What a method is: fitted to the pages of a site once, then asked for a verdict on every block of a page."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Protocol

from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import PageFeatures


class Verdict:
    """Whether a block stays.

    Args:
        words: why, or what says so when it is asked for: most verdicts are never read.
        kind: the name of the kind of reason, likewise: one of :data:`scrapy_blockfilter.report.kinds.KINDS`.

    Attributes:
        keep: True for informative, False for redundant.
        score: from 0, surely template, to 1, surely content, on the method's own measure.
    """

    __slots__ = ("_kind", "_words", "keep", "score")

    def __init__(
        self, keep: bool, score: float, words: str | Callable[[], str], kind: str | Callable[[], str] = "other"
    ) -> None:
        self.keep = keep
        self.score = score
        self._words = words
        self._kind = kind

    @property
    def reason(self) -> str:
        """What decided, in words."""
        return self._words if isinstance(self._words, str) else self._words()

    @property
    def kind(self) -> str:
        """What kind of reason that is."""
        return self._kind if isinstance(self._kind, str) else self._kind()

    def kept(self, why: str, kind: str) -> Verdict:
        """This verdict overruled: the block stays after all."""
        return Verdict(True, self.score, lambda: f"{why}; {self.reason}", kind)

    def __repr__(self) -> str:
        return f"Verdict(keep={self.keep}, score={self.score:.3f}, reason={self.reason!r})"


class FittedMethod(Protocol):
    """A method with what it has learnt of one site. Immutable."""

    def judge(self, page: PageFeatures, *, whole: bool) -> list[Verdict]:
        """A verdict for each block of ``page``.

        Args:
            whole: False where the page is a fragment, whose blocks have lost the start of their paths.
        """
        ...


class Method(Protocol):
    """Of a name, and fitted to the pages of a site.

    Attributes:
        single_page: whether it looks at each page by itself, so that there is nothing to learn of a site: it is fitted
            to no pages, and what it gives then judges the pages of any site.
    """

    @property
    def name(self) -> str: ...
    @property
    def single_page(self) -> bool: ...

    def fit(self, pages: Sequence[PageFeatures], options: Options) -> FittedMethod:
        """Learn from pages of one site; the same whatever their order of arrival, as samples give them sorted."""
        ...


# Where blocks of a page compete, the TITLE does not: cleaned HTML keeps it whatever its verdict.
TITLE_STAYS = Verdict(True, 1.0, "the title, which is no part of the text", "title")
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
