"""Held items beyond the budget: packed, then on disk, and back as the objects that they were."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import IO, Any

import attrs
import pytest
import scrapy
from hypothesis import given
from hypothesis import strategies as st
from itemadapter import ItemAdapter
from pydantic import BaseModel, ConfigDict, field_validator
from scrapy.http import HtmlResponse, Request, Response

from scrapy_blockfilter.warmup.held_items import HeldItems
from scrapy_blockfilter.warmup.held_page import HeldItem

HTML = "".join(f"<p>Sentence {number} of a page that says little else, ünd nothing again.</p>" for number in range(300))
PAGE_SIZE = len(HTML.encode())
# Bytes: less than a page takes that is on disk, and more than the file needs for a few.
SMALL = 3_000


class Counts(Counter[str]):
    def inc_value(self, key: str, count: int = 1) -> None:
        self[key] += count


def held_items(most: int) -> tuple[HeldItems, Counts]:
    counts = Counts()
    return HeldItems(most, counts), counts


def response_of(body: bytes = HTML.encode(), url: str = "http://a.example/") -> HtmlResponse:
    headers = {"Set-Cookie": [b"a=1", b"b=\xff"], "Content-Type": "text/html; charset=utf-8"}
    return HtmlResponse(url, body=body, headers=headers, request=Request(url, meta={"lock": LOCK}))


LOCK = threading.Lock()  # cannot be written to disk


@dataclass(frozen=True, slots=True)
class Frozen:
    html: str
    lock: Any = LOCK


@dataclass
class Checked:
    html: str
    lock: Any = LOCK

    def __setattr__(self, name: str, value: Any) -> None:
        if not value:
            raise ValueError("no field is empty")
        object.__setattr__(self, name, value)


@attrs.define(frozen=True)
class Attrs:
    html: str = attrs.field(validator=attrs.validators.min_len(1))
    lock: Any = LOCK


class Model(BaseModel):
    model_config = ConfigDict(frozen=True, validate_assignment=True, arbitrary_types_allowed=True)
    html: str
    lock: Any = LOCK

    @field_validator("html")
    @classmethod
    def is_text(cls, value: str) -> str:
        if not value:
            raise ValueError("it is empty")
        return value


class OfScrapy(scrapy.Item):
    html = scrapy.Field()
    lock = scrapy.Field()


MAKERS: list[Callable[[str], Any]] = [
    lambda html: {"html": html, "lock": LOCK},
    Frozen,
    Checked,
    Attrs,
    lambda html: Model(html=html),
    lambda html: OfScrapy(html=html, lock=LOCK),
]
NAMES = ["dict", "frozen and slots", "own __setattr__", "attrs", "pydantic", "scrapy"]


def hold(held: HeldItems, items: list[Any], response: Response, site: str = "a") -> None:
    while items:  # the last reference to an item is that of the held ones
        held.add(site, items.pop(0), response, 0.0)


def give_back(held: HeldItems, site: str = "a") -> list[HeldItem]:
    taken = held.take(site)
    for each in taken:
        each.page.unpack()
    return taken


def finish(held: HeldItems, taken: list[HeldItem]) -> None:
    for each in taken:
        each.page.done()
    held.bytes.close()
    assert held.bytes.memory == 0


@pytest.mark.parametrize("budget", [150_000, 50_000], ids=["packed", "on disk"])
@pytest.mark.parametrize("make", MAKERS, ids=NAMES)
def test_item_comes_back_as_the_object_that_it_was(make: Callable[[str], Any], budget: int) -> None:
    held, counts = held_items(budget)
    ids: list[int] = []
    for number in range(10):
        items = [make(response_of().text), make(f"{number} of {HTML}")]
        ids += map(id, items)
        hold(held, items, response_of(url=f"http://a.example/{number}"))
        held.make_room()
    assert counts["blockfilter/warmup/packed"] >= 8
    assert held.bytes.memory < budget
    assert (held.bytes.disk > 0) == (budget < 100_000)
    taken = give_back(held)
    assert [id(each.item) for each in taken] == ids
    for number, each in enumerate(taken):
        html = f"{number // 2} of {HTML}" if number % 2 else HTML
        assert ItemAdapter(each.item).asdict() == {"html": html, "lock": LOCK}
        assert each.page.response.body == HTML.encode()
        assert each.page.response.url == f"http://a.example/{number // 2}"
        assert each.page.response.request is not None
        assert each.page.response.request.meta == {"lock": LOCK}
        assert each.page.response.headers == response_of().headers
        assert each.page.response.headers.getlist("set-cookie") == [b"a=1", b"b=\xff"]
    assert taken[0].page is taken[1].page
    assert held.bytes.disk == 0
    finish(held, taken)


def test_item_that_somebody_uses_is_not_touched() -> None:
    held, counts = held_items(1)
    mine = {"html": HTML}
    held.add("a", mine, response_of(), 0.0)
    assert not held.make_room()
    assert mine == {"html": HTML}
    assert not counts
    del mine
    held.make_room()
    assert counts["blockfilter/warmup/packed"] == 1
    assert give_back(held)[0].item == {"html": HTML}


def test_item_that_was_yielded_twice_waits_twice_as_it_is() -> None:
    held, _ = held_items(1)
    response = response_of()
    item = {"html": HTML}
    held.add("a", item, response, 0.0)
    held.add("a", item, response, 0.0)
    del item
    held.make_room()
    first, second = give_back(held)
    assert first.item is second.item
    assert first.item == {"html": HTML}


def test_lists_of_texts_are_packed_where_nobody_else_has_them() -> None:
    held, counts = held_items(1)
    shared = [HTML]
    hold(held, [{"html": [HTML + "!", "short"], "shared": shared}], response_of())
    held.make_room()
    assert counts["blockfilter/warmup/packed"] == 1
    assert shared == [HTML]
    assert held.bytes.memory < PAGE_SIZE + 10_000
    (taken,) = give_back(held)
    assert taken.item == {"html": [HTML + "!", "short"], "shared": [HTML]}
    assert taken.item["shared"] is shared


def test_text_of_a_property_stays_as_it_is() -> None:
    @dataclass
    class Item:
        html: str

        def __post_init__(self) -> None:
            self.seen = 0

    def read(item: Any) -> str:
        return str(vars(item)["_html"])

    def write(item: Any, value: str) -> None:
        vars(item)["_html"] = f"{value}!"

    Item.html = property(read, write)  # type: ignore[assignment]
    held, counts = held_items(1)
    hold(held, [Item(HTML)], response_of())
    held.make_room()
    assert counts["blockfilter/warmup/packed"] == 1
    assert give_back(held)[0].item.html == f"{HTML}!"


def test_item_that_refuses_to_be_empty_leaves_its_page_as_it_is() -> None:
    class Refusing:
        def __get__(self, item: Any, owner: type) -> Any:
            return vars(item)["_html"] if item is not None else ""

        def __set__(self, item: Any, value: str) -> None:
            if not value:
                raise ValueError("no field is empty")
            vars(item)["_html"] = value

    @dataclass
    class Item:
        html: Any = Refusing()

    held, counts = held_items(1)
    hold(held, [{"html": HTML}, Item(HTML), {"html": HTML}], response_of())
    assert not held.make_room()
    assert not counts
    taken = give_back(held)
    assert [ItemAdapter(each.item).asdict() for each in taken] == [{"html": HTML}] * 3
    assert {each.page.response.body for each in taken} == {HTML.encode()}
    finish(held, taken)


def test_items_that_a_callback_makes_after_its_page_was_packed_join_it() -> None:
    held, _ = held_items(1)
    response = response_of()
    hold(held, [{"n": 1, "html": response.text}], response)
    held.make_room()
    hold(held, [{"n": 2, "html": response.text}], response)
    held.make_room()
    taken = give_back(held)
    assert [each.item for each in taken] == [{"n": 1, "html": HTML}, {"n": 2, "html": HTML}]
    assert [each.page.response.text for each in taken] == [HTML, HTML]
    finish(held, taken)


def test_short_pages_are_left_as_they_are() -> None:
    held, counts = held_items(1)
    hold(held, [{"html": "x" * 600}], response_of(b"x" * 600))
    assert not held.make_room()
    assert not counts
    assert give_back(held)[0].item == {"html": "x" * 600}


def test_file_is_bounded_by_the_budget_and_its_room_is_used_again() -> None:
    held, _ = held_items(20_000)
    most = 16 * 20_000
    peak = 0
    for number in range(300):
        hold(held, [{"html": f"{number}{HTML}"}], response_of(url=f"http://{number}.example/"), str(number))
        has_room = held.make_room()
        peak = max(peak, held.bytes.disk)
        if not has_room:
            taken = give_back(held, held.neediest())
            for each in taken:
                each.page.done()
    held.bytes.close()
    assert most / 20 < peak <= most
    assert held.bytes.disk <= most


def test_disk_that_fills_is_told_once_and_loses_nothing(caplog: pytest.LogCaptureFixture) -> None:
    limits = pytest.importorskip("resource")
    held, counts = held_items(20_000)
    noise = [Random(number).randbytes(6_000) for number in range(300)]
    before = limits.getrlimit(limits.RLIMIT_FSIZE)
    limits.setrlimit(limits.RLIMIT_FSIZE, (200_000, before[1]))
    try:
        for number, body in enumerate(noise):
            hold(held, [{"n": number}], response_of(body))
            held.make_room()
        taken = give_back(held)
    finally:
        limits.setrlimit(limits.RLIMIT_FSIZE, before)
    assert counts == {"blockfilter/warmup/packed": 300, "blockfilter/store/errors": 1}
    assert caplog.text.count("temporary file has failed") == 1
    assert [(each.item, each.page.response.body) for each in taken] == [
        ({"n": number}, body) for number, body in enumerate(noise)
    ]
    assert held.bytes.disk == 0
    finish(held, taken)


def test_file_that_cannot_be_made_is_told_once_and_what_is_packed_stays_in_memory(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(**_: Any) -> IO[bytes]:
        raise OSError("No space left on device")

    monkeypatch.setattr("scrapy_blockfilter.warmup.held_bytes.TemporaryFile", full)
    held, counts = held_items(SMALL)
    for number in range(3):
        hold(held, [{"html": HTML, "n": number}], response_of())
        assert not held.make_room()
    assert counts == {"blockfilter/warmup/packed": 3, "blockfilter/store/errors": 1}
    assert caplog.text.count("temporary file has failed: No space left on device") == 1
    taken = give_back(held)
    assert [each.item for each in taken] == [{"html": HTML, "n": number} for number in range(3)]
    finish(held, taken)


def test_page_that_cannot_be_read_back_is_an_error_and_not_an_empty_item() -> None:
    held, counts = held_items(SMALL)
    hold(held, [{"html": HTML}], response_of())
    held.make_room()
    assert held.bytes.disk > 0
    held.bytes.close()
    (taken,) = held.take("a")
    with pytest.raises(OSError, match="temporary file of held items"):
        taken.page.unpack()
    assert counts["blockfilter/store/errors"] == 1
    finish(held, [taken])


TEXTS = st.text(st.characters(), min_size=0, max_size=700).map(lambda text: text * 3)


@dataclass
class Wild:
    first: str
    rest: list[str] = field(default_factory=list)


@given(st.lists(st.tuples(TEXTS, st.lists(TEXTS, max_size=3)), min_size=1, max_size=4), st.binary(max_size=3_000))
def test_any_texts_and_bodies_come_back(parts: list[tuple[str, list[str]]], body: bytes) -> None:
    held, _ = held_items(1)
    response = HtmlResponse("http://a.example/", body=body * 2, headers={"Content-Type": "text/html"})
    hold(held, [Wild(first, list(rest)) for first, rest in parts] + [{"html": response.text, 5: "key"}], response)
    text, copied = response.text, response.replace().text
    held.make_room()
    taken = give_back(held)
    assert [each.item for each in taken] == [*(Wild(*part) for part in parts), {"html": text, 5: "key"}]
    assert {each.page.response.body for each in taken} == {response.body}
    assert taken[0].page.response.text == copied
    finish(held, taken)
