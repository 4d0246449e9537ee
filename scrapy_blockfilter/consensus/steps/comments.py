"""Keep readers' comments below the content if they are wanted: ``BLOCKFILTER_COMMENTS = "keep"``."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.consensus.features.evidence import NAMES, Evidence
from scrapy_blockfilter.consensus.steps.base import Case, Change

_PLACES = {name: place for place, name in enumerate(NAMES)}
# Weight of the long text that must stand before comments.
_CONTENT_BEFORE = 200


class Comments:
    """Keep the text of comments where it is wanted."""

    kind = "comments"

    def changes(self, case: Case) -> Iterator[Change]:
        if case.keeps_comments and (blocks := np.flatnonzero(are_comments(case.evidence)).tolist()):
            yield Change(blocks, True, "a reader's comment")


def are_comments(evidence: Evidence) -> npt.NDArray[np.bool_]:
    """Mark the blocks that are text of comments.

    They are after the content, unlinked and on no other page. They are in one of several similar records with a date
    each, or in an element named so.
    """

    def column(name: str) -> npt.NDArray[np.float32]:
        return evidence.matrix[:, _PLACES[name]]

    in_thread = (evidence.records > 0) | (column("named: comments") > 0)
    behind = column("text: long text before") >= np.log1p(_CONTENT_BEFORE)
    is_text = (column("text: link density") < 0.5) & (evidence.pages_with == 0)
    return np.asarray(in_thread & behind & is_text, np.bool_)
