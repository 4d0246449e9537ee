"""The slots of a site's template as people read them: style paths, and XPath of the elements in them.

Records hold slots as hashes. What each stands for is remembered once a site, as the slot around it and a label: of ten
sites with ten pages each that took 22 % of the bytes of their paths, and 5 % of what their records take.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scrapy_blockfilter.html.page import Page
from scrapy_blockfilter.html.paths import extended_path, style_label

# Of a site; those with the smallest hashes stay. The median page has 126 different slots; sites whose names change from
# page to page have new ones on each.
MAX_STEPS = 1_000
# Characters of a label: a tag and 120 of its names.
MAX_LABEL = 240

_LABEL = re.compile(r"(?s)(?P<tag>[^.#]+)(?P<classes>(?:\.[^#]*)?)(?P<identifier>(?:#.*)?)")


class SlotStep(NamedTuple):
    """From one slot to another below it.

    Attributes:
        parent: the slot around it, 0 for that of the root.
        label: tag with class and id, digits folded.
    """

    parent: int
    label: str


def slot_of(step: SlotStep) -> int:
    """The slot that a step leads to."""
    return extended_path(step.parent, step.label)


def new_steps(page: Page, known: Mapping[int, SlotStep]) -> dict[int, SlotStep]:
    """The steps to those slots of a segmented page, its tree at hand, that are not among ``known``."""
    found: dict[int, SlotStep] = {}
    slots, tags, parents = page.slots, page.structure.tags, page.structure.parents
    for node, slot in enumerate(slots):
        if slot not in known and slot not in found:
            element = page.elements[page.ordinals[node]]
            label = style_label(tags[node], element.get("class", ""), element.get("id", ""))
            if len(label) <= MAX_LABEL:
                found[slot] = SlotStep(slots[parents[node]] if node else 0, label)
    return found


def style_path(steps: Mapping[int, SlotStep], slot: int) -> str:
    """The style path of a slot, from "…" on where what is around it is not known."""
    return "/".join(step.label if step else "…" for step in _line(steps, slot))


def xpath(steps: Mapping[int, SlotStep], slot: int) -> str:
    """XPath of the elements of a slot: from the nearest id on, else from the root, with the classes it has.

    Digits are folded in slots, so of a name with digits what comes before them must be there.
    """
    parts: list[str] = []
    for step in reversed(_line(steps, slot)):
        if step is None:
            return "/".join(["/", *reversed(parts)])
        tag, classes, identifier = _parts(step.label)
        conditions = [_has_class(name) for name in classes]
        if identifier:
            conditions = [_has_id(identifier)]
        parts.append(tag + "".join(f"[{condition}]" for condition in conditions))
        if identifier:
            return "/".join(["/", *reversed(parts)])
    return "/".join(["", *reversed(parts)])


def bounded(steps: Mapping[int, SlotStep]) -> dict[int, SlotStep]:
    """Those that stay of so many."""
    if len(steps) <= MAX_STEPS:
        return dict(steps)
    return {slot: steps[slot] for slot in sorted(steps)[:MAX_STEPS]}


def are_right(steps: Iterable[tuple[int, SlotStep]]) -> bool:
    """Whether each slot is what its step leads to."""
    return all(slot == slot_of(step) for slot, step in steps)


def _line(steps: Mapping[int, SlotStep], slot: int) -> list[SlotStep | None]:
    """The steps to a slot from the root on, None for what is not known."""
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
    """Tag, classes and id of a label.

    >>> _parts("div.post.post-0#p0")
    ('div', ['post', 'post-0'], 'p0')
    """
    found = _LABEL.fullmatch(label)
    if found is None:
        return "*", [], ""
    return found["tag"], [name for name in found["classes"].split(".") if name], found["identifier"][1:]


def _has_class(name: str) -> str:
    before, digit, _ = name.partition("0")
    if digit:
        return f"contains(@class, {xpath_text(before)})" if before else "@class"
    return f"contains(concat(' ', normalize-space(@class), ' '), {xpath_text(f' {name} ')})"


def _has_id(name: str) -> str:
    before, digit, _ = name.partition("0")
    return f"starts-with(@id, {xpath_text(before)})" if digit else f"@id={xpath_text(name)}"


def xpath_text(text: str) -> str:
    """A text as XPath writes it, which has no escapes in its strings.

    >>> print(xpath_text("its"), xpath_text("it's"))
    'its' "it's"
    """
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    parts = ', "\'", '.join(f"'{part}'" for part in text.split("'"))
    return f"concat({parts})"
