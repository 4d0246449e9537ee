"""The score above which a block stays: less for headlines, labelled values, and on a page that would lose most."""

from __future__ import annotations

import numpy as np

from scrapy_blockfilter.consensus.features.evidence import Evidence
from scrapy_blockfilter.html.subtrees import Floats
from scrapy_blockfilter.methods.base import Flags

# Blocks above this score stay, by BLOCKFILTER_STRIP. Few blocks score between .2 and .6, and many of them are prices,
# values and headlines. With .2 all but one page in a hundred keep half of their content, with .3 they do not. Below .01
# hardly any block is a price, a value or a headline; between .01 and .1 some are.
THRESHOLDS = {"boilerplate": 0.2, "safe": 0.01}
# The most for a heading that agrees so well with the TITLE, for a value behind its label, and for all blocks of a page
# that would keep less than the third number of its own text.
_IN_DOUBT, _AGREES, _LEAST_KEPT = 0.02, 0.4, 0.2
# Characters of a text that are enough, whatever else a page has: a short article among many teasers.
_ENOUGH = 1_200
# Characters of a label and of its value, with three for one of a script without spaces: longer texts are prose.
_SHORT = 60


def kept_by(scores: Floats, evidence: Evidence, threshold: float) -> Flags:
    """Return which blocks of a page stay by their scores."""
    low = min(threshold, _IN_DOUBT)
    are_headings = evidence.headings == np.arange(len(scores))
    are_headlines = are_headings & (evidence.column("text: title") >= _AGREES)
    are_own = (evidence.pages_with == 0) & (evidence.column("tag: title") == 0)
    keep = scores > np.where(are_headlines | (are_own & _are_labelled(evidence)), low, threshold)
    own = evidence.weights * are_own
    if own[keep].sum() < min(_ENOUGH, _LEAST_KEPT * own.sum()):
        keep |= scores > low
    return np.asarray(keep, np.bool_)


def _are_labelled(evidence: Evidence) -> Flags:
    """Mark the short blocks behind a label: a short block that ends with a colon or comma."""
    is_short = evidence.weights < _SHORT
    is_label = is_short & (evidence.column("text: label") > 0)
    is_short[:1] = False
    is_short[1:] &= is_label[:-1]
    return is_short
