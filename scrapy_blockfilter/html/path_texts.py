"""Style paths as text, for people. Paths that are long are cut in their middle.

4,000 levels with a block at each would otherwise take 8 million steps, and as many names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scrapy_blockfilter.html.paths import MAX_LABEL, style_label

if TYPE_CHECKING:
    from lxml import etree

# Characters of a path. The longest of 232 real pages was 673.
LONGEST_PATH = 2_000
_HALF = LONGEST_PATH // 2 - 20


class PathTexts:
    """The paths of a page.

    Args:
        elements: the structural elements.
        tags, parents: of each, as in :class:`scrapy_blockfilter.html.page.Structure`.
    """

    def __init__(self, elements: Sequence[etree._Element], tags: Sequence[str], parents: Sequence[int]) -> None:
        self._parents = parents
        self._labels = [
            style_label(tag[:MAX_LABEL], element.get("class", ""), element.get("id", ""))
            for element, tag in zip(elements, tags, strict=True)
        ]
        self._lengths: list[int] = []
        self._levels: list[int] = []
        self._firsts: list[int] = []  # the last ancestor of each whose path fits into the first half
        for node, (label, parent) in enumerate(zip(self._labels, parents, strict=True)):
            self._lengths.append(len(label) + (self._lengths[parent] + 1 if parent >= 0 else 0))
            self._levels.append(self._levels[parent] + 1 if parent >= 0 else 1)
            self._firsts.append(node if self._lengths[node] <= _HALF else self._firsts[parent])

    def of(self, node: int) -> str:
        """Return the path of an element, with "…" and the number of levels in place of those left out."""
        if self._lengths[node] <= LONGEST_PATH:
            return self._between(node, -1)
        first, above = self._firsts[node], node
        while self._lengths[node] - self._lengths[above] + len(self._labels[above]) <= _HALF:
            above = self._parents[above]
        left_out = self._levels[above] - self._levels[first]
        return "/".join(
            filter(None, (self._between(first, -1), f"… {left_out:,} levels …", self._between(node, above)))
        )

    def _between(self, node: int, end: int) -> str:
        labels = []
        while node != end:
            labels.append(self._labels[node])
            node = self._parents[node]
        return "/".join(reversed(labels))
