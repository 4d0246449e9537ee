"""SLS: keep strings that are long or stand among long ones.

Samuel Louvan: Extracting the Main Content from HTML Documents, section 2.3.2.

The lengths of all strings form an array, with a 0 for each tag that modifies the structure (DIV, TR, TD, TABLE, UL,
LI). The array is smoothed, and strings of at least one standard deviation are content.

A string is the text of a block outside links, because links have text nodes of their own; this is clearly better than
to count links as text. The standard deviation is that of the smoothed lengths of strings, without the zeros, which is
slightly better than that of the whole array.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.extras.papers.one_page import RADIUS, Floats, SinglePageMethod, shares, smoothed, string_lengths
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.methods.base import Verdict, reason_later
from scrapy_blockfilter.options import Arguments, Options, option

_DIVIDING = frozenset({"div", "tr", "td", "table", "ul", "li"})


@dataclass(frozen=True)
class StringLengthSmoothingArguments(Arguments):
    radius: int = option(5, RADIUS, "Number of strings and structural tags on each side for smoothing lengths.")


class StringLengthSmoothing(SinglePageMethod):
    name = "string_length_smoothing"
    arguments = StringLengthSmoothingArguments

    def verdicts(self, page: Page, shown: list[int], options: Options) -> Iterable[Verdict]:
        row, places = string_array(page, shown)
        lengths = row[places]
        smooth = smoothed(row, options.arguments(StringLengthSmoothingArguments).radius)[places]
        threshold = float(smooth.std())
        scores = shares(smooth, np.full_like(smooth, threshold))
        for length, value, score in zip(lengths.tolist(), smooth.tolist(), scores.tolist(), strict=True):
            yield Verdict(value >= threshold, score, reason_later("length", _REASON, length, value, threshold))


def string_array(page: Page, shown: Sequence[int]) -> tuple[Floats, npt.NDArray[np.intp]]:
    """Return the array of string lengths, with a 0 for each dividing tag, and the place of each string in it."""
    tags = page.tags
    divided = np.cumsum([tag in _DIVIDING for tag in tags])
    nodes = np.maximum.accumulate(page.nodes[shown])
    places = np.arange(len(shown)) + divided[nodes]
    row = np.zeros(int(places[-1]) + 1)
    row[places] = string_lengths(page)[shown]
    return row, places


_REASON = "string length {:.0f}, with its neighbours {:.1f}, threshold {:.1f}"
