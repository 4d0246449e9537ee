"""What a site repeats, and nothing else: ``BLOCKFILTER_STRIP = "template"``.

The majority of three methods says so, of a site that has shown enough pages. Of fewer a text may be on several by
accident, and near-equal texts and evenly spread terms say little, so only what is on so many of them counts that it
can hardly be one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import comb

from scrapy_blockfilter.methods.base import FittedMethod
from scrapy_blockfilter.methods.chunk_frequency import ChunkFrequency
from scrapy_blockfilter.methods.majority import Majority
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import PageFeatures

# Of what 12 sites of two to nine pages have in the gold they keep .9995 in this way, the worst .996, and .9967, the
# worst .968, by the majority.
_ENOUGH_PAGES = 10
# A text that is on this share of a site's pages reaches the number of pages with no more than this probability. With
# .002 the same sites keep .9993; where all pages must have a text, .9998, but then a page of another kind keeps nearly
# all of the template of two sites.
_SHARE, _BY_ACCIDENT = 0.1, 0.0002


def template_of(pages: Sequence[PageFeatures], options: Options) -> FittedMethod:
    """What tells the template of a site by its different pages."""
    if len(pages) >= _ENOUGH_PAGES:
        return Majority().fit(pages, options)
    count = max(options.df_count, surely_repeated(len(pages)))
    return ChunkFrequency().fit(pages, replace(options, df_count=count))


def surely_repeated(pages: int) -> int:
    """On how many of a few pages a text is no accident: all of them at the most, and two at the least.

    >>> [surely_repeated(pages) for pages in range(1, 10)]
    [2, 2, 3, 4, 5, 5, 5, 6, 6]
    """
    at_least = 0.0  # the probability of so many pages or more
    count = pages + 1
    while count > 2:
        at_least += comb(pages, count - 1) * _SHARE ** (count - 1) * (1 - _SHARE) ** (pages - count + 1)
        if at_least > _BY_ACCIDENT:
            break
        count -= 1
    return max(2, min(count, pages))
