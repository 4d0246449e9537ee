"""Facts about a cleaned page as plain values: for JSON, for the terminal and for the page report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scrapy_blockfilter.model.cleaned import Cleaned, JudgedBlock

KINDS = {
    # Kinds of the default method, the most frequent first.
    "menu": "Links in menus and to other pages",
    "repeated": "Text that other pages also have",
    "comments": "Readers' comments",
    "teasers": "Teasers of other pages",
    "byline": "Dates and bylines",
    "slot": "In a slot of the template",
    "around": "Beside or among boilerplate",
    "element": "In an element without content",
    "selector": "Dropped by one of your selectors",
    # Kinds of the published methods. Each method has one measure.
    "entropy": "Terms spread evenly over the site",
    "ratio": "Little text for its tags",
    "length": "Not in the longest texts",
    "segment": "In a segment without content",
    "pattern": "Outside the pattern with the most text",
    "features": "Few of the features looked for",
    "weight": "Little text of the page's own",
    "information": "Little of the page's information",
    "other": "Another measure of the method",
}
"""Name, for JSON and style sheets -> label for people; in the order of legends."""


def shown_kind(kind: str) -> str:
    """Return the kind that a stripped block is shown as: "other" for kinds that are not of this package.

    >>> shown_kind("menu"), shown_kind("mine")
    ('menu', 'other')
    """
    return kind if kind in KINDS else "other"


def page_facts(cleaned: Cleaned) -> dict[str, Any]:
    """Return every block of a page with its verdict, and the sums, as JSON values in a fixed order.

    Returns:
        A dict with these keys.

        - ``title``: the page's TITLE, or "".
        - ``unchanged``, ``suspicious``: why nothing was removed, and why cleaning may have gone wrong, see
          :class:`scrapy_blockfilter.Cleaned`.
        - ``chars``, ``chars_kept``: characters of text without the TITLE, and those that stay.
        - ``kinds``: each kind of reason in use, with its ``name``, its ``label`` for people, and the ``blocks`` and
          ``chars`` stripped.
        - ``blocks``: all blocks in document order.

        Each block has its ``number`` from 0, ``text`` and ``images`` (words of their names). Its verdict is ``keep``,
        ``score`` (0 template to 1 content), ``reason`` and ``kind`` of the reason (None if it is kept). Further facts
        are ``path``, ``tag``, ``chars`` and ``link_density`` (share of the text that is inside links).
    """
    blocks = [_block(number, block) for number, block in enumerate(cleaned.blocks)]
    beside_title = [block for block in blocks if block["tag"] != "title"]
    return {
        "title": next((block["text"] for block in blocks if block["tag"] == "title"), ""),
        "unchanged": cleaned.unchanged,
        "suspicious": cleaned.suspicious,
        "chars": _chars(beside_title),
        "chars_kept": _chars(block for block in beside_title if block["keep"]),
        "kinds": _kinds(blocks),
        "blocks": blocks,
    }


def _block(number: int, block: JudgedBlock) -> dict[str, Any]:
    is_title = block.tag == "title"
    keep = block.keep or is_title
    return {
        "number": number,
        "text": block.text,
        "images": list(block.images),
        "keep": keep,
        "score": round(float(block.score), 4),
        "reason": block.reason if block.keep or not is_title else f"a page keeps its TITLE; {block.reason}",
        "kind": None if keep else shown_kind(block.kind),
        "path": block.path,
        "tag": block.tag,
        "chars": len(block.text),
        "link_density": round(block.link_density, 4),
    }


def _kinds(blocks: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    found = ((name, label, [block for block in blocks if block["kind"] == name]) for name, label in KINDS.items())
    return [{"name": name, "label": label, "blocks": len(of), "chars": _chars(of)} for name, label, of in found if of]


def _chars(blocks: Iterable[Mapping[str, Any]]) -> int:
    return sum(block["chars"] for block in blocks)
