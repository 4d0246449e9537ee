"""Fit a method to each cluster of a site's pages: ``BLOCKFILTER_CLUSTER = "structure"``.

A shop with a blog and a forum has three templates. Blocks on each page of the forum may be on a tenth of the site's
pages. Its own cluster shows them from the first N pages on.
"""

from __future__ import annotations

from collections.abc import Sequence

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.methods.base import Comment, FittedMethod, Method, Rescues, Verdict
from scrapy_blockfilter.methods.tools.page_clusters import ALIKE, Shape, centre, clusters, likeness, shape_of
from scrapy_blockfilter.options import Options

# Fewer pages show no template: two may share a text by chance.
_LEAST_PAGES = 3


class Clustered(Method):
    """Another method, fitted to clusters of pages.

    A cluster of fewer than three pages is judged by what all pages show, and so is a page that is like no cluster.
    """

    def __init__(self, method: Method) -> None:
        self._method = method
        self.name = method.name  # type: ignore[misc]  # that of one method, not of all that are fitted to clusters
        self.tells_copies = method.tells_copies  # type: ignore[misc]

    def fit(self, pages: Sequence[Page], options: Options) -> FittedMethod:
        whole = self._method.fit(pages, options)
        shapes = [shape_of(page) for page in pages]
        groups = clusters(shapes)
        if len(groups) < 2:
            return whole
        fitted = [
            self._method.fit([pages[number] for number in group], options) if len(group) >= _LEAST_PAGES else whole
            for group in groups
        ]
        centres = [centre([shapes[number] for number in group]) for group in groups]
        return FittedClusters(whole, list(zip(centres, fitted, strict=True)))


class FittedClusters(FittedMethod):
    """A method fitted to all pages, and to each cluster."""

    def __init__(self, whole: FittedMethod, fitted: Sequence[tuple[Shape, FittedMethod]]) -> None:
        self._whole = whole
        self._clusters = fitted

    @property
    def rescues(self) -> Rescues:  # type: ignore[override]  # those of the method
        return self._whole.rescues

    def of(self, page: Page) -> FittedMethod:
        """Return the method fitted to the cluster that a whole page is of."""
        shape = shape_of(page)
        alike = [(likeness(shape, known), -place) for place, (known, _) in enumerate(self._clusters)]
        best, place = max(alike)
        return self._clusters[-place][1] if best >= ALIKE else self._whole

    def judge(self, page: Page, *, whole: bool) -> Sequence[Verdict]:
        """Return the verdicts. A fragment does not show what cluster it is of."""
        return (self.of(page) if whole else self._whole).judge(page, whole=whole)

    def repetition(self, page: Page, *, whole: bool) -> Sequence[Verdict] | None:
        return (self.of(page) if whole else self._whole).repetition(page, whole=whole)

    def pages_compared(self) -> int:
        return self._whole.pages_compared()

    def comments(self, page: Page) -> Sequence[Comment]:
        return self.of(page).comments(page)
