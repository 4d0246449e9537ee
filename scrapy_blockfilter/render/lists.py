"""List the links and the images in the kept blocks, with what the page says of each."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Iterator, Mapping, Sequence, Set
from itertools import accumulate, groupby, islice
from typing import Any

from lxml import etree

from scrapy_blockfilter.html.nearby import Known, few_nodes, nearest, text_of
from scrapy_blockfilter.html.page import IMAGE, TAIL, Page
from scrapy_blockfilter.html.permalinks import without_permalinks
from scrapy_blockfilter.html.tags import HEADINGS, OPAQUE
from scrapy_blockfilter.html.tree_fingerprint import renew_changed_tree
from scrapy_blockfilter.html.walk import image_source
from scrapy_blockfilter.render.addresses import address_of
from scrapy_blockfilter.render.html import mark_around
from scrapy_blockfilter.render.images import IMAGES_OF_AMP, is_spacer, sizes_of, written_address
from scrapy_blockfilter.render.side_by_side import parted
from scrapy_blockfilter.text.block_text import block_key
from scrapy_blockfilter.text.image_words import image_words

_FIGURE = frozenset({"figure"})
# Names of images that decorate, in their classes and the ends of their addresses; the largest of such, in pixels.
_DECORATES = re.compile(
    r"(?i)(?:^|[\s/_.-])(?:avatar|icon|ico|emoji|smiley|smilies|gravatar|sprite|spinner|userpic)s?(?=$|[\s/_.\d-])"
)
_SMALL = 48
_CAPTION = re.compile(r"(?:^|[\s_-])caption", re.IGNORECASE)
_NODES, _LEVELS, _SIBLINGS, _END = 40, 4, 2, 200


def render_links(page: Page, keep: Sequence[bool], source: str, base: str, gone: Set[int]) -> list[dict[str, Any]]:
    """Return the links in the kept blocks: see :attr:`Cleaned.links`. The text of a linked image is its ALT.

    Texts at the places ``gone`` in the page's pieces do not count. It raises as :func:`render_html` does.
    """
    renew_changed_tree(page, source)
    elements = page.elements
    links_around = [-1] * (len(elements) + 1)  # place of the A around each element; the root's parent, -1, is the last
    for ordinal, (element, parent) in enumerate(zip(elements, page.element_parents, strict=True)):
        is_link = element.tag == "a" and element.get("href") is not None
        links_around[ordinal] = ordinal if is_link else links_around[parent]
    texts = parted(element for element, link in zip(elements, links_around, strict=False) if link >= 0)
    found: dict[int, dict[int, list[str]]] = {}  # place of the A -> its texts in each block
    for number, (block, is_kept) in enumerate(zip(page.blocks, keep, strict=True)):
        if not is_kept or page.tags[block.node] == "title":
            continue
        for place, piece in enumerate(block.pieces, page.range_of(number).start):
            link = links_around[page.holder_of(piece)]
            if link >= 0 and place not in gone:
                text = _linked_text(elements[piece >> 2], piece & 3, texts)
                found.setdefault(link, {}).setdefault(number, []).append(text)
    with_words = {-1, *found}
    for ordinal, number in _kept_images(page, keep):
        if (link := links_around[ordinal]) not in with_words and not is_spacer(elements[ordinal]):
            found.setdefault(link, {}).setdefault(number, []).append(_linked_text(elements[ordinal], IMAGE, texts))
    links = []
    for link, of_blocks in sorted(found.items()):
        written = (elements[link].get("href") or "").strip()
        url = address_of(written, base)
        if url and written and not written.startswith("#"):
            text = " ".join(" ".join(map("".join, of_blocks.values())).replace("\xad", "").split())
            links.append({"text": text, "url": url, "block": min(of_blocks)})
    return links


def _linked_text(element: etree._Element, kind: int, texts: Mapping[tuple[etree._Element, str], str]) -> str:
    if kind == IMAGE:
        return f" {element.get('alt', '')} "
    text = texts.get((element, "tail" if kind == TAIL else "text"))
    if text is None:
        text = (element.tail if kind == TAIL else element.text) or ""
    return f" {text}" if kind == TAIL and element.tag == "br" else text


def render_images(
    page: Page, keep: Sequence[bool], source: str, base: str, repeated: Container[int] = ()
) -> list[dict[str, Any]]:
    """Return the images in the kept blocks, but for ``repeated`` ones: see :attr:`Cleaned.images`.

    Other pages of the site have blocks with such keys. It raises as :func:`render_links` does.
    """
    renew_changed_tree(page, source)
    headings = _headings(page, keep)
    captions: dict[etree._Element, str] = {}  # of figures
    behind: dict[etree._Element, str] = {}  # of siblings behind images
    figures: Known = {}
    found: dict[str, dict[str, Any]] = {}
    for ordinal, number in _kept_images(page, keep):
        image = page.elements[ordinal]
        address = address_of(written_address(image) or None, base)
        if not address or address in found or _decorates(image):
            continue
        words = image_words(image_source(image), image.get("alt", ""))
        if words and block_key("", (words,)) in repeated:
            continue
        figure = nearest(image, _FIGURE, figures)
        if figure is not None and figure not in captions:
            found_in = (figure.find(path) for path in ("figcaption", "*/figcaption"))
            captions[figure] = next((_said(caption) for caption in found_in if caption is not None), "")
        found[address] = {
            "address": address,
            "alt": " ".join(image.get("alt", "").replace("\xad", "").split()),
            "caption": _caption_beside(image, behind) if figure is None else captions[figure],
            "heading": headings[number],
            "block": number,
        }
    return list(found.values())


def _kept_images(page: Page, keep: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield the place of each image that HTML keeps and shows, with the number of its block.

    An image without words is no part of a block. Such an image goes with the innermost element around it that has text,
    if all of that goes, and belongs to the kept block before it.
    """
    parents = page.element_parents
    of_blocks: dict[int, int] = {}
    has_text, stays = bytearray(len(parents)), bytearray(len(parents))  # by place; stays: whether some of it is kept
    has_text[0] = stays[0] = True
    kept: list[tuple[int, int]] = []  # the first place of each kept block, and its number
    for number, (block, is_kept) in enumerate(zip(page.blocks, keep, strict=True)):
        pieces = block.pieces
        if is_kept and page.tags[block.node] != "title":
            kept.append((pieces[0] >> 2, number))
        for piece in pieces:
            if piece & 3 == IMAGE:
                of_blocks[piece >> 2] = number
            for marked in (has_text, stays) if is_kept else (has_text,):
                mark_around(page.holder_of(piece), parents, marked)
    starts = list(accumulate((place for place, _ in kept), max))
    hidden: Known = {}
    for ordinal, element in enumerate(page.elements if kept else ()):
        if not has_text[ordinal]:
            stays[ordinal] = stays[parents[ordinal]]
        if stays[ordinal] and element.tag in ("img", *IMAGES_OF_AMP) and nearest(element, OPAQUE, hidden) is None:
            yield ordinal, of_blocks.get(ordinal, kept[max(0, bisect_right(starts, ordinal) - 1)][1])


