"""Show a page before and after cleaning, in frames, beside the list of its blocks with reasons and menus."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from scrapy_blockfilter.html import Page, UnfitPage
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.html.tree_fingerprint import renew_changed_tree
from scrapy_blockfilter.model.cleaned import Cleaned
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.plugins import counted
from scrapy_blockfilter.report.block_corrections import BlockSelector, Choice, Correcting, choices
from scrapy_blockfilter.report.frame import frame_document
from scrapy_blockfilter.report.markup import Html, Value, element, join
from scrapy_blockfilter.report.page_facts import KINDS

# Blocks that are listed. The longest of 3,000 real pages had 1,900.
MAX_BLOCKS = 3_000
# Characters of a block's text that are listed, and of its path, from the end: generated names are many times longer.
_MAX_TEXT = 400
_MAX_PATH = 160
# Beyond one of these limits, or MAX_BLOCKS, only the list of blocks is shown. A report at the limits has some MB, takes
# seconds to make, and Chromium needs 4 to show it.
MAX_CHARACTERS = 1_500_000
MAX_ELEMENTS = 20_000


def viewer(
    cleaned: Cleaned, facts: Mapping[str, Any], name: str, correcting: Correcting, *, is_pair: bool = False
) -> Html:
    """Return the viewer of one page.

    Args:
        name: letters and digits, different for each viewer of a report.
        correcting: the place of corrections that its menus propose. Without a site there are no menus.
        is_pair: show before and after side by side, and the list of blocks only in print.
    """
    blocks = facts["blocks"]
    original, why_not = _original(cleaned)
    sheets = _sheets(cleaned, blocks, original, is_pair=is_pair) if original else []
    found = choices(original, cleaned.blocks, correcting) if original else []
    is_pair = is_pair and bool(sheets)
    shown = element("p", {"class": "notice"}, why_not)
    if sheets:
        stage = element("div", {"class": "stage", "tabindex": 0, "role": "region", "aria-label": "The page"}, *sheets)
        minimap = element("div", {"class": "minimap", "aria-hidden": "true"}, element("div", {"class": "window"}))
        shown = element("div", {"class": "picture"}, stage, minimap)
    looks = "viewer pair" if is_pair else "viewer" if sheets else "viewer alone"
    return element(
        "section",
        {"class": looks, "aria-label": "Page and blocks"},
        *(() if is_pair else (_bar(name, has_frames=bool(sheets)),)),
        shown,
        *_block_list(blocks, found, correcting),
    )


def legend(kinds: Mapping[str, str]) -> Html:
    """Return the legend of the colours of kinds of reasons, each with a figure, which may be empty."""
    swatch = element("span", {"class": "swatch"})
    items = []
    for name, figure in kinds.items():
        words = element("span", {}, KINDS[name]), element("span", {"class": "figure"}, figure)
        items.append(element("li", {"data-kind": name}, swatch, *words))
    return element("ul", {"class": "legend", "aria-label": "Reasons"}, *items)


def _original(cleaned: Cleaned) -> tuple[Page | None, str]:
    """Return the page as it was, with its tree; None if it cannot be shown, and why."""
    page = cleaned.page
    if page is None or not cleaned.verdicts:
        return None, "There is no block to show."
    try:
        renew_changed_tree(page, cleaned.source)
    except RuntimeError:
        return None, "The page has changed in memory since it was cleaned, so it cannot be shown."
    is_large = len(cleaned.source) > MAX_CHARACTERS or len(page.elements) > MAX_ELEMENTS
    if is_large or len(cleaned.verdicts) > MAX_BLOCKS:
        size = f"{len(cleaned.source):,} characters, {counted(len(cleaned.verdicts), 'block')}"
        return None, f"Too large to be shown ({size}): the list of its blocks says what was decided."
    return page, ""


def _sheets(cleaned: Cleaned, blocks: Sequence[Mapping[str, Any]], original: Page, *, is_pair: bool) -> list[Html]:
    numbers = original.of_chunks(range(len(blocks)))
    left = join(("Nothing is left of the page.",))
    with suppress(UnfitPage):
        after = Reader(Options()).read(cleaned.html, whole=True)
        left = frame_document(after, _numbers(after, blocks, original, numbers))
    return [
        _sheet("original", "The page as it was", frame_document(original, numbers), is_shown=True),
        _sheet("cleaned", "The page cleaned", left, is_shown=is_pair),
    ]


def _numbers(
    page: Page, blocks: Sequence[Mapping[str, Any]], original: Page, numbers: Sequence[int]
) -> list[int | None]:
    """Return for each chunk of a cleaned page the number of its block before cleaning, None for a new chunk."""
    waiting: dict[int, deque[int]] = {}
    for chunk, number in zip(original.chunks.blocks, numbers, strict=True):
        if blocks[number]["keep"]:
            waiting.setdefault(chunk.key, deque()).append(blocks[number]["number"])
    return [waiting[key].popleft() if waiting.get(key) else None for key in page.chunks.keys.tolist()]


def _sheet(view: str, title: str, page: Html, *, is_shown: bool) -> Html:
    # The frame has the origin of the report, so that the report's script can see where each block is. It has no
    # scripts, so that the page cannot use that.
    frame = element("iframe", {"sandbox": "allow-same-origin", "title": title, "tabindex": -1, "srcdoc": page})
    shades = element("div", {"class": "shades", "role": "group", "aria-label": "Stripped blocks"})
    return element("div", {"class": "sheet", "data-view": view, "hidden": not is_shown}, frame, shades)


def _bar(name: str, *, has_frames: bool) -> Html:
    view = (("original", "Original"), ("cleaned", "Cleaned"))
    which = (("all", "All"), ("stripped", "Stripped"), ("kept", "Kept"))
    own = element("input", {"type": "checkbox", "class": "own-styles", "checked": True, "autocomplete": "off"})
    parts = [_switch(f"{name}-view", "Page", view), element("label", {"class": "check"}, own, "Page’s own styles")]
    return element("div", {"class": "bar"}, *(parts if has_frames else ()), _switch(f"{name}-list", "Blocks", which))


def _switch(name: str, legend: str, choices: Sequence[tuple[str, str]]) -> Html:
    options = []
    for number, (value, label) in enumerate(choices):
        chosen: dict[str, Value] = {"type": "radio", "name": name, "value": value}
        chosen |= {"checked": not number, "autocomplete": "off"}
        options.append(element("label", {}, element("input", chosen), element("span", {}, label)))
    return element("fieldset", {"class": "switch"}, element("legend", {}, legend), *options)


def _block_list(
    blocks: Sequence[Mapping[str, Any]], found: Sequence[Sequence[Choice]], correcting: Correcting
) -> Iterator[Html]:
    """Yield the list of blocks, and for the script the selectors that their menus propose, each once."""
    places: dict[BlockSelector, int] = {}
    for choice in chain.from_iterable(found):
        places.setdefault(choice.selector, len(places))
    menus = [" ".join(f"{choice.action}:{places[choice.selector]}" for choice in some) for some in found]
    menus = menus or [""] * len(blocks)
    items = [_item(block, menu) for block, menu in zip(blocks[:MAX_BLOCKS], menus, strict=False)]
    if (rest := len(blocks) - MAX_BLOCKS) > 0:
        items.append(element("li", {"class": "rest"}, f"and {counted(rest, 'more block')}"))
    yield element("ol", {"class": "blocks", "aria-label": "Blocks"}, *items)
    selectors = []
    for text, label, inside in places:
        arguments = correcting.arguments(text)
        selectors.append(element("li", {"data-arguments": arguments, "data-blocks": inside, "data-label": label}, text))
    if selectors:
        yield element("ol", {"class": "selectors", "hidden": True}, *selectors)


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
    shown = [element("button", {"type": "button"}, *parts)]
    if choices:  # the button of the menu, which the script shows
        opener: dict[str, Value] = {"type": "button", "class": "correct", "aria-haspopup": "menu", "hidden": True}
        shown.append(element("button", opener, f"{choices.partition(':')[0].capitalize()}…"))
    return element("li", attributes, *shown)
