"""Count the slots and blocks that a model strips from the pages it was learnt from: on how many pages, and why.

The slots are also rows of a tree, for a report.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CHARS
from scrapy_blockfilter.methods import Verdict
from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.model.losses import are_shown, kept_flags
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.sample.copies import SampledPages
from scrapy_blockfilter.sample.slots import SlotStep, style_path


@dataclass
class SlotView:
    """A slot, with all that is below it. Its elements, blocks and characters are those of all pages."""

    slot: int
    parent: int
    path: str
    pages: int = 0
    elements: int = 0  # with text
    kept: int = 0
    stripped: int = 0
    chars: int = 0  # of stripped blocks
    kept_chars: int = 0
    example: str = ""  # the text of one block, a stripped one if there is any
    reason: str = ""  # why that block stays or goes

    @property
    def blocks(self) -> int:
        return self.kept + self.stripped


@dataclass
class BlockView:
    """A text that was stripped from at least one page. Score, reason and kind are those of the first time."""

    key: int
    slot: int  # where it was found first
    text: str
    pages: int = 0
    kept: int = 0
    stripped: int = 0
    score: float = 1.0
    reason: str = ""
    kind: str = ""


class Survey(NamedTuple):
    """The result of :func:`survey`."""

    pages: int  # copies count once
    slots: dict[int, SlotView]
    blocks: list[BlockView]  # those on most pages first, then the longest

    def stripped_slots(self) -> list[SlotView]:
        """Return the outermost slots that are always stripped, those on most pages and with most text first."""
        found = [
            view
            for view in self.slots.values()
            if view.stripped and not view.kept and (view.parent not in self.slots or self.slots[view.parent].kept)
        ]
        return sorted(found, key=lambda view: (-view.pages, -view.chars, view.slot))


def survey(sample: SiteSample, model: SiteModel) -> Survey:
    """Judge the different pages of a sample with its model, and count. The TITLE, which always stays, is left out.

    Copies count once, as in the reasons.
    """
    slots: dict[int, SlotView] = {}
    blocks: dict[int, BlockView] = {}
    pages, texts = list(sample.pages()), sample.texts
    different = SampledPages(pages).different
    for page in different:
        verdicts = model.judge_learnt(page)
        _count_blocks(page, verdicts, texts, blocks)
        _count_slots(page, verdicts, texts, sample.steps, slots)
    stripped = [view for view in blocks.values() if view.stripped]
    stripped.sort(key=lambda view: (-view.pages, -len(view.text), view.text, view.key))
    return Survey(len(different), slots, stripped)


def _count_blocks(
    page: Page, verdicts: Sequence[Verdict], texts: Mapping[int, str], views: dict[int, BlockView]
) -> None:
    on_page: set[int] = set()
    for block in np.flatnonzero(are_shown(page)).tolist():
        key, verdict = int(page.keys[block]), verdicts[block]
        if key not in views:
            views[key] = BlockView(key, int(page.slots[page.nodes[block]]), texts.get(key, ""))
        view = views[key]
        view.pages += key not in on_page
        on_page.add(key)
        view.kept += verdict.keep
        if not (verdict.keep or view.stripped):
            view.score, view.reason, view.kind = round(float(verdict.score), 4), verdict.reason, verdict.kind
        view.stripped += not verdict.keep


def _count_slots(
    page: Page,
    verdicts: Sequence[Verdict],
    texts: Mapping[int, str],
    steps: Mapping[int, SlotStep],
    views: dict[int, SlotView],
) -> None:
    keep, nodes, around, slots = kept_flags(verdicts), page.nodes.tolist(), page.parents, page.slots.tolist()
    counts = np.zeros((len(slots), 4), np.int64)  # of each node, with those below: kept, stripped, their characters
    examples: dict[int, int] = {}  # node -> a block in it or below, a stripped one if there is any
    for block in np.flatnonzero(are_shown(page)).tolist():
        node, goes = nodes[block], int(not keep[block])
        counts[node, goes] += 1
        counts[node, 2 + goes] += page.numbers[block, CHARS]
        if node not in examples or keep[examples[node]] > keep[block]:
            examples[node] = block
    for node in range(len(slots) - 1, 0, -1):  # an element comes after the one around it
        parent = around[node]
        counts[parent] += counts[node]
        if node in examples and (parent not in examples or keep[examples[parent]] >= keep[examples[node]]):
            examples[parent] = examples[node]
    seen: set[int] = set()
    for node, (kept, stripped, kept_chars, chars) in enumerate(counts.tolist()):
        if node not in examples:
            continue
        slot = slots[node]
        if slot not in views:
            views[slot] = SlotView(slot, slots[around[node]] if node else 0, style_path(steps, slot))
        view = views[slot]
        if not view.elements or (stripped and not view.stripped):
            block = examples[node]
            view.example, view.reason = texts.get(int(page.keys[block]), ""), verdicts[block].reason
        view.elements += 1
        view.pages += slot not in seen
        seen.add(slot)
        view.kept += kept
        view.stripped += stripped
        view.kept_chars += kept_chars
        view.chars += chars


# Slots that are shown, those with most blocks: a report has no room for more.
MAX_SLOTS = 150


def slot_tree(found: Survey, steps: Mapping[int, SlotStep]) -> list[dict[str, Any]]:
    """Return the slots with most blocks as rows, each after the slot around it.

    Slots on a single page of several are left out. A slot that holds nothing but another slot shares its row.

    Args:
        steps: tags with class and id of the slots, from the sample.

    Returns:
        One dict per row. ``depth`` is the depth in the tree, ``label`` the tag with class and id ("…" if unknown).
        ``pages`` is the number of pages with the slot, and ``share`` their share. ``blocks`` is the mean number of
        blocks on these pages, and ``stripped`` the share of blocks that goes. ``example`` and ``reason`` are text and
        reason of one block, a stripped one if possible.
    """
    least = min(2, found.pages)
    many = [view for view in found.slots.values() if view.pages >= least]
    outer = {slot: number for number, slot in enumerate(found.slots)}  # outer slots come first
    many = sorted(many, key=lambda view: (-view.blocks, outer[view.slot]))[:MAX_SLOTS]
    below: dict[int, list[SlotView]] = {}
    shown = {view.slot for view in many}
    for view in sorted(many, key=lambda view: outer[view.slot]):
        below.setdefault(view.parent if view.parent in shown else 0, []).append(view)
    rows = []
    todo = [(view, 0) for view in reversed(below.get(0, []))]
    while todo:
        view, depth = todo.pop()
        labels = [_label(view, steps)]
        while len(inside := below.get(view.slot, [])) == 1 and inside[0].blocks == view.blocks:
            view = inside[0]
            labels.append(_label(view, steps))
        rows.append(
            {
                "depth": depth,
                "label": " / ".join(labels),
                "pages": view.pages,
                "share": round(view.pages / found.pages, 4),
                "blocks": round(view.blocks / view.pages, 2),
                "stripped": round(view.stripped / view.blocks, 4),
                "example": view.example,
                "reason": view.reason,
            }
        )
        todo.extend((child, depth + 1) for child in reversed(inside))
    return rows


def _label(view: SlotView, steps: Mapping[int, SlotStep]) -> str:
    step = steps.get(view.slot)
    return step.label if step else "…"
