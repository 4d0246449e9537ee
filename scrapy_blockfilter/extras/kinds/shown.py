"""Numbers of what a page shows: how its text is divided, linked and repeated, and what its elements are.

No number depends on a word of any language, except for names of class and ID.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.class_hints import CONTAINERS, GROUPS
from scrapy_blockfilter.html.columns import (
    CHARS,
    CONTROLS,
    FIGURES,
    IMAGES,
    LAST_KIND,
    LINES,
    LINK_CHARS,
    LINKS,
    TITLE,
)
from scrapy_blockfilter.text.characters import COMMA, DIGIT, SENTENCE_END, SPACE, SYMBOL, UPPER, WIDE
from scrapy_blockfilter.text.dates_and_prices import DATED, PRICED

Floats = npt.NDArray[np.float64]

# Tags of blocks, and of elements around them.
_OF_BLOCKS = (
    *("h1", "h2", "h3", "h4", "p", "li", "td", "th", "pre", "dt", "dd", "div", "figcaption", "blockquote", "article"),
    *("section", "option", "label", "button", "legend", "address"),
)
_OF_NODES = (
    *("table", "tr", "td", "th", "ul", "ol", "li", "dl", "dt", "form", "select", "fieldset", "article", "section"),
    *("nav", "pre", "figure", "blockquote", "div", "p", "h1", "h2", "h3", "hr", "header", "footer", "aside", "main"),
)
# Places of tags of blocks: those above, then lesser headings, TITLE, and all others.
_LESSER, _TITLE, _OTHER = range(len(_OF_BLOCKS), len(_OF_BLOCKS) + 3)
_PLACES = {**{tag: place for place, tag in enumerate(_OF_BLOCKS)}, "h5": _LESSER, "h6": _LESSER, "title": _TITLE}
_HEADINGS = 4  # the first ones
_AROUND = (*GROUPS, *CONTAINERS)
# Elements around a block whose names count.
_LEVELS = 8
# A text of this many characters is long; one is a link if this much of it is linked.
_LONG, _LINKED = 80, 0.8
# Like records are at least so many.
_SEVERAL = 3

_TEXT = (
    *("blocks", "text", "characters a block", "longest block", "link density", "links", "images", "controls", "lines"),
    *("long blocks", "share of long plain text", "share of links", "sentence ends", "commas", "digits", "upper case"),
    *("symbols", "spaces", "wide", "ends of sentences", "ends in commas", "dates", "prices", "share of dates"),
    *("share of prices", "title", "headings", "linked headings"),
)
_RECORDS = (
    *("slots", "largest slot", "largest slot of share", "share in slots of several", "longest slot", "linked slot"),
    *("slot of dates", "slot of prices", "slot of headings", "long texts of a slot", "slot of images"),
)
NAMES = (
    "share kept",
    *(f"kept: {name}" for name in _TEXT),
    *(f"all: {name}" for name in _TEXT),
    *(f"records: {name}" for name in _RECORDS),
    *(f"kept in {tag}" for tag in _OF_BLOCKS),
    *(f"text in {tag}" for tag in _OF_BLOCKS),
    *(f"elements {tag}" for tag in _OF_NODES),
    *(f"named {name}" for name in _AROUND),
    *(f"text in {name}" for name in _AROUND),
)


def shown_by(page: Page, keep: Sequence[bool]) -> Floats:
    """Return the numbers of a page, with the names of ``NAMES``.

    Args:
        keep: for each block, whether it stays.
    """
    tags = np.array([_PLACES.get(page.tags[node], _OTHER) for node in page.nodes.tolist()], np.int64)
    is_text = tags != _TITLE
    kept = np.asarray(keep, np.bool_) & is_text
    is_heading = (tags < _HEADINGS) | (tags == _LESSER)
    weights = page.weights.astype(np.float64)
    of_kept, of_all = weights * kept, weights * is_text
    hints = np.asarray(page.hints, np.int64)
    around = _around(page, hints)[kept]
    elements = Counter(page.tags)
    total = max(1.0, float(of_kept.sum()))
    values = [
        float(of_kept.sum()) / max(1.0, float(of_all.sum())),
        *_text(page, weights, kept, is_heading),
        *_text(page, weights, is_text, is_heading),
        *_records(page, weights, kept, is_heading),
        *np.log1p(np.bincount(tags, kept, len(_OF_BLOCKS))[: len(_OF_BLOCKS)]),
        *(np.bincount(tags, of_kept, len(_OF_BLOCKS))[: len(_OF_BLOCKS)] / total),
        *np.log1p([elements[tag] for tag in _OF_NODES]),
        *np.log1p(_bits(hints).sum(axis=0)),
        *(_bits(around) * weights[kept, None]).sum(axis=0) / total,
    ]
    return np.array(values, np.float64)


def _text(page: Page, weights: Floats, chosen: npt.NDArray[np.bool_], is_heading: npt.NDArray[np.bool_]) -> list[Any]:
    numbers = page.numbers[chosen].astype(np.float64)
    own = weights[chosen]
    blocks, text = len(own), max(1.0, float(own.sum()))
    linked = numbers[:, LINK_CHARS] / np.maximum(numbers[:, CHARS], 1)
    is_long = own >= _LONG
    dates, prices = (int(((page.numbers[chosen, FIGURES] & of) > 0).sum()) for of in (DATED, PRICED))
    per_text = [100 * numbers[:, kind].sum() / text for kind in (SENTENCE_END, COMMA)]
    of_text = [numbers[:, kind].sum() / text for kind in (DIGIT, UPPER, SYMBOL, SPACE, WIDE)]
    last = page.numbers[chosen, LAST_KIND]
    headings = is_heading[chosen]
    return [
        np.log1p(blocks),
        np.log1p(own.sum()),
        np.log1p(text / max(1, blocks)),
        np.log1p(own.max(initial=0)),
        min(1.0, numbers[:, LINK_CHARS].sum() / text),
        *(np.log1p(numbers[:, column].sum()) for column in (LINKS, IMAGES, CONTROLS, LINES)),
        np.log1p(is_long.sum()),
        (own * (is_long & (linked < 1 - _LINKED))).sum() / text,
        (linked >= _LINKED).sum() / max(1, blocks),
        *per_text,
        *of_text,
        (last == SENTENCE_END).sum() / max(1, blocks),
        (last == COMMA).sum() / max(1, blocks),
        np.log1p(dates),
        np.log1p(prices),
        dates / max(1, blocks),
        prices / max(1, blocks),
        numbers[headings, TITLE].max(initial=0) / 100,
        np.log1p(headings.sum()),
        np.log1p((headings & (linked >= _LINKED)).sum()),
    ]


def _records(page: Page, weights: Floats, kept: npt.NDArray[np.bool_], is_heading: npt.NDArray[np.bool_]) -> list[Any]:
    """Describe the kept blocks that stand in the same place of several records."""
    if not kept.any():
        return [0.0] * len(_RECORDS)
    numbers = page.numbers[kept]
    _, slots, counts = np.unique(page.slots[page.nodes[kept]], return_inverse=True, return_counts=True)
    slots = slots.reshape(-1)
    own = weights[kept]
    linked = numbers[:, LINK_CHARS] >= _LINKED * np.maximum(numbers[:, CHARS], 1)
    texts = np.bincount(slots, own)
    plain = (own >= _LONG) & ~linked

    def most(of: npt.NDArray[Any]) -> float:
        return float(np.log1p(np.bincount(slots, of).max()))

    return [
        np.log1p(len(counts)),
        np.log1p(counts.max()),
        counts.max() / len(own),
        texts[counts >= _SEVERAL].sum() / max(1.0, texts.sum()),
        texts.max() / max(1.0, texts.sum()),
        most(linked),
        most((numbers[:, FIGURES] & DATED) > 0),
        most((numbers[:, FIGURES] & PRICED) > 0),
        most(is_heading[kept]),
        most(plain),
        most(np.minimum(numbers[:, IMAGES], 1)),
    ]


def _around(page: Page, hints: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return, for each block, the hints of the elements around it."""
    parents = np.asarray(page.parents, np.int64)
    at = page.nodes
    found = hints[at]
    for _ in range(_LEVELS):
        at = np.maximum(parents[at], 0)
        found = found | hints[at]
    return found


def _bits(hints: npt.NDArray[np.int64]) -> Floats:
    return ((hints[:, None] >> np.arange(len(_AROUND))) & 1).astype(np.float64)
