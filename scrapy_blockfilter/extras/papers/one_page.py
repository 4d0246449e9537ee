"""Base of methods that judge each page by itself and learn nothing of its site, and arithmetic that methods share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CHARS, LINK_CHARS
from scrapy_blockfilter.methods.base import FittedMethod, Method, Reason, Verdict
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.options.converters import whole_number

Floats = npt.NDArray[np.float64]
# Most rounds of k-means, which ends by itself after about a dozen on real pages. One made to need more is cut off.
_MAX_ROUNDS = 100


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


def linked_shares(page: Page) -> Floats:
    """Return which share of the characters of each block is inside links, 0 to 1."""
    numbers = page.numbers
    return np.minimum(1.0, numbers[:, LINK_CHARS] / np.maximum(1, numbers[:, CHARS]))


def smoothed(values: Floats, radius: int) -> Floats:
    """Return the mean of each value and its ``radius`` neighbours on each side. Beyond the ends, values count as 0.

    Weninger, Hsu: Text Extraction from the Web via Text-to-Tag Ratio, 2008; equation 1 of Louvan's paper.

    >>> smoothed(np.array([3.0, 0.0, 6.0]), 1).tolist()
    [1.0, 3.0, 2.0]
    """
    width = 2 * radius + 1
    return np.convolve(values, np.full(width, 1 / width))[radius : radius + len(values)]


RADIUS = whole_number(0, 50)
"""The values that the ``radius`` of :func:`smoothed` may have as an argument of a method."""


def shares(of: Floats, other: Floats) -> Floats:
    """Return ``of / (of + other)`` for each pair, and a half where both are 0."""
    total = of + other
    return np.divide(of, total, out=np.full_like(total, 0.5), where=total > 0)


def k_means(points: Floats, centroids: Floats, *, fixed: int = 0) -> tuple[npt.NDArray[np.intp], Floats]:
    """Cluster points by Euclidean distance: adaptive k-means. The same input gives the same clusters.

    Args:
        points: shape (n, dimensions).
        centroids: starting centroids, shape (k, dimensions).
        fixed: number of leading centroids that never move.

    Returns:
        The number of each point's cluster, shape (n,), and the final centroids. A point equally near to several
        centroids goes to the first. A cluster that loses all its points keeps its centroid.
    """
    members = np.zeros(len(points), np.intp)
    for _ in range(_MAX_ROUNDS):
        members = np.argmin(((points[:, None, :] - centroids[None, :, :]) ** 2).sum(axis=2), axis=1)
        moved = centroids.copy()
        for cluster in set(members.tolist()).difference(range(fixed)):
            moved[cluster] = points[members == cluster].mean(axis=0)
        if np.array_equal(moved, centroids):
            break
        centroids = moved
    return members, centroids


_FRAGMENT = Verdict(True, 1.0, Reason("other", "a fragment has nothing to compare it with"))
_TITLE = Verdict(True, 1.0, Reason("other", "the TITLE"))
