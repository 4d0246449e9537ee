"""Train the decision trees of content_seeker that the package ships.

The same corpus and versions give the same file, byte for byte. Pages are labelled for Louvan's classifiers: which
elements are good segments, and which are content.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.arguments import add_arguments, refusing
from benchmarks.corpus import CorpusError, Site, corpus_digest, find_sites
from benchmarks.trained import write_trees
from benchmarks.workers import mapped
from research.training.labels import label_blocks
from scrapy_blockfilter import Options
from scrapy_blockfilter.extras.papers import content_seeker
from scrapy_blockfilter.extras.papers.content_seeker import DecisionTree, find_segments, read_tree
from scrapy_blockfilter.extras.papers.one_page import Floats
from scrapy_blockfilter.extras.papers.segment_features import NAMES, VISUAL_NAMES, segment_features, visual_features
from scrapy_blockfilter.html import Page, Reader, UnfitPage
from scrapy_blockfilter.html.subtrees import Tree, running_sums
from scrapy_blockfilter.sample import PageRecord

TREES = Path(content_seeker.__file__).with_name("content_seeker.json")
# Leaves of a tree: half as many gave a lower F1 in a cross-validation by site.
LEAVES = 32
# The least share of all instances' weight in a leaf.
_LEAST = 0.002

# An element with at least this share of content, or of noise, counts as content or noise throughout.
_UNIFORM = 0.9

_Labels = npt.NDArray[np.bool_]
_Instances = tuple[Floats, _Labels, Floats]


@dataclass(frozen=True)
class LabelledPage:
    """A page with its labels."""

    page: Page
    shown: list[int]  # its blocks without the TITLE
    features: Floats  # features per structural element, see :mod:`scrapy_blockfilter.extras.papers.segment_features`
    gold: Floats  # gold characters per block
    text: Floats  # characters per structural element, without the TITLE
    is_good: npt.NDArray[np.bool_]  # whether each structural element is a good segment
    # Whether a search from the root down asks each structural element; it stops at good segments.
    is_asked: npt.NDArray[np.bool_]


def label_site(site: Site, *, with_boxes: bool = False) -> list[LabelledPage]:
    """Label the pages of a site that have text, ``with_boxes`` those that have boxes, by features of boxes, too."""
    reader = Reader(Options())
    labelled = []
    for page in site.pages():
        try:
            segmented = reader.read(page.html, whole=True)
            record = PageRecord.of(segmented)
        except UnfitPage:
            continue
        record.pack()  # what is decoded from bytes goes from process to process
        recorded = record.decode()
        labels = label_blocks([block.text for block in segmented.blocks], page.gold)
        one = label_page(recorded, labels[: len(recorded.blocks)].astype(np.float64))
        recorded.known = None  # other processes take no caches
        features = visual_features(segmented) if with_boxes else one.features
        if one.text.any() and features is not None:
            labelled.append(replace(one, features=features))
    return labelled


def label_page(page: Page, labels: Floats) -> LabelledPage:
    """Label the structural elements of a page.

    A good segment is an outermost element whose text is content, or noise, throughout: its ancestors are too coarse.

    Args:
        labels: the share of each block that is gold.
    """
    tags, parents = page.tags, page.parents
    shown = [number for number, block in enumerate(page.blocks) if tags[block.node] != "title"]
    weights = np.zeros(len(page.blocks))
    weights[shown] = page.weights[shown]
    tree = Tree.of(page)
    inside = running_sums(np.column_stack([weights, weights * labels]))
    text, gold = (inside[tree.ends] - inside[tree.starts]).T
    share = gold / np.maximum(text, 1)
    is_uniform = (text > 0) & ((share >= _UNIFORM) | (share <= 1 - _UNIFORM))
    is_good = is_uniform.tolist()
    within = [False] * len(parents)
    for node in range(1, len(parents)):
        within[node] = within[parents[node]] or is_good[parents[node]]
        is_good[node] = is_good[node] and not within[node]
    is_asked = (text > 0) & ~np.array(within, np.bool_)
    return LabelledPage(
        page, shown, segment_features(page), weights * labels, text, np.array(is_good, np.bool_), is_asked
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    if find_spec("sklearn") is None:
        parser.exit(2, f"{parser.prog}: scikit-learn is not installed: make .venv/.train\n")
    with refusing(parser):
        sites = find_sites(options.corpus)
        label = partial(label_site, with_boxes=options.visual)
        labelled = dict(zip(sites, mapped(label, sites, options.processes), strict=True))
        names = VISUAL_NAMES if options.visual else NAMES
        if not any(labelled.values()):
            raise CorpusError("there is no page that can be read to train on")
        trees = trained_trees(labelled, corpus_digest(sites), names)
        options.output.write_text(trees, encoding="ascii")
        print(f"{options.output} is written: {len(trees):,} bytes")
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
    """Grow a tree, in the format of :mod:`scrapy_blockfilter.extras.papers.content_seeker`."""
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
