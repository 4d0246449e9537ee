"""Keep the pictures and listings of a page's matter: their words are few or no prose, and surroundings say more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from scrapy_blockfilter.consensus.case import AGREEMENT, Case, Change, Sums, bits_of
from scrapy_blockfilter.consensus.features.of_blocks import LONG_BLOCK
from scrapy_blockfilter.html.class_hints import hints_of
from scrapy_blockfilter.html.columns import CHARS, FIGURES, IMAGES, LINK_CHARS, TITLE
from scrapy_blockfilter.html.paths import style_label
from scrapy_blockfilter.html.subtrees import Indices
from scrapy_blockfilter.methods.base import Flags

# Blocks between a picture and text that stays: galleries and credits stand between paragraphs.
_NEAR = 8
# Texts that stay up to the headline: a brand, a number or a kind may stand before it. Agreement with the TITLE that a
# headline needs if most pages have another: the name of the site in the TITLE may be longer.
_UP_TO_HEADLINE, _LEAST_AGREEMENT = 4, 30
# Elements around a picture that are searched for text beside it.
_AROUND = 4
# Characters of a text beside a picture that may be its caption, and blocks of a caption behind it: text and credit.
_LONGEST_CAPTION, _CAPTION_BLOCKS = 400, 2

# A block with a lower score is no caption, whatever its name is.
_IN_DOUBT = 0.02

# Share of a figure's text that is in links: a caption may name its source in a link, and a teaser is one.
_OF_TEASER = 0.9

_CAPTION = bits_of("caption")
# An element of such a name, or the next in one, shows pictures that are not the matter of the page. A FIGURE may have
# buttons to share it, and stand in anything.
_OF_OTHERS = bits_of("advert", "byline", "comments", "navigation", "sharing")
_OF_OTHERS_IN_FIGURES = bits_of("advert", "byline")
# Elements with such names are often around pictures, and seldom adverts: "overflow-hidden", "modal-opener".
_ADVERT, _COVERS = bits_of("advert"), re.compile(r"(?i)hidden|modal|overlay")
_PORTRAIT = re.compile(r"(?i)(?<![a-z])(?:gr)?avatar(?![a-z])")


class _Picture(NamedTuple):
    """A picture: its element, the range of its blocks with its caption, and the element around it that has text."""

    node: int
    start: int
    end: int
    around: int


def pictures(case: Case) -> Iterator[Change]:
    """Keep a figure, or an image alone, with its caption: between texts that stay, or beside one in its element.

    Above the headline, an image that no other page has is the page's, too; on a page alone it may be the site's logo.
    A picture stays whole if a part stays, and with the picture right before it. An image that another page has belongs
    to the site, and a picture beside stripped links alone to a teaser. A listing of code is kept as a picture is.
    """
    page, keep = case.page, case.keep
    texts = (keep & case.has_text).nonzero()[0]
    if not len(texts) or not case.is_mixed:
        return
    is_image, is_listing = page.numbers[:, IMAGES] > 0, case.evidence.column("tag: pre") > 0
    figures = _figures(case)
    is_picture = (figures >= 0) | is_listing | (is_image & ~case.has_text) | _captions(case)
    first, last = max(0, int(texts[0]) - _NEAR), int(texts[-1]) + _NEAR
    blocks = first + is_picture[first:last].nonzero()[0]
    if not len(blocks):
        return
    surroundings = _Surroundings(case, is_image | is_listing, texts[:_UP_TO_HEADLINE])
    end, kept_end = 0, -1
    for block in blocks.tolist():
        if block >= end:
            node = int(figures[block] if figures[block] >= 0 else page.nodes[block])
            picture = surroundings.picture(block, node)
            end = max(block + 1, picture.end)
            is_kept = 0 not in keep[picture.start : end].tobytes()
            if not is_kept and surroundings.keep(picture, follows=picture.start == kept_end):
                what = "a listing of code" if is_listing[block] else "a picture"
                yield Change(range(picture.start, picture.end), f"{what} beside texts that stay")
                is_kept = True
            kept_end = end if is_kept else -1


def _captions(case: Case) -> Flags:
    """Return which blocks may be captions, by their names: the images beside them may have no words."""
    page = case.page
    named = np.asarray(page.hints, np.int64) & _CAPTION > 0
    parents = np.asarray(page.parents, np.int64)
    is_named = (named | named[parents])[page.nodes]
    numbers = page.numbers
    is_short = case.has_text & (numbers[:, CHARS] <= _LONGEST_CAPTION) & (numbers[:, FIGURES] == 0)
    is_of_site = 2 * case.evidence.pages_with > max(1, case.evidence.others)
    in_doubt: Flags = is_named & is_short & ~case.is_linked & ~is_of_site & (case.scores > _IN_DOUBT)
    return in_doubt


def _figures(case: Case) -> Indices:
    """Return the innermost FIGURE around each block, -1 outside of any."""
    found = np.full(len(case.keep), -1, np.int64)
    for node in case.nodes_of(("figure",)):
        found[case.tree.starts[node] : case.tree.ends[node]] = node
    return found


class _Surroundings:
    """Sums over the blocks of a page: what stands around a picture is found in one step, however many blocks it has."""

    def __init__(self, case: Case, is_thing: Flags, first_texts: Indices) -> None:
        self._case, self._page = case, case.page
        self._starts, self._ends, self._outer = case.ranges
        numbers, weights = case.page.numbers, case.page.weights
        is_own = 2 * case.evidence.pages_with[first_texts] <= case.evidence.others
        agrees = numbers[first_texts, TITLE] >= np.where(is_own, _LEAST_AGREEMENT, AGREEMENT)
        agree = first_texts[case.is_heading[first_texts] & agrees]
        self._headline = int(agree[0]) if len(agree) and case.has_others else -1
        columns = {
            "chars": numbers[:, CHARS],
            "linked": numbers[:, LINK_CHARS],
            "texts": case.has_text,
            "kept texts": case.keep & case.has_text,
            "kept": case.keep.copy(),
            "weight": weights,
            "kept weight": weights * case.keep,
            "shared": is_thing & (case.evidence.pages_with > 0),
            "figures": numbers[:, FIGURES] > 0,
        }
        self._between = Sums(columns).between

    def picture(self, block: int, node: int) -> _Picture:
        """Return the picture that a block is of; one without blocks if it goes with the text in the element around it.

        A text of one or two blocks is a caption, unless it is of links, or has a date or price, as those of teasers,
        goods and authors.
        """
        between, tag = self._between, self._page.tags[node]
        start, end, around = block, block + 1, node
        if tag == "figure":
            start, end = self._starts[node], self._ends[node]
            if between(start, end, "linked") > _OF_TEASER * between(start, end, "chars"):
                return _Picture(node, start, start, around)
        if self._ends[node] - self._starts[node] == end - start:
            around = self._outer[node]
        for _ in range(_AROUND):
            first, last = self._starts[around], self._ends[around]
            if between(first, last, "kept"):
                break
            chars = between(first, last, "chars") - between(start, end, "chars")
            most_texts = _CAPTION_BLOCKS + (tag == "pre")  # a listing is a text itself
            is_short = chars <= _LONGEST_CAPTION and between(first, last, "texts") <= most_texts
            is_unlinked = is_short and 2 * between(first, last, "linked") <= chars
            if chars and not (is_unlinked and not between(first, last, "figures")):
                return _Picture(node, start, end if tag == "pre" else start, around)
            start, end, around = first, last, self._outer[around]
        return _Picture(node, start, self._end_of_caption(end), around)

    def _end_of_caption(self, end: int) -> int:
        """Return the end of a caption that stands behind its picture, in an element of its own: named so, unlinked."""
        page, is_linked = self._page, self._case.is_linked
        for block in range(end, min(end + _CAPTION_BLOCKS, len(is_linked))):
            is_short = 0 < page.numbers[block, CHARS] <= _LONGEST_CAPTION
            if not (is_short and page.hints[page.nodes[block]] & _CAPTION) or is_linked[block]:
                return block
        return end

    def keep(self, picture: _Picture, *, follows: bool) -> bool:
        """Return whether a picture is of the page's matter.

        Args:
            follows: whether it stands right behind a picture that stays.
        """
        _, start, end, _ = picture
        if self._between(start, end, "kept texts"):
            return True
        if start == end or self._between(start, end, "shared") or self._is_named(picture):
            return False
        before = self._between(max(0, start - _NEAR), start, "kept texts")
        after = self._between(end, min(len(self._case.keep), end + _NEAR), "kept texts")
        leads = end <= self._headline < end + _NEAR
        return bool((before and after) or leads or follows or self._is_beside(picture))

    def _is_beside(self, picture: _Picture) -> bool:
        """Return whether a long text beside the picture stays, as most of the text in the element around both."""
        first, last = self._starts[picture.around], self._ends[picture.around]
        beside = [block for block in (picture.start - 1, picture.end) if first <= block < last]
        if not any(self._case.keep[block] and self._page.weights[block] >= LONG_BLOCK for block in beside):
            return False
        return 2 * self._between(first, last, "kept weight") > self._between(first, last, "weight")

    def _is_named(self, picture: _Picture) -> bool:
        """Return whether names say that a picture belongs to an advert, an author, a reader or a button."""
        page, node = self._page, picture.node
        if page.tags[node] == "pre":
            return False
        if page.tags[node] == "figure":
            named = self._names_of(node) & _OF_OTHERS_IN_FIGURES
        else:
            named = (self._names_of(node) | self._names_of(max(0, page.parents[node]))) & _OF_OTHERS
        words = (word for block in range(picture.start, picture.end) for word in page.images.get(block, ()))
        return bool(named) or any(map(_PORTRAIT.search, words))

    def _names_of(self, node: int) -> int:
        """Return the hints of an element's names, without words that say how it covers others or is covered."""
        page = self._page
        if not page.hints[node] & _ADVERT or page.root is None:
            return page.hints[node]
        (element,) = page.elements_at([page.ordinals[node]]).values()
        names = (_COVERS.sub("", element.get(name, "")) for name in ("class", "id"))
        return hints_of(page.tags[node], style_label(page.tags[node], *names))
