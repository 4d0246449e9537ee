"""Labels for Louvan's classifiers: which elements of labelled pages are good segments, and which are content."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from benchmarks.corpus import Site
from research.training.labels import label_blocks
from scrapy_blockfilter import Options
from scrapy_blockfilter.extras.papers.segment_features import Floats, segment_features, visual_features
from scrapy_blockfilter.html import Page, Reader, UnfitPage
from scrapy_blockfilter.html.subtrees import Tree, running_sums
from scrapy_blockfilter.sample import PageRecord

# An element with at least this share of content, or of noise, counts as content or noise throughout.
_UNIFORM = 0.9


@dataclass(frozen=True)
class LabelledPage:
    """A page with its labels.

    Attributes:
        shown: its blocks without the TITLE.
        features: features per structural element, see :mod:`scrapy_blockfilter.extras.papers.segment_features`.
        gold: gold characters per block.
        text: characters per structural element, without the TITLE.
        is_good: whether each structural element is a good segment.
        is_asked: whether a search from the root down asks each structural element; it stops at good segments.
    """

    page: Page
    shown: list[int]
    features: Floats
    gold: Floats
    text: Floats
    is_good: npt.NDArray[np.bool_]
    is_asked: npt.NDArray[np.bool_]


def label_site(site: Site, *, with_boxes: bool = False) -> list[LabelledPage]:
    """Label the pages of a site, without those that cannot be read or have no text.

    Args:
        with_boxes: take the features of boxes, too, and leave out pages without boxes.
    """
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
