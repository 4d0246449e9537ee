"""A page after cleaning, in the forms that it is written in: text, HTML, Markdown, and values for JSON."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from lxml import etree

from scrapy_blockfilter.html import Block, Page, UnfitPage
from scrapy_blockfilter.html.boxes import without_boxes
from scrapy_blockfilter.html.parse import build
from scrapy_blockfilter.html.tree_fingerprint import has_changed, renew_changed_tree
from scrapy_blockfilter.methods.base import FittedMethod, Verdict
from scrapy_blockfilter.model.losses import NO_TEXT, OwnText, kept_flags
from scrapy_blockfilter.model.stated import stated_text
from scrapy_blockfilter.model.usual_things import Thing
from scrapy_blockfilter.options.output_forms import CHUNK_CHARACTERS, CORE_FORMS, FORMS, form_of
from scrapy_blockfilter.options.removed import replacement
from scrapy_blockfilter.options.segmenter import TEXT_CHUNKS, Segmenter
from scrapy_blockfilter.plugins import NOTEBOOK
from scrapy_blockfilter.render import (
    render_chunks,
    render_images,
    render_links,
    render_markdown,
    render_markdown_chunks,
)
from scrapy_blockfilter.render.addresses import base_of
from scrapy_blockfilter.render.html import render_html, without_parts
from scrapy_blockfilter.render.spelled_blocks import spelled_page
from scrapy_blockfilter.render.text import render_text, text_lines

T = TypeVar("T")


class JudgedBlock(Block):
    """A block with its verdict.

    Attributes:
        keep: whether it stays.
        score: from 0, surely template, to 1, surely content.
    """

    __slots__ = ("_verdict", "keep", "score")

    def __init__(self, block: Block, verdict: Verdict) -> None:
        super().__init__(block.page, block.number)
        self.keep = verdict.keep
        self.score = verdict.score
        self._verdict = verdict

    @property
    def reason(self) -> str:
        """The reason for the verdict, in words."""
        return self._verdict.reason

    @property
    def kind(self) -> str:
        """The kind of reason.

        For a stripped block it is one of :data:`scrapy_blockfilter.report.page_facts.KINDS`, unless you wrote the
        method yourself.
        """
        return self._verdict.kind

    def __repr__(self) -> str:
        return f"<JudgedBlock {'keep' if self.keep else 'strip'} {self.text[:40]!r}: {self.reason}>"


class Cleaned:
    """The result of cleaning a page. The page itself is not changed.

    Each of the forms, from ``html`` on, is made when it is first asked for.

    Args:
        chunk_characters: most characters of one of the ``chunks``.
        fitted: finds the readers' comments, kept or not, and the texts within kept blocks that no reader sees.
        repeated: the keys of blocks that several pages of the site have.

    Attributes:
        source: the HTML as it came.
        unchanged: why nothing was removed, as a short name; "" if something was. Either "nothing_to_strip",
            "too_little_kept" or "warmup", or why the page could not be read: "empty", "too_large", "long_tag",
            "too_deep", "too_many_elements", "too_many_blocks".
        suspicious: why cleaning may have gone wrong, as a sentence without its subject; "" if nothing is odd. For
            example "loses 14% of its likely content, by the scores of its stripped blocks". Also if the text and the
            Markdown are of the page's JSON-LD, as the page shows no text itself.
        own_text: characters of its own text, unlinked and not repeated on its site, and how many stay; (0, 0) for a
            fragment and for a page that could not be read.
        doubt: the share of its content that the page is expected to lose, from 0 to 1, by the scores of its blocks; 0
            if the method does not say how likely a block is content.
        has_own_text: whether the page says anything that others of its site do not.
        url: the address that links are relative to, unless the page has a BASE; "" if unknown.
        simplified: why outputs are simpler than the page, as short names; those of the outputs that were read so far.
            "wide_table" is for a table that Markdown has as plain blocks, as it would be mostly empty cells.
        selectors: whether each selector of :class:`Options` that was tried on the page matches an element of it.
        blocks: all blocks in document order, with their verdicts; empty if the page could not be read.
        page: the page that was judged, for forms of other packages; None if it could not be read.
        verdicts: the verdict on each of the blocks.
        page_state: the kind of page, as its site shows it; "" if it is unclear. "content" has text in the slots where
            its site has content, "shell" next to no text beside scripts. "wall" wants a login, a consent or a test for
            robots, "missing" is a message with status 200: the site must have shown the same at other addresses, or the
            page says so itself.
        lacking: the things that nearly all pages of its layout have and this one lacks, with their slots; None if it is
            no page like those learnt from.
    """

    # Forms of extras, which :meth:`form` makes. Their names are declared for checkers of types alone.
    bare_html: str
    metadata: dict[str, Any]
    metadata_sources: dict[str, list[dict[str, str]]]
    content_key: str
    similar_key: str

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
        suspicious: str = "",
        has_own_text: bool = True,
        chunk_characters: int = CHUNK_CHARACTERS,
        fitted: FittedMethod | None = None,
        repeated: Container[int] = (),
    ) -> None:
        self.source = source
        self.page = page
        self.verdicts = verdicts
        self.unchanged = unchanged
        if not isinstance(url, str):
            raise TypeError(f"the url of a page is text, not a {type(url).__name__}")
        self.url = url
        self.own_text = own_text
        self.doubt = doubt
        self.has_own_text = has_own_text
        self._stated, stated = (None, "") if page is None or page.root is None else stated_text(page, source, page.root)
        self.suspicious = stated or suspicious
        self.selectors = {} if page is None else page.selectors
        self.simplified: list[str] = []
        self._made: dict[Callable[[Cleaned], Any], Any] = {}
        self._chunk_characters = chunk_characters
        self._fitted = fitted
        self.page_state = ""
        self.lacking: frozenset[Thing] | None = None
        self._repeated = repeated

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError(
            "a Cleaned holds the tree of its page, so it is neither copied nor pickled: take its forms, such as "
            "cleaned.text, or send the page and the model (SiteModel.to_bytes), and clean it there"
        )

    @cached_property
    def blocks(self) -> tuple[JudgedBlock, ...]:
        judged = zip(self.page.blocks if self.page else (), self.verdicts, strict=True)
        return tuple(JudgedBlock(block, verdict) for block, verdict in judged)

    @cached_property
    def keep(self) -> list[bool]:
        """Whether each of :attr:`blocks` stays."""
        keep: list[bool] = kept_flags(self.verdicts).tolist()
        return keep

    @cached_property
    def stripped(self) -> Sequence[JudgedBlock]:
        """The removed blocks. The TITLE always stays."""
        return [block for block in self.blocks if not block.keep and block.tag != "title"]

    @cached_property
    def removed(self) -> list[dict[str, Any]]:
        """The removed blocks as dicts for JSON, with ``text``, ``reason`` and ``score``.

        The text of a block that has only images is the words of their names and ALTs.
        """
        said = [(gone, gone.text.replace("\xad", "") or " ".join(gone.images)) for gone in self.stripped]
        return [{"text": text, "reason": gone.reason, "score": round(float(gone.score), 4)} for gone, text in said]

    def sizes(self) -> Iterator[tuple[int, bool]]:
        """Yield the bytes of each block's text, in UTF-8, and whether it stays; cheaper than :attr:`blocks`."""
        return zip(self.page.sizes if self.page else (), self.keep, strict=True)

    @property
    def segmenter(self) -> Segmenter:
        """The segmenter that made the blocks."""
        return TEXT_CHUNKS if self.page is None else self.page.segmenter or TEXT_CHUNKS

    @property
    def lacks_boxes(self) -> bool:
        """Whether the segmenter needs boxes, and the page has too few: it was divided as "dom" does."""
        return self.page is not None and self.page.lacks_boxes

    @cached_property
    def html(self) -> str:
        """The page without its stripped blocks; the source itself if nothing was removed, without boxes."""
        if self.page is None or self.unchanged:
            return without_boxes(self.source)
        return render_html(self.page, self.keep, self.source)

    @cached_property
    def shown_html(self) -> str:
        """The same without hidden parts of blocks, for forms of other packages that cannot hide them."""
        return self.html if self.page is None or self._seen is None else render_html(*self._seen, self.source)

    @cached_property
    def _hidden(self) -> frozenset[int]:
        """The places in the page's pieces of hidden parts of blocks that stay."""
        if self.page is None or self._fitted is None or not (self.page.whole and self.page.marked):
            return frozenset()
        renew_changed_tree(self.page, self.source)
        return frozenset(self._fitted.hidden_parts(self.page, self.keep))

    @cached_property
    def _seen(self) -> tuple[Page, list[bool]] | None:
        """The page without hidden parts of blocks, and which blocks stay; None for a page that has no such part."""
        return without_parts(self.page, self.keep, self._hidden) if self.page is not None and self._hidden else None

    @cached_property
    def text(self) -> str:
        """Text of the kept blocks, one block per line; "" if the page could not be read."""
        return "" if self.page is None else self._spelled[2]

    @property
    def lines(self) -> list[tuple[int, str]]:
        """The lines of :attr:`text`, each with the slot of its first block: the hash of a style path."""
        if self.page is None:
            return []
        page, keep, _ = self._spelled
        return [(int(page.slots[node]), line) for node, line in text_lines(page, keep)]

    @cached_property
    def _spelled(self) -> tuple[Page, Sequence[bool], str]:
        """The page that text is read from, spelled out in words, which of its blocks stay, and the text."""
        assert self.page is not None
        spelled: tuple[Page, Sequence[bool]] = self.page, self.keep
        with suppress(RuntimeError, UnfitPage):  # the tree was changed: its text is known, its HTML is not
            spelled = spelled_page(*spelled, self.source, self._seen, self._stated)
        return *spelled, render_text(*spelled)

    @cached_property
    def markdown(self) -> str:
        """The kept blocks as Markdown with absolute links; "" if the page could not be read."""
        if self.page is None:
            return ""
        html = self.shown_html if self._stated is None else etree.tostring(self._stated, encoding=str, method="html")
        return render_markdown(html, self.base, self.simplify)

    @cached_property
    def chunks(self) -> list[dict[str, Any]]:
        """The text in parts for embedding, as dicts for JSON; none if the page could not be read.

        Each chunk has its ``text``, the ``headings`` around it from the outermost on, its ``position`` in :attr:`text`,
        and its number of ``characters``. A heading begins a chunk, unless few characters follow it. No text is lost or
        doubled: between one chunk and the next is white space alone.
        """
        return [] if self.page is None else render_chunks(*self._spelled[:2], self._chunk_characters)

    @cached_property
    def markdown_chunks(self) -> list[dict[str, Any]]:
        """The Markdown in parts for embedding, as dicts for JSON; none if the page could not be read.

        Each chunk is Markdown by itself, with at most as many characters as one of the :attr:`chunks`. A chunk has its
        ``markdown``, the ``headings`` around it from the outermost on, its ``position`` in :attr:`markdown`, and its
        number of ``characters``. Each part of a divided table or code has the header or the fence.
        """
        return render_markdown_chunks(self.markdown, self._chunk_characters)

    def to_dict(self, *forms: str) -> dict[str, Any]:
        """Return forms of the page by name, by default ``url`` and ``text``, as values for JSON.

        Raises:
            KeyError: there is no form of a name.
            ImportError: its package, or a library that it needs, is missing or cannot be imported.
        """
        if others := [form for form in forms if not isinstance(form, str)]:
            raise TypeError(f'forms are named one by one, as in to_dict("text", "links"), not {others[0]!r:.80}')
        return {"url": self.url, **{form: self.form(form) for form in forms or ("text",)}}

    @cached_property
    def links(self) -> list[dict[str, Any]]:
        """The links in the kept blocks, as dicts for JSON; none if the page could not be read.

        Each link has its ``text``, its absolute ``url``, and the number of the ``block`` it is in: its place in
        :attr:`blocks`. Links to a place on the page itself are left out.

        Raises:
            RuntimeError: the page was a selector whose tree has changed since.
        """
        return [] if self.page is None else render_links(self.page, self.keep, self.source, self.base, self._hidden)

    @cached_property
    def images(self) -> list[dict[str, Any]]:
        """The images in the kept blocks, as dicts for JSON; none if the page could not be read.

        Each image has its absolute ``address``, its ``alt``, its ``caption``, the kept ``heading`` above it, and the
        number of the ``block`` it is in. Images that other pages of the site have, and icons, are left out.

        Raises:
            RuntimeError: the page was a selector whose tree has changed since.
        """
        return [] if self.page is None else render_images(self.page, self.keep, self.source, self.base, self._repeated)

    @property
    def has_stated_text(self) -> bool:
        """Whether the text is of the page's JSON-LD, as the page shows none."""
        return self._stated is not None

    @cached_property
    def comments(self) -> list[dict[str, Any]]:
        """Comments of readers below the content, kept or not, as dicts for JSON; none if the page could not be read.

        Each comment has its ``text``, a line for each block, its ``date`` as it is written or None, and the number of
        its first ``block``. Only the default method finds comments.
        """
        if self.page is None or self._fitted is None:
            return []
        texts = [text.replace("\xad", "") for text in self.page.texts]
        found = [
            {
                "text": "\n".join(filter(None, map(texts.__getitem__, comment.texts))),
                "date": texts[comment.dates[0]] if comment.dates else None,
                "block": min(comment.texts + comment.dates),
            }
            for comment in self._fitted.comments(self.page)
        ]
        return [comment for comment in found if comment["text"]]  # without those of images alone

    def form(self, name: str) -> Any:
        """Return the page in a form of the core or of another package. A form is made once.

        Raises:
            KeyError: there is no form of this name.
            ImportError: its package, or a library that it needs, is missing or cannot be imported.
        """
        if name in CORE_FORMS:
            return getattr(self, name)
        make = form_of(name).make
        assert make is not None, "forms of other packages have a function"
        return self.once(make)

    def once(self, make: Callable[[Cleaned], T]) -> T:
        """Return what a function makes of the page. The result is made once, so forms may share their work.

        Args:
            make: a function of a module, which stays the same from call to call.
        """
        if make not in self._made:
            self._made[make] = make(self)
        made: T = self._made[make]
        return made

    if not TYPE_CHECKING:  # to checkers of types, unknown attributes stay unknown

        def __getattr__(self, name: str) -> Any:
            if known := getattr(type(self), name, None):  # Python asks here, too, if a property raises AttributeError
                return known.__get__(self)
            if not name.startswith("_") and name in FORMS.others():
                return self.form(name)
            raise AttributeError(replacement(f"Cleaned.{name}") or f"'Cleaned' object has no attribute {name!r}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *FORMS.others()]

    def __repr__(self) -> str:
        if self.page is None:
            return f"<Cleaned: not read, {self.unchanged}>"
        unchanged = f", unchanged: {self.unchanged}" if self.unchanged else ""
        return f"<Cleaned: {sum(self.keep)} of {len(self.verdicts)} blocks kept{unchanged}>"

    def _repr_html_(self) -> str:
        """Return the report on the page for notebooks."""
        return str(NOTEBOOK.load("page")(self))

    def simplify(self, reason: str) -> None:
        """Note why a form is simpler than the page: see :attr:`simplified`."""
        if reason not in self.simplified:
            self.simplified.append(reason)

    @cached_property
    def root(self) -> etree._Element | None:
        """The root of the page's tree as it came; None if the page could not be read. Do not change it."""
        if self.page is None:
            return None
        return build(self.source) if has_changed(self.page) else self.page.root

    @cached_property
    def base(self) -> str:
        """The address that links are relative to, "" if it is unknown or longer than 500 characters."""
        return base_of(self.source, self.url)
