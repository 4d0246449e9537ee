"""Features of larger blocks: amounts of text, paragraphs, links and so on (Debnath et al. 2005, section 3.2.1).

Headings, paragraphs and lists are features of a block in the paper, so pages are cut at the containers around them, not
at each paragraph. The paper also names applets and style sheets, which never add text to a block and are not counted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CHARS, CONTROLS, IMAGES, LINK_CHARS, LINKS
from scrapy_blockfilter.html.tags import HEADINGS, LISTS
from scrapy_blockfilter.methods.tools.block_sets import CONTAINER_TAGS

Floats = npt.NDArray[np.float64]

# Features of a block: text outside links, and numbers of elements.
FEATURES = ("text", "paragraphs", "headings", "lists", "images", "links", "controls", "scripts")
_COUNTED_TAGS = {"paragraphs": frozenset({"p"}), "headings": HEADINGS, "lists": LISTS}


class ContainerBlocks(NamedTuple):
    """The blocks made by the containers of a page, in document order.

    Attributes:
        members: number of the block that each text chunk of the page belongs to, shape (n,).
        amounts: amount of each of ``FEATURES`` in each block, shape (m, features). Text is measured in characters
            outside links; a character of a script without spaces counts as three. A TITLE has no features.
    """

    members: npt.NDArray[np.intp]
    amounts: Floats


def container_blocks(page: Page) -> ContainerBlocks:
    """Cut a page at ``CONTAINER_TAGS``."""
    numbers = page.numbers
    nearest = np.array(page.nearest(CONTAINER_TAGS), np.int64)
    containers, members = np.unique(nearest[page.nodes], return_inverse=True)

    def summed(of_chunks: npt.ArrayLike) -> Floats:
        return np.bincount(members, of_chunks, len(containers)).astype(np.float64)

    def elements(tags: frozenset[str]) -> npt.NDArray[np.intp]:
        around = nearest[np.array([node for node, tag in enumerate(page.tags) if tag in tags], np.intp)]
        counts = np.bincount(around + 1, minlength=len(nearest) + 1)  # -1 is the parent of the root
        return counts[containers + 1]

    amounts = {
        "text": summed(page.weights * (1 - np.minimum(1.0, numbers[:, LINK_CHARS] / np.maximum(1, numbers[:, CHARS])))),
        "images": summed(numbers[:, IMAGES]),
        "links": summed(numbers[:, LINKS]),
        "controls": summed(numbers[:, CONTROLS]),
        "scripts": summed(page.scripts),
        **{feature: elements(tags) for feature, tags in _COUNTED_TAGS.items()},
    }
    matrix = np.stack([amounts[feature] for feature in FEATURES], axis=1).astype(np.float64)
    matrix[[page.tags[container] == "title" for container in containers]] = 0
    return ContainerBlocks(members, matrix)
