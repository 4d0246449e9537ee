"""List the blocks of a page with their reasons, and the corrections that each block's menu proposes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scrapy_blockfilter.report.block_corrections import BlockSelector, Choice, Correcting
from scrapy_blockfilter.report.markup import Html, Value, element, join
from scrapy_blockfilter.report.page_facts import KINDS

# Blocks that are listed. Of 3,000 real pages the longest had 1,900.
MAX_BLOCKS = 3_000
# Characters of a block's text that are listed.
_MAX_TEXT = 400
# Characters listed from the end of a path. Paths of sites with generated names are many times longer.
_MAX_PATH = 160


def block_list(blocks: Sequence[Mapping[str, Any]], found: Sequence[Sequence[Choice]]) -> Html:
    """Return the list of blocks.

    Args:
        blocks: from :func:`scrapy_blockfilter.report.page_facts`.
        found: the choices of each block's menu; empty for no menus.
    """
    places = _places(found)
    of_blocks = [" ".join(f"{choice.action}:{places[choice.selector]}" for choice in some) for some in found]
    of_blocks.extend([""] * (len(blocks) - len(found)))
    items = [_item(block, some) for block, some in zip(blocks[:MAX_BLOCKS], of_blocks, strict=False)]
    rest = len(blocks) - MAX_BLOCKS
    more = [element("li", {"class": "rest"}, f"and {counted(rest, 'more block')}")] if rest > 0 else []
    return element("ol", {"class": "blocks", "aria-label": "Blocks"}, *items, *more)


def selector_list(found: Sequence[Sequence[Choice]], correcting: Correcting) -> Html:
    """Return the selectors that menus propose, each once, for the script; nothing if there are no menus."""
    items = [
        element(
            "li",
            {
                "data-arguments": correcting.arguments(selector.text),
                "data-blocks": selector.blocks,
                "data-label": selector.label,
            },
            selector.text,
        )
        for selector in _places(found)
    ]
    return element("ol", {"class": "selectors", "hidden": True}, *items) if items else join(())


def counted(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "block"), counted(1200, "page")
    ('1 block', '1,200 pages')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _places(found: Sequence[Sequence[Choice]]) -> dict[BlockSelector, int]:
    places: dict[BlockSelector, int] = {}
    for some in found:
        for choice in some:
            places.setdefault(choice.selector, len(places))
    return places


def _tail(path: str) -> str:
    return path if len(path) <= _MAX_PATH else f"…{path[-_MAX_PATH:]}"


def _item(block: Mapping[str, Any], choices: str) -> Html:
    text = block["text"] or f"Image: {' '.join(block['images'])}"
    verdict = "Kept" if block["keep"] else KINDS[block["kind"]]
    numbers = f"score {block['score']:.2f} · {counted(block['chars'], 'character')} · {block['link_density']:.0%} links"
    return element(
        "li",
        {
            "data-block": block["number"],
            "data-kind": block["kind"] or "kept",
            "data-choices": choices or None,
        },
        element(
            "button",
            {"type": "button"},
            element("span", {"class": "verdict"}, verdict),
            element(
                "span", {"class": "text", "dir": "auto"}, text if len(text) <= _MAX_TEXT else f"{text[:_MAX_TEXT]}…"
            ),
            element("span", {"class": "reason"}, block["reason"]),
            element("span", {"class": "numbers"}, numbers),
            element("span", {"class": "path"}, _tail(block["path"])),
        ),
        *([_opener(choices)] if choices else []),
    )


def _opener(choices: str) -> Html:
    """Return the button that opens a block's menu. Without the script there is none."""
    attributes: dict[str, Value] = {"type": "button", "class": "correct", "aria-haspopup": "menu", "hidden": True}
    return element("button", attributes, f"{choices.partition(':')[0].capitalize()}…")
