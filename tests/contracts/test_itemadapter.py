"""itemadapter: items of every kind by one interface, with their declared fields."""

from __future__ import annotations

from dataclasses import dataclass, field

import scrapy
from itemadapter import ItemAdapter, is_item


@dataclass
class Page:
    url: str = ""
    html: str = field(default="", metadata={"blockfilter": "html"})


class Item(scrapy.Item):
    url = scrapy.Field()
    html = scrapy.Field(blockfilter="html")


def test_items_are_read_and_changed_alike() -> None:
    for item in (Page("u", "<p>"), Item(url="u", html="<p>"), {"url": "u", "html": "<p>"}):
        assert is_item(item)
        adapter = ItemAdapter(item)
        assert adapter.item is item
        assert dict(adapter) == {"url": "u", "html": "<p>"}
        adapter["html"] = ""
        assert ItemAdapter(item)["html"] == ""
        assert "other" not in adapter
    assert not any(map(is_item, (None, "text", ["a"], 1)))


def test_declared_fields_have_what_they_are_declared_with() -> None:
    for item in (Page(), Item()):
        adapter = ItemAdapter(item)
        assert set(adapter.field_names()) == {"url", "html"}
        assert dict(adapter.get_field_meta("html")) == {"blockfilter": "html"}
    assert ItemAdapter.is_item_class(Page)
    assert not ItemAdapter.is_item_class(int)
