"""Settings of a project: the add-on and what it is to do."""

from __future__ import annotations

from typing import Any

ADDONS: dict[str, int] = {"scrapy_blockfilter.Addon": 500}
BLOCKFILTER_PAGES = 5
BLOCKFILTER_OUTPUT_FIELDS: dict[str, str] = {"text": "text", "markdown": "markdown"}
BLOCKFILTER_KEEP: list[str] = ["figure.map"]

OTHERS: dict[str, Any] = {"BLOCKFILTER_WARMUP": "pass"}
