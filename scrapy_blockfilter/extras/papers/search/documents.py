"""Make a document, with passages to look up one by one, of an item's page or text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.text.stopwords import guess_language

# Text of a page rarely has a tag; HTML without a closing tag is rarely a page.
_CLOSING_TAG = re.compile(r"</[a-zA-Z]")
_TITLES = frozenset({"title"})
_HEADLINES = frozenset({"h1"})


class Document(NamedTuple):
    """A page to index.

    Attributes:
        url: identity of the document. A later document of the same URL replaces it.
        language: two-letter code, "" if unknown.
        passages: its text in order, without the title.
    """

    url: str
    site: str
    title: str
    language: str
    passages: tuple[str, ...]


def document_of_texts(reader: Reader, texts: Iterable[str], *, url: str, site: str, title: str = "") -> Document | None:
    """Return a document of a page's texts: of HTML, whose blocks are the passages, and of text, whose lines are.

    The title is its TITLE or H1 if not named. The result is None without text.
    """
    passages: list[str] = []
    language = ""
    for text in texts:
        if _CLOSING_TAG.search(text):
            own_title, own_language, found = _of_html(reader, text)
            title, language = title or own_title, language or own_language
        else:
            found = [line for line in map(str.strip, text.splitlines()) if line]
            language = language or guess_language(found)
        passages += found
    if not (passages or title):
        return None
    return Document(_storable(url), site, _storable(title), language, tuple(map(_storable, passages)))


def _of_html(reader: Reader, html: str) -> tuple[str, str, list[str]]:
    try:
        page = reader.read(html)
    except UnfitPage:
        return "", "", []
    is_title, is_headline = page.nearest(_TITLES), page.nearest(_HEADLINES)
    titles, headlines, passages = [], [], []
    for block in page.blocks:
        if is_title[block.node] >= 0:
            titles.append(block.text)
        elif block.text:
            passages.append(block.text)
            if is_headline[block.node] >= 0:
                headlines.append(block.text)
    return next(iter(titles + headlines), ""), page.language, passages


def _storable(text: str) -> str:
    """Return a text without lone surrogates, which JSON may hold and SQLite does not."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
