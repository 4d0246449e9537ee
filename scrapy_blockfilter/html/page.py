"""A segmented page: its blocks in document order, and the elements that hold them."""

from __future__ import annotations

import weakref
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np
import numpy.typing as npt
from lxml import etree

from scrapy_blockfilter.html.block import Block
from scrapy_blockfilter.html.columns import PageColumns, columns_of
from scrapy_blockfilter.html.path_texts import PathTexts
from scrapy_blockfilter.html.structure import Structure

if TYPE_CHECKING:
    from scrapy_blockfilter.html.known import Known
    from scrapy_blockfilter.html.segmenters import Segmenter

T = TypeVar("T")

# A piece of a block is a text node or an image, stored as 4 * ordinal of its element + one of these.
TEXT, TAIL, IMAGE = 0, 1, 2


class Made(Protocol):
    """Chunks and columns of a page, as native code makes them."""

    @property
    def columns(self) -> PageColumns: ...
    @property
    def paths(self) -> npt.NDArray[np.int64]: ...
    @property
    def piece_ends(self) -> Sequence[int]: ...
    def chunks(self, page: Page) -> list[Block]: ...
    def sizes(self) -> list[int]: ...
    def texts_of(self, chunks: Sequence[int]) -> list[str]: ...


class Page:
    """A segmented HTML document or fragment.

    Attributes:
        root: root of its tree, or None once released. Native code only reads the tree and never releases it.
        fingerprint: of the tree as it was segmented, if someone else holds it and may change it.
        elements: the elements, comments and processing instructions of the tree, in document order.
        structure: the structural elements.
        ordinals: place in ``elements`` of each structural element.
        chunks: text chunks in document order; the first may be the TITLE.
        segmenter: the segmenter that joined chunks to larger blocks, or None.
        blocks: the parts to judge: the chunks, or runs of chunks that a segmenter joined.
        element_parents: place in ``elements`` of each element's parent (-1 for the root).
        pieces: text nodes and images of the blocks, for rendering: ``4 * place of the element + TEXT, TAIL or IMAGE``.
        paths: hashes and hints of each structural element's path, as :meth:`PathTable.known_of` returns them.
        path_table: numbers these paths.
        boxes: what a browser has written on elements, by their place in ``elements``: see
            :mod:`scrapy_blockfilter.html.boxes`. Empty for other pages.
        lacks_boxes: the segmenter divides by boxes, and too little of the text has one: it has divided as "dom" does.
        whole: False for a fragment, whose paths do not start at the root of its page.
        declared_language: two-letter code, or "" if the page declares none.
        selectors: whether each of the user's selectors that were tried on the page matches an element of it.
        made: what native code has made of the page, None if Python walked it. Chunks, blocks and elements are then made
            when they are first asked for. Cleaning with the default method needs none of them, only ``columns``.
    """

    def __init__(self, root: etree._Element | None, known: Known, *, whole: bool) -> None:
        self.root = root
        self.fingerprint: int | None = None
        # Blocks refer to their page weakly. Without a cycle, a page and its tree are freed at once. With one, garbage
        # collection took a tenth of the time of cleaning.
        self.reference = weakref.ref(self)
        self.known = known
        self.whole = whole
        self.segmenter: Segmenter | None = None
        self.boxes: dict[int, str] = {}
        self.lacks_boxes = False
        self.structure = Structure((), ())
        self.ordinals: Sequence[int] = ()
        self.element_parents: Sequence[int] = ()
        self.pieces: Sequence[int] = ()
        self.path_table = known.paths_of_page()
        self.declared_language = ""
        self.selectors: Mapping[str, bool] = {}
        self.made: Made | None = None

    @cached_property
    def paths(self) -> npt.NDArray[np.int64]:
        return np.zeros((3, 0), np.int64) if self.made is None else self.made.paths

    @cached_property
    def chunks(self) -> list[Block]:
        return [] if self.made is None else self.made.chunks(self)

    @cached_property
    def blocks(self) -> list[Block]:
        return self.chunks

    @cached_property
    def elements(self) -> list[etree._Element]:
        assert self.root is not None, "the tree has been released"
        return list(self.root.iter())

    def release_tree(self) -> etree._Element:
        """Return the root of the tree to a caller that will change it, and forget it.

        The elements stay those of the tree as it is now.
        """
        root = self.root
        assert root is not None, "the tree has been released before"
        self.elements = self.elements  # made now, if they have not been
        self.root = None
        return root

    @cached_property
    def nodes_of_chunks(self) -> list[int]:
        """Index of each chunk's node."""
        if self.made is None:
            return [chunk.node for chunk in self.chunks]
        nodes: list[int] = self.made.columns.nodes.tolist()
        return nodes

    @cached_property
    def ends_of_chunks(self) -> Sequence[int]:
        """Where in ``pieces`` each chunk ends; it begins where the one before ends."""
        return [chunk.piece_end for chunk in self.chunks] if self.made is None else self.made.piece_ends

    def sizes_of_blocks(self) -> list[int]:
        """Return the bytes of each block's text, in UTF-8."""
        if self.made is not None and self.segmenter is None:
            return self.made.sizes()
        texts = (block.text for block in self.blocks)
        return [len(text) if text.isascii() else len(text.encode("utf-8", "replace")) for text in texts]

    def texts_of_chunks(self, numbers: Sequence[int]) -> list[str]:
        """Return the texts of some chunks."""
        if self.made is None:
            return [self.chunks[number].text for number in numbers]
        return self.made.texts_of(numbers)

    def of_chunks(self, of_blocks: Sequence[T]) -> Sequence[T]:
        """Spread values of blocks: return, for each chunk, the value of its block."""
        if self.segmenter is None:
            return of_blocks
        spread: list[T] = []
        chunks = iter(self.chunks)
        for block, value in zip(self.blocks, of_blocks, strict=True):
            spread.append(value)
            while next(chunks).piece_end < block.piece_end:
                spread.append(value)
        return spread

    def take_apart(self, numbers: Container[int]) -> list[int]:
        """Replace some blocks by their chunks. Return, for each new block, the number of the old block it was in."""
        origins: dict[Block, int] = {}
        for chunk, number in zip(self.chunks, self.of_chunks(range(len(self.blocks))), strict=True):
            origins[chunk if number in numbers else self.blocks[number]] = number
        self.blocks = list(origins)
        self.__dict__.pop("columns", None)  # they describe the old blocks
        return list(origins.values())

    @cached_property
    def language(self) -> str:
        """Two-letter code that the page declares, else a guess from its function words, or "" if unknown."""
        return self.declared_language or self.known.terms.guess_language(block.text for block in self.blocks)

    def forget_language(self) -> None:
        """Forget the guess, for whoever knows the language of the page's site."""
        self.__dict__.pop("language", None)

    @cached_property
    def slots(self) -> list[int]:
        """Hash of each structural element's style path."""
        slots: list[int] = self.paths[0].tolist()
        return slots

    @cached_property
    def tag_paths(self) -> list[int]:
        """Hash of each structural element's tag path."""
        tag_paths: list[int] = self.paths[1].tolist()
        return tag_paths

    @cached_property
    def columns(self) -> PageColumns:
        """Numbers of the blocks and structural elements."""
        if self.made is not None and self.segmenter is None:
            return self.made.columns
        return columns_of(self)

    def prepare_terms(self, indices: Iterable[int]) -> None:
        """Compute the terms of these blocks together, which is faster than one by one."""
        blocks = [block for block in map(self.blocks.__getitem__, indices) if block._terms is None]
        made = self.known.terms.terms_of_each([block.words for block in blocks], self.language)
        for block, terms in zip(blocks, made, strict=True):
            block._terms = terms

    def path_of(self, node: int) -> str:
        """Return the style path of a structural element: tags with class and id from the root down, digits folded.

        A path of more than 2,000 characters has "… 1,234 levels …" in its middle.
        """
        return self._path_texts.of(node)

    @cached_property
    def _path_texts(self) -> PathTexts:
        elements = [self.elements[ordinal] for ordinal in self.ordinals]
        return PathTexts(elements, self.structure.tags, self.structure.parents)
