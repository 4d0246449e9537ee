"""Invariants of cleaning: they hold for every page, whatever it contains."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from urllib.parse import quote

from scrapy_blockfilter import Cleaned, SiteModel
from scrapy_blockfilter.html import Block, Page, PageCaches, UnfitPage, is_document, parse, segment
from scrapy_blockfilter.options import Segmenter
from scrapy_blockfilter.options.segmenter import TEXT_CHUNKS
from scrapy_blockfilter.render import render_html
from scrapy_blockfilter.text.image_words import MAX_CHARACTERS

# Only these judge each block by itself. Other methods look at neighbours, which change when a page is cleaned, and a
# segmenter can join blocks that become neighbours.
JUDGE_ALONE = frozenset({"chunk_frequency"})

# HTML allows an attribute name that begins with an equals sign after a slash. Written out, it reads as the value of the
# attribute before it.
_NAMELESS = re.compile(r"<[^<>]*[\s/\"']=")
_Identity = tuple[str, tuple[str, ...]]


class Chunk(NamedTuple):
    """What a text chunk of a page is, beside its place."""

    tag: str
    text: str
    images: tuple[str, ...]


def broken(model: SiteModel, html: str) -> list[str]:
    """Clean a page, and return the invariants that the result breaks; none where all is well.

    - A page that is not cleaned comes back unchanged.
    - The text chunks of the output, parsed again, are the kept ones in their order, and the TITLE.
    - The output is well-formed: once parsed and written, it no longer changes when parsed and written again.
    - Cleaned again it stays the same, where the method judges each block alone.
    - The text has no line that it did not have before.
    """
    cleaned = model.clean(html)
    faults = [] if _is_part(model.clean_text(cleaned.text), cleaned.text) else ["text"]
    if cleaned.unchanged:
        return faults if cleaned.html == html else [*faults, "not as it was"]
    if _NAMELESS.search(html):
        return faults
    again = _read(cleaned.html)
    kept, written = _identities(chunks_kept(cleaned)), _identities(again.chunks.blocks) if again else []
    if _has_long_address(html):
        kept, written = _texts(kept), _texts(written)
    if kept != written:
        faults.append("blocks")
    if again:
        once = _written(again, cleaned.html)
        if _line_ends(once) != _line_ends(_written(_read(once), once)):
            faults.append("not well-formed")
        if _judges_alone(model) and model.clean(cleaned.html).html != cleaned.html:
            faults.append("not the same twice")
    return faults


def _judges_alone(model: SiteModel) -> bool:
    return model.options.method in JUDGE_ALONE and model.options.segmentation == TEXT_CHUNKS


def _has_long_address(html: str) -> bool:
    """Tell whether an image may be read under another name once its address is written, which is with escapes.

    Of an address, so many characters are read.
    """
    return any(len(quote(image.get("src", ""), errors="replace")) > MAX_CHARACTERS for image in parse(html).iter("img"))


def _read(html: str, segmenter: Segmenter = TEXT_CHUNKS) -> Page | None:
    try:
        return segment(parse(html), PageCaches(), whole=is_document(html), segmenter=segmenter)
    except UnfitPage:
        return None


def _written(page: Page | None, source: str) -> str:
    return render_html(page, [True] * len(page.blocks), source) if page else ""


def _line_ends(html: str) -> str:
    return html.replace("\r", "\n")  # a carriage return can be intended, as &#13;, and is written as it is


def chunks_kept(cleaned: Cleaned) -> list[Chunk]:
    """Return the text chunks of a judged page that stay, and its TITLE, as they are read from its source once more."""
    page = _read(cleaned.source, cleaned.segmenter)
    assert page is not None, "it has been judged"
    kept = page.of_chunks([block.keep for block in cleaned.blocks])
    return [
        Chunk(chunk.tag, chunk.text, chunk.images)
        for chunk, keep in zip(page.chunks.blocks, kept, strict=True)
        if keep or chunk.tag == "title"
    ]


def _identities(chunks: Iterable[Block | Chunk]) -> list[_Identity]:
    return [_identity(chunk.text, chunk.images) for chunk in chunks]


def _texts(identities: Sequence[_Identity]) -> list[_Identity]:
    return [(text, ()) for text, _ in identities if text]


def _identity(text: str, images: tuple[str, ...]) -> _Identity:
    # A byte order mark at the start of a page is not part of its text.
    return " ".join(text.replace("\ufeff", "").split()), images


def _is_part(part: str, whole: str) -> bool:
    lines: Sequence[str] = whole.splitlines()
    rest = iter(lines)
    return all(line in rest for line in part.splitlines())
