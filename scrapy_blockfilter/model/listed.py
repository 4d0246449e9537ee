"""Removed blocks and readers' comments as dicts for JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from scrapy_blockfilter.html import Block
from scrapy_blockfilter.methods import Verdict
from scrapy_blockfilter.methods.base import Comment


def listed_block(block: Block, verdict: Verdict) -> dict[str, Any]:
    """Return a removed block with the reason and the score of its verdict."""
    return {
        "text": block.text or " ".join(block.images),
        "reason": verdict.reason,
        "score": round(float(verdict.score), 4),
    }


def listed_comments(texts: Sequence[str], comments: Iterable[Comment]) -> list[dict[str, Any]]:
    """Return the comments that have text, each with its date as written and the number of its first block.

    Args:
        texts: the text of each block of the page.
    """
    found = [("\n".join(filter(None, map(texts.__getitem__, comment.texts))), comment) for comment in comments]
    return [
        {
            "text": text,
            "date": texts[comment.dates[0]] if comment.dates else None,
            "block": min(comment.texts + comment.dates),
        }
        for text, comment in found
        if text  # it may be images alone
    ]
