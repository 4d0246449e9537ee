"""List the blocks of a page with their reasons, and the corrections that each block's menu proposes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scrapy_blockfilter.report.block_corrections import BlockSelector, Choice, Correcting
from scrapy_blockfilter.report.markup import Html, Value, element, join
from scrapy_blockfilter.report.page_facts import KINDS

# Blocks that are listed. The longest of 3,000 real pages had 1,900.
MAX_BLOCKS = 3_000
# Characters of a block's text that are listed, and of its path, from the end: generated names are many times longer.
_MAX_TEXT = 400
_MAX_PATH = 160


def block_list(blocks: Sequence[Mapping[str, Any]], found: Sequence[Sequence[Choice]]) -> Html:
    """Return the list of the blocks of ``page_facts``, with the choices of each block's menu, none for no menus."""
    places = _places(found)
    of_blocks = [" ".join(f"{choice.action}:{places[choice.selector]}" for choice in some) for some in found]
    of_blocks.extend([""] * (len(blocks) - len(found)))
    items = [_item(block, some) for block, some in zip(blocks[:MAX_BLOCKS], of_blocks, strict=False)]
    rest = len(blocks) - MAX_BLOCKS
    more = [element("li", {"class": "rest"}, f"and {counted(rest, 'more block')}")] if rest > 0 else []
    return element("ol", {"class": "blocks", "aria-label": "Blocks"}, *items, *more)


def selector_list(found: Sequence[Sequence[Choice]], correcting: Correcting) -> Html:
    """Return the selectors that menus propose, each once, for the script; nothing if there are no menus."""
    items = []
    for text, label, blocks in _places(found):
        arguments = correcting.arguments(text)
        items.append(element("li", {"data-arguments": arguments, "data-blocks": blocks, "data-label": label}, text))
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


def _item(block: Mapping[str, Any], choices: str) -> Html:
    text = block["text"] or f"Image: {' '.join(block['images'])}"
    text = text if len(text) <= _MAX_TEXT else f"{text[:_MAX_TEXT]}…"
    path = block["path"] if len(block["path"]) <= _MAX_PATH else f"…{block['path'][-_MAX_PATH:]}"
    numbers = f"score {block['score']:.2f} · {counted(block['chars'], 'character')} · {block['link_density']:.0%} links"
    parts = (
        element("span", {"class": "verdict"}, "Kept" if block["keep"] else KINDS[block["kind"]]),
        element("span", {"class": "text", "dir": "auto"}, text),
        element("span", {"class": "reason"}, block["reason"]),
        element("span", {"class": "numbers"}, numbers),
        element("span", {"class": "path"}, path),
    )
    attributes = {"data-block": block["number"], "data-kind": block["kind"] or "kept", "data-choices": choices or None}
    opener = [_opener(choices)] if choices else []
    return element("li", attributes, element("button", {"type": "button"}, *parts), *opener)


def _opener(choices: str) -> Html:
    """Return the button that opens a block's menu. Without the script the button is missing."""
    attributes: dict[str, Value] = {"type": "button", "class": "correct", "aria-haspopup": "menu", "hidden": True}
    return element("button", attributes, f"{choices.partition(':')[0].capitalize()}…")
