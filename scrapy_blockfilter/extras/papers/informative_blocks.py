"""WISDOM: keep the subtrees of a page with the most information.

Hung-Yu Kao, Jan-Ming Ho, Ming-Syan Chen: WISDOM: Web Intrapage Informative Structure Mining Based on Document Object
Model, 2005, as surveyed by Rajashri Shinde, Ashwini Bolli, Amruta Kulkarni: Methods For Extracting Content Blocks From
Web Pages, 2013, section 2. The survey prints no formulas; this module uses the following.

1. Features: CLEN and ALEN are the numbers of characters outside and inside links. The content information index CII of
   a text is the mean of 1 - H over its terms; H is their entropy over the site's pages. The anchor precision index API
   says how well a link's text agrees with its target, which no record has. Instead, API is the mean of 1 - H over the
   terms around the link: few pages link to an article, but all pages repeat a menu. A text counts CLEN * CII in the
   search for articles, and ALEN * API in the search for tables of contents.
2. Information coverage tree: each node has the sum f of its subtree. The structure information index SII says how
   evenly f is spread over m children with shares w(i): -sum w(i) log_m w(i), and 0 for m = 1. MIB(k, f, ST) starts at
   the root and repeatedly takes the node with the largest f. A text, or a node with an SII of at least ST, is an
   informative block. Any other node is replaced by its children. The search ends with k blocks.
3. Expansion adds siblings of a block in the same slot of the template. Condensation removes its texts with a low CII.

The defaults are the best values tried on 118 sites, most of whose pages have one article. Without the third step, and
with CLEN instead of CLEN * CII, quality is clearly lower.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scrapy_blockfilter.extras.papers.one_page import linked_shares
from scrapy_blockfilter.html import Block, Page
from scrapy_blockfilter.methods.base import TITLE_STAYS, FittedMethod, Method, Verdict, reason_later
from scrapy_blockfilter.methods.entropy import feature_entropies, features_of, page_frequencies, summed
from scrapy_blockfilter.options import Arguments, Options, option
from scrapy_blockfilter.options.converters import SHARE, one_of, whole_number


@dataclass(frozen=True)
class InformativeBlocksArguments(Arguments):
    feature: str = option(
        "text",
        one_of(("text", "links")),
        'The feature to look for: the "text" of articles, or the "links" of tables of contents.',
    )
    count: int = option(1, whole_number(1, 1000), "k, the number of blocks to find on a page.")
    structure_index: float = option(
        0.5, SHARE, "ST, how evenly the feature must be spread over the children of a block."
    )
    content_index: float = option(
        0.3, SHARE, "Texts in a block are stripped if their terms are less informative than this."
    )


class InformativeBlocks(Method):
    name = "informative_blocks"
    arguments = InformativeBlocksArguments

    def fit(self, pages: Sequence[Page], options: Options) -> FittedInformativeBlocks:
        return FittedInformativeBlocks(feature_entropies([page_frequencies(page) for page in pages]), options)


class FittedInformativeBlocks(FittedMethod):
    """The non-zero entropies of a site's terms, with options."""

    def __init__(self, entropies: Mapping[int, float], options: Options) -> None:
        self._entropies = {term: entropy for term, entropy in entropies.items() if entropy > 0}
        self._arguments = options.arguments(InformativeBlocksArguments)

    def judge(self, page: Page, *, whole: bool) -> list[Verdict]:
        """Return the verdicts. A fragment may be part of an informative block, so it is only condensed."""
        page.prepare_terms(range(len(page.blocks)))
        indices = [self.information(block) for block in page.blocks]
        is_title = [page.tags[node] == "title" for node in page.nodes.tolist()]
        shares = [1.0] * len(indices)
        if whole:
            linked = linked_shares(page)
            # CLEN or ALEN. A character of a script without spaces counts as three.
            lengths = page.weights * (linked if self._arguments.feature == "links" else 1 - linked)
            tree = CoverageTree(page, np.where(is_title, 0.0, lengths * indices).tolist())
            shares = tree.share_of_each(tree.maximum_blocks(self._arguments.count, self._arguments.structure_index))
        return [
            TITLE_STAYS if is_one else self._verdict(index, share)
            for is_one, index, share in zip(is_title, indices, shares, strict=True)
        ]

    def information(self, block: Block) -> float:
        """Return the CII of a text, or the API of the links in it."""
        terms = features_of(block)
        return 1 - summed(self._entropies, terms) / len(terms)

    def _verdict(self, information: float, share: float) -> Verdict:
        least = self._arguments.content_index
        keep = share > 0 and information >= least
        told = (_INSIDE, share, information, least) if share > 0 else (_OUTSIDE, information)
        return Verdict(keep, (keep + information) / 2, reason_later("information", *told))


class CoverageTree:
    """The information coverage tree: structural elements, with texts as leaves, numbered after the elements.

    Its values are sums of the amount of the feature in each block of the page.
    """

    def __init__(self, page: Page, features: Sequence[float]) -> None:
        self._slots = page.slots.tolist()
        self._elements = len(page.tags)
        self._around = [*page.parents, *page.nodes.tolist()]
        self.values = [*[0.0] * self._elements, *features]
        self.children: list[list[int]] = [[] for _ in self._around]
        for node in range(len(self._around) - 1, 0, -1):
            around = self._around[node]
            self.values[around] += self.values[node]
            self.children[around].append(node)

    def evenness(self, node: int) -> float:
        """Return the SII of a node, 1 for a text or an element that holds only a text."""
        children = self.children[node]
        if node >= self._elements or (len(children) == 1 and children[0] >= self._elements):
            return 1.0
        values = [self.values[child] for child in children]
        total = math.fsum(values)
        if len(values) < 2 or total <= 0:
            return 0.0
        shares = [value / total for value in values if value > 0]
        return -math.fsum([share * math.log(share) for share in shares]) / math.log(len(values))

    def maximum_blocks(self, count: int, evenness: float) -> list[int]:
        """Return MIB(k, f, ST): at most ``count`` nodes with most of the feature, in the order they are found."""
        found: list[int] = []
        candidates = [(-self.values[0], 0)]
        while candidates and len(found) < count:
            value, node = heapq.heappop(candidates)
            if not value:
                break
            if self.evenness(node) >= evenness:
                found.append(node)
            else:
                for child in self.children[node]:
                    heapq.heappush(candidates, (-self.values[child], child))
        return found

    def share_of_each(self, found: Sequence[int]) -> list[float]:
        """For each text, return its informative block's share of the page's feature, after expansion; 0 outside all."""
        shares = [0.0] * len(self._around)
        for node in found:
            shares[node] = self.values[node] / self.values[0]
        slots = {(self._around[node], self._slots[node]): shares[node] for node in found if 0 < node < self._elements}
        for node in range(1, len(shares)):  # an element comes before its descendants
            around = self._around[node]
            if not shares[node] and node < self._elements:
                shares[node] = slots.get((around, self._slots[node]), 0.0)
            shares[node] = shares[node] or shares[around]
        return shares[self._elements :]


_INSIDE = "in a block with {:.0%} of the page's information; content index {:.2f}, from {:.2f} on it stays"
_OUTSIDE = "in no block with most of the page's information; content index {:.2f}"
