"""Training of the networks that score blocks for the default method: pages with labels in, weights out.

A site is seen as in a crawl: some of its pages are learnt from, and all are judged. The pages and their number change
from step to step. So the networks learn to judge sites of one page as well as of twenty.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from benchmarks.corpus import MIN_PAGES, CorpusPage, Site
from benchmarks.parts import LEFT_OUT
from benchmarks.scoring import token_list
from benchmarks.small_sites import small_pages
from benchmarks.workers import forked, mapped
from research.training.batches import Batch, LabelledPage, LabelledSite, View
from research.training.labels import label_blocks, label_pictures, open_captions
from research.training.values import blocks_of_values
from scrapy_blockfilter import Options
from scrapy_blockfilter.consensus import Evidence, Network, SiteStatistics, evidence_of
from scrapy_blockfilter.consensus.features.evidence import NAMES
from scrapy_blockfilter.consensus.native import built
from scrapy_blockfilter.consensus.network import CONTEXTS
from scrapy_blockfilter.html import Reader, UnfitPage

HIDDEN, IMPRESSIONS, SECOND, THIRD = 48, 8, 40, 20
EPOCHS = 14
# Epochs of the network that learns from the others, too: more, as their scores are smoother than gold.
TAUGHT_EPOCHS = 20
# Pages to learn a site from: its first N, or samples of these sizes; and how often each choice is seen.
FIRST = {1: 2.0, 2: 1.0, 3: 1.0, 5: 1.5, 10: 3.0}
SAMPLES = {4: 1.0, 8: 1.5}
# Pages to judge besides those learnt from, sites per step, and the learning rate.
_JUDGED, _SITES, _RATE = 6, 6, 3e-3
# How often training hides a feature, or all hints of names, so that no network depends on one of them.
_HIDE, _HIDE_NAMES, _DROPOUT = 0.1, 0.3, 0.2
# Weights in the loss, besides the score's: of the scores of earlier layers, and of the kind of page.
_EARLY, _KIND = 0.3, 0.1
# Weight of the scores of the other networks beside gold.
_TAUGHT = 1.0
# A site of a single page weighs less than one of several: its template cannot be learnt.
_SINGLE = 0.15
# Weight of a site whose values alone are known, and of such a site of a single page or two, which teach little of it.
_VALUES, _FEW_VALUES, _FEW = 0.5, 0.15, 2
# Number of made-up small sites, the weight of each, and the set they are in.
SMALL, _SMALL, SMALL_SET = 240, 0.75, "small"
# A network trained on gold is sure of boilerplate below this score.
_SURE = 0.05
# A kind of page weighs by the root of its rarity, within these bounds, so that articles do not decide for shops.
_RARE = 0.5, 2.5


# The features of each group, by the part of their names that follows the level, or begins without one.
# F1 does not see all that a group brings: without runs, or what is around, made pages lose things or keep teasers.
GROUPS: Mapping[str, tuple[str, ...]] = {
    "block": ("text", "tag"),
    "other-pages": ("pages",),
    "slots": ("slot",),
    "names": ("named near", "named", "inside"),
    "around": ("here", "title", "title elsewhere", "dates", "share of dates", "headings", "prices"),
    "runs": ("run", "nodes like it", "share of prices", "share of plain text"),
    "around-on-site": ("on the site", "on share of pages"),
}


def group_of(feature: str) -> str:
    """Return the group of a feature."""
    kind = feature.split(": ")[feature.startswith("level ")]
    return next(group for group, kinds in GROUPS.items() if kind in kinds)


def label_site(site: Site) -> LabelledSite:
    """Read a site and label its blocks, without pages that cannot be read."""
    return label_pages(site.set_name, site.name, site.pages())


def small_sites() -> list[LabelledSite]:
    """Make labelled sites of few blocks a page, as people first try a filter on."""
    sites = (small_pages(random.Random(number)) for number in range(SMALL))
    return [
        label_pages(SMALL_SET, f"small-{number}", [CorpusPage(page.html, page.gold, "") for page in pages])
        for number, pages in enumerate(sites)
    ]


def label_pages(set_name: str, name: str, labelled: Iterable[CorpusPage]) -> LabelledSite:
    """Read the pages of a site and label their blocks, without those that cannot be read."""
    reader = Reader(Options())
    read, pages = [], []
    for page in labelled:
        try:
            segmented = reader.read(page.html, whole=True)
        except UnfitPage:
            continue
        texts = [block.text for block in segmented.blocks]
        is_title = np.array([segmented.tags[block.node] == "title" for block in segmented.blocks], np.bool_)
        tokens = np.array([len(token_list(text)) for text in texts], np.float32)
        if texts:
            texts = ["" if title else text for title, text in zip(is_title, texts, strict=True)]
            if page.values:
                labels, gold, values = np.ones(len(texts), np.float32), 0, blocks_of_values(texts, page.values)
                are_open = np.zeros(len(texts), np.bool_)
            else:
                labels, gold, values = label_blocks(texts, page.gold), len(token_list(page.gold)), None
                are_captions = np.array([segmented.tags[block.node] == "figcaption" for block in segmented.blocks])
                are_open = open_captions(are_captions, labels, tokens)
                labels, are_pictures = label_pictures(labels, tokens)
                tokens, are_open = tokens * ~are_open, are_open | are_pictures
            read.append(segmented)
            pages.append(LabelledPage(labels, tokens * ~is_title, are_open, gold, page.kind, values))
    views: list[View] = []
    for learnt, often in _ways_to_learn(name, len(pages)):
        statistics = SiteStatistics([read[number] for number in learnt])
        evidence = tuple(_halved(evidence_of(page, statistics)) for page in read)
        views.append(View(tuple(learnt[kept] for kept in statistics.kept), statistics.slots, evidence, often))
    return LabelledSite(set_name, name, tuple(pages), tuple(views))


def _ways_to_learn(name: str, pages: int) -> Iterator[tuple[list[int], float]]:
    for count, often in FIRST.items():
        if count <= pages:
            yield list(range(count)), often
    chosen = random.Random(name)
    if pages >= MIN_PAGES:
        for size, often in SAMPLES.items():
            if size <= pages:
                yield sorted(chosen.sample(range(pages), size)), often


def _halved(evidence: Evidence) -> Evidence:
    """Halve the size of the features: there are millions of them."""
    return Evidence(**{**vars(evidence), "matrix": evidence.matrix.astype(np.float16)})


def _doubled(evidence: Evidence) -> Evidence:
    return Evidence(**{**vars(evidence), "matrix": evidence.matrix.astype(np.float32)})


def label_sites(sites: Sequence[Site], processes: int) -> dict[Site, LabelledSite]:
    """Label sites, without those that have no readable page, or whose gold is plainly wrong."""
    wanted = [site for site in sites if site.name not in LEFT_OUT]
    labelled = zip(wanted, mapped(label_site, wanted, processes), strict=True)
    return {site: found for site, found in labelled if found.views}


def train(sites: Sequence[LabelledSite], seeds: Sequence[int], processes: int = 1, left_out: str = "") -> Network:
    """Train a network from each seed, and then one that learns their mean score beside the labels.

    One network costs a part of what several cost, and is steadier than one that the labels alone teach.

    A network trained on real pages with gold alone finds sure boilerplate on pages whose values alone are known.

    Args:
        processes: number of networks trained at a time; it does not change the result.
        left_out: the features of :data:`GROUPS` that no network sees; with their mean on every block they say nothing.
    """
    torch.set_num_threads(1)  # so that sums have one order
    with_gold = [site for site in sites if site.has_gold]
    if len(with_gold) < len(sites):
        first = train([site for site in with_gold if site.set_name != SMALL_SET], seeds[:1])
        sites = with_gold + [sure_of(site, first) for site in sites if not site.has_gold]
    rows = np.concatenate([page.matrix[::7] for site in sites for page in site.views[-1].evidence[:6]]).astype(
        np.float32
    )
    is_seen = np.array([group_of(name) != left_out for name in NAMES], np.float32)
    mean, scale = rows.mean(axis=0), 1 / (rows.std(axis=0) + 1e-3)
    seen = scale * is_seen
    several = list(forked(partial(train_one, sites, mean, seen), seeds, processes))
    one = train_one(sites, mean, seen, seeds[0], several) if len(several) > 1 else several[0]
    network = _network_of(one, mean, scale)
    return replace(network, w1=network.w1 * is_seen[:, None])


def sure_of(site: LabelledSite, network: Network) -> LabelledSite:
    """Label as boilerplate what a network is sure of, on a site whose values alone are known."""
    view = site.views[-1]
    evidence = [_doubled(of_page) for of_page in view.evidence]
    slots, _ = network.learn([evidence[number] for number in view.learnt], view.slots, built())
    pages = [
        replace(page, labels=(network.scores(of_page, slots, built()) >= _SURE).astype(np.float32))
        for page, of_page in zip(site.pages, evidence, strict=True)
    ]
    return replace(site, pages=tuple(pages))


class TrainedNetwork(nn.Module):
    """One of the networks that :class:`scrapy_blockfilter.consensus.network.Network` evaluates, in PyTorch."""

    def __init__(self, mean: npt.NDArray[np.float32], scale: npt.NDArray[np.float32], kinds: int) -> None:
        super().__init__()
        self.mean, self.scale = torch.from_numpy(mean), torch.from_numpy(scale)
        self.first = nn.Linear(len(NAMES), HIDDEN)
        self.impress = nn.Linear(HIDDEN, IMPRESSIONS)
        self.second = nn.Linear(HIDDEN + CONTEXTS * IMPRESSIONS, SECOND)
        self.impress_again = nn.Linear(SECOND, IMPRESSIONS)
        self.third = nn.Linear(SECOND + CONTEXTS * IMPRESSIONS, THIRD)
        self.last = nn.Linear(THIRD, 1)
        # For training alone: they keep the output of earlier layers meaningful.
        self.after_first, self.after_second = nn.Linear(HIDDEN, 1), nn.Linear(SECOND, 1)
        self.kind = nn.Linear(IMPRESSIONS, kinds)
        self.is_named = torch.tensor([name.startswith("named") for name in NAMES])

    def forward(self, batch: Batch) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return scores, scores of the earlier layers, and for each page how likely each kind is."""
        standard = ((batch.matrix - self.mean) * self.scale).clamp(-4, 4)
        if self.training:
            shown = torch.rand(len(NAMES)) > _HIDE
            if torch.rand(1) < _HIDE_NAMES:
                shown &= ~self.is_named
            standard = standard * shown
        first = self._dropped(self.first(standard))
        contexts = batch.contexts(torch.tanh(self.impress(first)))
        second = self._dropped(self.second(torch.cat([first, contexts], dim=1)))
        impressions = torch.tanh(self.impress_again(second))
        contexts = batch.contexts(impressions)
        third = self._dropped(self.third(torch.cat([second, contexts], dim=1)))
        kinds = self.kind(batch.of_pages(impressions))
        return self.last(third)[:, 0], self.after_second(second)[:, 0], self.after_first(first)[:, 0], kinds

    def _dropped(self, layer: torch.Tensor) -> torch.Tensor:
        return functional.dropout(functional.relu(layer), _DROPOUT, self.training)


