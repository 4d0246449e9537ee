"""Count the slots and blocks that a model strips from the pages it was learnt from: on how many pages, and why.

The slots are also rows of a tree, for a report.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.methods import Verdict
from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.sample.copies import different_pages
from scrapy_blockfilter.sample.slots import SlotStep, style_path


class SlotView(NamedTuple):
    """A slot, with all that is below it.

    Attributes:
        parent: the slot around it, 0 for the root.
        path: its style path.
        pages: number of pages that have it.
        elements: number of its elements with text, over all pages.
        kept, stripped: numbers of blocks in it and below, over all pages.
        chars, kept_chars: characters of stripped blocks, and of kept ones.
        example: text of one block, a stripped one if there is any.
        reason: why that block stays or goes.
    """

    slot: int
    parent: int
    path: str
    pages: int
    elements: int
    kept: int
    stripped: int
    chars: int
    kept_chars: int
    example: str
    reason: str


class BlockView(NamedTuple):
    """A text that was stripped from at least one page.

    Attributes:
        slot: the slot where it was found first.
        pages: number of pages that have it.
        kept, stripped: numbers of times that it stays and goes.
        score, reason, kind: those of the first time that it goes.
    """

    key: int
    slot: int
    text: str
    pages: int
    kept: int
    stripped: int
    score: float
    reason: str
    kind: str


class Survey(NamedTuple):
    """The result of :func:`survey`.

    Attributes:
        pages: number of pages judged, copies counted once.
        slots: all slots, by key.
        blocks: the stripped texts, those on most pages first, then the longest.
    """

    pages: int
    slots: dict[int, SlotView]
    blocks: list[BlockView]

    def stripped_slots(self) -> list[SlotView]:
        """Return the outermost slots that are always stripped, those on most pages and with most text first."""
        found = [
            view
            for view in self.slots.values()
            if view.stripped and not view.kept and (view.parent not in self.slots or self.slots[view.parent].kept)
        ]
        return sorted(found, key=lambda view: (-view.pages, -view.chars, view.slot))


class _Counts:
    """Counts of a slot or a text."""

    __slots__ = ("chars", "elements", "first", "kept", "kept_chars", "pages", "slot", "stripped")

    def __init__(self) -> None:
        self.pages = self.kept = self.stripped = self.chars = self.kept_chars = self.slot = self.elements = 0
        self.first: tuple[int, Verdict] | None = None  # block key and verdict

    def note(self, key: int, verdict: Verdict) -> None:
        if self.first is None or (self.first[1].keep and not verdict.keep):
            self.first = key, verdict


def survey(sample: SiteSample, model: SiteModel) -> Survey:
    """Judge the different pages of a sample with its model, and count. The TITLE, which always stays, is left out.

    Copies count once, as in the reasons.
    """
    slots: dict[int, _Counts] = {}
    parents: dict[int, int] = {}
    blocks: dict[int, _Counts] = {}
    pages = list(sample.pages())
    different = [pages[number] for number in different_pages(pages)]
    for page in different:
        _count(page, model.judge_learnt(page), slots, parents, blocks)
    texts = sample.texts
    views = {}
    for slot, counts in slots.items():
        path = style_path(sample.steps, slot)
        numbers = counts.pages, counts.elements, counts.kept, counts.stripped, counts.chars, counts.kept_chars
        views[slot] = SlotView(slot, parents[slot], path, *numbers, *_words(counts, texts))
    stripped = []
    for key, counts in blocks.items():
        if counts.stripped and counts.first:
            counted = counts.pages, counts.kept, counts.stripped
            verdict = counts.first[1]
            why = round(float(verdict.score), 4), verdict.reason, verdict.kind
            stripped.append(BlockView(key, counts.slot, texts.get(counts.first[0], ""), *counted, *why))
    stripped.sort(key=lambda view: (-view.pages, -len(view.text), view.text, view.key))
    return Survey(len(different), views, stripped)


def _count(
    page: Page,
    verdicts: Sequence[Verdict],
    slots: dict[int, _Counts],
    parents: dict[int, int],
    blocks: dict[int, _Counts],
) -> None:
    tags, around = page.tags, page.parents
    of_nodes = page.slots.tolist()
    below = [[0, 0, 0, 0] for _ in tags]  # blocks kept, stripped, characters kept, stripped
    first: dict[int, tuple[int, Verdict]] = {}
    on_page: set[int] = set()
    for block, verdict in zip(page.blocks, verdicts, strict=True):
        if tags[block.node] == "title":
            continue
        counts = blocks.setdefault(block.key, _Counts())
        counts.slot = counts.slot or of_nodes[block.node]
        counts.pages += block.key not in on_page
        on_page.add(block.key)
        counts.kept += verdict.keep
        counts.stripped += not verdict.keep
        counts.note(block.key, verdict)
        below[block.node][0 if verdict.keep else 1] += 1
        below[block.node][2 if verdict.keep else 3] += block.chars
        if block.node not in first or (first[block.node][1].keep and not verdict.keep):
            first[block.node] = block.key, verdict
    for node in range(len(tags) - 1, 0, -1):  # an element comes after the one around it
        parent = around[node]
        below[parent] = [mine + other for mine, other in zip(below[parent], below[node], strict=True)]
        if node in first and (parent not in first or first[parent][1].keep >= first[node][1].keep):
            first[parent] = first[node]
    seen: set[int] = set()
    for node, (kept, stripped, kept_chars, chars) in enumerate(below):
        if not kept + stripped:
            continue
        slot = of_nodes[node]
        counts = slots.setdefault(slot, _Counts())
        parents.setdefault(slot, of_nodes[around[node]] if node else 0)
        counts.elements += 1
        counts.pages += slot not in seen
        seen.add(slot)
        counts.kept += kept
        counts.stripped += stripped
        counts.kept_chars += kept_chars
        counts.chars += chars
        counts.note(*first[node])


def _words(counts: _Counts, texts: dict[int, str]) -> tuple[str, str]:
    """Return text and reason of the first block."""
    if counts.first is None:
        return "", ""
    key, verdict = counts.first
    return texts.get(key, ""), verdict.reason


# Slots that are shown, those with most blocks: a report has no room for more.
MAX_SLOTS = 150


def slot_tree(found: Survey, steps: Mapping[int, SlotStep]) -> list[dict[str, Any]]:
    """Return the slots with most blocks as rows, each after the slot around it.

    Slots on a single page are left out, if there are several pages. A slot that holds nothing but another slot shares
    its row.

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
