"""Facts about a site as plain values, from its model and the sample that it was fitted to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CHARS
from scrapy_blockfilter.methods import Verdict
from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.model.losses import are_shown, kept_flags
from scrapy_blockfilter.report.page_facts import shown_kind
from scrapy_blockfilter.report.survey import BlockView, slot_tree, survey
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.sample.copies import SampledPages
from scrapy_blockfilter.sample.site_sample import shown_text

# Most texts that are listed, and number of pages in the gallery.
MAX_TEXTS = 100
GALLERY = 5


def site_facts(model: SiteModel, sample: SiteSample, suspicious: Sequence[tuple[str, str]] = ()) -> dict[str, Any]:
    """Return the verdicts of a model on the pages that it was fitted to, as JSON values in a fixed order.

    Selectors of BLOCKFILTER_KEEP and BLOCKFILTER_DROP are not applied: they need a page's tags.

    Args:
        suspicious: URLs of pages that may have lost content, and why. A store has them, a sample has not.

    Returns:
        A dict with these keys.

        - ``suspicious``: a ``url`` and ``reason`` for each of these pages.
        - ``method``; ``pages``: number of pages; ``different_pages``: the same with copies counted once.
        - ``stripped``: share of all characters that is stripped, without the TITLE.
        - ``usual_kept``: the median share that a page keeps.
        - ``texts``: up to 100 texts that are stripped and on several different pages, those on most pages first. Each
          has its ``text`` (240 characters), the number of ``pages`` and their ``share``, and ``kind`` and ``reason`` on
          one of them.
        - ``single_texts``: number of stripped texts that are on one page.
        - ``slots``: see :func:`scrapy_blockfilter.report.survey.slot_tree`.
        - ``gallery``: the texts of five pages, each with its ``kind``, None if it is kept.

    Raises:
        ValueError: there is no page in the sample.
    """
    pages = list(sample.pages())
    if not pages:
        raise ValueError("there is no page in the sample to report on")
    judged = [(page, model.judge_learnt(page)) for page in pages]
    found = survey(sample, model)
    several = [view for view in found.blocks if view.pages > 1]
    return {
        "suspicious": [{"url": url, "reason": reason} for url, reason in suspicious],
        "method": model.options.method,
        "pages": len(pages),
        "different_pages": len(SampledPages(pages).different),
        "stripped": _share_stripped(judged),
        "usual_kept": round(float(model.usual_kept), 4),
        "texts": [_text(view, found.pages) for view in several[:MAX_TEXTS]],
        "single_texts": len(found.blocks) - len(several),
        "slots": slot_tree(found, sample.steps),
        "gallery": [_texts_of(page, verdicts) for page, verdicts in judged[:GALLERY]],
    }


def _text(view: BlockView, pages: int) -> dict[str, Any]:
    share = round(view.pages / pages, 4)
    kind = shown_kind(view.kind)
    return {"text": view.text, "pages": view.pages, "share": share, "kind": kind, "reason": view.reason}


def _share_stripped(judged: Sequence[tuple[Page, Sequence[Verdict]]]) -> float:
    total = stripped = 0
    for page, verdicts in judged:
        chars = page.numbers[:, CHARS] * are_shown(page)
        total += int(chars.sum())
        stripped += int(chars[~kept_flags(verdicts)].sum())
    return round(stripped / total, 4) if total else 0.0


def _texts_of(page: Page, verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    shown = ((block, verdicts[block]) for block in np.flatnonzero(are_shown(page)).tolist())
    return [
        {"text": shown_text(page, block), "kind": None if verdict.keep else shown_kind(verdict.kind)}
        for block, verdict in shown
    ]
