"""What a page is after segmenting: its blocks in document order, and the structure they sit in."""

from __future__ import annotations

import weakref
from collections.abc import Container, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import numpy.typing as npt
from lxml import etree

from scrapy_blockfilter.html.block import Block
from scrapy_blockfilter.html.columns import PageColumns, columns_of
from scrapy_blockfilter.html.paths import style_label

if TYPE_CHECKING:
    from scrapy_blockfilter.html.known import Known
    from scrapy_blockfilter.html.segmenters import Segmenter

T = TypeVar("T")

# A piece of a block is a text node or an image: 4 * ordinal of an element in document order + what of the element.
TEXT, TAIL, IMAGE = 0, 1, 2


class Structure:
    """The structural elements of a page as two parallel tuples, in document order; 0 is the root.

    ``tags[i]`` is an element's tag, ``parents[i]`` the index of the structural element around it (the root: -1).
    """

    __slots__ = ("_nearest", "parents", "tags")

    def __init__(self, tags: Sequence[str], parents: Sequence[int]) -> None:
        self.tags = tuple(tags)
        self.parents = tuple(parents)
        self._nearest: dict[frozenset[str], list[int]] = {}

    def nearest(self, tags: frozenset[str]) -> list[int]:
        """For each element the index of the nearest one around it, itself counted, whose tag is in ``tags``, or -1."""
        found = self._nearest.get(tags)
        if found is None:
            found = [-1] * len(self.tags)  # the parent -1 of the root stands for the last, which comes last
            if not tags.isdisjoint(self.tags):
                for index, (tag, parent) in enumerate(zip(self.tags, self.parents, strict=True)):
                    found[index] = index if tag in tags else found[parent]
            self._nearest[tags] = found
        return found


class Page:
    """One HTML document, segmented.

    Attributes:
        root: its tree; None when it has been released.
        elements: the elements, comments and processing instructions of the tree in document order.
        structure: the structural elements.
        ordinals: of each structural element its place in ``elements``.
        chunks: the text between two structural tags, in document order; the first may be the TITLE.
        segmenter: what has made larger blocks of them, None for nothing.
        blocks: what is judged: the chunks, or runs of them where a segmenter has made larger blocks.
        element_parents: of each of ``elements`` the place of its parent (the root: -1).
        pieces: text nodes and images of the blocks, for rendering: ``4 * place of the element + TEXT, TAIL or IMAGE``.
        paths: what is known of the path of each structural element: see :meth:`PathTable.known_of`.
        raw: places of those whose text is no markup.
        whole: True for a whole document, False for a fragment, whose paths do not start at the root of its page.
        declared_language: two-letter code, "" where the page names none.
    """

    def __init__(self, root: etree._Element | None, known: Known, *, whole: bool) -> None:
        self.root = root
        # Weak, for its blocks: without a cycle a page goes, tree and all, when it is done with, and not when the
        # garbage collector comes to it. That took a tenth of the time of cleaning.
        self.reference = weakref.ref(self)
        self.known = known
        self.whole = whole
        self.segmenter: Segmenter | None = None
        self.chunks: list[Block] = []
        self.blocks = self.chunks
        self.structure = Structure((), ())
        self.elements: list[etree._Element] = []
        self.ordinals: list[int] = []
        self.element_parents: list[int] = []
        self.pieces: list[int] = []
        self.paths: npt.NDArray[np.int64] = np.zeros((3, 0), np.int64)
        self.raw: list[int] = []
        self.declared_language = ""

    def release_tree(self) -> etree._Element:
        """The root of the tree, for one who takes it apart; the page has it no more."""
        root, self.root = self.root, None
        assert root is not None, "the tree has been released before"
        return root

    def of_chunks(self, of_blocks: Sequence[T]) -> Sequence[T]:
        """Of each chunk what there is of the block that it is in."""
        if self.blocks is self.chunks:
            return of_blocks
        spread: list[T] = []
        chunks = iter(self.chunks)
        for block, value in zip(self.blocks, of_blocks, strict=True):
            spread.append(value)
            while next(chunks).piece_end < block.piece_end:
                spread.append(value)
        return spread

    def take_apart(self, numbers: Container[int]) -> list[int]:
        """Put the chunks of some blocks in their place. Returns of each block now the number of the one it was in."""
        origins: dict[Block, int] = {}
        for chunk, number in zip(self.chunks, self.of_chunks(range(len(self.blocks))), strict=True):
            origins[chunk if number in numbers else self.blocks[number]] = number
        self.blocks = list(origins)
        self.__dict__.pop("columns", None)  # they were of the blocks before
        return list(origins.values())

    @cached_property
    def language(self) -> str:
        """Two-letter code: what the page declares, else guessed from its function words; "" if unknown."""
        return self.declared_language or self.known.terms.guess_language(block.text for block in self.blocks)

    @cached_property
    def slots(self) -> list[int]:
        """Of each structural element the hash of its style path."""
        slots: list[int] = self.paths[0].tolist()
        return slots

    @cached_property
    def tag_paths(self) -> list[int]:
        """Of each structural element the hash of its tag path."""
        tag_paths: list[int] = self.paths[1].tolist()
        return tag_paths

    @cached_property
    def columns(self) -> PageColumns:
        """Numbers of its blocks and structural elements."""
        return columns_of(self)

    def prepare_terms(self, indices: Iterable[int]) -> None:
        """Make the terms of these blocks, at once for less than one by one."""
        blocks = [block for block in map(self.blocks.__getitem__, indices) if block._terms is None]
        made = self.known.terms.terms_of_each([block.words for block in blocks], self.language)
        for block, terms in zip(blocks, made, strict=True):
            block._terms = terms

    def path_of(self, node: int) -> str:
        """Style path of a structural element: tags with class and id from the root down, digits folded."""
        labels: list[str] = []
        while node >= 0:
            element = self.elements[self.ordinals[node]]
            labels.append(style_label(self.structure.tags[node], element.get("class", ""), element.get("id", "")))
            node = self.structure.parents[node]
        return "/".join(reversed(labels))
