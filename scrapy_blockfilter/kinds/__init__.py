"""What kind of page a page is: an article, a product, a listing and so on.

``shown`` and ``said`` make numbers of what a page shows and says of itself, and ``network`` tells the kind by them. It
has learnt that from labelled pages, and nothing of it has a part in what is stripped.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from lxml import etree

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.kinds.network import FEATURES, KINDS, KindsError, load_kind_network
from scrapy_blockfilter.kinds.said import said_by
from scrapy_blockfilter.kinds.shown import Floats, shown_by

__all__ = ["FEATURES", "KINDS", "KindsError", "features_of", "kind_by"]

# Digits of a score. More would differ between machines, whose sums have other orders.
_DIGITS = 4


def features_of(page: Page, keep: Sequence[bool], root: etree._Element | None, url: str) -> Floats:
    """Return what tells the kind of a page, with the names of ``FEATURES``.

    Args:
        keep: for each block, whether it stays.
        root: of its tree; None if there is none.
        url: its address, "" if unknown.
    """
    return np.concatenate([shown_by(page, keep), said_by(root, url)])


def kind_by(features: Floats) -> dict[str, Any]:
    """Return the likeliest kind and how likely it is, for JSON."""
    probabilities = load_kind_network().probabilities(features)
    likeliest = int(probabilities.argmax())
    return {"kind": KINDS[likeliest], "score": round(float(probabilities[likeliest]), _DIGITS)}
