"""The blocks of a page one by one: views of its columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

from scrapy_blockfilter.html.columns import CHARS, CONTROLS, IMAGES, LINK_CHARS, LINKS

if TYPE_CHECKING:
    from scrapy_blockfilter.html.page import Page


class Block:
    """The part of a page that gets one verdict: the text between two structural tags, with its images and links.

    Attributes:
        page: its page.
        number: its place among the page's blocks.
    """

    __slots__ = ("number", "page")

    def __init__(self, page: Page, number: int) -> None:
        self.page = page
        self.number = number

    @property
    def key(self) -> int:
        """Hash of its content."""
        return int(self.page.keys[self.number])

    @property
    def text(self) -> str:
        """Visible text, white space folded, with a line break for each ``<br>``; unchanged in ``<pre>``."""
        return self.page.texts[self.number]

    @property
    def images(self) -> tuple[str, ...]:
        """Words of its images (file name and ALT), without meaningless ones."""
        return self.page.images.get(self.number, ())

    @property
    def words(self) -> str:
        """The text followed by the words of the images."""
        return self.page.words_of(self.number)

    @property
    def terms(self) -> Sequence[int]:
        """Hashes of the terms in text order, computed on first access."""
        if self.number not in self.page.terms:
            self.page.prepare_terms((self.number,))
        return self.page.terms[self.number]

    @property
    def chars(self) -> int:
        """Number of characters of the text."""
        return int(self.page.numbers[self.number, CHARS])

    @property
    def link_chars(self) -> int:
        """Number of characters of the text inside links."""
        return int(self.page.numbers[self.number, LINK_CHARS])

    @property
    def link_density(self) -> float:
        """Share of the text that is inside links, 0 to 1."""
        return self.link_chars / self.chars if self.chars else 0.0

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Images, links, scripts and form controls (Debnath et al. 2005, section 3.2.1)."""
        row = self.page.numbers[self.number]
        return int(row[IMAGES]), int(row[LINKS]), self.page.scripts[self.number], int(row[CONTROLS])

    @property
    def node(self) -> int:
        """Index of the innermost structural element that holds the whole block."""
        return int(self.page.nodes[self.number])

    @property
    def tag(self) -> str:
        """Tag of the structural element that holds the block."""
        return self.page.tags[self.node]

    @property
    def slot(self) -> int:
        """64-bit hash of the style path."""
        return int(self.page.slots[self.node])

    @property
    def tag_path(self) -> int:
        """64-bit hash of the tag path, without class and id."""
        return int(self.page.tag_paths[self.node])

    @property
    def path(self) -> str:
        """Style path: tags with class and id from the root down, digits folded; a long path without its middle."""
        return self.page.path_texts.of(self.node)

    @property
    def pieces(self) -> list[int]:
        """The text nodes and images of the block, as in :attr:`Page.pieces`."""
        return list(self.page.pieces[self.page.range_of(self.number)])


class Blocks(Sequence[Block]):
    """The blocks of a page in document order, as views that are made anew each time."""

    # A page that kept views of itself would be freed late, by the garbage collector.
    __slots__ = ("_page",)

    def __init__(self, page: Page) -> None:
        self._page = page

    def __len__(self) -> int:
        return len(self._page.keys)

    def __iter__(self) -> Iterator[Block]:
        return (Block(self._page, number) for number in range(len(self)))

    @overload
    def __getitem__(self, number: int) -> Block: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Block]: ...
    def __getitem__(self, number: int | slice) -> Block | Sequence[Block]:
        found = range(len(self))[number]
        return Block(self._page, found) if isinstance(found, int) else [Block(self._page, one) for one in found]
