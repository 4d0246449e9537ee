"""FeatureExtractor and K-FeatureExtractor: keep the block of a page with the highest share of desired features.

Sandip Debnath, Prasenjit Mitra, C. Lee Giles: Automatic Extraction of Informative Blocks from Webpages, SAC 2005,
section 3.2 and algorithm 2.

The amount of a feature in a block is divided by the largest amount in any block of the sample. Blocks whose desired
features sum up to more than the other features go to the winner basket. Within the basket, values are scaled again, and
the block with the highest sum of desired values stays.

The paper leaves the choice of features to the user. The defaults were chosen by quality on 118 sites. Blocks are cut at
containers, because with cuts at paragraphs the best block is a single paragraph. Paragraphs are desired beside text,
and only links and controls count against them; this is better than text against all other features. The paper also
names applets and style sheets, which never add text to a block and are not counted.

K-FeatureExtractor keeps all blocks with a high share instead. Adaptive k-means clusters the winner basket by the values
scaled within the basket. Centroids start at equal distances in the sorted list of values. The paper keeps "the high
probability cluster(s)". Here k is 2, so that they start at both ends of the list, and the higher one stays. Two of
three clusters do slightly worse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.extras.papers.one_page import Floats, k_means, linked_shares
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CONTROLS, IMAGES, LINKS
from scrapy_blockfilter.html.tags import HEADINGS, LISTS
from scrapy_blockfilter.methods.base import TITLE_STAYS, FittedMethod, Method, Verdict, reason_later
from scrapy_blockfilter.options import Arguments, Options, option
from scrapy_blockfilter.options.converters import Values, names_list, one_of

# Features of a block: text outside links, and numbers of elements.
FEATURES = ("text", "paragraphs", "headings", "lists", "images", "links", "controls", "scripts")
# Containers of headings, paragraphs and lists, which are features of a block (Debnath et al. 2005, section 3.2.1).
# SECTION and ARTICLE are left out, because parts of one text are nested in them.
CONTAINER_TAGS = frozenset(
    {"table", "div", "form", "fieldset", "main", "aside", "nav", "header", "footer", "dialog", "body", "title", "html"}
)
_COUNTED_TAGS = {"paragraphs": frozenset({"p"}), "headings": HEADINGS, "lists": LISTS}


def some_of(names: Iterable[str]) -> Values:
    """Take one or more of ``names``, as a list that :func:`names_list` takes."""
    one = one_of(names)

    def convert(value: Any) -> tuple[str, ...]:
        chosen = tuple(map(one.convert, names_list(value)))
        if not chosen or len(set(chosen)) < len(chosen):
            raise ValueError
        return chosen

    return Values(f"a list of some of {one.allowed}", convert)


def container_blocks(page: Page) -> tuple[npt.NDArray[np.intp], Floats]:
    """Cut a page at ``CONTAINER_TAGS`` into blocks, in document order.

    Returns:
        The number of the block that each text chunk of the page belongs to, shape (n,), and the amount of each of
        ``FEATURES`` in each block, shape (m, features). Text is measured in characters outside links; a character of a
        script without spaces counts as three. A TITLE has no features.
    """
    numbers = page.numbers
    nearest = np.array(page.nearest(CONTAINER_TAGS), np.int64)
    containers, members = np.unique(nearest[page.nodes], return_inverse=True)

    def summed(of_chunks: npt.ArrayLike) -> Floats:
        return np.bincount(members, of_chunks, len(containers)).astype(np.float64)

    def elements(tags: frozenset[str]) -> npt.NDArray[np.intp]:
        around = nearest[np.array([node for node, tag in enumerate(page.tags) if tag in tags], np.intp)]
        counts = np.bincount(around + 1, minlength=len(nearest) + 1)  # -1 is the parent of the root
        return counts[containers + 1]

    amounts = {
        "text": summed(page.weights * (1 - linked_shares(page))),
        "images": summed(numbers[:, IMAGES]),
        "links": summed(numbers[:, LINKS]),
        "controls": summed(numbers[:, CONTROLS]),
        "scripts": summed(page.scripts),
        **{feature: elements(tags) for feature, tags in _COUNTED_TAGS.items()},
    }
    matrix = np.stack([amounts[feature] for feature in FEATURES], axis=1).astype(np.float64)
    matrix[[page.tags[container] == "title" for container in containers]] = 0
    return members, matrix


@dataclass(frozen=True)
class FeatureArguments(Arguments):
    """The features that weigh blocks. Debnath et al. take one desired feature against all others."""

    desired_features: Sequence[str] = option(
        ("text", "paragraphs"),
        some_of(FEATURES),
        "The features of which the blocks to keep have most.",
        paper=("text",),
    )
    counted_features: Sequence[str] = option(
        ("text", "paragraphs", "links", "controls"),
        some_of(FEATURES),
        "All features that count; the desired ones must outweigh the others.",
        paper=FEATURES,
    )


class FittedFeatureExtractor(FittedMethod):
    """The scale of a site's features, and the desired ones."""

    def __init__(self, most: Floats, options: Options, least_that_stays: Callable[[Floats], float]) -> None:
        arguments = options.arguments(FeatureArguments)
        self._most = most  # largest amount of each of ``FEATURES`` in a block of the site
        # The smallest of the sums of desired values in a winner basket that keeps a block of it.
        self._least_that_stays = least_that_stays
        self._desired = [place for place, feature in enumerate(FEATURES) if feature in arguments.desired_features]
        counted = [place for place, feature in enumerate(FEATURES) if feature in arguments.counted_features]
        self._others = [place for place in counted if place not in self._desired]
        self._names = " and ".join(FEATURES[place] for place in self._desired)
        self._other_names = " and ".join(FEATURES[place] for place in self._others) or "nothing"

    def judge(self, page: Page, *, whole: bool) -> list[Verdict]:
        """Return the verdicts. In a fragment, which may lack the best block, the whole winner basket stays."""
        members, amounts = container_blocks(page)
        values = _scaled(amounts, self._most)
        desired, others = values[:, self._desired].sum(axis=1), values[:, self._others].sum(axis=1)
        basket = np.flatnonzero(desired > others)
        verdicts = []
        for mine, rest in zip(desired.tolist(), others.tolist(), strict=True):
            score = mine / (mine + rest) if mine + rest else 0.0  # Pr(desired features | all features)
            reason = reason_later("features", _AGAINST, self._names, mine, rest, self._other_names)
            verdicts.append(Verdict(mine > rest, score, reason))
        if whole and len(basket):
            wanted = amounts[basket][:, self._desired]
            anew = _scaled(wanted, wanted.max(axis=0)).sum(axis=1)
            least, most = self._least_that_stays(anew), float(anew.max())
            for block, value in zip(basket.tolist(), anew.tolist(), strict=True):
                reason = reason_later("features", _BEST, self._names, value, least)
                score = 0.5 + 0.5 * value / most
                verdicts[block] = Verdict(value >= least, score, reason)
        tags = page.tags
        return [
            TITLE_STAYS if tags[chunk.node] == "title" else verdicts[block]
            for chunk, block in zip(page.blocks, members.tolist(), strict=True)
        ]


