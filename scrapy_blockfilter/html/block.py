"""A block: the part of a page that gets one verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from scrapy_blockfilter.html.page import Page


class Counts(NamedTuple):
    """Numeric features of a block (Debnath et al. 2005, section 3.2.1)."""

    images: int = 0
    links: int = 0
    scripts: int = 0
    controls: int = 0


class Block:
    """The part of a page that gets one verdict: the text between two structural tags, with its images and links.

    Attributes:
        key: hash of its content.
        text: visible text, white space folded, with a line break for each ``<br>``; unchanged in ``<pre>``.
        images: words of its images (file name and ALT), without meaningless ones.
        node: index in the page's structure of the innermost structural element that holds the whole block.
        chars, link_chars: number of characters in ``text``, and of those inside links.
        tally: :attr:`counts` as plain numbers.
        piece_start, piece_end: the range of its text nodes and images in the ``pieces`` of its page.
    """

    __slots__ = (
        "_page",
        "_terms",
        "chars",
        "images",
        "key",
        "link_chars",
        "node",
        "piece_end",
        "piece_start",
        "tally",
        "text",
    )

    def __init__(
        self,
        page: Page,
        text: str,
        key: int,
        images: tuple[str, ...],
        node: int,
        link_chars: int,
        tally: tuple[int, ...],
        piece_start: int,
        piece_end: int,
    ) -> None:
        self.text = text
        self.chars = len(text)
        self.key = key
        self.images = images
        self.node = node
        self.link_chars = link_chars
        self.tally = tally
        self.piece_start = piece_start
        self.piece_end = piece_end
        self._page = page.reference
        self._terms: list[int] | None = None

    @property
    def counts(self) -> Counts:
        """Images, links, scripts and form controls."""
        return Counts(*self.tally)

    @property
    def link_density(self) -> float:
        """Share of the text that is inside links, 0 to 1."""
        return self.link_chars / self.chars if self.chars else 0.0

    @property
    def page(self) -> Page:
        """The page of the block. The caller must keep the page alive."""
        page = self._page()
        assert page is not None, "the page of the block is gone"
        return page

    @property
    def pieces(self) -> Sequence[int]:
        """The text nodes and images of the block, as in :attr:`Page.pieces`."""
        return list(self.page.pieces[self.piece_start : self.piece_end])

    @property
    def tag(self) -> str:
        """Tag of the structural element that holds the block."""
        return self.page.structure.tags[self.node]

    @property
    def slot(self) -> int:
        """64-bit hash of the style path."""
        return self.page.slots[self.node]

    @property
    def tag_path(self) -> int:
        """64-bit hash of the tag path, without class and id."""
        return self.page.tag_paths[self.node]

    @property
    def path(self) -> str:
        """Style path: tags with class and id from the root down, digits folded; a long one without its middle."""
        return self.page.path_of(self.node)

    @property
    def terms(self) -> list[int]:
        """Hashes of the terms in text order, computed on first access."""
        if self._terms is None:
            self._terms = self.page.known.terms.terms(self.words, self.page.language)
        return self._terms

    @property
    def words(self) -> str:
        """The text followed by the words of the images."""
        return " ".join((self.text, *self.images)) if self.images else self.text