def _headings(page: Page, keep: Sequence[bool]) -> list[str]:
    """Return, for each block, the text of the last kept heading up to it; "" before the first."""
    chunks, nearest_heading = page.chunks, page.nearest(HEADINGS)
    said: dict[int, str] = {}  # number of the first block of each heading -> its text
    rows = zip(chunks.nodes.tolist(), page.of_chunks(range(len(keep))), chunks.texts, strict=True)
    for node, group in groupby(rows, lambda row: nearest_heading[row[0]]):
        kept = [(number, text) for _, number, text in group if keep[number]]
        if node >= 0 and kept:
            text = " ".join(" ".join(text for _, text in kept).replace("\xad", "").split())
            said[kept[0][0]] = without_permalinks(text, page.elements[page.ordinals[node]])
    headings = [""]
    for number in range(len(keep)):
        headings.append(said.get(number, headings[-1]))
    return headings[1:]


def _decorates(image: etree._Element) -> bool:
    sizes = [size.removesuffix("px") for size in sizes_of(image)]
    names = (image.get("class", ""), image.get("src", "").partition("?")[0][-_END:])
    # Python refuses to read thousands of digits.
    is_small = all(size.isdecimal() and len(size) < 5 and int(size) <= _SMALL for size in sizes)
    return is_small or any(map(_DECORATES.search, names)) or is_spacer(image)


def _caption_beside(image: etree._Element, captions: dict[etree._Element, str]) -> str:
    """Return the text of an element behind an image, or behind an element around it, whose class says caption."""
    for near in (image, *islice(image.iterancestors(), _LEVELS)):
        for sibling in islice(near.itersiblings(), _SIBLINGS):
            if sibling not in captions:
                is_named = isinstance(sibling.tag, str) and _CAPTION.search(sibling.get("class", ""))
                captions[sibling] = _said(sibling) if is_named and next(sibling.iter("img"), None) is None else ""
            if captions[sibling]:
                return captions[sibling]
    return ""


def _said(element: etree._Element) -> str:
    return " ".join(text_of(few_nodes(element, _NODES)).replace("\xad", "").split())
