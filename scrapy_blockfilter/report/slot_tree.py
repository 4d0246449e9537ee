"""The slots of a site's template as rows of a tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scrapy_blockfilter.report.survey import SlotView, Survey
from scrapy_blockfilter.sample.slots import SlotStep

# Slots that are shown, those with most blocks: a report has no room for more.
MAX_SLOTS = 150


def slot_tree(found: Survey, steps: Mapping[int, SlotStep]) -> list[dict[str, Any]]:
    """Return the slots with most blocks as rows, each after the slot around it.

    Slots on a single page are left out, if there are several pages. A slot that holds nothing but another slot shares
    its row.

    Args:
        steps: what the slots are, from the sample.

    Returns:
        One dict per row. ``depth`` is the depth in the tree, ``label`` the tag with class and id ("…" if unknown).
        ``pages`` is the number of pages with the slot, and ``share`` their share. ``blocks`` is the mean number of
        blocks on these pages, and ``stripped`` the share of blocks that goes. ``example`` and ``reason`` are text and
        reason of one block, a stripped one if possible.
    """
    least = min(2, found.pages)
    many = [view for view in found.slots.values() if view.pages >= least]
    outer = {slot: number for number, slot in enumerate(found.slots)}  # outer slots come first
    many = sorted(many, key=lambda view: (-_blocks(view), outer[view.slot]))[:MAX_SLOTS]
    below: dict[int, list[SlotView]] = {}
    shown = {view.slot for view in many}
    for view in sorted(many, key=lambda view: outer[view.slot]):
        below.setdefault(view.parent if view.parent in shown else 0, []).append(view)
    rows = []
    todo = [(view, 0) for view in reversed(below.get(0, []))]
    while todo:
        view, depth = todo.pop()
        labels = [_label(view, steps)]
        while len(inside := below.get(view.slot, [])) == 1 and _blocks(inside[0]) == _blocks(view):
            view = inside[0]
            labels.append(_label(view, steps))
        rows.append(
            {
                "depth": depth,
                "label": " / ".join(labels),
                "pages": view.pages,
                "share": round(view.pages / found.pages, 4),
                "blocks": round(_blocks(view) / view.pages, 2),
                "stripped": round(view.stripped / _blocks(view), 4),
                "example": view.example,
                "reason": view.reason,
            }
        )
        todo.extend((child, depth + 1) for child in reversed(inside))
    return rows


def _blocks(view: SlotView) -> int:
    return view.kept + view.stripped


def _label(view: SlotView, steps: Mapping[int, SlotStep]) -> str:
    step = steps.get(view.slot)
    return step.label if step else "…"
