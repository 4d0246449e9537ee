"""Training of the networks that the default method scores blocks with: pages with labels in, weights out.

A site is seen as a crawl sees it: some of its pages are what was learnt from, and all are judged. How many, and which,
changes from step to step, so that the networks know sites of one page as well as of twenty.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from benchmarks.batches import Batch, LabelledPage, LabelledSite
from benchmarks.corpus import MIN_PAGES, Site
from benchmarks.labels import label_blocks
from benchmarks.scoring import token_list
from scrapy_blockfilter.evidence.features import NAMES, Evidence, evidence_of
from scrapy_blockfilter.evidence.network import CONTEXTS, Network
from scrapy_blockfilter.evidence.site import SiteStatistics
from scrapy_blockfilter.html import UnfitPage, parse, segment
from scrapy_blockfilter.terms import TermMaker

HIDDEN, IMPRESSIONS, SECOND = 32, 6, 24
EPOCHS = 24
# Pages that a site is learnt from: the first N of it, and samples of it of these sizes.
FIRST = (1, 1, 2, 3, 5, 10, 10, 20)
SAMPLES = (2, 4, 7, 12)
# Pages judged, sites to a step, the steps' length.
_JUDGED, _SITES, _RATE = 8, 6, 3e-3
# How often a feature, or all that names hint at, is hidden in training, so that nothing hangs on one of them.
_HIDE, _HIDE_NAMES, _DROPOUT = 0.1, 0.3, 0.2
# How much each set weighs in all, (sites of several pages, others): no set decides for the others by its size alone.
_SET_WEIGHT = 25.0
_SET_WEIGHTS = {"daniel": 39.0, "dragnet": 39.0, "l3s-gn1": 15.0, "wcxb": 20.0}
_SINGLES_WEIGHTS = {"wcxb": 60.0, "scrapinghub-aeb": 20.0}


def label_site(site: Site) -> LabelledSite:
    """Read a site and label its blocks. Pages that cannot be read are left out."""
    terms = TermMaker()
    pages = []
    for page in site.pages():
        try:
            segmented = segment(parse(page.html), terms)
        except UnfitPage:
            continue
        texts = [block.text for block in segmented.blocks]
        is_title = np.array([segmented.structure.tags[block.node] == "title" for block in segmented.blocks], np.bool_)
        tokens = np.array([len(token_list(text)) for text in texts], np.float32)
        if texts:
            pages.append(LabelledPage(segmented.columns, label_blocks(texts, page.gold), tokens * ~is_title))
    views = []
    for learnt in _ways_to_learn(site.name, len(pages)):
        statistics = SiteStatistics([pages[number].columns for number in learnt])
        evidence = tuple(_halved(evidence_of(page.columns, statistics)) for page in pages)
        views.append((tuple(learnt[kept] for kept in statistics.kept), statistics.slots, evidence))
    return LabelledSite(site.set_name, site.name, tuple(pages), tuple(views))


def _ways_to_learn(name: str, pages: int) -> Iterator[list[int]]:
    for count in FIRST:
        if count <= pages or (count == FIRST[0] and pages):
            yield list(range(count))
    chosen = random.Random(name)
    if pages >= MIN_PAGES:
        yield from (sorted(chosen.sample(range(pages), size)) for size in SAMPLES if size <= pages)


def _halved(evidence: Evidence) -> Evidence:
    """With features of half the size: there are millions of them."""
    return Evidence(**{**vars(evidence), "matrix": evidence.matrix.astype(np.float16)})


def train(sites: Sequence[LabelledSite], seeds: Sequence[int]) -> Network:
    """The network of a number of networks side by side, each trained from a seed of its own."""
    torch.set_num_threads(1)  # sums come in one order
    rows = np.concatenate([page.matrix[::7] for site in sites for page in site.views[-1][2][:6]]).astype(np.float32)
    mean, scale = rows.mean(axis=0), 1 / (rows.std(axis=0) + 1e-3)
    return _side_by_side([_train_one(sites, mean, scale, seed) for seed in seeds], mean, scale)


class _Module(nn.Module):
    """What :class:`scrapy_blockfilter.evidence.network.Network` evaluates, for one of its networks."""

    def __init__(self, mean: npt.NDArray[np.float32], scale: npt.NDArray[np.float32]) -> None:
        super().__init__()
        self.mean, self.scale = torch.from_numpy(mean), torch.from_numpy(scale)
        self.first = nn.Linear(len(NAMES), HIDDEN)
        self.impress = nn.Linear(HIDDEN, IMPRESSIONS)
        self.alone = nn.Linear(HIDDEN, 1)
        self.second = nn.Linear(HIDDEN + CONTEXTS * IMPRESSIONS, SECOND)
        self.last = nn.Linear(SECOND, 1)
        self.is_named = torch.tensor([name.startswith("named") for name in NAMES])

    def forward(self, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
        """Scores from all, and from the blocks' own features alone, which keeps impressions meaningful."""
        standard = ((batch.matrix - self.mean) * self.scale).clamp(-4, 4)
        if self.training:
            shown = torch.rand(len(NAMES)) > _HIDE
            if torch.rand(1) < _HIDE_NAMES:
                shown &= ~self.is_named
            standard = standard * shown
        hidden = functional.dropout(functional.relu(self.first(standard)), _DROPOUT, self.training)
        impressions = torch.tanh(self.impress(hidden))
        contexts = batch.contexts(impressions)
        second = functional.relu(self.second(torch.cat([hidden, contexts], dim=1)))
        second = functional.dropout(second, _DROPOUT, self.training)
        return self.last(second)[:, 0], self.alone(hidden)[:, 0]


