"""Strip blocks whose words have a low weight in the compressed structure tree of the site.

Lan Yi, Bing Liu: Web Page Cleaning for Web Mining through Feature Weighting, IJCAI 2003, as surveyed by Rajashri
Shinde, Ashwini Bolli, Amruta Kulkarni: Methods For Extracting Content Blocks From Web Pages, 2013, section 3.

The trees of a site's pages are merged from the root down to one tree of element nodes. The presentation style of a tag
node is the sequence of its children: tags with display attributes, here class and id. The survey prints no formulas;
this module uses the following.

- Node importance: an element node E merges m tag nodes, a share p(i) of them with style i. Then
  NodeImp(E) = -sum p(i) log_m p(i), and 1 for m = 1. An element with the same look on every page is noise.
- Path importance: PathImp(E) = 1 - product of (1 - NodeImp) over E and its ancestors. Everything below an important
  node is important, too.
- Word entropy: H is the entropy of a word's frequencies over the pages that have E, with their number as base.
- Content importance: if E has words of its own, the mean of 1 - H over them is a further factor of the product. Pages
  of exactly the same design differ in nothing else.
- Weight: a word's is 1 - H times the importance of E, and a block's is the mean over its words. Blocks of low weight
  are stripped. The threshold is found per site, as Lin & Ho do.

The paper merges child by child under one style, so two pages that differ by one box share nothing below it. Here child
nodes merge if their tags and attributes agree, whatever the styles of their parents, which is clearly better.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from scrapy_blockfilter.html import Block, Page
from scrapy_blockfilter.html.columns import Integers
from scrapy_blockfilter.methods.base import FittedMethod, Method, Verdict, reason_later, threshold_or_none
from scrapy_blockfilter.methods.entropy import (
    Floats,
    entropies_of,
    feature_entropies,
    features_of,
    greedy_threshold,
    page_frequencies,
    summed,
)
from scrapy_blockfilter.options import Arguments, Options

# Its powers weigh the places of children. It is odd, so that no power is 0 in 64 bits.
_PLACE = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class StructureTreeArguments(Arguments):
    threshold: float | None = threshold_or_none(
        "Blocks with a weight above this stay; None: find the threshold per site."
    )


class StructureTree(Method):
    name = "structure_tree"
    arguments = StructureTreeArguments

    def fit(self, pages: Sequence[Page], options: Options) -> FittedStructureTree:
        counts = [len(page.tags) for page in pages]
        slots = np.concatenate([page.slots for page in pages])
        distinct, first, elements = np.unique(slots, return_index=True, return_inverse=True)
        offsets = np.repeat(np.cumsum([0, *counts[:-1]]), counts)
        parents = np.concatenate([np.array(page.parents, np.int64) for page in pages])
        around = np.where(parents < 0, -1, elements[parents + offsets])[first]
        styles = np.concatenate([presentation_styles(page) for page in pages])
        by_style = path_importance(node_importance(elements, styles), around, np.argsort(first))
        numbers = np.repeat(np.arange(len(pages)), counts)
        per_page = np.unique(np.stack([elements, numbers]), axis=1)
        entropies, by_content = _word_entropies(pages, distinct, np.bincount(per_page[0]))
        importance = 1 - (1 - np.array(by_style)) * (1 - by_content)
        of_slots = dict(zip(distinct.tolist(), importance.tolist(), strict=True))
        of_site = feature_entropies([page_frequencies(page) for page in pages])
        fitted = FittedStructureTree(
            of_slots, entropies, {word: entropy for word, entropy in of_site.items() if entropy > 0}
        )
        fitted.threshold = _threshold(fitted, pages, options)
        return fitted


@dataclass(eq=False, repr=False)
class FittedStructureTree(FittedMethod):
    """The element nodes of a site, by slot. Entropies of 0 are left out."""

    importance: Mapping[int, float]  # importance of each slot, 0 to 1
    entropies: Mapping[int, Mapping[int, float]]  # word entropies in each slot
    site_entropies: Mapping[int, float]  # entropies of words over the pages, regardless of slot
    threshold: float = 0.0  # blocks with a weight above it stay

    def judge(self, page: Page, *, whole: bool) -> list[Verdict]:
        """Return the verdicts. In a fragment, whose blocks have lost their elements, words have site-wide weights."""
        page.prepare_terms(range(len(page.blocks)))
        verdicts = []
        for block in page.blocks:
            importance, novelty = self.weigh(block, whole=whole)
            weight = importance * novelty
            reason = reason_later("weight", _REASON, weight, self.threshold, importance, novelty)
            verdicts.append(Verdict(weight > self.threshold + 1e-9, weight, reason))
        return verdicts

    def weigh(self, block: Block, *, whole: bool) -> tuple[float, float]:
        """Return the importance of a block's element, and the mean of 1 - H over its words."""
        importance = self.importance.get(block.slot, 1.0) if whole else 1.0
        entropies = self.entropies.get(block.slot, _NONE) if whole else self.site_entropies
        words = features_of(block)
        return importance, 1 - summed(entropies, words) / len(words)


