"""The form ``kind``: whether a page is an article, a product, a listing and so on.

``shown`` and ``said`` make numbers of what a page shows and says of itself, and ``network`` tells the kind by them. It
has learnt that from labelled pages, and nothing of it has a part in what is stripped.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from lxml import etree

from scrapy_blockfilter.extras.kinds.network import FEATURES, KINDS, KindsError, load_kind_network
from scrapy_blockfilter.extras.kinds.said import said_by
from scrapy_blockfilter.extras.kinds.shown import Floats, shown_by
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.model.cleaned import Cleaned
from scrapy_blockfilter.options.output_forms import OutputForm

__all__ = ["FEATURES", "KIND", "KINDS", "KindsError", "features_of", "kind_by"]

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


def kind(cleaned: Cleaned) -> dict[str, Any]:
    """Return the kind of a page, as a dict for JSON; an empty one if the page could not be read or has no text.

    It has ``kind``, one of ``KINDS``, and ``score``: how likely that is, from 0 to 1. Verdicts do not depend on it.
    """
    if cleaned.page is None or not _has_text(cleaned.page):
        return {}
    return kind_by(features_of(cleaned.page, cleaned.keep, cleaned.root, cleaned.url))


def _has_text(page: Page) -> bool:
    """Return whether a page says more than its TITLE: one that scripts fill in does not."""
    return any(size and page.tags[node] != "title" for node, size in zip(page.nodes.tolist(), page.sizes, strict=True))


KIND = OutputForm(
    'the kind of page, `{"kind": …, "score": …}`: article, product, listing, thread, reference, profile, home or other',
    kind,
)
