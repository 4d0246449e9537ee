"""What readers wrote below the content, told by its structure."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.evidence.features import NAMES, Evidence

_PLACES = {name: place for place, name in enumerate(NAMES)}
# Weight of long text that stands before comments.
_CONTENT_BEFORE = 200


def are_comments(evidence: Evidence) -> npt.NDArray[np.bool_]:
    """Which blocks are text of comments: behind the content, unlinked, on no other page, in one of several like records
    with a date each, or in an element that is named so.

    For keeping them alone: to strip what this finds took threads of discussion away that are the content of their page
    (github.com: F1 .88 -> .62).
    """

    def column(name: str) -> npt.NDArray[np.float32]:
        return evidence.matrix[:, _PLACES[name]]

    in_thread = (evidence.records > 0) | (column("named: comments") > 0)
    behind = column("text: long text before") >= np.log1p(_CONTENT_BEFORE)
    is_text = (column("text: link density") < 0.5) & (evidence.pages_with == 0)
    return np.asarray(in_thread & behind & is_text, np.bool_)
