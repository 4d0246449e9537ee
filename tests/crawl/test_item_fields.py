"""Fields of items of every kind: read and set."""

from __future__ import annotations

from typing import Any

import attrs
import pydantic
import pytest
import scrapy
from itemadapter import ItemAdapter

from scrapy_blockfilter.crawl.item_fields import copy_of, with_values
from tests.support.made_crawler import MakeFilter, html_response


class PlainItem(scrapy.Item):
    url = scrapy.Field()
    html = scrapy.Field(blockfilter="html")
    text = scrapy.Field(blockfilter="text")


@attrs.define
class Attrs:
    url: str = ""
    html: str = attrs.field(default="", metadata={"blockfilter": "html"})
    text: str = attrs.field(default="", metadata={"blockfilter": "text"})


class Declared(scrapy.Item):
    a, b, c, d = (scrapy.Field(blockfilter=kind) for kind in ("pdf", None, ["html"], "text"))


def test_declaration_of_another_kind_is_told(make_filter: MakeFilter, caplog: pytest.LogCaptureFixture) -> None:
    filtering = make_filter()
    filtering.scrape(Declared(dict.fromkeys("abcd", "")), html_response("http://news.example/", "<p>Text"))
    assert filtering.stats.of("fields/skipped") == {"bad_kind": 2}
    assert "\"html\" nor \"text\" ('a' says 'pdf', 'c' says ['html'])." in caplog.text


class Filled(PlainItem):
    """An item whose class fills a field, and that holds what cannot be copied."""

    tags = scrapy.Field()

    def __init__(self, *values: Any, **more: Any) -> None:
        super().__init__(*values, **more)
        self["text"], self._maker = object(), (None for _ in ())


class Tagged(pydantic.BaseModel):
    url: str
    tags: list[str]


@attrs.frozen
class FrozenTagged:
    url: str
    tags: list[str]


@pytest.mark.parametrize("kind", [dict, Filled, Tagged, FrozenTagged])
def test_copy_stays_as_the_item_was(kind: type[Any]) -> None:
    url, tags = "http://news.example/" * 9, ["one"]
    item = kind(url=url, tags=tags)
    before = ItemAdapter(item).asdict()
    copied = copy_of(item)
    assert type(copied) is kind
    assert ItemAdapter(copied)["url"] is ItemAdapter(item)["url"]
    ItemAdapter(item)["tags"].append("two")
    with_values(item, {"url": "http://news.example/other"})
    assert ItemAdapter(copied).asdict() == before


def test_item_with_a_frozen_field_is_copied() -> None:
    class Half(pydantic.BaseModel):
        html: str = pydantic.Field(frozen=True)

    item = Half(html="<p>before</p>")
    assert (with_values(item, {"html": "new"}).html, item.html) == ("new", "<p>before</p>")


def test_item_that_cannot_be_copied_is_itself() -> None:
    class Single(dict[str, Any]):
        def __deepcopy__(self, memo: Any) -> Any:
            raise RuntimeError("no")

    item = Single(url="http://news.example/")
    assert copy_of(item) is item


def test_mutable_class_derived_from_a_mutable_attrs_class_is_no_frozen_one() -> None:
    @attrs.define
    class Derived(Attrs):
        more: int = 0

    item = Derived("http://news.example/", "<p>before</p>")
    assert with_values(item, {"html": "new"}) is item
    assert item.html == "new"
