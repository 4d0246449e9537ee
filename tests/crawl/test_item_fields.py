"""Fields of items of every kind: read and set."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass, field
from typing import Any

import attrs
import pydantic
import pytest
import scrapy
from itemadapter import ItemAdapter

from scrapy_blockfilter.crawl.item_fields import declared_fields, has_field, with_values


class PlainItem(scrapy.Item):
    url = scrapy.Field()
    html = scrapy.Field(blockfilter="html")
    text = scrapy.Field(blockfilter="text")


@dataclass
class Data:
    url: str = ""
    html: str = field(default="", metadata={"blockfilter": "html"})
    text: str = field(default="", metadata={"blockfilter": "text"})


@dataclass(slots=True)
class SlotsData:
    url: str = ""
    html: str = field(default="", metadata={"blockfilter": "html"})
    text: str = field(default="", metadata={"blockfilter": "text"})


@dataclass(frozen=True)
class FrozenData:
    url: str = ""
    html: str = field(default="", metadata={"blockfilter": "html"})
    text: str = field(default="", metadata={"blockfilter": "text"})


@dataclass(frozen=True, slots=True)
class FrozenSlotsData:
    url: str = ""
    html: str = field(default="", metadata={"blockfilter": "html"})
    text: str = field(default="", metadata={"blockfilter": "text"})


@attrs.define
class Attrs:
    url: str = ""
    html: str = attrs.field(default="", metadata={"blockfilter": "html"})
    text: str = attrs.field(default="", metadata={"blockfilter": "text"})


@attrs.define(slots=False)
class DictAttrs:
    url: str = ""
    html: str = attrs.field(default="", metadata={"blockfilter": "html"})
    text: str = attrs.field(default="", metadata={"blockfilter": "text"})


@attrs.frozen
class FrozenAttrs:
    url: str = ""
    html: str = attrs.field(default="", metadata={"blockfilter": "html"})
    text: str = attrs.field(default="", metadata={"blockfilter": "text"})


class Model(pydantic.BaseModel):
    url: str = ""
    html: str = pydantic.Field(default="", json_schema_extra={"blockfilter": "html"})
    text: str = pydantic.Field(default="", json_schema_extra={"blockfilter": "text"})


class FrozenModel(Model):
    model_config = {"frozen": True}


MUTABLE: list[type] = [PlainItem, Data, SlotsData, Attrs, DictAttrs, Model]
FROZEN: list[type] = [FrozenData, FrozenSlotsData, FrozenAttrs, FrozenModel]
VALUES = {"url": "http://news.example/", "html": "<p>before</p>", "text": "before"}


@pytest.mark.parametrize("kind", MUTABLE + FROZEN)
def test_fields_say_what_they_hold(kind: type[Any]) -> None:
    assert declared_fields(ItemAdapter(kind(**VALUES))) == {"html": "html", "text": "text"}


def test_dict_declares_nothing() -> None:
    assert declared_fields(ItemAdapter({"html": "<p>"})) == {}


class Declared(scrapy.Item):
    a = scrapy.Field(blockfilter="pdf")
    b = scrapy.Field(blockfilter=None)
    c = scrapy.Field(blockfilter=["html"])
    d = scrapy.Field(serializer=str)
    e = scrapy.Field(blockfilter="text")


def test_declaration_of_another_kind_is_none() -> None:
    assert declared_fields(ItemAdapter(Declared())) == {"e": "text"}


@pytest.mark.parametrize("kind", [dict, *MUTABLE])
def test_values_are_set_in_the_item_itself(kind: type[Any]) -> None:
    item = kind(**VALUES)
    changed = with_values(item, {"html": "<p>after</p>", "text": "after"})
    assert changed is item
    assert ItemAdapter(changed).asdict() == {**VALUES, "html": "<p>after</p>", "text": "after"}


@pytest.mark.parametrize("kind", FROZEN)
def test_frozen_item_is_copied_and_stays_as_it_was(kind: type[Any]) -> None:
    item = kind(**VALUES)
    changed: Any = with_values(item, {"html": "<p>after</p>"})
    assert changed is not item
    assert type(changed) is kind
    assert ItemAdapter(item).asdict() == VALUES
    assert ItemAdapter(changed).asdict() == {**VALUES, "html": "<p>after</p>"}
    with pytest.raises((FrozenInstanceError, attrs.exceptions.FrozenInstanceError, pydantic.ValidationError)):
        changed.html = "<p>again</p>"


@pytest.mark.parametrize("kind", [dict, *MUTABLE, *FROZEN])
def test_item_without_new_values_is_itself(kind: type[Any]) -> None:
    item = kind(**VALUES)
    assert with_values(item, {}) is item
    assert ItemAdapter(item).asdict() == VALUES


@pytest.mark.parametrize("kind", MUTABLE + FROZEN)
def test_class_takes_its_own_fields_only(kind: type[Any]) -> None:
    adapter = ItemAdapter(kind(**VALUES))
    assert [has_field(adapter, name) for name in ("url", "html", "text", "new")] == [True, True, True, False]


def test_dict_takes_any_field() -> None:
    assert has_field(ItemAdapter({}), "new")
    item: dict[str, str] = {}
    assert with_values(item, {"new": "value"}) is item
    assert item == {"new": "value"}


def test_unset_field_of_an_item_can_be_set() -> None:
    item = PlainItem(url="http://news.example/")
    assert has_field(ItemAdapter(item), "text")
    assert with_values(item, {"text": "new"})["text"] == "new"


def test_mutable_class_derived_from_a_mutable_attrs_class_is_no_frozen_one() -> None:
    @attrs.define
    class Derived(Attrs):
        more: int = 0

    item = Derived("http://news.example/", "<p>before</p>")
    assert with_values(item, {"html": "new"}) is item
    assert item.html == "new"


class Strict(pydantic.BaseModel):
    model_config = {"validate_assignment": True}
    url: str = ""
    html: str = ""
    words: int = 0


@attrs.define
class StrictAttrs:
    url: str = ""
    html: str = ""
    words: int = attrs.field(default=0, validator=attrs.validators.instance_of(int))


class StrictItem(PlainItem):
    words = scrapy.Field()

    def __setitem__(self, key: str, value: Any) -> None:
        if key == "words" and not isinstance(value, int):
            raise TypeError("words must be a number")
        super().__setitem__(key, value)


@pytest.mark.parametrize("kind", [Strict, StrictAttrs, StrictItem])
def test_item_that_refuses_a_value_stays_as_it_was(kind: type[Any]) -> None:
    item = kind(url="http://news.example/")
    before = ItemAdapter(item).asdict()
    refused = (TypeError, pydantic.ValidationError)
    with pytest.raises(refused):
        with_values(item, {"words": "many"})
    assert ItemAdapter(item).asdict() == before
    with_values(item, {"html": "newer", "words": 2})
    assert ItemAdapter(item)["words"] == 2
