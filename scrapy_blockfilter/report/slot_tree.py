"""The slots of a site's template as a tree, in rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scrapy_blockfilter.report.survey import SlotView, Survey
from scrapy_blockfilter.sample.slots import SlotStep

# Slots that are shown, those with most blocks: a page has room for no more.
MAX_SLOTS = 150


def slot_tree(found: Survey, steps: Mapping[int, SlotStep]) -> list[dict[str, Any]]:
    """The slots with most blocks, each behind the one around it.

    Slots of one page of several are left out. One in which nothing is but another stands in one row with that.

    Args:
        steps: of the sample: what the slots are.

    Returns:
        Of each slot its ``depth`` in the tree, its ``label`` (tag with class and id, "…" where it is not known), the
        number of ``pages`` that have it and their ``share``, the ``blocks`` that it has on these in the mean, the share
        of blocks that is ``stripped``, and of one of its blocks, a stripped one if there is any, the text as
        ``example`` and the ``reason``.
    """
    least = min(2, found.pages)
    many = [view for view in found.slots.values() if view.pages >= least]
    outer = {slot: number for number, slot in enumerate(found.slots)}  # those around others come first
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
