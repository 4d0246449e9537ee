"""What must hold of every page that is cleaned, whatever is in it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrapy_blockfilter.html import Page, UnfitPage, parse, segment
from scrapy_blockfilter.html.known import Known
from scrapy_blockfilter.html.parse import is_document
from scrapy_blockfilter.html.segmenters import TEXT_CHUNKS, Segmenter
from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.model.cleaned import Cleaned
from scrapy_blockfilter.render import render_html

# Only these judge each block by itself: another method may judge what is left over by what it now stands beside,
# as may a segmenter that joins what now stands side by side.
JUDGE_ALONE = frozenset({"chunk_frequency"})

# An attribute whose name begins with an equals sign, as HTML allows after a slash, is written so that it reads as the
# value of the one before.
_NAMELESS = re.compile(r"<[^<>]*[\s/\"']=")
_Identity = tuple[str, tuple[str, ...]]


def broken(model: SiteModel, html: str) -> list[str]:
    """Clean a page, and say what did not hold of what came of it; nothing where all is well.

    - A page that is not cleaned comes back as it was.
    - The text chunks of what comes out, read again, are those that were kept, in their order, the TITLE with them.
    - What comes out is well-formed: read and written again it is a page that is read and written without a change.
    - Cleaned again it stays as it is, where the method judges each block alone.
    - Of the text no line is left that was not in it before.
    """
    cleaned = model.clean(html)
    faults = [] if _is_part(model.clean_text(cleaned.text), cleaned.text) else ["text"]
    if cleaned.unchanged:
        return faults if cleaned.html == html else [*faults, "not as it was"]
    if _NAMELESS.search(html):
        return faults
    kept = _kept(cleaned, html, model.options.segmentation)
    again = _read(cleaned.html)
    if (_identities(again) if again else []) != kept:
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


def _read(html: str, segmenter: Segmenter = TEXT_CHUNKS) -> Page | None:
    try:
        return segment(parse(html), Known(), whole=is_document(html), segmenter=segmenter)
    except UnfitPage:
        return None


def _written(page: Page | None, source: str) -> str:
    return render_html(page, [True] * len(page.blocks), source) if page else ""


def _line_ends(html: str) -> str:
    return html.replace("\r", "\n")  # a carriage return can be meant, as &#13;, and is written as it stands


def _kept(cleaned: Cleaned, html: str, segmenter: Segmenter) -> list[_Identity]:
    page = _read(html, segmenter)
    assert page is not None, "it has been judged"
    return [
        _identity(chunk.text, chunk.images)
        for chunk, keep in zip(page.chunks, page.of_chunks([block.keep for block in cleaned.blocks]), strict=True)
        if keep or chunk.tag == "title"
    ]


def _identities(page: Page) -> list[_Identity]:
    return [_identity(block.text, block.images) for block in page.blocks]


def _identity(text: str, images: tuple[str, ...]) -> _Identity:
    # At the start of a page a byte order mark is none of its text.
    return " ".join(text.replace("\ufeff", "").split()), images


def _is_part(part: str, whole: str) -> bool:
    lines: Sequence[str] = whole.splitlines()
    rest = iter(lines)
    return all(line in rest for line in part.splitlines())
