"""Items and responses as text, and back."""

from __future__ import annotations

import datetime as dt
import json
import sys
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import ZoneInfo

import attrs
import pydantic
import pytest
import scrapy
from hypothesis import given
from hypothesis import strategies as st
from scrapy.http import HtmlResponse, Response, TextResponse, XmlResponse

from scrapy_blockfilter.warmup.item_json import NotPortableError, dump, dump_response, load, load_response


class PlainItem(scrapy.Item):
    url = scrapy.Field()
    html = scrapy.Field()


@dataclass
class Data:
    url: str
    html: str = ""
    parts: list[Any] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class FrozenData:
    url: str
    html: str


@attrs.frozen
class Attrs:
    url: str
    html: str


class Model(pydantic.BaseModel):
    url: str
    body: str = pydantic.Field(alias="html")


class Loud(scrapy.Item):
    url = scrapy.Field()

    def __init__(self, *args: Any, **values: Any) -> None:
        raise AssertionError("the constructor was run")


@dataclass
class LoudData:
    url: str

    def __post_init__(self) -> None:
        raise AssertionError("the constructor was run")


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(codec=None, categories=None))
    | st.binary()
    | st.decimals(allow_nan=False)
    | st.datetimes()
    | st.dates()
    | st.times(),
    lambda inner: (
        st.lists(inner)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text() | st.sampled_from(["$item", "$tuple", "$dict"]), inner)
        | st.dictionaries(st.integers() | st.tuples(st.integers()), inner)
        | st.frozensets(st.integers() | st.text())
        | st.sets(st.binary())
    ),
)


def same(one: Any, other: Any) -> bool:
    """Equal and of the same types, all through."""
    if type(one) is not type(other) or one != other:
        return False
    if isinstance(one, dict):
        pairs = zip(one.items(), other.items(), strict=True)
        return all(same(a, b) and same(x, y) for (a, x), (b, y) in pairs)
    if isinstance(one, list | tuple):
        return all(same(a, b) for a, b in zip(one, other, strict=True))
    return True


@pytest.mark.slow
@given(VALUES)
def test_values_come_back_as_they_were(value: Any) -> None:
    text = dump({"value": value})
    assert text.isascii()
    assert same(load(text), {"value": value})


@pytest.mark.parametrize(
    "item",
    [
        PlainItem(url="http://a.example/", html="<p>ü\ud800"),
        PlainItem(),
        Data("http://a.example/", "<p>", [PlainItem(url=("a", 1)), dt.datetime(2026, 1, 2, tzinfo=dt.timezone.utc)]),
        FrozenData("http://a.example/", "<p>"),
        Attrs("http://a.example/", "<p>"),
        Model(url="http://a.example/", html="<p>"),
        {"nested": Attrs("a", "b"), "zone": dt.datetime(2026, 1, 2, tzinfo=dt.timezone(dt.timedelta(hours=2)))},
    ],
    ids=lambda item: type(item).__name__,
)
def test_items_of_classes_come_back_as_what_they_were(item: Any) -> None:
    back = load(dump(item))
    assert type(back) is type(item)
    assert back == item


class Words(str):
    __slots__ = ()


class PrivateModel(pydantic.BaseModel):
    url: str
    _seen: int = pydantic.PrivateAttr(default=1)


def with_attribute() -> Data:
    item = Data("a")
    item.extra = 1  # type: ignore[attr-defined]
    return item


def nested() -> list[Any]:
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    return value


@dataclass
class _Gone:
    url: str


@pytest.mark.parametrize(
    "value",
    [
        object(),
        Words("text"),
        {"deep": {"value": iter(())}},
        dt.datetime(2026, 1, 2, tzinfo=ZoneInfo("UTC")),
        dt.timedelta(1),
        1j,
        PrivateModel(url="a"),
        with_attribute(),
        nested(),
        type("Local", (scrapy.Item,), {"url": scrapy.Field()})(url="a"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_would_not_come_back_as_it_was_is_refused(value: Any) -> None:
    with pytest.raises(NotPortableError):
        dump({"value": value})


def test_reading_runs_no_constructor() -> None:
    loud = Loud.__new__(Loud)
    scrapy.Item.__init__(loud)
    loud["url"] = "a"
    assert load(dump(loud)) == loud
    data = object.__new__(LoudData)
    data.url = "a"
    assert load(dump(data)) == data


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"$item": "os:system", "fields": {}}',
        '{"$item": "subprocess:Popen", "fields": {"args": "true"}}',
        '{"$item": "builtins:dict", "fields": {}}',
        '{"$item": "antigravity:Item", "fields": {}}',
        '{"$item": "scrapy:Item", "fields": {"x": 1}}',
        '{"$item": 5, "fields": {}}',
        '{"$item": "", "fields": {}}',
        '{"$item": "scrapy:Item"}',
        '{"$eval": "1"}',
        '{"$bytes": "%"}',
        '{"$decimal": "x"}',
        '{"$date": 5}',
        '{"$set": [[]]}',
        '{"$dict": [[[], 1]]}',
        "[" * 100_000,
    ],
    ids=lambda text: text[:40],
)
def test_text_of_something_else_is_refused_and_loads_no_module(text: str) -> None:
    with pytest.raises(NotPortableError):
        load(text)
    assert "antigravity" not in sys.modules


@pytest.mark.parametrize("kind", [HtmlResponse, XmlResponse, TextResponse, Response])
def test_response_comes_back_with_its_request(kind: type[Response]) -> None:
    request = scrapy.Request(
        "http://a.example/from", method="POST", meta={"depth": 3, "blockfilter_site": "a", "object": object()}
    )
    body = "<p>Füße".encode("cp1252")
    options: dict[str, Any] = {"encoding": "cp1252"} if issubclass(kind, TextResponse) else {}
    headers = {"Content-Type": "text/html", "Set-Cookie": [b"a=1", b"\xff=2"]}
    before = kind(
        "http://a.example/", status=203, headers=headers, body=body, flags=["cached"], request=request, **options
    )
    after = load_response(dump_response(before), body)
    assert type(after) is kind
    assert (after.url, after.status, after.body, after.flags) == ("http://a.example/", 203, body, ["cached"])
    assert after.headers == before.headers
    assert after.request is not None
    assert (after.request.url, after.request.method) == ("http://a.example/from", "POST")
    assert after.request.meta == {"depth": 3, "blockfilter_site": "a"}
    if isinstance(after, TextResponse):
        assert after.text == "<p>Füße"


def test_response_without_a_request_comes_back_without_one() -> None:
    assert load_response(dump_response(Response("http://a.example/")), b"").request is None


@pytest.mark.parametrize(
    "change", [{"kind": "pickle"}, {"url": 5}, {"status": "many"}, {"request": ["a"]}, {"url": None}]
)
def test_damaged_response_is_refused(change: dict[str, Any]) -> None:
    values = json.loads(dump_response(HtmlResponse("http://a.example/", request=scrapy.Request("http://a.example/"))))
    with pytest.raises(NotPortableError):
        load_response(json.dumps(values | change), b"")
