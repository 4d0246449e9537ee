"""Strip only what a site repeats: ``BLOCKFILTER_STRIP = "template"``.

With enough pages, the majority of three methods decides. With fewer, a text may be on several pages by accident, and
near-equal texts and evenly spread terms say little. Then only exact texts count, if they are on so many pages that
chance can be ruled out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import comb

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.methods.base import FittedMethod, FrequencyArguments, Method
from scrapy_blockfilter.methods.chunk_frequency import ChunkFrequency
from scrapy_blockfilter.methods.majority import Majority
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.state import State

# With fewer pages, the majority strips more main text than the rule by chance.
_ENOUGH_PAGES = 10
# A text on _SHARE of a site's pages is stripped with no more than this probability. A larger one costs more main text.
# To require all pages would cost less, but then a single page of another kind would save nearly the whole template.
_SHARE, _BY_ACCIDENT = 0.1, 0.0002


def template_of(pages: Sequence[Page], options: Options) -> FittedMethod:
    """Fit a method that strips the template of a site, given its different pages."""
    if len(pages) >= _ENOUGH_PAGES:
        return Majority().fit(pages, options)
    count = max(options.arguments(FrequencyArguments).df_count, surely_repeated(len(pages)))
    arguments = {**options.method_args, "df_count": count}
    return ChunkFrequency().fit(pages, replace(options, method_args=arguments))


def restored_template(state: State, options: Options) -> FittedMethod:
    """Return what :func:`template_of` fitted, given its state."""
    method: Method = Majority() if state.has("third") else ChunkFrequency()
    return method.restored(state, options)


def surely_repeated(pages: int) -> int:
    """Return the number of pages from which a text is no accident, at least two and at most all.

    >>> [surely_repeated(pages) for pages in range(1, 10)]
    [2, 2, 3, 4, 5, 5, 5, 6, 6]
    """
    at_least = 0.0  # the probability of this many pages or more
    count = pages + 1
    while count > 2:
        at_least += comb(pages, count - 1) * _SHARE ** (count - 1) * (1 - _SHARE) ** (pages - count + 1)
        if at_least > _BY_ACCIDENT:
            break
        count -= 1
    return max(2, min(count, pages))
