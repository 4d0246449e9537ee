"""What a method is: fitted to the pages of a site once, then asked for a verdict on every block of a page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import PageFeatures


class Verdict(NamedTuple):
    """Whether a block stays.

    Attributes:
        keep: True for informative, False for redundant.
        score: from 0, surely template, to 1, surely content, on the method's own measure.
        reason: what decided, in words.
    """

    keep: bool
    score: float
    reason: str


class FittedMethod(Protocol):
    """A method with what it has learnt of one site. Immutable."""

    def judge(self, page: PageFeatures, *, whole: bool) -> list[Verdict]:
        """A verdict for each block of ``page``.

        Args:
            whole: False where the page is a fragment, whose blocks have lost the start of their paths.
        """
        ...


class Method(Protocol):
    @property
    def name(self) -> str: ...

    def fit(self, pages: Sequence[PageFeatures], options: Options) -> FittedMethod:
        """Learn from pages of one site; the same whatever their order of arrival, as samples give them sorted."""
        ...


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
