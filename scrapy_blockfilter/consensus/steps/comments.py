"""What readers wrote below the content, for those who want it: ``BLOCKFILTER_COMMENTS = "keep"``."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.consensus.features.evidence import NAMES, Evidence
from scrapy_blockfilter.consensus.steps.base import Case, Change

_PLACES = {name: place for place, name in enumerate(NAMES)}
# Weight of long text that stands before comments.
_CONTENT_BEFORE = 200


class Comments:
    """Keep text of comments where it is wanted."""

    kind = "comments"

    def changes(self, case: Case) -> Iterator[Change]:
        if case.keeps_comments and (blocks := np.flatnonzero(are_comments(case.evidence)).tolist()):
            yield Change(blocks, True, "a reader's comment")


def are_comments(evidence: Evidence) -> npt.NDArray[np.bool_]:
    """Which blocks are text of comments: behind the content, unlinked, on no other page, in one of several like records
    with a date each, or in an element that is named so."""

    def column(name: str) -> npt.NDArray[np.float32]:
        return evidence.matrix[:, _PLACES[name]]

    in_thread = (evidence.records > 0) | (column("named: comments") > 0)
    behind = column("text: long text before") >= np.log1p(_CONTENT_BEFORE)
    is_text = (column("text: link density") < 0.5) & (evidence.pages_with == 0)
    return np.asarray(in_thread & behind & is_text, np.bool_)
