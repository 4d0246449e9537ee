"""List the links in the kept blocks, with their text, their address and the block they are in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lxml import etree

from scrapy_blockfilter.html.page import IMAGE, TAIL, Page
from scrapy_blockfilter.html.tree_fingerprint import unchanged_elements
from scrapy_blockfilter.render.addresses import address_of


def render_links(page: Page, keep: Sequence[bool], source: str, base: str) -> list[dict[str, Any]]:
    """Return the links in the kept blocks in document order, each as a dict for JSON.

    The keys: ``text``, ``url`` and ``block``, the number of the block that it begins in. The text of a linked image is
    its ALT. Links within the page and scripts are left out, as they lead nowhere else on the web.

    Args:
        source: the HTML that the page was parsed from.
        base: what their addresses are relative to; "" leaves them as they are.

    Raises:
        RuntimeError: the tree has changed since it was segmented, and the source gives another tree.
    """
    elements = unchanged_elements(page, source)
    parents = page.element_parents
    links_around = [-1] * (len(elements) + 1)  # place of the A around each element; the root's parent, -1, is the last
    for ordinal, (element, parent) in enumerate(zip(elements, parents, strict=True)):
        is_link = element.tag == "a" and element.get("href") is not None
        links_around[ordinal] = ordinal if is_link else links_around[parent]
    found: dict[int, dict[int, list[str]]] = {}  # place of the A -> its texts in each block
    for number, (block, is_kept) in enumerate(zip(page.blocks, keep, strict=True)):
        if not is_kept or page.tags[block.node] == "title":
            continue
        for piece in block.pieces:
            ordinal, kind = piece >> 2, piece & 3
            link = links_around[parents[ordinal] if kind == TAIL else ordinal]
            if link >= 0:
                found.setdefault(link, {}).setdefault(number, []).append(_text(elements[ordinal], kind))
    links = []
    for link, of_blocks in found.items():
        written = (elements[link].get("href") or "").strip()
        url = address_of(written, base)
        if url and written and not written.startswith("#"):
            text = " ".join(" ".join(map("".join, of_blocks.values())).split())
            links.append({"text": text, "url": url, "block": min(of_blocks)})
    return links


def _text(element: etree._Element, kind: int) -> str:
    if kind == IMAGE:
        return f" {element.get('alt', '')} "
    text = (element.tail if kind == TAIL else element.text) or ""
    return f" {text}" if kind == TAIL and element.tag == "br" else text
