"""Base of methods that judge each page by itself and learn nothing of its site."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CHARS, LINK_CHARS
from scrapy_blockfilter.methods.base import FittedMethod, Method, Reason, Verdict
from scrapy_blockfilter.options import Options, option
from scrapy_blockfilter.options.converters import whole_number

Floats = npt.NDArray[np.float64]


class SinglePageMethod(Method):
    """A method that compares the blocks of a page with each other, except the TITLE.

    A fragment offers nothing to compare its blocks with, so all of it stays.
    """

    single_page = True

    def fit(self, pages: Sequence[Page], options: Options) -> FittedMethod:
        return FittedSinglePage(self, options)

    @abstractmethod
    def verdicts(self, page: Page, shown: list[int], options: Options) -> Iterable[Verdict]:
        """Return a verdict for each block whose index is in ``shown``, which is never empty."""


class FittedSinglePage(FittedMethod):
    def __init__(self, method: SinglePageMethod, options: Options) -> None:
        self._method = method
        self._options = options

    def judge(self, page: Page, *, whole: bool) -> list[Verdict]:
        if not whole:
            return [_FRAGMENT] * len(page.blocks)
        verdicts = [_TITLE] * len(page.blocks)
        tags = page.tags
        shown = [index for index, node in enumerate(page.nodes.tolist()) if tags[node] != "title"]
        if shown:
            for index, verdict in zip(shown, self._method.verdicts(page, shown, self._options), strict=True):
                verdicts[index] = verdict
        return verdicts


def string_lengths(page: Page) -> Floats:
    """Return the number of characters of each block outside links. Text inside links makes separate strings."""
    numbers = page.numbers
    return (numbers[:, CHARS] - numbers[:, LINK_CHARS]).astype(np.float64)


def smoothed(values: Floats, radius: int) -> Floats:
    """Return the mean of each value and its ``radius`` neighbours on each side. Beyond the ends, values count as 0.

    Weninger, Hsu: Text Extraction from the Web via Text-to-Tag Ratio, 2008; equation 1 of Louvan's paper.

    >>> smoothed(np.array([3.0, 0.0, 6.0]), 1).tolist()
    [1.0, 3.0, 2.0]
    """
    width = 2 * radius + 1
    return np.convolve(values, np.full(width, 1 / width))[radius : radius + len(values)]


def smoothing_radius(default: int, doc: str) -> Any:
    """Declare an argument with the ``radius`` of :func:`smoothed`."""
    return option(default, whole_number(0, 50), doc)


def shares(of: Floats, other: Floats) -> Floats:
    """Return ``of / (of + other)`` for each pair, and a half where both are 0."""
    total = of + other
    return np.divide(of, total, out=np.full_like(total, 0.5), where=total > 0)


_FRAGMENT = Verdict(True, 1.0, Reason("other", "a fragment has nothing to compare it with"))
_TITLE = Verdict(True, 1.0, Reason("other", "the TITLE"))
