"""Train the decision trees of content_seeker that the package ships, or cross-validate such trees by site.

The same corpus and versions give the same file, byte for byte.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.corpus import CorpusError, Site, find_sites
from benchmarks.digest import corpus_digest
from benchmarks.evaluate import SiteResult
from benchmarks.quality import summary
from benchmarks.tables import RESULTS, environment, positive, share, table, write_json
from benchmarks.trained import write_trees
from benchmarks.unshipped import evaluate_unshipped
from benchmarks.workers import mapped
from research.training.folds import Fold, folds_by_site, sorted_sites
from research.training.segment_labels import LabelledPage, label_site
from scrapy_blockfilter.extras.papers import content_seeker
from scrapy_blockfilter.extras.papers.content_seeker import (
    ContentSeeker,
    Trees,
    find_segments,
    read_trees,
)
from scrapy_blockfilter.extras.papers.decision_tree import DecisionTree, read_tree
from scrapy_blockfilter.extras.papers.segment_features import NAMES, VISUAL_NAMES, Floats
from scrapy_blockfilter.options import Options

TREES = Path(content_seeker.__file__).with_name("content_seeker.json")
# Leaves of a tree: half as many gave a lower F1 in a cross-validation by site.
LEAVES = 32
# The least share of all instances' weight in a leaf.
_LEAST = 0.002

_Labels = npt.NDArray[np.bool_]
_Instances = tuple[Floats, _Labels, Floats]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    if find_spec("sklearn") is None:
        parser.exit(2, f"{parser.prog}: scikit-learn is not installed: make .venv/.train\n")
    try:
        sites = find_sites(options.corpus)
        folds = folds_by_site(sites)
        if options.cross_validate and not (folds and all(fold.training for fold in folds)):
            parser.exit(2, f"{parser.prog}: {options.corpus} has too few sites to hold some of them back\n")
        wanted = sorted_sites(folds) if options.cross_validate else sites
        label = partial(label_site, with_boxes=options.visual)
        labelled = dict(zip(wanted, mapped(label, wanted, options.processes), strict=True))
        names = VISUAL_NAMES if options.visual else NAMES
        if not any(labelled.values()):
            raise CorpusError("there is no page that can be read to train on")
        if options.cross_validate:
            results = cross_validate(folds, labelled, options.processes, names)
            print(report(results))
            about = {"environment": environment(), "corpus": corpus_digest(sites)}
            write_json(options.json, {**about, **results})
        else:
            trees = trained_trees(labelled, corpus_digest(sites), names)
            options.output.write_text(trees, encoding="ascii")
            print(f"{options.output} is written: {len(trees):,} bytes")
    except CorpusError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    return 0


def trained_trees(labelled: Mapping[Site, Sequence[LabelledPage]], corpus: str, names: Sequence[str] = NAMES) -> str:
    """Return the text of a file of trees, trained on labelled sites.

    Args:
        corpus: digest of the sites.
        names: names of the features that pages were labelled with.
    """
    import sklearn

    pages = [(page, 1 / len(of_site) ** 0.5) for of_site in labelled.values() for page in of_site]
    segment = _grown(_joined(segment_instances(page, weight) for page, weight in pages), names)
    tree = read_tree(segment, names)
    content = _grown(_joined(content_instances(page, tree, weight) for page, weight in pages), names)
    sets = groupby((site for site, of_site in labelled.items() if of_site), lambda site: site.set_name)
    about = {
        "corpus": corpus,
        "sites": {name: len(list(group)) for name, group in sets},
        "pages": len(pages),
        "scikit-learn": sklearn.__version__,
    }
    return write_trees(segment, content, about, names)


def segment_instances(page: LabelledPage, weight: float) -> _Instances:
    """Return the elements that the tree is asked about: features, whether each is a good segment, and weights by text.

    A site weighs as the square root of its number of pages, and its pages share that weight.
    """
    asked = page.is_asked
    return page.features[asked], page.is_good[asked], weight * page.text[asked] / page.text[0]


def content_instances(page: LabelledPage, tree: DecisionTree, weight: float) -> _Instances:
    """Return the segments that a tree finds on a page: features, whether most of each is gold, and weights by text."""
    segments = list(find_segments(page.page, tree.shares(page.features), page.shown))
    text = np.array([float(page.page.weights[list(blocks)].sum()) for _, blocks in segments])
    gold = np.array([page.gold[list(blocks)].sum() for _, blocks in segments])
    return page.features[[node for node, _ in segments]], gold > text / 2, weight * text / text.sum()


def cross_validate(
    folds: Sequence[Fold],
    labelled: Mapping[Site, Sequence[LabelledPage]],
    processes: int,
    features: Sequence[str] = NAMES,
) -> dict[str, Any]:
    """Evaluate trees on sites that they were not trained on: both classifications, and the text extracted, by set.

    Returns:
        ``classification``: tree -> precision, recall and F1 of the class, weighted as in training. ``sets``: heuristic
        -> set -> results of :func:`benchmarks.quality.summary`.
    """
    counted = {"segment": np.zeros(3), "content": np.zeros(3)}
    results: dict[str, list[SiteResult]] = {heuristic: [] for heuristic in ("largest_block_string", "table_pattern")}
    for fold in folds:
        trees = read_trees(trained_trees({site: labelled[site] for site in fold.training}, fold.name, features))
        held_back = [page for site, pages in labelled.items() if site not in fold.training for page in pages]
        counted["segment"] += sum(_counts(trees.segment, segment_instances(page, 1.0)) for page in held_back)
        counted["content"] += sum(
            _counts(trees.content, content_instances(page, trees.segment, 1.0)) for page in held_back
        )
        for heuristic, found in results.items():
            found += mapped(partial(_evaluated, trees, heuristic), fold.tested, processes)
        print(f"held back: {fold.name}, {len(fold.tested)} sites", file=sys.stderr, flush=True)
    sets = {}
    for heuristic, found in results.items():
        found.sort(key=lambda result: (result.set_name, result.site))
        sets[heuristic] = {name: summary(list(group)) for name, group in groupby(found, lambda one: one.set_name)}
    return {"classification": {name: _measures(*counts) for name, counts in counted.items()}, "sets": sets}


def report(results: Mapping[str, Any]) -> str:
    """Return the results as text for people."""
    measures = ("precision", "recall", "f1")
    classes = [[name, *(share(of[measure]) for measure in measures)] for name, of in results["classification"].items()]
    extracted = [
        [
            heuristic,
            name,
            f"{of['sites']}, {of['pages']}",
            *(share(of["results"]["content_seeker"][m]) for m in measures),
        ]
        for heuristic, sets in results["sets"].items()
        for name, of in sets.items()
    ]
    head = ["precision", "recall", "F1"]
    parts = (
        "On sites that were held back in training, by site.",
        table(["classification", *head], classes),
        table(["heuristic", "held back", "sites, pages", *head], extracted),
    )
    return "\n\n".join(parts)


def _evaluated(trees: Trees, heuristic: str, site: Site) -> SiteResult:
    options = Options(method="content_seeker", method_args={"heuristic": heuristic})
    return evaluate_unshipped(site, ContentSeeker(trees), options)


def _grown(instances: _Instances, names: Sequence[str]) -> dict[str, Any]:
    """Grow a tree, in the format of :mod:`scrapy_blockfilter.extras.papers.decision_tree`."""
    from sklearn.tree import DecisionTreeClassifier

    features, labels, weights = instances
    grown = DecisionTreeClassifier(
        criterion="entropy", max_leaf_nodes=LEAVES, min_weight_fraction_leaf=_LEAST, random_state=0
    ).fit(features, labels, weights)
    of_class = list(grown.classes_).index(True) if True in grown.classes_ else None

    def told(row: int) -> dict[str, Any]:
        tree = grown.tree_
        if tree.feature[row] < 0:
            values = tree.value[row][0]
            return {"share": round(float(values[of_class] / values.sum()), 4) if of_class is not None else 0.0}
        branches = {"then": told(tree.children_left[row]), "else": told(tree.children_right[row])}
        return {"feature": names[tree.feature[row]], "at_most": float(f"{tree.threshold[row]:.6g}"), **branches}

    return told(0)


def _joined(instances: Iterable[_Instances]) -> _Instances:
    features, labels, weights = zip(*instances, strict=True)
    return np.concatenate(features), np.concatenate(labels), np.concatenate(weights)


def _counts(tree: DecisionTree, instances: _Instances) -> Floats:
    """Return the weights of the instances that are in the class and found, of all found, and of all in the class."""
    features, labels, weights = instances
    found = tree.shares(features) > 0.5
    return np.array([weights[found & labels].sum(), weights[found].sum(), weights[labels].sum()])


def _measures(both: float, found: float, right: float) -> dict[str, float]:
    precision, recall = (float(both / all_of) if all_of else 0.0 for all_of in (found, right))
    f1 = 2 * precision * recall / (precision + recall) if both else 0.0
    return {"precision": precision, "recall": recall, "f1": f1}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m research.training.train_content_seeker", description=__doc__)
    parser.add_argument("corpus", type=Path, help="a folder of <set>/<site>.jsonl.gz, or of one set")
    parser.add_argument("--visual", action="store_true", help="with features of boxes, on the pages that have them")
    parser.add_argument("--cross-validate", action="store_true", help="hold back a fifth of the sites at a time")
    parser.add_argument("--processes", type=positive, default=2, help="sites labelled and evaluated at a time (2)")
    parser.add_argument(
        "--output", type=Path, default=TREES, metavar="FILE", help="file for the trees (in the package)"
    )
    parser.add_argument(
        "--json",
        type=Path,
        default=RESULTS / "cross-validation-content-seeker.json",
        metavar="FILE",
        help="file for the figures of a cross-validation",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
