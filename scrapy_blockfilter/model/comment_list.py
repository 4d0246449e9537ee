"""List the readers' comments on a page as values for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scrapy_blockfilter.methods.base import Comment


def listed(comments: Sequence[Comment], texts: Sequence[str]) -> list[dict[str, Any]]:
    """Return comments with their text and date, and without comments of images alone.

    Args:
        texts: of all blocks of the page.
    """
    found = [
        {
            "text": "\n".join(filter(None, map(texts.__getitem__, comment.texts))),
            "date": texts[comment.dates[0]] if comment.dates else None,
            "block": min(comment.texts + comment.dates),
        }
        for comment in comments
    ]
    return [comment for comment in found if comment["text"]]
