"""A page as columns: its blocks and structural elements by number, and the tree that they were read from."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from lxml import etree

from scrapy_blockfilter.html.block import Blocks
from scrapy_blockfilter.html.columns import CHARS, Integers, Row, hints_of_classes, is_slug, numbers_of
from scrapy_blockfilter.html.paths import PathTable, PathTexts
from scrapy_blockfilter.html.tags import HEADINGS
from scrapy_blockfilter.options.segmenter import Segmenter
from scrapy_blockfilter.text.block_text import KnownTexts
from scrapy_blockfilter.text.characters import WIDE
from scrapy_blockfilter.text.stopwords import guess_language
from scrapy_blockfilter.text.terms import TermMaker

T = TypeVar("T")

# A piece of a block is a text node or an image, stored as 4 * ordinal of its element + TEXT, TAIL or IMAGE.
TEXT, TAIL, IMAGE = 0, 1, 2


class PageCaches:
    """Caches of words, style paths and texts, which recur in a crawl. They save work, and never change a result."""

    def __init__(self) -> None:
        self.terms = TermMaker()
        self.paths = PathTable()
        self.texts = KnownTexts()

    def paths_of_page(self) -> PathTable:
        """Return the table for the paths of another page, a new one if the last is full."""
        # A page that is being walked, perhaps in another thread, keeps the table that its numbers belong to.
        if self.paths.is_full:
            self.paths = PathTable()
        return self.paths


@dataclass(eq=False, kw_only=True)
class Page:
    """A segmented HTML document or fragment, as columns of its blocks and of its structural elements, the "nodes".

    Both walks make the same columns. A page in the memory of a site has no tree. If it was read from a store, the words
    of its images are part of its texts.

    Attributes:
        keys: hash of each block's content.
        nodes: index of the innermost node that holds the whole block.
        numbers: one row per block, with the columns that :mod:`scrapy_blockfilter.html.columns` names.
        tags, parents: tag of each node, and index of its parent node (-1 for the root).
        slots, tag_paths: 64-bit hashes of each node's style path, and of its tag path without class and id.
        hints: hints of each node's names, as bits.
        scripts: number of scripts in each block.
        texts: visible text of each block, white space folded, with a line break for each ``<br>``; unchanged in PRE.
        images: words of images (file name and ALT) of the blocks that have any, without meaningless ones.
        sizes: bytes of each block's text, in UTF-8.
        ends: end of each block's range in ``pieces``; it begins where that of the block before ends.
        pieces: text nodes and images of the blocks, for rendering: ``4 * place of the element + TEXT, TAIL or IMAGE``.
        ordinals: place of each node in ``elements``.
        element_parents: place in ``elements`` of each element's parent (-1 for the root).
        element_ends: place in ``elements`` behind the last element in each element.
        path_hints: hints of each node's path, those of IDs that are slugs of headings included.
        marked: places in ``elements`` of what may be hidden, a dialog, or a heading without the tag.
        known: caches shared between pages; its term maker computes the terms of blocks.
        path_table: numbers the paths of the nodes.
        find_nearest, find_elements: :meth:`nearest` and :meth:`elements_at` in native code.
        root: root of the tree, which is only read; None for a page in the memory of a site.
        whole: False for a fragment, whose paths do not start at the root of its page.
        declared_language: two-letter code, or "" if the page declares none.
        fingerprint: of the tree as it was segmented, if someone else holds it and may change it.
        segmenter: the segmenter that joined chunks to larger blocks, or None.
        before_joining: the same page with one block per text chunk, if a segmenter joined chunks.
        boxes: the attributes that a browser has written on elements, by their place in ``elements``: see
            :mod:`scrapy_blockfilter.html.boxes`. Empty for other pages.
        lacks_boxes: whether the segmenter divides by boxes, but divided this page as "dom" does for want of them.
        selectors: whether each of the user's selectors that were tried on the page matches an element.
        terms: hashes of the terms of the blocks they were computed for, in text order.
    """

    keys: Integers
    nodes: Integers
    numbers: Integers
    tags: Sequence[str]
    parents: Sequence[int]
    slots: Integers
    tag_paths: Integers
    hints: Sequence[int]
    scripts: Sequence[int] = ()
    texts: Sequence[str] = ()
    images: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    sizes: Sequence[int] = ()
    ends: Sequence[int] = ()
    pieces: Sequence[int] = ()
    ordinals: Sequence[int] = ()
    element_parents: Sequence[int] = ()
    element_ends: Sequence[int] = ()
    path_hints: Sequence[int] = ()
    marked: Sequence[int] = ()
    known: PageCaches | None = None
    path_table: PathTable | None = None
    find_nearest: Callable[[frozenset[str]], Sequence[int]] | None = None
    find_elements: Callable[[Sequence[int]], list[etree._Element]] | None = None
    root: etree._Element | None = None
    whole: bool = True
    declared_language: str = ""
    fingerprint: int | None = None
    segmenter: Segmenter | None = None
    before_joining: Page | None = None
    boxes: Mapping[int, str] = field(default_factory=dict)
    lacks_boxes: bool = False
    selectors: Mapping[str, bool] = field(default_factory=dict)
    terms: dict[int, Sequence[int]] = field(default_factory=dict, init=False)
    _nearest: dict[frozenset[str], Sequence[int]] = field(default_factory=dict, init=False)

    @property
    def blocks(self) -> Blocks:
        """The parts to judge, in document order: text chunks, or runs of text chunks that a segmenter joined."""
        return Blocks(self)

    @property
    def chunks(self) -> Page:
        """The page with one block per text chunk; the first may be the TITLE."""
        return self.before_joining or self

    @cached_property
    def weights(self) -> npt.NDArray[np.float32]:
        """Text length of each block; a character of a script without spaces counts as three."""
        return (self.numbers[:, CHARS] + 2 * self.numbers[:, WIDE]).astype(np.float32)

    @cached_property
    def distinct_keys(self) -> tuple[Integers, Integers, Integers]:
        """The sorted distinct keys, the place of each block's key among them, and the number of blocks per key."""
        return np.unique(self.keys, return_inverse=True, return_counts=True)

    def nearest(self, tags: frozenset[str]) -> Sequence[int]:
        """For each node, return the index of itself or its nearest ancestor with a tag in ``tags``, or -1."""
        found = self._nearest.get(tags)
        if found is None:
            found = self._nearest[tags] = (self.find_nearest or self._search)(tags)
        return found

    def _search(self, tags: frozenset[str]) -> Sequence[int]:
        if tags.isdisjoint(self.tags):
            return [-1] * len(self.tags)
        marked = np.fromiter(map(tags.__contains__, self.tags), np.bool_, len(self.tags))
        # All nodes climb at once, twice as far each time. The root's parent, -1, reads the last entry, which is -1.
        found = np.append(np.where(marked, np.arange(len(marked)), self.parents), -1)
        while (further := found[found]).tobytes() != found.tobytes():
            found = further
        nearest: list[int] = found[:-1].tolist()
        return nearest

    def range_of(self, block: int) -> slice:
        """Return the range of a block in :attr:`pieces`."""
        return slice(self.ends[block - 1] if block else 0, self.ends[block])

    def holder_of(self, piece: int) -> int:
        """Return the place in :attr:`elements` of the element that directly holds one of :attr:`pieces`."""
        return self.element_parents[piece >> 2] if piece & 3 == TAIL else piece >> 2

    def words_of(self, block: int) -> str:
        """Return the text of a block, followed by the words of its images."""
        images = self.images.get(block)
        return " ".join((self.texts[block], *images)) if images else self.texts[block]

    def prepare_terms(self, blocks: Iterable[int]) -> None:
        """Compute the terms of blocks that lack them, together, which is faster than one by one."""
        missing = [block for block in blocks if block not in self.terms]
        if missing:
            self.known = self.known or PageCaches()
            made = self.known.terms.terms_of_each([self.words_of(block) for block in missing], self.language)
            self.terms.update(zip(missing, made, strict=True))

    @cached_property
    def language(self) -> str:
        """Two-letter code that the page declares, else a guess from its function words, or "" if unknown."""
        return self.declared_language or (guess_language(self.texts) if self.known else "")

    def forget_language(self) -> None:
        """Forget the guessed language, as the language of the page's site is known now."""
        self.__dict__.pop("language", None)

    @cached_property
    def elements(self) -> list[etree._Element]:
        """The elements, comments and processing instructions of the tree, in document order."""
        assert self.root is not None, "a page in the memory of a site has no tree"
        return list(self.root.iter())

    def elements_at(self, places: Iterable[int]) -> dict[int, etree._Element]:
        """Return the elements at some places. Making all elements takes longer."""
        in_order = sorted(set(places))
        if self.find_elements is None or "elements" in self.__dict__:
            return {place: self.elements[place] for place in in_order}
        return dict(zip(in_order, self.find_elements(in_order), strict=True))

    def nodes_of(self, tags: frozenset[str]) -> Sequence[int]:
        """Return the nodes that have one of some tags, in the order of the page."""
        nodes: list[int] = np.flatnonzero(np.asarray(self.nearest(tags)) == np.arange(len(self.tags))).tolist()
        return nodes

    def elements_of(self, tags: frozenset[str]) -> dict[int, etree._Element]:
        """Return the element of each node that has one of some tags."""
        nodes = self.nodes_of(tags)
        found = self.elements_at(self.ordinals[node] for node in nodes)
        return {node: found[self.ordinals[node]] for node in nodes}

    @cached_property
    def path_texts(self) -> PathTexts:
        """The style paths of the nodes, for people."""
        return PathTexts(list(self.elements_at(self.ordinals).values()), self.tags, self.parents)

    def rows(self) -> list[Row]:
        """Return the blocks as rows, to make other blocks of them."""
        _, link_chars, images, links, controls, *_ = self.numbers[:, CHARS:].T.tolist()
        counts = zip(images, links, self.scripts, controls, strict=True)
        words = (self.images.get(block, ()) for block in range(len(self.keys)))
        columns = self.texts, self.keys.tolist(), words, self.nodes.tolist(), link_chars, counts, self.ends
        return list(map(Row._make, zip(*columns, strict=True)))

    def with_blocks(self, rows: Sequence[Row]) -> Page:
        """Return the page with other blocks."""
        texts = [row.text for row in rows]
        nodes = [row.node for row in rows]
        page = replace(
            self,
            keys=np.array([row.key for row in rows], np.int64),
            nodes=np.array(nodes, np.int64),
            numbers=numbers_of(rows, [self.tags[node] for node in nodes]),
            hints=self._hints_without_slugs(rows),
            scripts=[row.counts[2] for row in rows],
            texts=texts,
            images={number: row.images for number, row in enumerate(rows) if row.images},
            sizes=[len(text) if text.isascii() else len(text.encode("utf-8", "replace")) for text in texts],
            ends=[row.end for row in rows],
        )
        if "elements" in self.__dict__:
            page.elements = self.elements
        return page

    def _hints_without_slugs(self, rows: Sequence[Row]) -> Sequence[int]:
        """Return the hints of the nodes, ignoring an ID that is a slug of the heading in the node."""
        # The ID "responses" of a section on a method of that name says nothing of readers' responses.
        hints, tags, parents = list(self.path_hints), self.tags, self.parents
        headings = [row for row in rows if tags[row.node] in HEADINGS]
        around = [(at, row.text) for row in headings for at in (parents[row.node], parents[parents[row.node]])]
        named = [(node, text) for node, text in around if node > 0 and hints[node]]
        elements = self.elements_at({self.ordinals[node] for node, _ in named})
        identifiers = {node: elements[self.ordinals[node]].get("id", "") for node in dict(named)}
        for node, text in named:
            if is_slug(identifiers[node], text):
                identifiers[node] = ""  # so that its class is read once
                hints[node] = hints_of_classes(tags[node], elements[self.ordinals[node]].get("class", ""))
        return hints

    def of_chunks(self, of_blocks: Sequence[T]) -> Sequence[T]:
        """Spread values of blocks: return, for each chunk, the value of its block."""
        if self.before_joining is None:
            return of_blocks
        places = np.searchsorted(np.asarray(self.ends), np.asarray(self.before_joining.ends))
        return [of_blocks[place] for place in places.tolist()]

    def divided(self, blocks: Container[int]) -> tuple[Page, list[int]]:
        """Replace some blocks by their chunks. Return the page, and for each block the number it was before or in."""
        whole, chunks = self.rows(), self.chunks.rows()
        origins: dict[int, int] = {}  # the end of each block: two never end at the same piece
        rows: dict[int, Row] = {}
        for chunk, number in zip(chunks, self.of_chunks(range(len(whole))), strict=True):
            row = chunk if number in blocks else whole[number]
            rows[row.end], origins[row.end] = row, number
        return self.with_blocks(list(rows.values())), list(origins.values())

    def remembered(self, most: int) -> Page:
        """Return the page as a site's memory keeps it: its first blocks, without the tree."""
        keys, nodes, numbers = self.keys, self.nodes, self.numbers
        if len(keys) > most:  # a part of an array would keep all of it
            keys, nodes, numbers = keys[:most].copy(), nodes[:most].copy(), numbers[:most].copy()
        return Page(
            keys=keys,
            nodes=nodes,
            numbers=numbers,
            tags=self.tags,
            parents=self.parents,
            slots=self.slots,
            tag_paths=self.tag_paths,
            hints=self.hints,
            scripts=self.scripts[:most],
            texts=list(self.texts)[:most],
            images={block: words for block, words in self.images.items() if block < most},
            known=self.known,
            declared_language=self.language,
        )
