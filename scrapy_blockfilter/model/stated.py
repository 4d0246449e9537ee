"""Take the text of a page from its JSON-LD if the page shows none: scripts would write it in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from lxml import etree

from scrapy_blockfilter.html import Page, UnfitPage, parse
from scrapy_blockfilter.html.columns import CHARS, LINK_CHARS
from scrapy_blockfilter.html.json_ld import MAX_STRING, Budget, held_items, items_of, unescaped
from scrapy_blockfilter.model.losses import are_read

TEXT_STATED = "has its text in JSON-LD alone"
TEXT_CUT = f"{TEXT_STATED}, of which no more than {MAX_STRING:,} characters are read"
_BODY = "articleBody"
# Characters without links that a page may show: to wait, or to turn scripts on. The text is so many times as long.
_FEW, _TIMES = 200, 4
_MARKUP = ("</p>", "<br", "</div>")


def stated_text(page: Page, source: str, root: etree._Element) -> tuple[etree._Element | None, str]:
    """Return the tree of a page's article in JSON-LD, and the reason to suspect the page; None if it shows text."""
    shown = int((page.numbers[:, CHARS] - page.numbers[:, LINK_CHARS])[are_read(page)].sum())
    if not page.whole or shown >= _FEW or _BODY not in source:
        return None, ""
    body = _body_of(page, root)
    if len(body) < max(_FEW, _TIMES * shown):
        return None, ""
    if not any(mark in body for mark in _MARKUP):
        body = "".join(f"<p>{escape(line)}</p>" for line in body.splitlines() if line.strip())
    try:
        return parse(f"<html><body>{body}</body></html>"), TEXT_CUT if len(body) >= MAX_STRING else TEXT_STATED
    except UnfitPage:
        return None, ""


def _body_of(page: Page, root: etree._Element) -> str:
    """Return the text of the page's only article, or of that whose headline is in the TITLE; "" if it is unclear."""
    items, _ = items_of(root, Budget())
    bodies = ((item, list(_texts_of(item.get(_BODY)))) for item in held_items(items))
    articles = [(item, body) for item, body in bodies if body]
    if len(articles) > 1:
        chunks = page.chunks
        titles = (text for node, text in zip(chunks.nodes, chunks.texts, strict=True) if page.tags[node] == "title")
        title = unescaped(next(titles, ""))
        articles = [(of, body) for of, body in articles if any(said in title for said in _texts_of(of.get("headline")))]
    return unescaped("\n".join(articles[0][1])) if len(articles) == 1 else ""


def _texts_of(value: object) -> Iterator[str]:
    if isinstance(value, list):
        for inner in value:
            yield from _texts_of(inner)
    elif isinstance(value, (str, int, float)) and not isinstance(value, bool):
        yield str(value)
