"""Trains the weights that the package ships, or says by cross-validation how good such weights are on other sites.

The same corpus, seeds and versions give the same file, byte for byte, on the same machine.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from itertools import chain, groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.corpus import CorpusError, Site, find_sites
from benchmarks.digest import corpus_digest
from benchmarks.folds import LEARNT, Fold, folds_by_set, folds_by_site, run_folds
from benchmarks.quality import summary
from benchmarks.tables import RESULTS, environment, positive, share, table, write_json
from benchmarks.workers import mapped
from scrapy_blockfilter.evidence import network

if TYPE_CHECKING:
    from benchmarks.batches import LabelledSite

WEIGHTS = Path(network.__file__).with_name("weights.json")
_FOLDS: dict[str, Callable[[Sequence[Site]], list[Fold]]] = {"site": folds_by_site, "set": folds_by_set}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    if find_spec("torch") is None:
        parser.exit(2, f"{parser.prog}: PyTorch is not installed: pip install 'scrapy-blockfilter[train]'\n")
    try:
        sites = find_sites(options.corpus)
        also = find_sites(options.also) if options.also else []
        if not options.cross_validate:
            weights = trained_weights(sites, options.seeds, options.processes, also)
            options.output.write_text(weights, encoding="ascii")
            print(f"{options.output} is written: {len(weights):,} bytes")
            return 0
        folds = _FOLDS[options.cross_validate](sites)
        if not folds or not all(fold.training for fold in folds):
            parser.exit(2, f"{parser.prog}: {options.corpus} has too few sites to hold some of them back\n")
        folds = [fold.with_training(also) for fold in folds]
        sets = cross_validate(folds, options.seeds, options.processes, options.networks)
    except CorpusError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    print(report(sets, best_peers(options.peers, sets), options.cross_validate))
    protocol = {"held_back_by": options.cross_validate, "seeds": options.seeds, "pages_to_learn_from": LEARNT}
    digests = {"corpus": corpus_digest(sites), "also": corpus_digest(also) if also else None}
    results = {"environment": environment(), **digests, "protocol": protocol, "sets": sets}
    write_json(options.json or RESULTS / f"cross-validation-{options.cross_validate}.json", results)
    return 0


def trained_weights(sites: Sequence[Site], seeds: Sequence[int], processes: int, also: Sequence[Site] = ()) -> str:
    """The text of a file of weights, trained on all that the sites, and those that are ``also`` there, have."""
    import torch

    from benchmarks import training

    labelled: list[LabelledSite] = []
    every = [*sites, *also]
    for number, site in enumerate(mapped(training.label_site, every, processes), 1):
        if site.views:
            labelled.append(site)
        print(f"labelled {number}/{len(every)} {site.set_name}/{site.name}", file=sys.stderr, flush=True)
    if not labelled:
        raise CorpusError("there is no page that can be read to train on")
    about = {
        "corpus": corpus_digest(sites),
        **({"also": corpus_digest(also)} if also else {}),
        "sets": {name: _counts(list(group)) for name, group in groupby(labelled, lambda site: site.set_name)},
        "seeds": list(seeds),
        "epochs": training.EPOCHS,
        "torch": torch.__version__,
        "numpy": np.__version__,
    }
    return network.write_network(training.train(labelled, seeds), about)


def cross_validate(
    folds: Sequence[Fold], seeds: Sequence[int], processes: int, networks: Path | None = None
) -> dict[str, Any]:
    """By set what :func:`benchmarks.quality.summary` says of its sites, each as it was when it was held back.

    Args:
        networks: a folder that the network of each fold is written to, if they are wanted.
    """
    if networks:
        networks.mkdir(parents=True, exist_ok=True)
    # A process labels all sites once, for each fold it has to train.
    shares = [folds[number::processes] for number in range(min(processes, len(folds)))]
    done = mapped(partial(run_folds, seeds=seeds, folder=networks), shares, processes)
    results = sorted(chain.from_iterable(done), key=lambda result: (result.set_name, result.site))
    return {name: summary(list(group)) for name, group in groupby(results, lambda result: result.set_name)}


def best_peers(file: Path, sets: dict[str, Any]) -> dict[str, tuple[str, float]]:
    """By set the best of the other extractors and its F1, from the figures of ``benchmarks.quality``, for each set that
    they were measured on the same pages of."""
    if not file.exists():
        return {}
    quality = json.loads(file.read_text(encoding="utf-8"))
    best = {}
    for name, of in sets.items():
        other = quality["sets"].get(name)
        if other and quality["peers"] and all(other[what] == of[what] for what in ("sites", "pages")):
            f1s = {peer: other["results"][peer]["f1"] for peer in quality["peers"]}
            peer = max(f1s, key=lambda peer: f1s[peer])
            best[name] = peer, f1s[peer]
    return best


def report(sets: dict[str, Any], peers: dict[str, tuple[str, float]], held_back_by: str) -> str:
    """The results as a person reads them."""
    header = ["held back", "sites, pages", "precision", "recall", "F1"]
    rows = [
        [
            name,
            f"{of['sites']}, {of['pages']}",
            *(share(of["results"]["consensus"][measure]) for measure in ("precision", "recall", "f1")),
        ]
        for name, of in sets.items()
    ]
    if peers:
        header.append("best other extractor, F1")
        for row in rows:
            peer, f1 = peers.get(row[0], ("", 0.0))
            row.append(f"{peer} {share(f1)}" if peer else "")
    title = f"Consensus on what was held back in training, by {held_back_by}; learnt from {LEARNT} pages of each site."
    return f"{title}\n\n{table(header, rows)}"


def _counts(sites: Sequence[LabelledSite]) -> dict[str, int]:
    return {"sites": len(sites), "pages": sum(len(site.pages) for site in sites)}


def _seeds(value: str) -> tuple[int, ...]:
    return tuple(int(number) for number in value.split(","))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.train", description=__doc__)
    parser.add_argument("corpus", type=Path, help="a folder of <set>/<site>.jsonl.gz")
    parser.add_argument(
        "--also",
        type=Path,
        metavar="FOLDER",
        help="a folder of more sites to train on, never held back: those of benchmarks.documentation",
    )
    parser.add_argument("--seeds", type=_seeds, default=(3,), help="one for each network, with commas between (3)")
    parser.add_argument(
        "--cross-validate", choices=tuple(_FOLDS), help="hold back a fifth of the sites, or one set, at a time"
    )
    parser.add_argument("--processes", type=positive, default=2, help="sites labelled, folds trained at a time (2)")
    parser.add_argument("--output", type=Path, default=WEIGHTS, metavar="FILE", help="where weights go (the package)")
    parser.add_argument(
        "--peers",
        type=Path,
        default=RESULTS / "quality.json",
        metavar="FILE",
        help="figures of benchmarks.quality, to compare with",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="where figures of a cross-validation go")
    parser.add_argument("--networks", type=Path, metavar="FOLDER", help="also write the networks of a cross-validation")
    return parser


if __name__ == "__main__":
    sys.exit(main())
