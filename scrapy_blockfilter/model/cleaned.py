"""A page after cleaning, in the forms that it is written in: text, HTML, Markdown, and values for JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.boxes import without_boxes
from scrapy_blockfilter.html.parse import build
from scrapy_blockfilter.html.shared_trees import has_changed
from scrapy_blockfilter.methods import Verdict
from scrapy_blockfilter.methods.base import Comment
from scrapy_blockfilter.model.judged_page import JudgedPage
from scrapy_blockfilter.model.listed import listed_comments
from scrapy_blockfilter.model.suspicion import NO_TEXT, OwnText
from scrapy_blockfilter.options.output_forms import CHUNK_CHARACTERS
from scrapy_blockfilter.options.removed import RemovedNames
from scrapy_blockfilter.render import (
    render_bare_html,
    render_chunks,
    render_content_key,
    render_html,
    render_links,
    render_markdown,
    render_markdown_chunks,
    render_similar_key,
    render_text,
)
from scrapy_blockfilter.render.addresses import base_of

if TYPE_CHECKING:
    from lxml import etree

    from scrapy_blockfilter.metadata import PageMetadata


class Cleaned(RemovedNames, JudgedPage):
    """The result of cleaning a page. The page itself is not changed.

    Each of the forms, from ``html`` on, is made when it is first asked for.

    Args:
        chunk_characters: most characters of one of the ``chunks``.
        find_comments: finds the readers' comments of the page, kept or not.

    Attributes:
        source: the HTML as it came.
        unchanged: why nothing was removed, as a short name; "" if something was. Either "nothing_to_strip",
            "too_little_kept" or "warmup", or why the page could not be read: "empty", "too_large", "long_tag",
            "too_deep", "too_many_elements", "too_many_blocks".
        suspicious: why cleaning may have gone wrong, as a sentence without its subject; "" if nothing is odd. For
            example "loses 14% of its likely content, by the scores of its stripped blocks".
        own_text: characters of its own text, unlinked and not repeated on its site, and how many stay; (0, 0) for a
            fragment and for a page that could not be read.
        doubt: the share of its content that the page is expected to lose, from 0 to 1, by the scores of its blocks; 0
            if the method does not say how likely a block is content.
        url: the address that links are relative to, unless the page has a BASE; "" if unknown.
        simplified: why outputs are simpler than the page, as short names; those of the outputs that were read so far.
            "wide_table" is for a table that Markdown has as plain blocks, as it would be mostly empty cells;
            "bad_json_ld" for metadata without a SCRIPT that is no JSON, "cut_metadata" for those beyond limits.
        selectors: whether each selector of :class:`Options` that was tried on the page matches an element of it.
        blocks: all blocks in document order, with their verdicts; empty if the page could not be read.
    """

    def __init__(
        self,
        source: str,
        page: Page | None,
        verdicts: Sequence[Verdict],
        unchanged: str,
        url: str = "",
        own_text: OwnText = NO_TEXT,
        doubt: float = 0.0,
        *,
        chunk_characters: int = CHUNK_CHARACTERS,
        find_comments: Callable[[], Sequence[Comment]] = lambda: (),
    ) -> None:
        super().__init__(source, page, verdicts, unchanged, url, own_text, doubt)
        self.simplified: list[str] = []
        self._chunk_characters = chunk_characters
        self._find_comments = find_comments

    @cached_property
    def html(self) -> str:
        """The page without its stripped blocks; the source itself if nothing was removed, without boxes."""
        if self._page is None or self.unchanged:
            return without_boxes(self.source)
        return render_html(self._page, self._keep, self.source)

    @cached_property
    def text(self) -> str:
        """Text of the kept blocks, one block per line; "" if the page could not be read."""
        return "" if self._page is None else render_text(self._page, self._keep)

    @cached_property
    def markdown(self) -> str:
        """The kept blocks as Markdown with absolute links; "" if the page could not be read."""
        if self._page is None:
            return ""
        return render_markdown(self.html, self._base, self._simplify)

    @cached_property
    def bare_html(self) -> str:
        """The kept blocks as HTML that shows and means the same but cannot act; "" if the page could not be read.

        Links and images have absolute addresses. There is no HEAD, SCRIPT, STYLE or form, and no attribute that only
        scripts or style sheets need. Microdata stays.
        """
        return "" if self._page is None else render_bare_html(self.html, self._base)

    @cached_property
    def metadata(self) -> dict[str, Any]:
        """What the page says of itself, for JSON.

        It has ``title``, ``authors``, ``published``, ``modified``, ``language``, ``site_name``, ``url``,
        ``description`` and ``image``, and what structured data say: ``json_ld``, ``microdata`` and
        ``opengraph``. What is unknown is None or empty. Names of months in bylines, and languages that are not
        declared, want the extra ``metadata``.
        """
        return self._metadata.values

    @cached_property
    def metadata_sources(self) -> dict[str, list[dict[str, str]]]:
        """For each field of :attr:`metadata`, the values found, with their sources; the first source counts."""
        return self._metadata.sources

    @cached_property
    def chunks(self) -> list[dict[str, Any]]:
        """The text in parts for embedding, as dicts for JSON; none if the page could not be read.

        Each has its ``text``, the ``headings`` around it from the outermost on, its ``position`` in :attr:`text`, and
        its number of ``characters``. Every heading begins a chunk. No text is lost or doubled: between one chunk
        and the next is white space alone.
        """
        return [] if self._page is None else render_chunks(self._page, self._keep, self._chunk_characters)

    @cached_property
    def markdown_chunks(self) -> list[dict[str, Any]]:
        """The Markdown in parts for embedding, as dicts for JSON; none if the page could not be read.

        Each is Markdown by itself, with at most as many characters as one of the :attr:`chunks`. It has its
        ``markdown``, the ``headings`` around it from the outermost on, its ``position`` in :attr:`markdown`, and its
        number of ``characters``. Of a table or code that is divided, each part has the header or the fence.
        """
        return render_markdown_chunks(self.markdown, self._chunk_characters)

    @cached_property
    def links(self) -> list[dict[str, Any]]:
        """The links in the kept blocks, as dicts for JSON; none if the page could not be read.

        Each has its ``text``, its absolute ``url``, and the number of the ``block`` it is in: its place in
        :attr:`blocks`. Links to a place on the page itself are left out.

        Raises:
            RuntimeError: the page was a selector whose tree has changed since.
        """
        if self._page is None:
            return []
        return render_links(self._page, self._keep, self.source, self._base)

    @cached_property
    def comments(self) -> list[dict[str, Any]]:
        """What readers wrote below the content, kept or not, as dicts for JSON; none if the page could not be read.

        Each has its ``text``, a line for each block, its ``date`` as it is written, None if there is none, and the
        number of its first ``block``. The default method alone tells comments from other text.
        """
        if self._page is None:
            return []
        return listed_comments([block.text for block in self._page.blocks], self._find_comments())

    @cached_property
    def content_key(self) -> str:
        """A hash of the kept texts in hexadecimal; "" if there are none.

        It is equal for pages with the same texts in any order, whatever their markup, case, punctuation and site.
        """
        return "" if self._page is None else render_content_key(self._page, self._keep)

    @cached_property
    def similar_key(self) -> str:
        """A MinHash of the kept texts in hexadecimal; "" if there are none.

        :func:`scrapy_blockfilter.render.keys.likeness` tells from two keys how much of two texts is the same.

        Raises:
            ImportError: datasketch is missing; the extra ``copies`` installs it.
        """
        return "" if self._page is None else render_similar_key(self._page, self._keep)

    @cached_property
    def kind(self) -> dict[str, Any]:
        """The kind of the page, as a dict for JSON; empty if the page could not be read.

        It has ``kind``, one of "article", "product", "listing", "thread", "reference", "profile", "home" and "other",
        and ``score``: how likely that is, from 0 to 1. Verdicts do not depend on it.
        """
        if self._page is None:
            return {}
        from scrapy_blockfilter.kinds import features_of, kind_by  # for this form alone

        return kind_by(features_of(self._page, self._keep, self._root_of(self._page), self.url))

    def __repr__(self) -> str:
        if self._page is None:
            return f"<Cleaned: not read, {self.unchanged}>"
        kept = sum(self._keep)
        unchanged = f", unchanged: {self.unchanged}" if self.unchanged else ""
        return f"<Cleaned: {kept} of {len(self._verdicts)} blocks kept{unchanged}>"

    def _repr_html_(self) -> str:
        """Return the report on the page for notebooks."""
        from scrapy_blockfilter.report import in_notebook, page_report  # for notebooks alone

        return in_notebook(page_report(self))

    def _simplify(self, reason: str) -> None:
        if reason not in self.simplified:
            self.simplified.append(reason)

    @cached_property
    def _base(self) -> str:
        """The address that links are relative to, "" if unknown."""
        return base_of(self.source, self.url)

    @cached_property
    def _metadata(self) -> PageMetadata:
        from scrapy_blockfilter.metadata import PageMetadata, Shown  # for this form alone
        from scrapy_blockfilter.model.shown import shown

        page = self._page
        if page is None:
            return PageMetadata(None, Shown(self.url, self._base))
        root = self._root_of(page)
        of_page = shown(page, self._verdicts, self._keep, lambda: self.text, self.url, self._base)
        return PageMetadata(root, of_page, self._simplify)

    def _root_of(self, page: Page) -> etree._Element:
        """Return the root of the page's tree as it was."""
        if page.root is None or has_changed(page):  # its tree has become the clean page, or its owner's
            return build(self.source)
        return page.root
