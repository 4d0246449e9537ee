"""Take what a browser has written on elements out of all fields of an item, also those that are not cleaned."""

from __future__ import annotations

from typing import Any

from itemadapter import ItemAdapter, is_item

from scrapy_blockfilter.crawl.item_fields import with_values
from scrapy_blockfilter.html.boxes import bytes_without_boxes, without_boxes

# Levels of lists and items within an item that are looked into.
_DEEPEST = 20


def plain_value(value: Any, deepest: int = _DEEPEST) -> Any:
    """Return a value without boxes: itself if there is none in it.

    Lists, tuples, dicts and items are looked into.
    """
    if isinstance(value, str):
        return without_boxes(value) if type(value) is str else value
    if isinstance(value, bytes):
        return bytes_without_boxes(value) if type(value) is bytes else value
    if deepest and type(value) in (list, tuple):
        plain = [plain_value(part, deepest - 1) for part in value]
        return value if all(map(_is_same, plain, value)) else type(value)(plain)
    if deepest and is_item(value):
        adapter = ItemAdapter(value)
        changed = {
            name: plain
            for name in list(adapter)
            if not _is_same(plain := plain_value(adapter[name], deepest - 1), adapter[name])
        }
        return with_values(value, changed)
    return value


def _is_same(one: Any, other: Any) -> bool:
    return one is other
