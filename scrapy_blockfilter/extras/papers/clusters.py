"""Fit a method to each cluster of a site's pages: the argument ``cluster``.

A shop with a blog and a forum has three templates. Blocks on each page of the forum may be on a tenth of the site's
pages. Its own cluster shows them from the first N pages on.

Ma et al. (2003, section 2) take their clusters from Crescenzi, Mecca, Merialdo: Wrapping-Oriented Classification of Web
Pages, 2002, and Lin & Ho (2002, section 4) assume that they are known. Pages of one template are alike in four
measures, each from 0 to 1:

- links: in which style paths links stand;
- tag probability: which share of the elements each tag has;
- tag periodicity: after how many elements each tag comes again;
- style paths, in place of the paper's distance from the home page and of its URL, which page records do not have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CHARS, LINK_CHARS
from scrapy_blockfilter.methods.base import Comment, FittedMethod, Method, Rescues, Verdict
from scrapy_blockfilter.options import Options

# Pages less alike on average are of different clusters. This value separates kinds best on 90 sites to build with.
ALIKE = 0.6
# Elements between a tag and its next at the most: longer distances count as this one.
_LONGEST_PERIOD = 16
Name = TypeVar("Name", bound=Hashable)


class Shape(NamedTuple):
    """The structure of a page, or what the pages of a cluster share."""

    links: Mapping[int, float]  # weight of each style path that links stand in, 1 on a page that has it
    slots: Mapping[int, float]  # the same of all style paths
    tags: Mapping[str, float]  # share of each tag
    periods: Mapping[tuple[str, int], float]  # share of each tag with the distance to its next


def shape_of(page: Page) -> Shape:
    """Return the structure of a page."""
    slots = page.slots.tolist()
    of_links = 2 * page.numbers[:, LINK_CHARS] >= page.numbers[:, CHARS].clip(1)
    links = dict.fromkeys((slots[node] for node in page.nodes[of_links].tolist()), 1.0)
    last: dict[str, int] = {}
    periods: Counter[tuple[str, int]] = Counter()
    for place, tag in enumerate(page.tags):
        periods[tag, min(_LONGEST_PERIOD, place - last.get(tag, -_LONGEST_PERIOD))] += 1
        last[tag] = place
    return Shape(links, dict.fromkeys(slots, 1.0), _shares(Counter(page.tags)), _shares(periods))


def likeness(one: Shape, other: Shape) -> float:
    """Return how alike two shapes are, from 0 to 1."""
    sets = _shared(one.links, other.links) + _shared(one.slots, other.slots)
    return (sets + _overlap(one.tags, other.tags) + _overlap(one.periods, other.periods)) / 4


def clusters(shapes: Sequence[Shape]) -> list[list[int]]:
    """Group pages: join the two groups whose pages are most alike on average, as long as they are ``ALIKE``.

    Each group is sorted, and larger groups come first.
    """
    groups = [[number] for number in range(len(shapes))]
    pairs = [[likeness(one, other) for other in shapes] for one in shapes]
    while len(groups) > 1:
        best, one, other = max(
            (_linkage(pairs, groups[one], groups[other]), -one, -other)
            for one in range(len(groups))
            for other in range(one + 1, len(groups))
        )
        if best < ALIKE:
            break
        groups[-one] = sorted(groups[-one] + groups.pop(-other))
    return sorted(groups, key=lambda group: (-len(group), group))


def _linkage(pairs: Sequence[Sequence[float]], one: Sequence[int], other: Sequence[int]) -> float:
    return sum(pairs[a][b] for a in one for b in other) / (len(one) * len(other))


def _shares(counts: Mapping[Name, int]) -> dict[Name, float]:
    total = sum(counts.values())
    return {name: count / total for name, count in counts.items()}


def _mean(weights: Sequence[Mapping[Name, float]]) -> dict[Name, float]:
    total: dict[Name, float] = {}
    for of_one in weights:
        for name, weight in of_one.items():
            total[name] = total.get(name, 0.0) + weight / len(weights)
    return total


def _shared(one: Mapping[Name, float], other: Mapping[Name, float]) -> float:
    """Return the weight that two have in common, relative to all of it: Jaccard's index of sets."""
    common = _overlap(one, other)
    every = sum(one.values()) + sum(other.values()) - common
    return common / every if every else 1.0


def _overlap(one: Mapping[Name, float], other: Mapping[Name, float]) -> float:
    if len(other) < len(one):
        one, other = other, one
    return sum(min(weight, other[name]) for name, weight in one.items() if name in other)


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
        centres = [Shape(*map(_mean, zip(*(shapes[number] for number in group), strict=True))) for group in groups]
        return FittedClusters(whole, list(zip(centres, fitted, strict=True)))


class FittedClusters(FittedMethod):
    """A method fitted to all pages, and to each cluster."""

    def __init__(self, whole: FittedMethod, fitted: Sequence[tuple[Shape, FittedMethod]]) -> None:
        self._whole = whole
        self._clusters = fitted

    @property
    def rescues(self) -> Rescues:  # type: ignore[override]  # those of the method
        return self._whole.rescues

    def _of(self, page: Page, *, whole: bool = True) -> FittedMethod:
        """Return the method fitted to a page's cluster; for a fragment, which does not show it, to all pages."""
        if not whole:
            return self._whole
        shape = shape_of(page)
        best, place = max((likeness(shape, known), -place) for place, (known, _) in enumerate(self._clusters))
        return self._clusters[-place][1] if best >= ALIKE else self._whole

    def judge(self, page: Page, *, whole: bool) -> Sequence[Verdict]:
        return self._of(page, whole=whole).judge(page, whole=whole)

    def repetition(self, page: Page, *, whole: bool) -> Sequence[Verdict] | None:
        return self._of(page, whole=whole).repetition(page, whole=whole)

    def pages_compared(self) -> int:
        return self._whole.pages_compared()

    def comments(self, page: Page) -> Sequence[Comment]:
        return self._of(page).comments(page)

    def hidden_parts(self, page: Page, keep: Sequence[bool]) -> Sequence[int]:
        return self._of(page).hidden_parts(page, keep)
