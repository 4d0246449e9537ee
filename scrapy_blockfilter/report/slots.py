"""The slots of a site's template as a tree, with what is in each over its pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scrapy_blockfilter.html.names import GROUPS
from scrapy_blockfilter.methods import Verdict
from scrapy_blockfilter.sample import RecordedPage, SiteSample

# Slots that are shown, those with most text: a page has room for no more.
MAX_SLOTS = 150
# Of all text less is in none of them.
_LEAST = 0.001


class _Slot:
    """What is in a slot, and below it, summed over the pages."""

    __slots__ = (
        "blocks",
        "chars",
        "example",
        "example_from",
        "first",
        "hints",
        "own",
        "pages",
        "parent",
        "stripped",
        "tag",
    )

    def __init__(self, parent: int | None, tag: str, hints: int, first: int) -> None:
        self.parent, self.tag, self.hints, self.first = parent, tag, hints, first
        self.pages: set[int] = set()
        self.blocks = self.own = self.chars = self.stripped = 0
        self.example = 0
        self.example_from: int | None = None  # the first page with a text in it


def slot_tree(judged: Sequence[tuple[RecordedPage, Sequence[Verdict]]], sample: SiteSample) -> list[dict[str, Any]]:
    """The slots with most text, those around others before them.

    Slots of one page of several are left out. One in which nothing is but another stands before that in one row.

    Returns:
        Of each slot its ``depth`` in the tree, its ``label`` (tags, and what their names hint at, of which a record
        knows no more), the ``share`` of pages that have it, the ``blocks`` and ``chars`` that it has on these in the
        mean, the share of the characters that is ``stripped``, and the first text in it as ``example``.
    """
    slots = _summed(judged)
    total = max(1, max((slot.chars for slot in slots.values()), default=0))
    enough = 2 if len(judged) > 1 else 1
    shown = [key for key, slot in slots.items() if len(slot.pages) >= enough and slot.chars >= max(1, _LEAST * total)]
    shown = sorted(shown, key=lambda key: (-slots[key].chars, slots[key].first))[:MAX_SLOTS]
    children: dict[int | None, list[int]] = {}
    for key in sorted(shown, key=lambda key: slots[key].first):
        children.setdefault(slots[key].parent, []).append(key)
    rows = []
    todo = [(key, 0) for key in reversed(children.get(None, []))]
    while todo:
        key, depth = todo.pop()
        labels = [_label(slots[key])]
        while not slots[key].own and len(children.get(key, [])) == 1:
            key = children[key][0]
            labels.append(_label(slots[key]))
        rows.append(_row(slots[key], depth, " / ".join(labels), len(judged), sample.texts))
        todo.extend((child, depth + 1) for child in reversed(children.get(key, [])))
    return rows


def _summed(judged: Iterable[tuple[RecordedPage, Sequence[Verdict]]]) -> dict[int, _Slot]:
    slots: dict[int, _Slot] = {}
    for number, (page, verdicts) in enumerate(judged):
        keys, parents, tags = page.columns.slots.tolist(), page.structure.parents, page.structure.tags
        for node, key in enumerate(keys):
            if key not in slots:
                parent = keys[parents[node]] if node else None
                slots[key] = _Slot(parent, tags[node], page.columns.hints[node], len(slots))
            slots[key].pages.add(number)
        inside = [[0, 0, 0] for _ in keys]  # of each node: blocks, characters, characters stripped
        examples = [0] * len(keys)
        for block, verdict in zip(page.blocks, verdicts, strict=True):
            if tags[block.node] != "title":
                slots[keys[block.node]].own += 1
                for place, amount in enumerate((1, block.chars, 0 if verdict.keep else block.chars)):
                    inside[block.node][place] += amount
                examples[block.node] = examples[block.node] or block.key
        for node in range(len(keys) - 1, -1, -1):  # what is inside of a node comes behind it
            slot = slots[keys[node]]
            slot.blocks += inside[node][0]
            slot.chars += inside[node][1]
            slot.stripped += inside[node][2]
            if examples[node] and slot.example_from in (None, number):
                slot.example, slot.example_from = examples[node], number
            if node:
                around = parents[node]
                inside[around] = [sum(pair) for pair in zip(inside[around], inside[node], strict=True)]
                examples[around] = examples[node] or examples[around]
    return slots


def _label(slot: _Slot) -> str:
    named = [group for place, group in enumerate(GROUPS) if slot.hints >> place & 1]
    return f"{slot.tag} ({', '.join(named)})" if named else slot.tag


def _row(slot: _Slot, depth: int, label: str, pages: int, texts: Mapping[int, str]) -> dict[str, Any]:
    having = len(slot.pages)
    return {
        "depth": depth,
        "label": label,
        "share": round(having / pages, 4),
        "blocks": round(slot.blocks / having, 2),
        "chars": round(slot.chars / having, 1),
        "stripped": round(slot.stripped / slot.chars, 4) if slot.chars else 0.0,
        "example": texts.get(slot.example, ""),
    }
