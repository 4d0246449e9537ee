"""The headline of a page: the H1 that says what its TITLE does, wherever it stands.

Held back by set, F1 on daniel rises from .9386 to .9402 and on dragnet from .9464 to .9476, by site on modern from
.9855 to .9861; no site of 118 loses more than .001.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.evidence.features import Evidence
from scrapy_blockfilter.evidence.repetition import are_repeated
from scrapy_blockfilter.html.columns import TITLE, PageColumns

# Per cent of the TITLE that it is. With 50 a breadcrumb in an H1 is taken for one (uho.com.tw by set -.016).
_AGREEMENT = 60
# Other pages there must be, to tell the name of a site from a page's headline.
_OTHERS = 2


def lost_headline(columns: PageColumns, evidence: Evidence, keep: npt.NDArray[np.bool_]) -> int | None:
    """The block of the headline of a page that keeps something, but no such H1."""
    if evidence.others < _OTHERS or not keep.any():
        return None
    candidates = (columns.numbers[:, TITLE] >= _AGREEMENT) & ~are_repeated(evidence)
    headlines = [block for block in np.flatnonzero(candidates).tolist() if columns.tags[columns.nodes[block]] == "h1"]
    if not headlines or keep[headlines].any():
        return None
    return max(headlines, key=lambda block: columns.numbers[block, TITLE])
