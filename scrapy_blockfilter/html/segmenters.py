"""Join consecutive text chunks to larger blocks, for any method.

Page segmentation for block retrieval (Shinde, Bolli, Kulkarni: Methods for Extracting Content Blocks from Web Pages,
2013, section 6) by length (FixedPS), by the DOM (DomPS), by where a browser has shown it (VIPS), and by that with
windows of words within (CombPS). No chunk is cut or moved, so rendered text is whole and blocks stay in document order.
The TITLE, which the page does not show, is a block by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from scrapy_blockfilter.html.columns import CHARS, Row
from scrapy_blockfilter.html.page import Page
from scrapy_blockfilter.html.tags import HEADINGS, LISTS
from scrapy_blockfilter.html.vips import visual_blocks, visual_tree
from scrapy_blockfilter.text.block_text import joined_key
from scrapy_blockfilter.text.characters import WIDE, count_kinds

CHUNKS, FIXED_LENGTH, DOM, VIPS, COMBINED = SEGMENTERS = ("chunks", "fixed_length", "dom", "vips", "combined")
# Segmenters that look at boxes.
VISUAL = frozenset({VIPS, COMBINED})
# Characters. "entropy" does best with this length, about as well as with chunks. The other methods do worse, the longer
# blocks are.
DEFAULT_LENGTH = 200
# The permitted degree of coherence of VIPS. Blocks of a lower one hold template and content at once on many pages.
DEFAULT_COHERENCE = 8
# Words of a window of CombPS, as in the survey's experiments.
_WINDOW = 200
# Characters of scripts without spaces that count as a word.
_WIDE_OF_WORD = 2
# With boxes for less of the text, a page was not rendered, or has grown since.
_LEAST_SHOWN = 0.5

_TITLE = frozenset({"title"})
# Tags that divide a page for DomPS: paragraphs, headings, lists and tables. DIV and the sectioning elements of HTML 5
# are added because today's pages are made of them, and quality is better with DIV than without.
_DOM_TAGS = (
    _TITLE
    | HEADINGS
    | LISTS
    | {"p", "table", "div", "article", "aside", "footer", "form", "header", "main", "nav", "section"}
)


@dataclass(frozen=True)
class Segmenter:
    """Divides pages into blocks.

    Attributes:
        name: one of ``SEGMENTERS``.
        length: characters of a block, for "fixed_length". A block ends with the chunk that fills it. A character of a
            script without spaces counts as three.
        coherence: the least degree of coherence of a block, for "vips" and "combined": from 1 for the largest blocks to
            10 for the smallest.
    """

    name: str = CHUNKS
    length: int = DEFAULT_LENGTH
    coherence: int = DEFAULT_COHERENCE

    def __str__(self) -> str:
        """Return a name that differs for segmenters that make different blocks.

        >>> str(Segmenter()), str(Segmenter("dom")), str(Segmenter("fixed_length", 200)), str(Segmenter("vips"))
        ('chunks', 'dom', 'fixed_length 200', 'vips 8')
        """
        if self.name in VISUAL:
            return f"{self.name} {self.coherence}"
        return f"{self.name} {self.length}" if self.name == FIXED_LENGTH else self.name

    def divide(self, page: Page) -> Page:
        """Return a page of chunks with its blocks."""
        if self.name == CHUNKS or not page.blocks:
            return page
        starts = sorted({0, *_changes(page, _TITLE), *self._starts(page)})
        joined = page.with_blocks(_joined(page, starts))
        joined.segmenter, joined.before_joining = self, page
        return joined

    def _starts(self, page: Page) -> Iterable[int]:
        """Return the chunks that start a new block."""
        if self.name == FIXED_LENGTH:
            return _lengths(page, self.length)
        places = _visual_places(page, self.coherence) if self.name in VISUAL else None
        if places is None:
            page.lacks_boxes = self.name in VISUAL
            return _changes(page, _DOM_TAGS)
        starts = [number for number in range(1, len(places)) if places[number] != places[number - 1]]
        return _windows(page, starts) if self.name == COMBINED else starts


TEXT_CHUNKS = Segmenter()


def _lengths(page: Page, length: int) -> Iterator[int]:
    """Yield the chunks that start a new block, because the block before is full."""
    kinds, _ = count_kinds(page.texts)
    filled = 0
    titles = frozenset(_changes(page, _TITLE))
    for number, weight in enumerate((kinds.sum(axis=1) + 2 * kinds[:, WIDE]).tolist()):
        if filled >= length or number in titles:
            yield number
            filled = 0
        filled += weight


def _visual_places(page: Page, coherence: int) -> Sequence[tuple[str, int]] | None:
    """Return which visual block each chunk is in. Of chunks that are not shown, return what divides them by the DOM.

    None if too little of the text has a box.
    """
    if not page.boxes:
        return None
    tree = visual_tree(page, page.boxes)
    nodes, nearest = page.nodes.tolist(), page.nearest(_TITLE)
    chars = page.numbers[:, CHARS].tolist()
    sizes = [0 if nearest[node] >= 0 else size for node, size in zip(nodes, chars, strict=True)]
    shown = sum(size for size, leaf in zip(sizes, tree.of_chunks, strict=True) if leaf is not None)
    if shown < _LEAST_SHOWN * sum(sizes) or not any(tree.of_chunks):
        return None
    owners = page.nearest(_DOM_TAGS)
    blocks = visual_blocks(tree, coherence)
    return [
        ("dom", owners[node]) if block is None else ("visual", block) for node, block in zip(nodes, blocks, strict=True)
    ]


def _windows(page: Page, starts: Sequence[int]) -> Iterator[int]:
    """Yield the chunks that start a block, also within blocks of more than a window's words."""
    kinds, _ = count_kinds(page.texts)
    begins = frozenset(starts)
    words = 0
    for number, (text, wide) in enumerate(zip(page.texts, kinds[:, WIDE].tolist(), strict=True)):
        if number in begins or words >= _WINDOW:
            yield number
            words = 0
        words += len(text.split()) + wide // _WIDE_OF_WORD


def _changes(page: Page, tags: frozenset[str]) -> Iterator[int]:
    """Return the chunks whose nearest element in ``tags`` differs from that of the chunk before."""
    nearest = page.nearest(tags)
    owners = [nearest[node] for node in page.nodes.tolist()]
    return (number for number in range(1, len(owners)) if owners[number] != owners[number - 1])


def _joined(page: Page, starts: Sequence[int]) -> list[Row]:
    chunks = page.rows()
    return [
        _join(page, chunks[start:end]) if end - start > 1 else chunks[start]
        for start, end in pairwise([*starts, len(chunks)])
    ]


def _join(page: Page, chunks: Sequence[Row]) -> Row:
    """Join chunks to one block, whose node is their innermost common element."""
    # Comparing neighbours walks each element between two chunks once per page, whatever its depth.
    node = chunks[0].node
    for before, behind in pairwise(chunks):
        node = min(node, _around(page.parents, before.node, behind.node))
    return Row(
        text="\n".join(chunk.text for chunk in chunks if chunk.text),
        key=joined_key(chunk.key for chunk in chunks),
        images=tuple(words for chunk in chunks for words in chunk.images),
        node=node,
        link_chars=sum(chunk.link_chars for chunk in chunks),
        counts=tuple(map(sum, zip(*(chunk.counts for chunk in chunks), strict=True))),
        end=chunks[-1].end,
    )


def _around(parents: Sequence[int], one: int, other: int) -> int:
    """Return the innermost common element of two. Every element has a higher index than its ancestors."""
    while one != other:
        if one > other:
            one = parents[one]
        else:
            other = parents[other]
    return one
