"""Gather runs of text nodes and inline elements, and make blocks of them."""

from __future__ import annotations

from lxml import etree

from scrapy_blockfilter.html.block import Block
from scrapy_blockfilter.html.limits import Limits
from scrapy_blockfilter.html.page import IMAGE, Page
from scrapy_blockfilter.text.block_text import BREAK, MAX_KNOWN_TEXT, block_text
from scrapy_blockfilter.text.image_words import image_words

_IMAGES, LINKS, _SCRIPTS, _CONTROLS = range(4)
_NONE = [0, 0, 0, 0]
_NO_COUNTS = tuple(_NONE)


class Runs:
    """The run of text since the last structural tag: the next block.

    Args:
        limits: number of blocks that the page may have.

    Attributes:
        tags: tags of the structural elements so far.
        parts: texts of the run, with an empty one for each counted element, so that the run is not empty.
        counts: images, links, scripts and form controls of the run.
    """

    def __init__(self, page: Page, limits: Limits) -> None:
        self.page = page
        self.limits = limits
        self.blocks = page.chunks
        self.pieces: list[int] = []
        self.first_piece = 0
        self.known_texts = page.known.texts.ready()
        self.tags: list[str] = []
        self.parts: list[str] = []
        self.images: list[str] = []
        self.counts = [0, 0, 0, 0]
        self.link_chars = 0

    def add_text(self, text: str, piece: int, in_link: bool) -> None:
        """Add a text node to the run. White space counts only within the run or in PRE."""
        if not text.isspace():
            self.parts.append(text)
            self.pieces.append(piece)
            if in_link:
                self.link_chars += len(text)
        elif self.parts or self.tags[-1] == "pre":
            self.parts.append(text)

    def count(self, element: etree._Element, tag: str, ordinal: int) -> None:
        """Count an inline element."""
        part = ""  # a run with an empty part is not empty, so its end resets the counts
        if tag == "br":
            part = BREAK
        elif tag == "option":
            part = " "
        elif tag == "img":
            self.counts[_IMAGES] += 1
            words = image_words(element.get("src", ""), element.get("alt", ""))
            if words:
                self.images.append(words)
                self.pieces.append(ordinal << 2 | IMAGE)
        else:
            self.counts[_CONTROLS] += 1
        self.parts.append(part)

    def count_script(self, tag: str) -> None:
        """Count an opaque element if it is a script."""
        if tag == "script":
            self.counts[_SCRIPTS] += 1
            self.parts.append("")

    def end_run(self, node: int) -> None:
        """Make a block of the run if it has text or an image, and start a new run."""
        parts = self.parts
        first_piece, last_piece = self.first_piece, len(self.pieces)
        if first_piece < last_piece:
            text = parts[0] if len(parts) == 1 else "".join(parts)
            images: tuple[str, ...] = ()
            if len(text) > MAX_KNOWN_TEXT or self.images or self.tags[node] == "pre":
                images = tuple(self.images)
                self.images.clear()
                folded, key = block_text(text, images, is_pre=self.tags[node] == "pre")
            else:
                folded, key = self.known_texts[text]
            counts = self.counts
            link_chars = self.link_chars
            self.blocks.append(
                Block(
                    self.page,
                    folded,
                    key,
                    images,
                    node,
                    link_chars if link_chars < len(folded) else len(folded),
                    _NO_COUNTS if counts == _NONE else tuple(counts),
                    first_piece,
                    last_piece,
                )
            )
            if len(self.blocks) > self.limits.blocks:
                raise self.limits.unfit("too_many_blocks")
            self.first_piece = last_piece
            self.link_chars = 0
        parts.clear()
        self.counts[:] = _NONE