class FeatureExtractor(Method):
    name = "feature_extractor"
    arguments = FeatureArguments

    def fit(self, pages: Sequence[Page], options: Options) -> FittedFeatureExtractor:
        most = np.zeros(len(FEATURES))
        for page in pages:
            most = np.maximum(most, container_blocks(page)[1].max(axis=0, initial=0.0))
        return FittedFeatureExtractor(most, options, self._least_that_stays)

    def _least_that_stays(self, values: Floats) -> float:
        return float(values.max())


class KFeatureExtractor(FeatureExtractor):
    name = "k_feature_extractor"

    def _least_that_stays(self, values: Floats) -> float:
        """Return the smallest value of the higher cluster, or in the only cluster."""
        members, centroids = k_means(values[:, None], np.array([[values.min()], [values.max()]]))
        heights = centroids[members, 0]
        above = values[heights > heights.min()]
        return float(above.min() if len(above) else values.min())


def _scaled(amounts: Floats, most: Floats) -> Floats:
    """Return amounts as shares of the largest, 0 to 1. If no block of the sample has a feature, any amount gives 1."""
    return np.minimum(1.0, amounts / np.where(most > 0, most, np.maximum(amounts, 1.0)))


_BEST = "{} {:.2f} relative to the best of the page; blocks from {:.2f} on stay"
_AGAINST = "{} {:.2f} against {:.2f} of {}"
