"""The columns of a page's blocks: the input of the default method, and what a page record keeps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.html.class_hints import hints_of
from scrapy_blockfilter.html.paths import style_label
from scrapy_blockfilter.html.tags import HEADINGS
from scrapy_blockfilter.text.characters import DIGIT, KINDS, count_kinds
from scrapy_blockfilter.text.dates_and_prices import LONGEST, meaning_of_figures

Integers = npt.NDArray[np.int64]

# Columns of ``Page.numbers``, after one count per kind of character. ``TITLE`` is the agreement with the page's TITLE
# in per cent, ``FIGURES`` says whether the block is a date or a price.
CHARS, LINK_CHARS, IMAGES, LINKS, CONTROLS, LAST_KIND, LINES, TITLE, FIGURES = range(KINDS, KINDS + 9)
WIDTH = KINDS + 9

_NUMBERED = (0, 1, 3)  # every count of a row but scripts
_WORD = re.compile(r"\w+")
_LETTERS = re.compile(r"[^\W\d_]+")
# Characters. Blocks from the first to the second length are compared with the TITLE of the page, of which the third is
# read: this bound limits the search for every block in it.
TITLE_SIZES = _LEAST_TITLE, _MOST_TITLE, _LONGEST_TITLE = 4, 249, 2_000
# Characters of an ID that is compared with headings: a section may have thousands of them. No heading is so long.
_LONGEST_SLUG = 200


class Row(NamedTuple):
    """A block before the columns of its page are made."""

    text: str
    key: int
    images: tuple[str, ...]
    node: int
    link_chars: int
    counts: Sequence[int]  # images, links, scripts and form controls
    end: int  # end of its range in ``Page.pieces``


def numbers_of(rows: Sequence[Row], tags: Sequence[str]) -> Integers:
    """Return the numbers of blocks, given also the tags of their nodes."""
    texts = [row.text for row in rows]
    numbers = np.zeros((len(rows), WIDTH), np.int64)
    if rows:
        numbers[:, :KINDS], numbers[:, LAST_KIND] = count_kinds(texts)
        numbers[:, CHARS] = numbers[:, :KINDS].sum(axis=1)
        numbers[:, LINK_CHARS] = [row.link_chars for row in rows]
        numbers[:, IMAGES : CONTROLS + 1] = np.array([row.counts for row in rows], np.int64)[:, _NUMBERED]
        numbers[:, LINES] = [text.count("\n") for text in texts]
        numbers[:, TITLE] = _agreement_with_title(tags, texts)
        for place in np.flatnonzero((numbers[:, DIGIT] > 0) & (numbers[:, CHARS] < LONGEST)).tolist():
            numbers[place, FIGURES] = meaning_of_figures(texts[place])
    return numbers


def hints_of_classes(tag: str, classes: str) -> int:
    """Return the hints of an element's tag and class, without those of its ID."""
    return hints_of(tag, style_label(tag, classes, ""))


def is_slug(identifier: str, text: str) -> bool:
    """Return whether an ID consists of words of a text.

    >>> is_slug("related-work-2", "3. Related work"), is_slug("comments", "12 responses")
    (True, False)
    """
    if len(identifier) > _LONGEST_SLUG:
        return False
    words = set(_LETTERS.findall(identifier.lower()))
    return bool(words) and words <= set(_LETTERS.findall(text.lower()))


def _agreement_with_title(tags: Sequence[str], texts: Sequence[str]) -> list[int]:
    """Return how much of the TITLE each block repeats, in per cent. Headings are also compared word by word."""
    titles = (text for tag, text in zip(tags, texts, strict=True) if tag == "title")
    title = " ".join(titles)[:_LONGEST_TITLE].lower()
    if not title:
        return [0] * len(texts)
    longest = min(len(title), _MOST_TITLE)  # a longer text is no part of the TITLE
    title_words = words_of(title)
    agreement = [0] * len(texts)
    for place, text in enumerate(texts):
        size = len(text)
        if _LEAST_TITLE <= size <= _MOST_TITLE and (size <= longest or tags[place] in HEADINGS):
            lowered = text.lower()
            if lowered in title:
                agreement[place] = 100 * len(lowered) // len(title)
            elif tags[place] in HEADINGS:
                agreement[place] = agreement_of_words(lowered, title_words)
    return agreement


def words_of(text: str) -> set[str]:
    return set(_WORD.findall(text))


def agreement_of_words(heading: str, title_words: set[str]) -> int:
    """Return how many words a heading has in common with the TITLE, in per cent, less as their order is unknown."""
    words = words_of(heading)
    return 70 * len(words & title_words) // max(1, len(words | title_words))
