"""Join consecutive text chunks to larger blocks, for any method.

Page segmentation for block retrieval (Shinde, Bolli, Kulkarni: Methods for Extracting Content Blocks from Web Pages,
2013, section 6) by length (FixedPS) and by the DOM (DomPS). Other packages may add segmenters. No chunk is cut or
moved, so rendered text is whole and blocks stay in document order.
The TITLE, which the page does not show, is a block by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from scrapy_blockfilter.html.columns import Row
from scrapy_blockfilter.html.page import Page
from scrapy_blockfilter.html.tags import HEADINGS, LISTS
from scrapy_blockfilter.plugins import PluginError, Plugins
from scrapy_blockfilter.text.block_text import joined_key
from scrapy_blockfilter.text.characters import WIDE, count_kinds

CHUNKS, FIXED_LENGTH, DOM = SEGMENTERS = ("chunks", "fixed_length", "dom")
PLUGINS = Plugins("segmenters", "segmenter", SEGMENTERS)
# Characters. "entropy" does best with this length, about as well as with chunks. The other methods do worse, the longer
# blocks are.
DEFAULT_LENGTH = 200
# The permitted degree of coherence of VIPS. Blocks of a lower one hold template and content at once on many pages.
DEFAULT_COHERENCE = 8

TITLE = frozenset({"title"})
# Tags that divide a page for DomPS: paragraphs, headings, lists and tables. DIV and the sectioning elements of HTML 5
# are added because today's pages are made of them, and quality is better with DIV than without.
DOM_TAGS = (
    TITLE
    | HEADINGS
    | LISTS
    | {"p", "table", "div", "article", "aside", "footer", "form", "header", "main", "nav", "section"}
)


class SegmenterKind(NamedTuple):
    """A segmenter of another package: the object that an entry point names.

    Attributes:
        starts: returns the numbers of the chunks of a page that start a new block. None if the page lacks what the
            segmenter looks at: it is divided as by "dom" then.
        middlewares: import paths of downloader middlewares that it needs, with their orders; the add-on adds them.
    """

    starts: Callable[[Page, Segmenter], Iterable[int] | None]
    middlewares: Mapping[str, int] = {}


@dataclass(frozen=True)
class Segmenter:
    """Divides pages into blocks.

    Attributes:
        name: one of ``SEGMENTERS``, or one of another package.
        length: characters of a block, for "fixed_length". A block ends with the chunk that fills it. A character of a
            script without spaces counts as three.
        coherence: the least degree of coherence of a block, for segmenters of other packages: from 1 for the largest
            blocks to 10 for the smallest.
    """

    name: str = CHUNKS
    length: int = DEFAULT_LENGTH
    coherence: int = DEFAULT_COHERENCE

    def __str__(self) -> str:
        """Return a name that differs for segmenters that make different blocks.

        >>> str(Segmenter()), str(Segmenter("dom")), str(Segmenter("fixed_length", 200)), str(Segmenter("vips"))
        ('chunks', 'dom', 'fixed_length 200', 'vips 8')
        """
        if self.name not in SEGMENTERS:
            return f"{self.name} {self.coherence}"
        return f"{self.name} {self.length}" if self.name == FIXED_LENGTH else self.name

    def divide(self, page: Page) -> Page:
        """Return a page of chunks with its blocks."""
        if self.name == CHUNKS or not page.blocks:
            return page
        starts = sorted({0, *_changes(page, TITLE), *self._starts(page)})
        joined = page.with_blocks(_joined(page, starts))
        joined.segmenter, joined.before_joining = self, page
        return joined

    def _starts(self, page: Page) -> Iterable[int]:
        """Return the chunks that start a new block."""
        if self.name == FIXED_LENGTH:
            return _lengths(page, self.length)
        if self.name == DOM:
            return _changes(page, DOM_TAGS)
        starts = segmenter_kind(self.name).starts(page, self)
        page.lacks_boxes = starts is None
        return _changes(page, DOM_TAGS) if starts is None else starts


TEXT_CHUNKS = Segmenter()


def segmenter_kind(name: str) -> SegmenterKind:
    """Return the segmenter of another package.

    Raises:
        KeyError: there is none of this name.
        PluginError: its package cannot give it.
    """
    kind = PLUGINS.load(name)
    if not isinstance(kind, SegmenterKind):
        raise PluginError(f"the segmenter {name!r} is a {type(kind).__name__}, but must be a SegmenterKind")
    return kind


def is_segmenter(written: str) -> bool:
    """Return whether a text is a segmenter as it is written, by its name alone.

    >>> is_segmenter("fixed_length 200"), is_segmenter("layout 2")
    (True, False)
    """
    name = written.partition(" ")[0]
    return name in SEGMENTERS or name in PLUGINS.others()


def _lengths(page: Page, length: int) -> Iterator[int]:
    """Yield the chunks that start a new block, because the block before is full."""
    kinds, _ = count_kinds(page.texts)
    filled = 0
    titles = frozenset(_changes(page, TITLE))
    for number, weight in enumerate((kinds.sum(axis=1) + 2 * kinds[:, WIDE]).tolist()):
        if filled >= length or number in titles:
            yield number
            filled = 0
        filled += weight


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
