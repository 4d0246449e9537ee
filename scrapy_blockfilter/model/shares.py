"""The share of text that pages keep, and the long texts among it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CHARS
from scrapy_blockfilter.methods import Verdict
from scrapy_blockfilter.methods.base import QUOTATION, Flags, Verdicts


def kept_flags(verdicts: Sequence[Verdict]) -> Flags:
    """Return whether each block stays."""
    if isinstance(verdicts, Verdicts):
        return verdicts.keep
    return np.array([verdict.keep for verdict in verdicts], np.bool_)


def share_kept(page: Page, verdicts: Sequence[Verdict]) -> tuple[float, bool]:
    """Return the share of its text that a page keeps, and whether it loses a block.

    The TITLE does not count: it is in no text, and always stays in HTML.
    """
    chars = page.numbers[:, CHARS]
    keep = kept_flags(verdicts)
    if "title" in page.tags:
        is_shown = np.array([tag != "title" for tag in page.tags], np.bool_)[page.nodes]
        keep, chars = keep[is_shown], chars[is_shown]
    total = int(chars.sum())
    return int(chars[keep].sum()) / total if total else 0.0, not keep.all()


def kept_long(pages: Sequence[Page], verdicts: Sequence[Sequence[Verdict]]) -> set[int]:
    """Return keys of the long texts that stay on most of their pages."""
    ballot: Counter[int] = Counter()
    for page, of_page in zip(pages, verdicts, strict=True):
        is_long = page.weights >= QUOTATION
        for key, keep in zip(page.keys[is_long].tolist(), kept_flags(of_page)[is_long].tolist(), strict=True):
            ballot[key] += 1 if keep else -1
    return {key for key, votes in ballot.items() if votes > 0}
