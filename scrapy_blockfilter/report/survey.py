"""Count what a model strips from the pages it was learnt from: which slots and blocks, on how many pages, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.methods import Verdict
from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.sample.copies import different_pages
from scrapy_blockfilter.sample.slots import style_path


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
        kept, stripped: how many times it stays or goes.
        score: score where it first goes, from 0 to 1.
        reason: why it goes there.
        kind: the kind of that reason.
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
        blocks: the stripped texts, those on most pages first, and of these the longest.
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
    views = {
        slot: SlotView(
            slot,
            parents[slot],
            style_path(sample.steps, slot),
            counts.pages,
            counts.elements,
            counts.kept,
            counts.stripped,
            counts.chars,
            counts.kept_chars,
            *_words(counts, texts),
        )
        for slot, counts in slots.items()
    }
    stripped = [
        BlockView(
            key,
            counts.slot,
            texts.get(counts.first[0], ""),
            counts.pages,
            counts.kept,
            counts.stripped,
            round(float(verdict.score), 4),
            verdict.reason,
            verdict.kind,
        )
        for key, counts in blocks.items()
        if counts.stripped and counts.first
        for verdict in [counts.first[1]]
    ]
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
        tally = below[block.node]
        tally[0 if verdict.keep else 1] += 1
        tally[2 if verdict.keep else 3] += block.chars
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
