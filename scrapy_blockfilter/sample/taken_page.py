"""A page as it was taken in: what its record will hold, not yet as bytes.

Stemming words and writing JSON take half the time of taking a page in. A fit by the default method needs neither, so
both wait until the record is stored, or a method asks for terms.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scrapy_blockfilter.html.columns import CHARS, LINK_CHARS, Integers, PageColumns
from scrapy_blockfilter.html.page import Page
from scrapy_blockfilter.sample.record_body import MAX_BLOCKS
from scrapy_blockfilter.sample.recorded_page import RecordedPage, Rows

# Most bytes of JSON for an element of the page, besides its tag (parent, two hashes, hints); for a block (numbers of up
# to ten digits); and for a character: it may make a term of ten digits, or be escaped in twelve bytes in a tag.
_OF_NODE, _OF_BLOCK, _OF_CHARACTER = 80, 280, 12
# Bytes in memory of a block's objects and of an element's, besides arrays.
_BLOCK_IN_MEMORY, _NODE_IN_MEMORY = 120, 24


class TakenPage:
    """What a record keeps of a page. Holds neither the tree nor the blocks of the page.

    Attributes:
        words: text and words of images of each block.
    """

    __slots__ = ("_columns", "_language", "_structure", "_tallies", "_term_maker", "_terms", "words")

    def __init__(self, page: Page) -> None:
        blocks = page.blocks[:MAX_BLOCKS]
        columns = page.columns
        if len(page.blocks) > MAX_BLOCKS:
            keys, nodes, numbers = (of_blocks[:MAX_BLOCKS].copy() for of_blocks in _of_blocks(columns))
            columns = replace(columns, keys=keys, nodes=nodes, numbers=numbers)
        self.words = [block.words for block in blocks]
        self._tallies = [block.tally for block in blocks]
        self._columns = columns
        self._structure = page.structure.on_its_own()
        self._language = page.language
        self._term_maker = page.known.terms
        self._terms: list[list[int]] | None = None

    @property
    def keys(self) -> bytes:
        """Keys of the blocks as little-endian 64-bit integers."""
        return self._columns.keys.astype("<i8").tobytes()

    @property
    def most_json(self) -> int:
        """Bytes that :meth:`body` cannot exceed as JSON."""
        tags = self._structure.tags
        characters = sum(map(len, self.words)) + sum(map(len, tags)) + len(self._language)
        return _OF_NODE * len(tags) + _OF_BLOCK * len(self.words) + _OF_CHARACTER * characters + 1_000

    @property
    def size(self) -> int:
        """Approximate bytes in memory."""
        columns = self._columns
        arrays = (*_of_blocks(columns), columns.slots, columns.tag_paths)
        objects = _BLOCK_IN_MEMORY * len(self.words) + _NODE_IN_MEMORY * len(self._structure.tags)
        return sum(array.nbytes for array in arrays) + sum(map(len, self.words)) + objects

    def page(self) -> RecordedPage:
        """Return the page for a fit. Its columns are a new object, so that what is remembered for them goes with it."""
        return RecordedPage(self._structure, self._language, replace(self._columns), self._rows)

    def body(self) -> dict[str, Any]:
        """Return what the record holds besides the keys."""
        columns = self._columns
        return {
            "language": self._language,
            "tags": self._structure.tags,
            "parents": list(self._structure.parents),
            "slots": columns.slots.tolist(),
            "tag_paths": columns.tag_paths.tolist(),
            "hints": list(columns.hints),
            "numbers": columns.numbers.tolist(),
            "blocks": list(self._rows()),
        }

    def _rows(self) -> Rows:
        if self._terms is None:
            self._terms = self._term_maker.terms_of_each(self.words, self._language)
        nodes, numbers = self._columns.nodes.tolist(), self._columns.numbers
        chars, link_chars = numbers[:, CHARS].tolist(), numbers[:, LINK_CHARS].tolist()
        return zip(nodes, chars, link_chars, self._tallies, self._terms, strict=True)


def _of_blocks(columns: PageColumns) -> tuple[Integers, Integers, Integers]:
    return columns.keys, columns.nodes, columns.numbers
