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
from scrapy_blockfilter.html.listings import join_rows
from scrapy_blockfilter.html.page import Page
from scrapy_blockfilter.html.tags import HEADINGS, LISTS
from scrapy_blockfilter.options.converters import Arguments, option, whole_number
from scrapy_blockfilter.options.segmenter import Segmenter
from scrapy_blockfilter.text.block_text import joined_key
from scrapy_blockfilter.text.characters import WIDE, count_kinds

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
    """A segmenter: the object that an entry point names.

    Attributes:
        starts: returns the numbers of the chunks of a page that start a new block. None if the page lacks the boxes or
            the like that the segmenter divides by: "dom" divides it then.
        arguments: declares those that ``starts`` reads of the segmenter.
        middlewares: import paths of downloader middlewares that it needs, with their orders; the add-on adds them.
    """

    starts: Callable[[Page, Segmenter], Iterable[int] | None]
    arguments: type[Arguments] = Arguments
    middlewares: Mapping[str, int] = {}

    def divide(self, page: Page, segmenter: Segmenter) -> Page:
        """Return a page of chunks with larger blocks."""
        found = self.starts(page, segmenter)
        page.lacks_boxes = found is None
        if found is None:
            found = by_dom(page, segmenter)
        chunks, starts = page.rows(), sorted({0, *_changes(page, TITLE), *found})
        parts = (chunks[start:end] for start, end in pairwise([*starts, len(chunks)]))
        joined = page.with_blocks([_joined(page, part) for part in parts])
        joined.segmenter, joined.before_joining = segmenter, page
        return joined


def by_dom(page: Page, segmenter: Segmenter) -> Iterator[int]:
    """Return the chunks that start a new block, because another element is around them."""
    return _changes(page, DOM_TAGS)


@dataclass(frozen=True)
class FixedLength(Arguments):
    # Characters. The method "entropy" does best with this length, as well as with chunks; others prefer shorter blocks.
    segment_length: int = option(
        200,
        whole_number(1, 1_000_000),
        "Characters of a block, which ends with the text chunk that fills it. One of a script without spaces is three.",
    )


def by_length(page: Page, segmenter: Segmenter) -> Iterator[int]:
    """Yield the chunks that start a new block, because the block before is full."""
    kinds, _ = count_kinds(page.texts)
    length = segmenter.arguments.segment_length  # type: ignore[attr-defined]  # it is FixedLength
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
    return changes([nearest[node] for node in page.nodes.tolist()])


def changes(values: Sequence[object]) -> Iterator[int]:
    """Return the numbers of the values that differ from the one before."""
    return (number for number in range(1, len(values)) if values[number] != values[number - 1])


def _joined(page: Page, chunks: Sequence[Row]) -> Row:
    """Join chunks to one block, whose node is their innermost common element."""
    if len(chunks) == 1:
        return chunks[0]
    # Comparing neighbours walks each element between two chunks once per page, whatever its depth.
    node = chunks[0].node
    for before, behind in pairwise(chunks):
        node = min(node, _around(page.parents, before.node, behind.node))
    return join_rows(chunks, node)._replace(key=joined_key(chunk.key for chunk in chunks))


def _around(parents: Sequence[int], one: int, other: int) -> int:
    """Return the innermost common element of two. Every element has a higher index than its ancestors."""
    while one != other:
        if one > other:
            one = parents[one]
        else:
            other = parents[other]
    return one


DOM, FIXED_LENGTH = SegmenterKind(by_dom), SegmenterKind(by_length, FixedLength)
