"""Train the networks that tell the kind of a page, or compare their sizes.

Networks of several sizes are trained on the part *build* and compared on *choose* (``--compare``), which also settles
how sharp scores are. Those that ship are trained on both. The part *report* is left to ``benchmarks.quality``. The same
corpora, seeds and versions give the same file, byte for byte, on the same machine.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.corpus import CorpusError
from benchmarks.page_kinds import Sample, figures_of, kinds_table, samples_of
from benchmarks.parts import BUILD, CHOOSE, sites_of
from benchmarks.tables import positive, share, table
from benchmarks.workers import mapped
from scrapy_blockfilter.extras import kinds
from scrapy_blockfilter.extras.kinds import FEATURES, KINDS
from scrapy_blockfilter.extras.kinds.network import FILE, KindNetwork, write_kind_network

SEEDS = (1, 2, 3)
# Numbers of the hidden layer: the best on *choose* of those below, by the mean F1 over kinds without address.
HIDDEN = 32
_SIZES = (16, 32, 64)
_EPOCHS, _BATCH, _RATE, _DECAY, _DROPOUT = 60, 256, 3e-3, 0.02, 0.3
# How often training hides the address of a page, what it declares, and any other feature.
_NO_ADDRESS, _NOTHING_DECLARED, _HIDDEN_FEATURES = 0.5, 0.4, 0.1
# Sharpness that is tried: 1 leaves scores as they are.
_SHARPNESS = np.arange(0.3, 2.01, 0.1)
_MOST = 4.0

_NONE = {"schema: none", "og: none"}
_DECLARED = np.array([name.startswith(("schema:", "og:")) for name in FEATURES])
_WHERE_NONE = np.array([name in _NONE for name in FEATURES])

Floats = npt.NDArray[np.float64]
Part = Sequence[Sequence[Sample]]


class Rows(NamedTuple):
    """Labelled pages as arrays.

    Attributes:
        features: with the address, and without it.
        weights: of each page: by the root of the number of its site's pages of its kind, and of the rarity of the kind.
    """

    features: tuple[Floats, Floats]
    kinds: npt.NDArray[np.int64]
    weights: Floats


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    if find_spec("torch") is None:
        parser.exit(2, f"{parser.prog}: PyTorch is not installed: make .venv/.train\n")
    try:
        build, choose = (_samples(part, options.corpora, options.processes) for part in (BUILD, CHOOSE))
    except CorpusError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    if not build or not choose:
        parser.exit(2, f"{parser.prog}: the corpora have too few sites to hold some of them back\n")
    if options.compare:
        print(_compared(build, choose))
        return 0
    sharpness = sharpest(trained(build, HIDDEN), choose)
    samples = [*build, *choose]
    network = trained(samples, HIDDEN, sharpness)
    about = {"parts": [BUILD, CHOOSE], "seeds": SEEDS, **_counts(samples)}
    options.output.write_bytes(write_kind_network(network, about))
    print(f"{options.output} is written: {options.output.stat().st_size:,} bytes")
    return 0


def trained(sites: Part, hidden: int, sharpness: float = 1.0) -> KindNetwork:
    """Train a network from each seed, and put them side by side."""
    rows = _rows(sites)
    mean = rows.features[0].mean(axis=0)
    scale = 1 / (rows.features[0].std(axis=0) + 0.01)
    layers = [_train_one(rows, mean, scale, hidden, seed) for seed in SEEDS]
    w1, b1, w2, b2 = (np.stack([of[place] for of in layers]).astype(np.float64) for place in range(4))
    return KindNetwork(mean, scale, w1, b1, w2, b2, np.array([sharpness]))


def sharpest(network: KindNetwork, sites: Part) -> float:
    """Return the sharpness with which the kinds of some pages are most probable."""
    samples = list(chain.from_iterable(sites))
    places = [KINDS.index(sample.kind) for sample in samples]
    losses = []
    for sharpness in _SHARPNESS:
        sharper = KindNetwork(**{**vars(network), "sharpness": np.array([sharpness])})
        likely = [sharper.probabilities(of.features)[place] for of, place in zip(samples, places, strict=True)]
        losses.append(-np.log(np.maximum(likely, 1e-9)).mean())
    return float(_SHARPNESS[int(np.argmin(losses))])


def _train_one(rows: Rows, mean: Floats, scale: Floats, hidden: int, seed: int) -> list[npt.NDArray[np.float32]]:
    import torch
    from torch import nn
    from torch.nn import functional

    torch.set_num_threads(1)  # so that sums have one order
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    first, last = nn.Linear(len(FEATURES), hidden), nn.Linear(hidden, len(KINDS))
    parameters = [*first.parameters(), *last.parameters()]
    optimizer = torch.optim.AdamW(parameters, lr=_RATE, weight_decay=_DECAY)
    size = len(rows.kinds)
    steps = _EPOCHS * -(-size // _BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=steps + 1)
    wanted, weights = torch.from_numpy(rows.kinds), torch.from_numpy(rows.weights.astype(np.float32))
    for _ in range(_EPOCHS):
        shown = torch.from_numpy(_shown(rows, mean, scale, random))
        for chosen in torch.from_numpy(random.permutation(size)).split(_BATCH):
            layer = functional.dropout(functional.relu(first(shown[chosen])), _DROPOUT)
            losses = functional.cross_entropy(last(layer), wanted[chosen], reduction="none")
            optimizer.zero_grad()
            (losses * weights[chosen]).mean().backward()
            optimizer.step()
            schedule.step()
    return [of.detach().numpy() for of in (first.weight.T, first.bias, last.weight.T, last.bias)]


def _shown(rows: Rows, mean: Floats, scale: Floats, random: np.random.Generator) -> npt.NDArray[np.float32]:
    """Return the features, standardised, without those that this epoch hides."""
    size = len(rows.kinds)
    features = np.where(random.random((size, 1)) < _NO_ADDRESS, rows.features[1], rows.features[0])
    is_silent = random.random((size, 1)) < _NOTHING_DECLARED
    features = np.where(is_silent & _DECLARED, _WHERE_NONE, features)
    standard = np.clip((features - mean) * scale, -_MOST, _MOST)
    return np.where(random.random(standard.shape) < _HIDDEN_FEATURES, 0, standard).astype(np.float32)


def _rows(sites: Part) -> Rows:
    samples = list(chain.from_iterable(sites))
    found = np.array([KINDS.index(sample.kind) for sample in samples], np.int64)
    of_sites = [(site, _kinds_of(site)) for site in sites]
    weights = np.array([1 / np.sqrt(counts[sample.kind]) for site, counts in of_sites for sample in site])
    totals = np.bincount(found, weights, len(KINDS))
    weights *= np.sqrt(totals.mean() / np.maximum(totals, 1e-9))[found]
    features = np.array([sample.features for sample in samples]), np.array([of.without_address for of in samples])
    return Rows(features, found, weights)


def _kinds_of(samples: Sequence[Sample]) -> Counter[str]:
    return Counter(sample.kind for sample in samples)


def _samples(part: str, corpora: Sequence[Path], processes: int) -> list[list[Sample]]:
    return [samples for samples in mapped(samples_of, sites_of(part, corpora), processes) if samples]


def _counts(sites: Part) -> dict[str, Any]:
    pages = _kinds_of(list(chain.from_iterable(sites)))
    return {"sites": len(sites), "pages": {kind: pages[kind] for kind in KINDS}}


def _compared(build: Part, choose: Part) -> str:
    rows = []
    for hidden in _SIZES:
        figures = figures_of(choose, trained(build, hidden))
        cells = [share(figures[of]["mean"]["f1"]) for of in ("f1", "without address")]
        rows.append([str(hidden), *cells, share(figures["right"])])
        if hidden == HIDDEN:
            chosen = kinds_table(figures)
    return f"{table(['hidden', 'mean F1', 'without address', 'right'], rows)}\n\n{chosen}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m research.training.train_kinds", description=__doc__)
    parser.add_argument("corpora", type=Path, nargs="+", metavar="CORPUS", help="a folder of <set>/<site>.jsonl.gz")
    parser.add_argument("--compare", action="store_true", help="compare sizes on the part to choose by")
    parser.add_argument("--processes", type=positive, default=2, help="sites cleaned at a time (2)")
    parser.add_argument(
        "--output", type=Path, default=Path(kinds.__file__).with_name(FILE), metavar="FILE", help="file for the weights"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
