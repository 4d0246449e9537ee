"""CETR: keep lines with a high ratio of text to tags.

R. Shinde, A. Bolli, A. Kulkarni: Methods for Extracting Content Blocks from Web Pages, 2013, section 4, after
T. Weninger, W. H. Hsu: Text Extraction from the Web via Text-to-Tag Ratio, 2008.

The tag ratio of a line is the number of its characters outside tags, divided by the number of its tags (at least 1).
Ratios are smoothed, so that short lines within the content are not lost. A line is a point: its ratio, and the change
of the ratios after it. Lines in the cluster of the origin, found by k-means, are not content. With ``paper_defaults``,
as in the paper of 2008, lines whose ratio is below the standard deviation are not content.

A page may have all its markup in one line of source, so lines are defined here independently of it: a line is a block,
the text between two structural tags. Its tags are the start tags of structural elements since the line before, and both
tags of its links. Images, form controls and line breaks, including those in PRE, count as tags, too. These lines are
clearly better than those of the source.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from scrapy_blockfilter.extras.papers.one_page import RADIUS, Floats, SinglePageMethod, k_means, shares, smoothed
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CHARS, CONTROLS, IMAGES, LINES, LINKS
from scrapy_blockfilter.html.subtrees import running_sums
from scrapy_blockfilter.methods.base import Verdict, reason_later
from scrapy_blockfilter.options import Arguments, Options, option

# Lines over which a change is measured. 2 or 5 make hardly any difference.
_AHEAD = 3


@dataclass(frozen=True)
class TagRatioArguments(Arguments):
    radius: int = option(4, RADIUS, "Number of lines on each side for smoothing tag ratios.")


class TagRatio(SinglePageMethod):
    name = "tag_ratio"
    arguments = TagRatioArguments

    def verdicts(self, page: Page, shown: list[int], options: Options) -> Iterable[Verdict]:
        radius = options.arguments(TagRatioArguments).radius
        chars, tags = lines(page)
        ratios = (chars / np.maximum(tags, 1))[shown]
        smooth = smoothed(ratios, radius)
        if options.paper_defaults:
            distances, threshold = smooth, float(smooth.std())
            keep, scores = distances >= threshold, shares(distances, np.full_like(distances, threshold))
            against = f"threshold {threshold:.1f}"
        else:
            points = np.stack([smooth, np.abs(smoothed(changes(smooth), radius))], axis=1)
            distances = np.linalg.norm(points, axis=1)
            farthest = points[int(np.argmax(distances))]
            # Lines in the cluster of the origin are not content.
            members, centroids = k_means(points, np.stack([np.zeros_like(farthest), farthest]), fixed=1)
            keep, scores = members > 0, shares(distances, np.linalg.norm(points - centroids[1], axis=1))
            against = f"content's centroid at {float(np.linalg.norm(centroids[1])):.1f}"
        for one, score, ratio, distance in zip(
            keep.tolist(), scores.tolist(), ratios.tolist(), distances.tolist(), strict=True
        ):
            yield Verdict(one, score, reason_later("ratio", _REASON, ratio, distance, against))


def lines(page: Page) -> tuple[Floats, Floats]:
    """Return the numbers of characters and tags of each line of a page, as this module defines lines."""
    numbers = page.numbers
    opened = np.diff(np.maximum.accumulate(page.nodes), prepend=-1)
    tags = opened + 2 * numbers[:, LINKS] + numbers[:, IMAGES] + numbers[:, CONTROLS] + numbers[:, LINES]
    return numbers[:, CHARS].astype(np.float64), tags.astype(np.float64)


def changes(ratios: Floats) -> Floats:
    """Return, for each line, the mean ratio of the ``_AHEAD`` lines from it on, minus its own ratio."""
    sums = running_sums(ratios)
    here = np.arange(len(ratios))
    ends = np.minimum(here + _AHEAD, len(ratios))
    return np.asarray((sums[ends] - sums[:-1]) / (ends - here) - ratios)


_REASON = "tag ratio {:.1f}, with its neighbours {:.1f}, {}"
