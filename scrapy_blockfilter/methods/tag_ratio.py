"""CETR: content by the ratio of text to tags, line by line.

R. Shinde, A. Bolli, A. Kulkarni: Methods for Extracting Content Blocks from Web Pages, 2013, section 4, after
T. Weninger, W. H. Hsu: Text Extraction from the Web via Text-to-Tag Ratio, 2008.

The tag ratio of a line is the number of its characters that are no tags, divided by the number of its tags (by 1 where
it has none). The ratios are smoothed, so that a short line within the content is not lost. Then either those below a
threshold, a multiple of their standard deviation, are not content ("threshold form"), or those that k-means puts with
the origin ("k-means form"). In two dimensions a line is a point: its ratio, and how much the ratios change after it.

A page may have all its markup in one line, so lines are made here, the same for every way to write a page down: a line
is a block, the text between two structural tags. Its tags are those that open structural elements since the line
before, both tags of its links, and its images, form controls and line breaks, those in a PRE too.

Mean F1 of six sets of real pages: .680 by the lines as the source has them (threshold form in one dimension, two
neighbours on each side), .762 the same way by these lines, .784 by the defaults.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.html.columns import CHARS, CONTROLS, IMAGES, LINES, LINKS
from scrapy_blockfilter.methods.base import Method, Verdict, reason_later
from scrapy_blockfilter.methods.tools.k_means import k_means
from scrapy_blockfilter.methods.tools.one_page import FittedSinglePage, Floats, shares, smoothed
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import PageFeatures

# Lines over which a change is measured. With 2 or 5 the mean F1 of six sets differs by .0002 at the most.
_AHEAD = 3


class TagRatio(Method):
    name = "tag_ratio"
    single_page = True

    def fit(self, pages: Sequence[PageFeatures], options: Options) -> FittedTagRatio:
        return FittedTagRatio(options)


class FittedTagRatio(FittedSinglePage):
    def verdicts(self, page: PageFeatures, shown: list[int]) -> Iterable[Verdict]:
        options = self.options
        chars, tags = lines(page)
        ratios = tag_ratios(chars, tags)[shown]
        smooth = smoothed(ratios, options.tag_ratio_radius)
        points = smooth[:, None]
        if options.tag_ratio_dimensions == 2:
            points = np.stack([smooth, np.abs(smoothed(changes(smooth), options.tag_ratio_radius))], axis=1)
        distances = np.linalg.norm(points, axis=1)
        if options.tag_ratio_form == "threshold":
            threshold = options.tag_ratio_threshold * float(distances.std())
            keep, scores = distances >= threshold, shares(distances, np.full_like(distances, threshold))
            against = f"threshold {threshold:.1f}"
        else:
            keep, scores, nearest = _by_clusters(points, distances, options.tag_ratio_clusters)
            against = f"content's centroid at {nearest:.1f}"
        for one, score, ratio, distance in zip(
            keep.tolist(), scores.tolist(), ratios.tolist(), distances.tolist(), strict=True
        ):
            yield Verdict(one, score, reason_later("ratio", _REASON, ratio, distance, against))


def lines(page: PageFeatures) -> tuple[Floats, Floats]:
    """Of each line of a page, as this module has them, its characters and its tags."""
    numbers = page.columns.numbers
    opened = np.diff(np.maximum.accumulate(page.columns.nodes), prepend=-1)
    tags = opened + 2 * numbers[:, LINKS] + numbers[:, IMAGES] + numbers[:, CONTROLS] + numbers[:, LINES]
    return numbers[:, CHARS].astype(np.float64), tags.astype(np.float64)


def tag_ratios(chars: Floats, tags: Floats) -> Floats:
    """The tag ratio of each line.

    >>> tag_ratios(np.array([11.0, 37.0]), np.array([2.0, 0.0])).tolist()
    [5.5, 37.0]
    """
    return chars / np.maximum(tags, 1)


def changes(ratios: Floats) -> Floats:
    """How much larger the mean of the ratios from each on, over ``_AHEAD`` lines, is than the ratio itself."""
    sums = np.concatenate([[0.0], np.cumsum(ratios)])
    here = np.arange(len(ratios))
    ends = np.minimum(here + _AHEAD, len(ratios))
    return np.asarray((sums[ends] - sums[:-1]) / (ends - here) - ratios)


def _by_clusters(points: Floats, distances: Floats, count: int) -> tuple[npt.NDArray[np.bool_], Floats, float]:
    """Which points are in another cluster than that of the origin; how sure that is; and how far the nearest of the
    other clusters is from it. One centroid stays at the origin, the others start on the way to the farthest point."""
    farthest = points[int(np.argmax(distances))]
    members, centroids = k_means(points, np.linspace(0, 1, count)[:, None] * farthest, fixed=1)
    to_others = np.linalg.norm(points[:, None, :] - centroids[None, 1:, :], axis=2).min(axis=1)
    nearest = float(np.linalg.norm(centroids[1:], axis=1).min())
    return members > 0, shares(distances, to_others), nearest


_REASON = "tag ratio {:.1f}, with its neighbours {:.1f}, {}"
