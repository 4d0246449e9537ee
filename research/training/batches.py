"""Labelled pages of a site, and the batches that training steps on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from research.training.values import Groups
from scrapy_blockfilter.consensus import Evidence
from scrapy_blockfilter.consensus.network import WINDOWS
from scrapy_blockfilter.html.subtrees import LEVELS

# Weight of boilerplate beside values, on pages that say nothing of boilerplate.
HELD_DOWN = 0.5


@dataclass(frozen=True)
class LabelledPage:
    """The labels of a page."""

    labels: npt.NDArray[np.float32]  # for each block the share of it that is gold, 0 for the TITLE
    tokens: npt.NDArray[np.float32]  # number of tokens of each block, 0 for the TITLE
    are_open: npt.NDArray[np.bool_]  # the blocks that the gold says nothing of, such as pictures outside of content
    gold: int  # number of tokens of the gold
    kind: str  # the kind of page, "" where unknown
    values: Groups | None = None  # the blocks that hold each value, if the page has no gold; None if it has


class View(NamedTuple):
    """A site as seen after learning from some of its pages."""

    learnt: tuple[int, ...]  # numbers of the pages learnt from, without copies
    slots: int  # number of slots
    evidence: tuple[Evidence, ...]  # evidence for each page
    often: float  # weight of this view among others in training


@dataclass(frozen=True)
class LabelledSite:
    """A site with its pages, and a view for each choice of pages to learn from."""

    set_name: str
    name: str
    pages: tuple[LabelledPage, ...]
    views: tuple[View, ...]

    @property
    def has_gold(self) -> bool:
        return self.pages[0].values is None


class Batch:
    """Pages of a site in a row: first those learnt from, then those to judge."""

    def __init__(self, site: LabelledSite, view: View, judged: Sequence[int]) -> None:
        learnt, self.slots, evidence, _ = view
        numbers = sorted({*learnt, *judged})
        pages = [(evidence[number], site.pages[number]) for number in numbers]
        blocks = np.cumsum([0, *(len(page.weights) for page, _ in pages)])
        nodes = np.cumsum([0, *(len(page.rows) for page, _ in pages)])

        def joined(parts: list[npt.NDArray[np.generic]]) -> torch.Tensor:
            return torch.from_numpy(np.concatenate(parts))

        self.matrix = joined([page.matrix for page, _ in pages]).float()
        self.weights = joined([page.weights for page, _ in pages])[:, None] + 1
        self.starts = joined([page.tree.starts + first for (page, _), first in zip(pages, blocks, strict=False)])
        self.ends = joined([page.tree.ends + first for (page, _), first in zip(pages, blocks, strict=False)])
        self.levels = joined([page.tree.levels + first for (page, _), first in zip(pages, nodes, strict=False)])
        self.rows = joined([page.rows for page, _ in pages])
        headings = [
            np.where(page.headings >= 0, page.headings + first, -1)
            for (page, _), first in zip(pages, blocks, strict=False)
        ]
        self.headings = joined(headings)
        sizes = [len(page.rows) for page, _ in pages]
        is_learnt = torch.tensor([number in learnt for number in numbers]).repeat_interleave(torch.tensor(sizes))
        self.counted = torch.nonzero(is_learnt)[:, 0]
        self.all_rows = [joined([page.all_rows[kind] for page, _ in pages])[self.counted] for kind in range(2)]
        counts = torch.tensor(np.diff(blocks))
        self.page = torch.arange(len(pages)).repeat_interleave(counts)
        self.first = torch.from_numpy(blocks[:-1])[self.page]
        self.end = torch.from_numpy(blocks[1:])[self.page]
        self.numbers = numbers
        self.labels = joined([page.labels for _, page in pages])
        self.tokens = joined([page.tokens for _, page in pages])
        self.is_told = joined([~page.are_open for _, page in pages])
        holding = [
            (first + np.array(group), number)
            for number, ((_, page), first) in enumerate(zip(pages, blocks, strict=False))
            for group in page.values or ()
        ]
        self.holding = torch.from_numpy(np.concatenate([group for group, _ in holding] or [np.zeros(0, np.int64)]))
        counts = torch.tensor([len(group) for group, _ in holding], dtype=torch.int64)
        self.value = torch.arange(len(holding)).repeat_interleave(counts)
        self.value_page = torch.tensor([number for _, number in holding], dtype=torch.int64)

    def contexts(self, impressions: torch.Tensor) -> torch.Tensor:
        weighted = torch.cat([impressions * self.weights, self.weights], dim=1)
        zero = torch.zeros(1, weighted.shape[1], dtype=torch.float64)
        running = torch.cat([zero, weighted.double().cumsum(0)])

        def between(start: torch.Tensor, end: torch.Tensor) -> torch.Tensor:
            return (running[end] - running[start]).float()

        subtrees = between(self.starts, self.ends)
        slots = torch.zeros(self.slots, weighted.shape[1])
        for rows in self.all_rows:
            slots = slots.index_add(0, rows, subtrees[self.counted])
        there = torch.where(self.rows[:, None] >= 0, _means(slots)[self.rows], torch.tensor(0.0))
        here = _means(subtrees)
        place = torch.arange(len(impressions))
        total = between(self.first, self.end)
        whole = total[:, -1:] + 1
        edge = torch.zeros(1, impressions.shape[1])
        parts = [here[self.levels[:, level]] for level in range(LEVELS)]
        parts += [there[self.levels[:, level]] for level in range(LEVELS)]
        parts += [between(self.first, place)[:, :-1] / whole, between(place + 1, self.end)[:, :-1] / whole]
        parts.append(total[:, :-1] / whole)
        parts.append(torch.cat([edge, impressions[:-1]]) * (place > self.first)[:, None])
        parts.append(torch.cat([impressions[1:], edge]) * (place + 1 < self.end)[:, None])
        parts.append(torch.where(self.headings[:, None] >= 0, impressions[self.headings], torch.tensor(0.0)))
        for window in WINDOWS:
            parts.append(_means(between(torch.maximum(place - window, self.first), place)))
            parts.append(_means(between(place + 1, torch.minimum(place + window + 1, self.end))))
        return torch.cat(parts, dim=1)

    def of_pages(self, values: torch.Tensor) -> torch.Tensor:
        """Return the mean over the blocks of each page, weighted by length of text."""
        pages = len(self.numbers)
        sums = torch.zeros(pages, values.shape[1]).index_add(0, self.page, values * self.weights)
        return sums / (torch.zeros(pages, 1).index_add(0, self.page, self.weights) + 1)

    def loss(self, scores: torch.Tensor) -> torch.Tensor:
        """Return each page's loss: half the cross entropy of its blocks, weighted by tokens, and half 1 - F1."""
        pages = len(self.numbers)

        def by_page(values: torch.Tensor) -> torch.Tensor:
            return torch.zeros(pages).index_add(0, self.page, values)

        likely = torch.sigmoid(scores)
        gold = by_page(self.labels * self.tokens)
        hit, found = by_page(likely * self.labels * self.tokens), by_page(likely * self.tokens)
        f1 = (2 * hit + 10) / (found + gold + 10)
        return 0.5 * self.entropy(scores, self.labels, self.is_told) + 1.5 * (1 - f1)

    def entropy(self, scores: torch.Tensor, labels: torch.Tensor, counts: torch.Tensor | None = None) -> torch.Tensor:
        """Return each page's cross entropy of its blocks, weighted by their tokens.

        Args:
            labels: for each block, how likely it is content, by gold or by a teacher.
            counts: which blocks count; by default all, as a teacher judges pictures, too.
        """
        pages = torch.zeros(len(self.numbers))
        gold = pages.index_add(0, self.page, self.labels * self.tokens)
        importance = ((self.tokens + 1) / (gold[self.page] + 20)).clamp(max=1) * (1 if counts is None else counts)
        entropy = functional.binary_cross_entropy_with_logits(scores, labels, reduction="none")
        return pages.index_add(0, self.page, entropy * importance)

    def loss_of_values(self, scores: torch.Tensor) -> torch.Tensor:
        """Return each page's loss if its values are known: of the best block of each value, and of sure boilerplate.

        The labels of such pages are 1 for blocks that are open, and 0 for sure boilerplate.
        """
        pages = len(self.numbers)
        best = torch.full((len(self.value_page),), -torch.inf).scatter_reduce(
            0, self.value, scores[self.holding], "amax"
        )
        values = torch.zeros(pages).index_add(0, self.value_page, functional.softplus(-best))
        counts = torch.zeros(pages).index_add(0, self.value_page, torch.ones(len(best)))
        sure = self.tokens * (1 - self.labels)
        boilerplate = torch.zeros(pages).index_add(0, self.page, functional.softplus(scores) * sure)
        total = torch.zeros(pages).index_add(0, self.page, sure)
        return values / counts.clamp(min=1) + HELD_DOWN * boilerplate / (total + 20)


def _means(sums: torch.Tensor) -> torch.Tensor:
    return sums[:, :-1] / (sums[:, -1:] + 1)
