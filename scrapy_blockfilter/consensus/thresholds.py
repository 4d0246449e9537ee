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
    exact = scores.astype(np.float64)
    keep = exact > threshold
    in_doubt = (exact > min(threshold, _IN_DOUBT)) & ~keep
    if 1 not in in_doubt.tobytes():
        return keep
    are_own = (evidence.pages_with == 0) & (evidence.column("tag: title") == 0)
    title, is_own = evidence.column("text: title"), are_own.tobytes()
    for block in in_doubt.nonzero()[0].tolist():
        is_headline = evidence.headings[block] == block and title[block] >= _AGREES
        keep[block] = is_headline or (is_own[block] and _is_labelled(evidence, block))
    own = evidence.weights * are_own
    if own[keep].sum() < min(_ENOUGH, _LEAST_KEPT * own.sum()):
        keep |= in_doubt
    return keep


def _is_labelled(evidence: Evidence, block: int) -> bool:
    """Return whether a block is short and behind a label: a short block that ends with a colon or comma."""
    is_short = block > 0 and evidence.weights[block] < _SHORT and evidence.weights[block - 1] < _SHORT
    return bool(is_short and evidence.column("text: label")[block - 1] > 0)
