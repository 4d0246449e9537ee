"""A page as columns of numbers: the input of the default method, and what a page record keeps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.html.names import hints_of
from scrapy_blockfilter.html.paths import style_label
from scrapy_blockfilter.html.tags import HEADINGS
from scrapy_blockfilter.text.characters import DIGIT, KINDS, WIDE, count_kinds
from scrapy_blockfilter.text.figures import LONGEST, meaning_of_figures

if TYPE_CHECKING:
    from scrapy_blockfilter.html.page import Page

Integers = npt.NDArray[np.int64]

# Columns of ``PageColumns.numbers``, after one count per kind of character.
CHARS, LINK_CHARS, IMAGES, LINKS, CONTROLS, LAST_KIND, LINES, TITLE, FIGURES = range(KINDS, KINDS + 9)
WIDTH = KINDS + 9

_TALLIED = (0, 1, 3)  # every count in ``Counts`` but scripts
_WORD = re.compile(r"\w+")
_LETTERS = re.compile(r"[^\W\d_]+")
# Blocks within these lengths (in characters) are compared with the TITLE of the page.
LEAST_TITLE, MOST_TITLE = 4, 249
# Characters of the TITLE that are read. The bound limits the search for every block in it.
LONGEST_TITLE = 2_000


@dataclass(frozen=True, eq=False)
class PageColumns:
    """Numbers of the blocks and structural elements ("nodes") of a page, in document order.

    Attributes:
        keys: key of each block.
        nodes: index of each block's node.
        numbers: one row per block: characters by kind, then ``CHARS`` to ``LINES``. ``TITLE`` is the agreement with the
            page's TITLE in per cent, ``FIGURES`` says whether the block is a date or a price.
        tags, parents: tag of each node, and index of its parent node (-1 for the root).
        slots, tag_paths: hashes of each node's style path and tag path.
        hints: hints of each node's names, as bits.
    """

    keys: Integers
    nodes: Integers
    numbers: Integers
    tags: Sequence[str]
    parents: Sequence[int]
    slots: Integers
    tag_paths: Integers
    hints: Sequence[int]

    @cached_property
    def weights(self) -> npt.NDArray[np.float32]:
        """Text length of each block; a character of a script without spaces counts as three."""
        return (self.numbers[:, CHARS] + 2 * self.numbers[:, WIDE]).astype(np.float32)

    @cached_property
    def distinct_keys(self) -> tuple[Integers, Integers, Integers]:
        """The sorted distinct keys, the place of each block's key among them, and the number of blocks per key."""
        return np.unique(self.keys, return_inverse=True, return_counts=True)


def columns_of(page: Page) -> PageColumns:
    """Return the columns of a segmented page."""
    blocks = page.blocks
    texts = [block.text for block in blocks]
    numbers = np.zeros((len(blocks), WIDTH), np.int64)
    if blocks:
        numbers[:, :KINDS], numbers[:, LAST_KIND] = count_kinds(texts)
        numbers[:, CHARS] = numbers[:, :KINDS].sum(axis=1)
        numbers[:, LINK_CHARS] = [block.link_chars for block in blocks]
        numbers[:, IMAGES : CONTROLS + 1] = np.array([block.tally for block in blocks], np.int64)[:, _TALLIED]
        numbers[:, LINES] = [text.count("\n") for text in texts]
        numbers[:, TITLE] = _agreement_with_title(page, texts)
        numbers[:, FIGURES] = _figures(numbers, texts)
    slots, tag_paths, hints = page.paths
    return PageColumns(
        keys=np.array([block.key for block in blocks], np.int64),
        nodes=np.array([block.node for block in blocks], np.int64),
        numbers=numbers,
        tags=page.structure.tags,
        parents=page.structure.parents,
        slots=slots,
        tag_paths=tag_paths,
        hints=_without_slugs(page, hints).tolist(),
    )


def _figures(numbers: Integers, texts: Sequence[str]) -> Integers:
    """Return what the figures of each block mean: a date, a price, or 0. Long blocks get 0."""
    found = np.zeros(len(texts), np.int64)
    for place in np.flatnonzero((numbers[:, DIGIT] > 0) & (numbers[:, CHARS] < LONGEST)).tolist():
        found[place] = meaning_of_figures(texts[place])
    return found


def _without_slugs(page: Page, hints: Integers) -> Integers:
    """Return the hints of the nodes, ignoring an ID that is a slug of the heading in the node.

    The ID ``responses`` of a section on a method of that name says nothing of readers' responses.
    """
    said = hints
    tags, parents = page.structure.tags, page.structure.parents
    for block in page.blocks:
        if tags[block.node] in HEADINGS:
            for node in (parents[block.node], parents[parents[block.node]]):
                identifier = page.elements[page.ordinals[node]].get("id") if node > 0 and said[node] else None
                if identifier and is_slug(identifier, block.text):
                    if said is hints:
                        said = hints.copy()
                    said[node] = hints_of_classes(tags[node], page.elements[page.ordinals[node]].get("class", ""))
    return said


def hints_of_classes(tag: str, classes: str) -> int:
    """Return the hints of an element's tag and class, without those of its ID."""
    return hints_of(tag, style_label(tag, classes, ""))


def is_slug(identifier: str, text: str) -> bool:
    """Return whether an ID consists of words of a text.

    >>> is_slug("related-work-2", "3. Related work"), is_slug("comments", "12 responses")
    (True, False)
    """
    words = set(_LETTERS.findall(identifier.lower()))
    return bool(words) and words <= set(_LETTERS.findall(text.lower()))


def _agreement_with_title(page: Page, texts: Sequence[str]) -> list[int]:
    """Return how much of the TITLE each block repeats, in per cent. Headings are also compared word by word."""
    tags = list(map(page.structure.tags.__getitem__, [block.node for block in page.blocks]))
    titles = [text for tag, text in zip(tags, texts, strict=True) if tag == "title"] if "title" in tags else []
    title = " ".join(titles)[:LONGEST_TITLE].lower()
    if not title:
        return [0] * len(texts)
    longest = min(len(title), MOST_TITLE)  # a longer text is no part of the TITLE
    title_words = words_of(title)
    agreement = [0] * len(texts)
    for place, text in enumerate(texts):
        size = len(text)
        if LEAST_TITLE <= size <= MOST_TITLE and (size <= longest or tags[place] in HEADINGS):
            lowered = text.lower()
            if lowered in title:
                agreement[place] = 100 * len(lowered) // len(title)
            elif tags[place] in HEADINGS:
                agreement[place] = agreement_of_words(lowered, title_words)
    return agreement


def words_of(text: str) -> set[str]:
    return set(_WORD.findall(text))


def agreement_of_words(heading: str, title_words: set[str]) -> int:
    """Return how many words a heading has in common with the TITLE, in per cent, less as their order is unknown."""
    words = words_of(heading)
    return 70 * len(words & title_words) // max(1, len(words | title_words))