def _threshold(fitted: FittedStructureTree, pages: Sequence[Page], options: Options) -> float:
    given = options.arguments(StructureTreeArguments).threshold
    if given is not None:
        return given
    blocks = [block for page in pages for block in page.blocks]
    lost = [1 - math.prod(fitted.weigh(block, whole=True)) for block in blocks]
    sizes = [len(features_of(block)) for block in blocks]
    return 1 - greedy_threshold(list(zip(lost, sizes, strict=True)))


def presentation_styles(page: Page) -> Integers:
    """Return a number for each structural element's presentation style, equal for elements with equal children."""
    parents = np.array(page.parents, np.int64)
    children = np.argsort(parents, kind="stable")[1:]  # by parent, in document order; the root is no child
    of = parents[children]
    places = np.arange(len(of)) - np.searchsorted(of, of)
    powers = np.multiply.accumulate(np.full(int(places.max(initial=0)) + 1, _PLACE))
    styles = np.zeros(len(parents), np.uint64)
    np.add.at(styles, of, page.slots[children].astype(np.uint64) * powers[places])
    return styles.astype(np.int64)


def node_importance(elements: Integers, styles: Integers) -> list[float]:
    """Return the NodeImp of each element node, by the element node and the presentation style of each tag node."""
    pairs, counts = np.unique(np.stack([elements, styles]), axis=1, return_counts=True)
    tag_nodes = np.bincount(elements)
    importance = entropies_of(pairs[0], counts, tag_nodes)
    importance[tag_nodes == 1] = 1.0
    return importance.tolist()  # type: ignore[no-any-return]


def path_importance(importance: Sequence[float], around: Integers, order: Integers) -> list[float]:
    """Return each element node's PathImp, by its NodeImp and parent, -1 for the root; ``order`` has parents first."""
    unimportant = [1.0] * (len(importance) + 1)  # the last entry is for the parent of the root
    for element in order.tolist():
        unimportant[element] = unimportant[around[element]] * (1 - importance[element])
    return [1 - share for share in unimportant[:-1]]


def _word_entropies(
    pages: Sequence[Page], slots: Integers, having: Integers
) -> tuple[dict[int, dict[int, float]], Floats]:
    """Return non-zero word entropies by slot and word, and the importance of each slot's content.

    The entropy of a word in a slot is over the pages that have the slot. Slots are sorted, with how many have each.
    """
    words = [features_of(block) for page in pages for block in page.blocks]
    lengths = np.array([len(of_block) for of_block in words], np.int64)
    distinct, places = np.unique(np.fromiter(chain.from_iterable(words), np.int64), return_inverse=True)
    elements = [np.searchsorted(slots, page.slots[page.nodes]) for page in pages]
    numbers = np.repeat(np.arange(len(pages)), [len(page.blocks) for page in pages])
    used = np.repeat(np.concatenate(elements), lengths) * len(distinct) + places  # a word in an element node
    on_page, frequencies = np.unique(used * len(pages) + np.repeat(numbers, lengths), return_counts=True)
    each, groups = np.unique(on_page // len(pages), return_inverse=True)
    element = each // max(1, len(distinct))
    entropies = entropies_of(groups, frequencies, having[element])
    of_word = np.bincount(groups, frequencies)
    novel = np.bincount(element, of_word * (1 - entropies), len(slots))
    content = novel / np.maximum(1, np.bincount(element, of_word, len(slots)))
    found: dict[int, dict[int, float]] = {}
    for place in np.flatnonzero(entropies > 0).tolist():
        of_slot = found.setdefault(int(slots[element[place]]), {})
        of_slot[int(distinct[each[place] % len(distinct)])] = float(entropies[place])
    return found, content


_NONE: Mapping[int, float] = {}
_REASON = "weight {:.2f}, threshold {:.2f}: importance {:.2f} of its place, {:.2f} of its words"
