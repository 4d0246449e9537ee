"""The segmenters ``vips`` and ``combined``: blocks by where a browser has shown a page, without and with windows."""

from __future__ import annotations

from dataclasses import dataclass

from scrapy_blockfilter.extras.papers.segmenters import DOM_TAGS, TITLE, SegmenterKind, changes
from scrapy_blockfilter.extras.papers.visual.vips import visual_blocks
from scrapy_blockfilter.extras.papers.visual.visual_tree import ShownElements
from scrapy_blockfilter.html.page import Page
from scrapy_blockfilter.options.converters import Arguments, option, whole_number
from scrapy_blockfilter.options.segmenter import Segmenter
from scrapy_blockfilter.text.characters import WIDE, count_kinds

# Words of a window of CombPS, as in the survey's experiments.
_WINDOW = 200
# Characters of scripts without spaces that count as a word.
_WIDE_OF_WORD = 2
# With boxes for less of the text, a page was not rendered, or has grown since.
_LEAST_SHOWN = 0.5
# Innermost of the downloader middlewares: sees all that others have asked of a browser.
_MIDDLEWARES = {"scrapy_blockfilter.extras.papers.visual.middleware.BlockFilterVisualMiddleware": 990}


@dataclass(frozen=True)
class Coherence(Arguments):
    # The permitted degree of coherence. Blocks of a lower degree hold template and content at once on many pages.
    coherence: int = option(
        8,
        whole_number(1, 10),
        "The least degree of coherence of a block, from 1 for the largest to 10 for the smallest.",
    )


def _by_vision(page: Page, segmenter: Segmenter) -> list[int] | None:
    """Return the chunks that start a visual block or, if hidden, an element that divides the DOM; else None."""
    if not page.boxes:
        return None
    tree = ShownElements(page).tree()
    nearest = page.nearest(TITLE)
    sizes = [0 if nearest[chunk.node] >= 0 else chunk.chars for chunk in page.blocks]
    shown = sum(size for size, leaf in zip(sizes, tree.of_chunks, strict=True) if leaf is not None)
    if shown < _LEAST_SHOWN * sum(sizes) or not any(tree.of_chunks):
        return None
    owners = page.nearest(DOM_TAGS)
    blocks = visual_blocks(tree, segmenter.arguments.coherence)  # type: ignore[attr-defined]  # they are Coherence
    places = [
        ("dom", owners[chunk.node]) if block is None else ("visual", block)
        for chunk, block in zip(page.blocks, blocks, strict=True)
    ]
    return list(changes(places))


def _by_windows_too(page: Page, segmenter: Segmenter) -> list[int] | None:
    """Return the same chunks, and those that start a block within blocks of more than a window's words."""
    starts = _by_vision(page, segmenter)
    if starts is None:
        return None
    kinds, _ = count_kinds(page.texts)
    begins, found = frozenset(starts), []
    words = 0
    for number, (text, wide) in enumerate(zip(page.texts, kinds[:, WIDE].tolist(), strict=True)):
        if number in begins or words >= _WINDOW:
            found.append(number)
            words = 0
        words += len(text.split()) + wide // _WIDE_OF_WORD
    return found


VIPS = SegmenterKind(_by_vision, Coherence, _MIDDLEWARES)
COMBINED = SegmenterKind(_by_windows_too, Coherence, _MIDDLEWARES)
