"""Features of a single block: its text, its tag, and its position relative to the page's headline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CHARS, CONTROLS, FIGURES, IMAGES, LAST_KIND, LINES, LINK_CHARS, LINKS, TITLE
from scrapy_blockfilter.html.subtrees import Floats, running_sums
from scrapy_blockfilter.text.characters import COMMA, DIGIT, SENTENCE_END, SPACE, SYMBOL, UPPER, WIDE
from scrapy_blockfilter.text.dates_and_prices import DATED, PRICED

# Columns of the sums over a node's blocks.
(WEIGHT, LINKED, REPEATED, BLOCKS, ENDS, COMMAS, DIGITS, UPPERS, LINK_BLOCKS, PICTURES, ANCHORS, LONG) = range(12)
SUMS = 12
# A block of at least this weight is long: two lines of text.
LONG_BLOCK = 120

# Features made from the sums over a subtree.
SUBTREE = (
    *("weight", "share of page", "link density", "repeated", "weight of a block", "sentence ends", "commas", "digits"),
    *("upper case", "link blocks", "long blocks", "blocks", "images"),
)


def block_sums(page: Page, repeated: npt.NDArray[np.bool_]) -> Floats:
    """For each block, return the numbers to add up over nodes: shape (blocks, ``SUMS``)."""
    numbers, weights = page.numbers, page.weights
    linked = numbers[:, LINK_CHARS] * (weights / np.maximum(numbers[:, CHARS], 1))
    sums = np.empty((len(weights), SUMS), np.float32)
    sums[:, WEIGHT] = weights
    sums[:, LINKED] = linked
    sums[:, REPEATED] = weights * repeated
    sums[:, BLOCKS] = 1
    for place, kind in ((ENDS, SENTENCE_END), (COMMAS, COMMA), (DIGITS, DIGIT), (UPPERS, UPPER)):
        sums[:, place] = numbers[:, kind]
    sums[:, LINK_BLOCKS] = linked > 0.5 * weights
    sums[:, PICTURES] = numbers[:, IMAGES]
    sums[:, ANCHORS] = numbers[:, LINKS]
    sums[:, LONG] = weights >= LONG_BLOCK
    return sums


def of_subtrees(sums: Floats, share: npt.ArrayLike) -> Floats:
    """Compute the features ``SUBTREE`` from sums over nodes."""
    weight = np.maximum(sums[:, WEIGHT], np.float32(1e-9))
    blocks = np.maximum(sums[:, BLOCKS], np.float32(1e-9))
    features = side_by_side(
        len(sums),
        (
            np.log1p(sums[:, WEIGHT]),
            share,
            sums[:, LINKED] / weight,
            sums[:, REPEATED] / weight,
            np.log1p(sums[:, WEIGHT] / blocks),
            100 * sums[:, ENDS] / weight,
            100 * sums[:, COMMAS] / weight,
            sums[:, DIGITS] / weight,
            sums[:, UPPERS] / weight,
            sums[:, LINK_BLOCKS] / blocks,
            sums[:, LONG] / blocks,
            np.log1p(sums[:, BLOCKS]),
            sums[:, PICTURES] / blocks,
        ),
    )
    features[sums[:, WEIGHT] <= 0] = 0
    return features


def side_by_side(rows: int, columns: Sequence[npt.ArrayLike]) -> Floats:
    """Stack arrays or numbers as columns of a table."""
    table = np.empty((rows, len(columns)), np.float32)
    for place, column in enumerate(columns):
        table[:, place] = column
    return table


TAGS = (
    *("title", "h1", "h2", "h3", "h4", "h5", "h6", "p", "li", "td", "th", "pre", "dt", "dd", "div"),
    *("figcaption", "blockquote", "option", "a", "span", "button", "label"),
)
_TAG_PLACES = {tag: place for place, tag in enumerate(TAGS)}
_HEADINGS = _TAG_PLACES["h1"], _TAG_PLACES["h6"]

OWN = (
    *("weight", "link density", "sentence ends", "number of sentence ends", "commas", "number of commas", "digits"),
    *("upper case", "symbols", "spaces", "wide", "ends a sentence", "images", "links", "controls", "lines", "title"),
    *("date", "price", "label", "before or after the headline", "below a rival headline"),
    *("same text here", "same text before"),
    *("records like it", "share of records", "long text before", "long text behind"),
    *("heading above: weight", "heading above: title", "heading above: on share of pages", "since the heading"),
    *("section: plain text", "section: link density", "section: blocks"),
    *("before it: on share of pages", "behind it: on share of pages", "before it: weight", "behind it: weight"),
)

# A heading that agrees with the TITLE at least this much is the page's headline.
_IS_HEADLINE = 0.4


def tag_places_of(page: Page) -> npt.NDArray[np.int64]:
    """Return the place in ``TAGS`` of each block's tag, -1 for any other."""
    tags = page.tags
    return np.array([_TAG_PLACES.get(tags[node], -1) for node in page.nodes.tolist()], np.int64)


def arrays_of(page: Page) -> tuple[npt.NDArray[Any], ...]:
    """Return a page as arrays, for native code."""
    of_blocks = page.keys, page.nodes, page.numbers, page.weights, tag_places_of(page)
    of_nodes = np.asarray(page.parents, np.int64), page.slots, page.tag_paths, np.asarray(page.hints, np.int64)
    return tuple(map(np.ascontiguousarray, (*of_blocks, *of_nodes)))


