"""Features for Louvan's classifiers: of an element as a segment, from the tree, and from its box if it has a box."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.extras.papers.one_page import Floats
from scrapy_blockfilter.extras.papers.visual.visual_tree import ShownElements
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CHARS, CONTROLS, IMAGES, LINK_CHARS, LINKS
from scrapy_blockfilter.html.subtrees import Tree, running_sums
from scrapy_blockfilter.html.tags import HEADINGS, LISTS, TABLE_TAGS
from scrapy_blockfilter.text.characters import SPACE

_COUNTED = {
    "forms": frozenset({"form"}),
    "table elements": TABLE_TAGS,
    "lists": LISTS,
    "headings": HEADINGS,
    "paragraphs": frozenset({"p"}),
}
# Louvan, section 2.2: "inner text, inner html, number of images, number of forms, number of
# table elements, number of links etc.". He adds stop words, the ratio of anchored to inner text, and the DOM height.
# Inner HTML is counted in elements.
NAMES = (*("text", "elements", "images", "links", "controls", "stop words", "anchored", "height"), *_COUNTED)
# "Visual representation: position coordinates of the DOM node, width and height."
VISUAL_NAMES = (*NAMES, "left", "top", "box width", "box height")


def visual_features(page: Page) -> Floats | None:
    """Return the features ``VISUAL_NAMES`` of each structural element; None for a page without boxes."""
    if not page.boxes:
        return None
    return np.hstack([segment_features(page), np.array(ShownElements(page).boxes(), np.float64).reshape(-1, 4)])


def segment_features(page: Page) -> Floats:
    """Return the features ``NAMES`` of each structural element's subtree: shape (elements, features)."""
    tree = Tree.of(page)
    inside = running_sums(_of_blocks(page))
    text, linked, images, links, controls, stops = (inside[tree.ends] - inside[tree.starts]).T
    sizes, heights = _shape(page)
    tags = page.tags
    is_kind = np.array([[tag in kind for kind in _COUNTED.values()] for tag in tags], np.float64)
    kinds = running_sums(is_kind)
    first = np.arange(len(tags))
    elements = sizes + links + images + controls
    anchored = linked / np.maximum(text, 1)
    return np.column_stack(
        [text, elements, images, links, controls, stops, anchored, heights, kinds[first + sizes] - kinds[first]]
    )


def _of_blocks(page: Page) -> Floats:
    """Return the features of each block that are summed over elements."""
    numbers = page.numbers
    page.prepare_terms(range(len(page.blocks)))
    # Stop words are words that make no term. In scripts without spaces, terms (pairs of characters) outnumber words.
    words = numbers[:, SPACE] + (numbers[:, CHARS] > 0)
    stops = np.maximum(0, words - np.array([len(page.terms[block]) for block in range(len(page.blocks))], np.int64))
    counted = [numbers[:, column] for column in (CHARS, LINK_CHARS, IMAGES, LINKS, CONTROLS)]
    return np.column_stack([*counted, stops]).astype(np.float64)


def _shape(page: Page) -> tuple[npt.NDArray[np.intp], Floats]:
    """Return the number of elements in each structural element's subtree, including itself, and its height."""
    parents = page.parents
    sizes, heights = [1] * len(parents), [0] * len(parents)
    for node in range(len(parents) - 1, 0, -1):
        parent = parents[node]
        sizes[parent] += sizes[node]
        heights[parent] = max(heights[parent], heights[node] + 1)
    return np.array(sizes, np.intp), np.array(heights, np.float64)
