"""What pages keep: the share of their text, and which long texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.methods import Verdict
from scrapy_blockfilter.methods.base import QUOTATION
from scrapy_blockfilter.sample import PageFeatures


def share_kept(page: PageFeatures, verdicts: Sequence[Verdict]) -> tuple[float, bool]:
    """Return the share of its text that a page keeps, and whether it loses a block.

    The TITLE does not count: it is in no text, and always stays in HTML.
    """
    tags = page.structure.tags
    judged = zip(page.blocks, verdicts, strict=True)
    shown = [(block.chars, verdict.keep) for block, verdict in judged if tags[block.node] != "title"]
    total = sum(chars for chars, _ in shown)
    kept = sum(chars for chars, keep in shown if keep)
    return kept / total if total else 0.0, not all(keep for _, keep in shown)


def kept_flags(verdicts: Sequence[Verdict]) -> npt.NDArray[np.bool_]:
    return np.array([verdict.keep for verdict in verdicts], np.bool_)


def kept_long(pages: Sequence[PageFeatures], verdicts: Sequence[Sequence[Verdict]]) -> set[int]:
    """Return keys of the long texts that stay on most of their pages."""
    ballot: Counter[int] = Counter()
    for page, of_page in zip(pages, verdicts, strict=True):
        is_long = page.columns.weights >= QUOTATION
        for block in np.flatnonzero(is_long[: len(of_page)]).tolist():
            ballot[page.blocks[block].key] += 1 if of_page[block].keep else -1
    return {key for key, votes in ballot.items() if votes > 0}