class Blocks:
    """Features of a page's blocks, each by itself."""

    def __init__(self, page: Page, sums: Floats) -> None:
        self.page = page
        self.sums = sums  # for each block, the numbers that are added up over nodes
        self.tag_places = tag_places_of(page)
        self.is_title = self.tag_places == _TAG_PLACES["title"]
        self.is_heading = (self.tag_places >= _HEADINGS[0]) & (self.tag_places <= _HEADINGS[-1])
        places = np.where(self.is_heading, np.arange(len(sums)), -1)
        # For each block, the last heading before it, or -1; a heading is its own.
        self.headings = np.asarray(np.maximum.accumulate(places) if len(places) else places, np.int64)
        # How well each block agrees with the TITLE, 0 to 1.
        self.title = (page.numbers[:, TITLE] / 100).astype(np.float32)
        self.is_date = page.numbers[:, FIGURES] & DATED > 0
        self.is_price = page.numbers[:, FIGURES] & PRICED > 0
        # Weight of the long text before each block, and of all.
        self.long_before = running_sums(sums[:, LONG] * (sums[:, WEIGHT] - sums[:, LINKED]))

    def tags(self) -> npt.NDArray[np.bool_]:
        return np.asarray(self.tag_places[:, None] == np.arange(len(TAGS)), np.bool_)

    def own(self, records: Floats, on_share_of_pages: Floats) -> Floats:
        page, sums, numbers = self.page, self.sums, self.page.numbers
        weights = np.maximum(page.weights, 1)
        _, places, counts = page.distinct_keys
        before = self.long_before
        return side_by_side(
            len(weights),
            (
                np.log1p(page.weights),
                sums[:, LINKED] / weights,
                100 * sums[:, ENDS] / weights,
                np.log1p(sums[:, ENDS]),
                100 * sums[:, COMMAS] / weights,
                np.log1p(sums[:, COMMAS]),
                sums[:, DIGITS] / weights,
                sums[:, UPPERS] / weights,
                numbers[:, SYMBOL] / weights,
                numbers[:, SPACE] / weights,
                numbers[:, WIDE] > 0,
                numbers[:, LAST_KIND] == SENTENCE_END,
                np.minimum(sums[:, PICTURES], 5),
                np.minimum(sums[:, ANCHORS], 10),
                np.minimum(numbers[:, CONTROLS], 3),
                np.minimum(numbers[:, LINES], 10),
                self.title,
                self.is_date,
                self.is_price,
                numbers[:, LAST_KIND] == COMMA,
                *self._headlines(),
                np.log(counts[places]),
                _earlier(places),
                *records.T,
                np.log1p(before[:-1]),
                np.log1p(np.maximum(before[-1] - before[1:], 0)),
                *self._sections(on_share_of_pages),
                *_beside(on_share_of_pages),
                *_beside(np.log1p(page.weights)),
            ),
        )

    def _sections(self, on_share_of_pages: Floats) -> Iterator[Floats]:
        """Describe the section of each block: its heading, the text since that heading, and the section's content."""
        # Number the sections, starting with the one before any heading. A section starts after its heading.
        starts = np.concatenate(([0], np.flatnonzero(self.is_heading) + 1))
        section = self.is_heading.cumsum()
        weights = self.page.weights
        has_heading = self.headings >= 0
        for of_blocks in (np.log1p(weights), self.title, on_share_of_pages):
            yield np.where(has_heading, of_blocks[self.headings], np.float32(-1))
        text = running_sums(weights)
        yield np.log1p(np.maximum(text[:-1] - text[starts][section], 0)).astype(np.float32)
        linked = np.bincount(section, self.sums[:, LINKED] * ~self.is_heading, len(starts))
        all_text = np.bincount(section, weights * ~self.is_heading, len(starts))
        yield np.log1p(np.maximum(all_text - linked, 0))[section].astype(np.float32)
        yield (linked / np.maximum(all_text, 1))[section].astype(np.float32)
        yield np.log1p(np.bincount(section, minlength=len(starts)))[section].astype(np.float32)

    def _headlines(self) -> tuple[Floats, Floats]:
        """Return each block's position relative to the headline, and its number of rivals before it.

        The position is -1 before the headline and 1 after it. Rivals are headings after the headline, at its tag path,
        that disagree with the TITLE: headlines of other articles.
        """
        size = len(self.title)
        agreement = np.where(self.is_heading & (self.title >= _IS_HEADLINE), self.title, 0)
        if not agreement.any():
            return np.zeros(size, np.float32), np.zeros(size, np.float32)
        headline = int(agreement.argmax())
        paths = self.page.tag_paths[self.page.nodes]
        after = np.arange(size) >= headline
        rivals = (paths == paths[headline]) & (self.title < _IS_HEADLINE) & after
        return np.where(after, 1, -1).astype(np.float32), np.minimum(rivals.cumsum(), 2).astype(np.float32)


def _beside(of_blocks: Floats) -> tuple[Floats, Floats]:
    """For each block, return the value of the previous block and of the next; 0 at the ends."""
    beside = np.zeros((2, len(of_blocks)), np.float32)
    beside[0, 1:] = of_blocks[:-1]
    beside[1, :-1] = of_blocks[1:]
    return beside[0], beside[1]


def _earlier(places: npt.NDArray[np.int64]) -> Floats:
    """For each block, return how many earlier blocks have the same text, as a logarithm."""
    order = places.argsort(kind="stable")
    ranked = places[order]
    starts = np.flatnonzero(np.concatenate(([True], ranked[1:] != ranked[:-1]))) if len(ranked) else ranked
    earlier = np.empty(len(places), np.float32)
    earlier[order] = np.arange(len(places)) - np.repeat(starts, np.diff(np.append(starts, len(places))))
    return np.log1p(earlier)