def train_one(
    sites: Sequence[LabelledSite],
    mean: npt.NDArray[np.float32],
    scale: npt.NDArray[np.float32],
    seed: int,
    teachers: Sequence[TrainedNetwork] = (),
) -> TrainedNetwork:
    """Train one network from a seed. Beside the labels it learns the mean score of ``teachers``."""
    torch.manual_seed(seed)
    chosen = random.Random(seed)
    rarity = _rarity(sites)
    places = {kind: place for place, kind in enumerate(rarity)}
    module = TrainedNetwork(mean, scale, len(places))
    optimizer = torch.optim.AdamW(module.parameters(), lr=_RATE, weight_decay=0.02)
    epochs = TAUGHT_EPOCHS if teachers else EPOCHS
    steps = epochs * -(-len(sites) // _SITES)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=steps + 1)
    module.train()
    for _ in range(epochs):
        order = chosen.sample(sites, len(sites))
        for start in range(0, len(order), _SITES):
            optimizer.zero_grad()
            for site in order[start : start + _SITES]:
                view = chosen.choices(site.views, [view.often for view in site.views])[0]
                batch = Batch(site, view, chosen.sample(range(len(site.pages)), min(_JUDGED, len(site.pages))))
                scores, after_second, after_first, kinds = module(batch)
                of_pages = [site.pages[number].kind for number in batch.numbers]
                loss_of = batch.loss if site.has_gold else batch.loss_of_values
                loss = loss_of(scores) + _EARLY * (loss_of(after_second) + loss_of(after_first))
                if teachers:
                    with torch.no_grad():
                        likely = torch.stack([teacher(batch)[0] for teacher in teachers]).mean(dim=0)
                    loss = loss + _TAUGHT * batch.entropy(scores, torch.sigmoid(likely))
                known = torch.tensor([places.get(kind, -1) if kind else -1 for kind in of_pages])
                loss = loss + _KIND * functional.cross_entropy(kinds, known, ignore_index=-1, reduction="none")
                loss = loss * torch.tensor([rarity.get(kind, _RARE[1] if site.has_gold else 1.0) for kind in of_pages])
                (loss.mean() * _weight(site)).backward()
            nn.utils.clip_grad_norm_(module.parameters(), 1.0)
            optimizer.step()
            schedule.step()
    module.eval()
    return module


def _weight(site: LabelledSite) -> float:
    if site.set_name == SMALL_SET:
        return _SMALL
    if site.has_gold:
        return 1.0 if len(site.pages) > 1 else _SINGLE
    return _VALUES if len(site.pages) > _FEW else _FEW_VALUES


def _rarity(sites: Sequence[LabelledSite]) -> dict[str, float]:
    """Return the weight of a page of each kind."""
    real = [site for site in sites if site.has_gold and site.set_name != SMALL_SET]
    counts = Counter(page.kind for site in real for page in site.pages[:MIN_PAGES])
    usual = sum(counts.values()) / len(counts)
    least, most = _RARE
    return {kind: float(np.clip((usual / counts[kind]) ** 0.5, least, most)) for kind in sorted(counts)}


def _network_of(module: TrainedNetwork, mean: npt.NDArray[np.float32], scale: npt.NDArray[np.float32]) -> Network:
    names = ("first", "impress", "second", "impress_again", "third", "last")
    layers = [getattr(module, name) for name in names]
    arrays = [(layer.weight.detach().numpy().T, layer.bias.detach().numpy()) for layer in layers]
    return Network(mean, scale, *(array for pair in arrays for array in pair))
