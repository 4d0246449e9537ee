"""What the published methods know of a block that the score of ``consensus`` does not.

Protocol: ``consensus`` scores the pages of every site with the network that a cross-validation by site trained without
it, and each method is fitted to the same first pages. A logistic regression weighs that score with a method's own score
and verdict; it is trained on the blocks of the other folds' sites, sites weighing the same and blocks by length, and
decides on those of the fold held back. Measured is F1 as in the main benchmark. ``content_seeker`` has the trees that
ship, which have seen all sites: its row flatters it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean, stdev

import numpy as np

from benchmarks.corpus import CorpusError, choose_sites, find_sites
from benchmarks.digest import corpus_digest
from benchmarks.folds import LEARNT, fold_of
from benchmarks.tables import RESULTS, environment, names, positive, share, table, write_json
from benchmarks.verdicts import SIGNALS, Flags, Floats, PageVerdicts, SiteVerdicts, verdicts_of
from benchmarks.workers import mapped
from scrapy_blockfilter.methods.page_verdicts import THRESHOLD

AGAIN, ALL, ORACLE = "its own score alone", "all of them", "better of both: {}"
_THRESHOLD = np.log(THRESHOLD / (1 - THRESHOLD))
# A penalty for large weights, of which 100 times less or more changed the mean F1 of 118 sites by .001 at most, and
# Newton's steps, of which six were enough.
_RIDGE, _STEPS = 1e-3, 12


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        sites, _ = choose_sites(find_sites(options.corpus, options.sets))
        if len({fold_of(site) for site in sites}) < 2:
            parser.exit(2, f"{parser.prog}: {options.corpus} has too few sites to hold some of them back\n")
        judged = list(mapped(partial(verdicts_of, networks=options.networks), sites, options.processes))
        digest = corpus_digest(sites)
    except CorpusError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    by_row = f1s_of(judged)
    print(report(judged, by_row))
    by_site = [
        {"set": of.site.set_name, "site": of.site.name, **{name: f1s[number] for name, f1s in by_row.items()}}
        for number, of in enumerate(judged)
    ]
    write_json(options.json, {"environment": environment(), "corpus": digest, "by_site": by_site})
    return 0


def f1s_of(sites: Sequence[SiteVerdicts]) -> dict[str, list[float]]:
    """Of each row of the table the F1 of each site."""
    rows = {"consensus": [of.mean(of.f1s(page.keep for page in of.pages)) for of in sites], AGAIN: stacked(sites, ())}
    for number, name in enumerate(SIGNALS):
        rows[name] = stacked(sites, [number])
        rows[ORACLE.format(name)] = [of.mean(_better(of, number)) for of in sites]
    return {**rows, ALL: stacked(sites, range(len(SIGNALS)))}


def stacked(sites: Sequence[SiteVerdicts], methods: Sequence[int]) -> list[float]:
    """Of each site the F1 with these methods' scores and verdicts beside the score of ``consensus``.

    Where ``consensus`` overrules its own score, that stands.
    """
    inputs = {id(page): _inputs(page, methods) for of in sites for page in of.pages}
    weights: dict[int, Floats] = {}
    f1s = []
    for of in sites:
        fold = fold_of(of.site)
        if fold not in weights:
            others = [other for other in sites if fold_of(other.site) != fold]
            weights[fold] = fit_logistic(*_training(others, inputs))
        f1s.append(of.mean(of.f1s(_decided(page, inputs[id(page)] @ weights[fold] > 0) for page in of.pages)))
    return f1s


def fit_logistic(inputs: Floats, labels: Floats, weights: Floats) -> Floats:
    """The weights of a logistic regression, by Newton's method.

    Args:
        inputs: (instances, inputs), one of them a constant 1.
        labels: of each instance how likely it is of the class, 0 to 1.
        weights: how much each instance counts.
    """
    found = np.zeros(inputs.shape[1])
    for _ in range(_STEPS):
        expected = (1 + np.tanh(inputs @ found / 2)) / 2
        gradient = inputs.T @ (weights * (labels - expected)) - _RIDGE * found
        curvature = (inputs * (weights * expected * (1 - expected))[:, None]).T @ inputs
        found += np.linalg.solve(curvature + _RIDGE * np.eye(len(found)), gradient)
    return found


def report(sites: Sequence[SiteVerdicts], by_row: Mapping[str, Sequence[float]]) -> str:
    """The figures as a person reads them."""
    places: dict[str, list[int]] = {}
    for number, of in enumerate(sites):
        places.setdefault(of.site.set_name, []).append(number)
    rows = []
    for name in ("consensus", AGAIN, *SIGNALS, ALL):
        f1s = by_row[name]
        difference = "" if name == "consensus" else _difference(f1s, by_row["consensus"])
        oracle = by_row.get(ORACLE.format(name))
        better = f"{fmean(oracle) - fmean(by_row['consensus']):+.4f}" if oracle else ""
        of_sets = (share(fmean(f1s[place] for place in own)) for own in places.values())
        rows.append([name, *of_sets, share(fmean(f1s)), difference, better])
    pages = sum(len(of.pages) + of.failures for of in sites)
    title = f"{len(sites)} sites, {pages} pages, learnt from {LEARNT} pages of each site, held back by site. F1 by set."
    header = ["consensus with", *places, "all sites", "difference, ± standard error", "better of both, by page"]
    return f"{title}\n\n{table(header, rows)}"


def _difference(f1s: Sequence[float], others: Sequence[float]) -> str:
    differences = [one - other for one, other in zip(f1s, others, strict=True)]
    return f"{fmean(differences):+.4f} ± {stdev(differences) / len(differences) ** 0.5:.4f}"


def _better(of: SiteVerdicts, method: int) -> Floats:
    """The F1 of each page by ``consensus`` or by a method, whichever is higher: what knowing when would be worth."""
    own = of.f1s(page.keep for page in of.pages)
    return np.maximum(own, of.f1s(page.verdicts[:, method] > 0 for page in of.pages))


def _inputs(page: PageVerdicts, methods: Sequence[int]) -> Floats:
    columns = [np.ones(len(page.logits)), page.logits]
    return np.column_stack([*columns, page.scores[:, methods], page.verdicts[:, methods]])


def _training(sites: Sequence[SiteVerdicts], inputs: Mapping[int, Floats]) -> tuple[Floats, Floats, Floats]:
    pages = [(page, sum(other.sizes.sum() for other in of.pages)) for of in sites for page in of.pages]
    return (
        np.concatenate([inputs[id(page)] for page, _ in pages]),
        np.concatenate([page.labels for page, _ in pages]),
        np.concatenate([page.sizes / max(of_site, 1) for page, of_site in pages]),
    )


def _decided(page: PageVerdicts, keep: Flags) -> Flags:
    overruled = (page.logits > _THRESHOLD) != page.keep
    return np.where(overruled, page.keep, keep)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.signals", description=__doc__)
    parser.add_argument("corpus", type=Path, help="a folder of <set>/<site>.jsonl.gz")
    parser.add_argument("--sets", type=names(), default=(), help="sets of the corpus, with commas between (all)")
    parser.add_argument(
        "--networks", type=Path, required=True, metavar="FOLDER", help="networks of a cross-validation by site"
    )
    parser.add_argument("--processes", type=positive, default=2, help="sites judged at a time (2)")
    parser.add_argument("--json", type=Path, default=RESULTS / "signals.json", metavar="FILE", help="where figures go")
    return parser


if __name__ == "__main__":
    sys.exit(main())
