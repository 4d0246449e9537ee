"""Train the decision trees of content_seeker that the package ships.

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

from benchmarks.arguments import add_arguments
from benchmarks.corpus import CorpusError, Site, corpus_digest, find_sites
from benchmarks.trained import write_trees
from benchmarks.workers import mapped
from research.training.segment_labels import LabelledPage, label_site
from scrapy_blockfilter.extras.papers import content_seeker
from scrapy_blockfilter.extras.papers.content_seeker import (
    find_segments,
)
from scrapy_blockfilter.extras.papers.decision_tree import DecisionTree, read_tree
from scrapy_blockfilter.extras.papers.segment_features import NAMES, VISUAL_NAMES, Floats

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
        label = partial(label_site, with_boxes=options.visual)
        labelled = dict(zip(sites, mapped(label, sites, options.processes), strict=True))
        names = VISUAL_NAMES if options.visual else NAMES
        if not any(labelled.values()):
            raise CorpusError("there is no page that can be read to train on")
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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m research.training.train_content_seeker", description=__doc__)
    add_arguments(parser, "corpus", "--processes")
    parser.add_argument("--visual", action="store_true", help="with features of boxes, on the pages that have them")
    parser.add_argument(
        "--output", type=Path, default=TREES, metavar="FILE", help="file for the trees (in the package)"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