def _train_one(
    sites: Sequence[LabelledSite], mean: npt.NDArray[np.float32], scale: npt.NDArray[np.float32], seed: int
) -> _Module:
    torch.manual_seed(seed)
    chosen = random.Random(seed)
    module = _Module(mean, scale)
    weights = _site_weights(sites)
    optimizer = torch.optim.AdamW(module.parameters(), lr=_RATE, weight_decay=0.02)
    steps = EPOCHS * -(-len(sites) // _SITES)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=steps + 1)
    module.train()
    for _ in range(EPOCHS):
        order = chosen.sample(sites, len(sites))
        for start in range(0, len(order), _SITES):
            optimizer.zero_grad()
            for site in order[start : start + _SITES]:
                view = chosen.randrange(len(site.views))
                judged = chosen.sample(range(len(site.pages)), min(_JUDGED, len(site.pages)))
                batch = Batch(site, view, judged)
                scores, alone = module(batch)
                loss = batch.loss(scores) + 0.3 * batch.loss(alone)
                (loss * weights[site.group]).backward()
            nn.utils.clip_grad_norm_(module.parameters(), 1.0)
            optimizer.step()
            schedule.step()
    return module.eval()


def _site_weights(sites: Sequence[LabelledSite]) -> dict[tuple[str, bool], float]:
    counts = Counter(site.group for site in sites)
    return {
        (name, several): (_SET_WEIGHTS.get(name, _SET_WEIGHT) if several else _SINGLES_WEIGHTS.get(name, 5.0)) / count
        for (name, several), count in counts.items()
    }


def _side_by_side(modules: Sequence[_Module], mean: npt.NDArray[np.float32], scale: npt.NDArray[np.float32]) -> Network:
    def stacked(layer: str) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        layers = [getattr(module, layer) for module in modules]
        weights = [layer.weight.detach().numpy().T for layer in layers]
        biases = [layer.bias.detach().numpy()[None] for layer in layers]
        return np.stack(weights), np.stack(biases)

    (w1, b1), (we, be), (w2, b2), (w3, b3) = map(stacked, ("first", "impress", "second", "last"))
    return Network(mean, scale, np.concatenate(list(w1), axis=1), b1.reshape(-1), we, be, w2, b2, w3, b3)
