"""Spell out the slots of a site's template: as style paths, and as XPath of their elements.

Records hold slots as hashes. Each slot is spelt out once per site, as its parent slot and a label. For ten sites with
ten pages each, this took 22 % of the bytes of the full paths, and 5 % of the bytes of the records.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from scrapy_blockfilter.html.page import Page
from scrapy_blockfilter.html.paths import extended_path

# Steps per site, those with the smallest hashes. The median page has 126 slots; on some sites each page has new ones.
MAX_STEPS = 1_000
# Characters of a label: a tag, and 120 characters of names.
MAX_LABEL = 240

_LABEL = re.compile(r"(?s)(?P<tag>[^.#]+)(?P<classes>(?:\.[^#]*)?)(?P<identifier>(?:#.*)?)")


class SlotStep(NamedTuple):
    """The last step of a slot's style path."""

    parent: int  # the parent slot, 0 for the root
    label: str  # tag with class and id, digits folded


def slot_of(step: SlotStep) -> int:
    """Return the slot that a step leads to."""
    return extended_path(step.parent, step.label)


def new_steps(page: Page, known: Mapping[int, SlotStep]) -> dict[int, SlotStep]:
    """Return the steps to the slots of a segmented page that are not in ``known``."""
    assert page.path_table is not None, "a page in memory has no names"
    last_steps = page.path_table.last_steps
    steps = {slot: SlotStep(*last_steps[slot]) for slot in dict.fromkeys(page.slots.tolist()) if slot not in known}
    return {slot: step for slot, step in steps.items() if len(step.label) <= MAX_LABEL}


def style_path(steps: Mapping[int, SlotStep], slot: int) -> str:
    """Return the style path of a slot, with "…" for unknown ancestors."""
    return "/".join(step.label if step else "…" for step in _line(steps, slot))


def xpath(steps: Mapping[int, SlotStep], slot: int) -> str:
    """Return the XPath of a slot's elements, with their classes, from the nearest id or else from the root."""
    parts: list[str] = []
    for step in reversed(_line(steps, slot)):
        if step is None:
            return "/".join(["/", *reversed(parts)])
        tag, classes, identifier = _parts(step.label)
        conditions = [_has_id(identifier)] if identifier else [_has_class(name) for name in classes]
        parts.append(tag + "".join(f"[{condition}]" for condition in conditions))
        if identifier:
            return "/".join(["/", *reversed(parts)])
    return "/".join(["", *reversed(parts)])


def label_names(label: str) -> list[str]:
    """Return the tag, the classes and the id of a label, as they are written in CSS.

    >>> label_names("div.post.post-0#p0")
    ['div', '.post', '.post-0', '#p0']
    """
    tag, classes, identifier = _parts(label)
    return [tag, *(f".{name}" for name in classes), *([f"#{identifier}"] if identifier else [])]


def _line(steps: Mapping[int, SlotStep], slot: int) -> list[SlotStep | None]:
    """Return the steps from the root to a slot, starting with None if ancestors are unknown."""
    line: list[SlotStep | None] = []
    while slot:
        step = steps.get(slot)
        line.append(step)
        if step is None or len(line) > MAX_STEPS:
            break
        slot = step.parent
    line.reverse()
    return line


def _parts(label: str) -> tuple[str, list[str], str]:
    """Return tag, classes and id of a label."""
    found = _LABEL.fullmatch(label)
    if found is None:
        return "*", [], ""
    return found["tag"], [name for name in found["classes"].split(".") if name], found["identifier"][1:]


def _has_class(name: str) -> str:
    # Slots fold digits, so a name with digits is matched only up to its first digit.
    before, digit, _ = name.partition("0")
    if digit:
        return f"contains(@class, {xpath_text(before)})" if before else "@class"
    return f"contains(concat(' ', normalize-space(@class), ' '), {xpath_text(f' {name} ')})"


def _has_id(name: str) -> str:
    before, digit, _ = name.partition("0")
    return f"starts-with(@id, {xpath_text(before)})" if digit else f"@id={xpath_text(name)}"


def xpath_text(text: str) -> str:
    """Quote a text for XPath, whose strings have no escapes.

    >>> print(xpath_text("its"), xpath_text("it's"))
    'its' "it's"
    """
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    parts = ', "\'", '.join(f"'{part}'" for part in text.split("'"))
    return f"concat({parts})"
