"""Held items: their order, their age, and their size in memory."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from random import Random
from typing import Any
from weakref import ref

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy.http import HtmlResponse, Request, Response

from scrapy_blockfilter.warmup.held_items import HeldItems


def response_of(size: int, host: str = "a.example") -> HtmlResponse:
    body = Random(size).randbytes(size)  # which no compression makes smaller
    return HtmlResponse(f"http://{host}/", body=body, encoding="latin-1", flags=["cached"])


@pytest.fixture
def held() -> HeldItems:
    return HeldItems(10**9)


def test_items_of_a_site_are_taken_once_in_their_order(held: HeldItems) -> None:
    items = [{"n": number} for number in range(5)]
    for item in items:
        held.add("a", item, response_of(10), 0.0)
    held.add("b", {"n": 9}, response_of(10), 0.0)
    assert held.sites == ["a", "b"]
    taken = held.take("a")
    assert [each.item is item for each, item in zip(taken, items, strict=True)] == [True] * 5
    assert held.take("a") == []
    assert held.sites == ["b"]
    taken += held.take("b")
    assert not held
    for each in taken:
        assert held.memory > 0
        held.done(each)
    assert held.memory == 0


def test_held_response_has_the_body_and_not_the_tree(held: HeldItems) -> None:
    response = HtmlResponse("http://a.example/", body=b"<p>Wind</p>" * 9_000, encoding="utf-8", flags=["cached"])
    assert response.selector.root is not None
    held.add("a", {}, response, 0.0)
    held.add("a", {}, response, 0.0)
    assert held.memory < 9_000
    first, second = held.take("a")
    assert first.response is not None
    assert first.response is second.response
    kept = first.response.unpacked()
    assert kept is not response
    assert (kept.url, kept.flags) == (response.url, response.flags)
    assert isinstance(kept, HtmlResponse)
    assert (kept.body, kept.encoding) == (response.body, "utf-8")
    assert kept.selector.root is not response.selector.root


def test_response_that_stands_for_none_is_held_itself(held: HeldItems) -> None:
    held.add("a", {}, dummy := Response("http://a.example/"), 0.0)
    (item,) = held.take("a")
    assert item.response is not None
    assert item.response.unpacked() is dummy


def test_tree_of_a_page_goes_with_its_callback(held: HeldItems) -> None:
    trees = []
    for number in range(20):
        response = response_of(1000, f"{number}.example")
        trees.append(ref(response.selector))
        held.add(f"{number}.example", {"html": response.text}, response, 0.0)
    del response
    gc.collect()
    assert [tree() for tree in trees] == [None] * 20


def test_what_the_request_of_a_page_carries_is_counted(held: HeldItems) -> None:
    parent = response_of(20_000)
    request = Request("http://a.example/", body=b"x" * 30_000, meta={"item": {"text": "x" * 40_000}})
    response = response_of(0)
    response.request = request.replace(cb_kwargs={"parent": parent})
    held.add("a", {}, response, 0.0)
    assert 90_000 < held.memory < 100_000
    assert parent.selector.root is not None
    held.add("b", {}, response, 0.0)
    assert held.memory - 95_000 > 90_000 + 8 * 20_000


def test_size_grows_with_what_is_held_and_counts_what_is_shared_once(held: HeldItems) -> None:
    response = response_of(100_000)
    text = "y" * 50_000
    held.add("a", {"html": text}, response, 0.0)
    first = held.memory
    assert 150_000 < first < 160_000
    held.add("a", {"html": text}, response, 0.0)
    assert held.memory - first < 2_000
    held.add("a", {"html": text + "!"}, response_of(100_000), 0.0)
    assert held.memory > 300_000
    assert sum(each.size for each in held.take("a")) == held.memory


@dataclass
class Data:
    html: str


@pytest.mark.parametrize(
    "item",
    [
        {"deep": [{"html": ("z" * 90_000,)}]},
        Data("z" * 90_000),
        {"data": Data("z" * 90_000)},
        {"bytes": {b"z" * 90_000}},
    ],
    ids=str,
)
def test_what_items_hold_is_counted_however_deep(held: HeldItems, item: Any) -> None:
    held.add("a", item, response_of(0), 0.0)
    assert 90_000 < held.memory < 100_000


def test_item_that_holds_itself_is_counted_once(held: HeldItems) -> None:
    item: dict[str, Any] = {"text": "z" * 9_000}
    item["self"] = item
    held.add("a", item, response_of(0), 0.0)
    assert 9_000 < held.memory < 20_000


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 9), st.integers(0, 9)), max_size=60))
def test_neediest_of_sites_that_come_and_go_is_found(steps: list[tuple[str, int, int]]) -> None:
    held = HeldItems(10**9)
    sizes: dict[str, list[int]] = {}
    needs: dict[str, float] = {}
    for site, lacks, kilobytes in steps:
        if not lacks:
            held.take(site)
            sizes.pop(site, None)
            needs.pop(site, None)
        else:
            before = held.memory
            held.add(site, {}, response_of(1_000 * kilobytes), 0.0, lacks=lacks)
            sizes.setdefault(site, []).append(held.memory - before)
            needs[site] = sum(sizes[site]) / len(sizes[site]) * lacks
        assert not needs or needs[held.neediest()] == max(needs.values())


def test_room_is_full_until_enough_items_are_done() -> None:
    held = HeldItems(50_000)
    held.add("a", {}, response_of(30_000), 0.0)
    assert not held.is_full
    held.add("b", {}, response_of(30_000), 0.0)
    taken = held.take("b")
    assert held.is_full
    held.done(taken[0])
    assert not held.is_full


def test_site_waits_since_its_oldest_item(held: HeldItems) -> None:
    held.add("a", {}, response_of(10), 5.0)
    held.add("b", {}, response_of(10), 7.0)
    held.add("a", {}, response_of(10), 9.0)
    assert held.waiting_since(4.9) == []
    assert held.waiting_since(5.0) == ["a"]
    assert held.waiting_since(8.0) == ["a", "b"]
    held.take("a")
    held.add("a", {}, response_of(10), 10.0)
    assert held.waiting_since(8.0) == ["b"]


class RenderedResponse(HtmlResponse):
    """A response as scrapy-zyte-api has it: it keeps the answer of the service, with the page a second time."""

    attributes = (*HtmlResponse.attributes, "raw_api_response")

    def __init__(self, *arguments: Any, raw_api_response: dict[str, str] | None = None, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.raw_api_response = raw_api_response


def test_answer_of_a_rendering_service_counts(held: HeldItems) -> None:
    answer = {"browserHtml": "<p>Wind</p>" * 9_000}
    response = RenderedResponse("http://a.example/", body=b"<p>Wind</p>", encoding="utf-8", raw_api_response=answer)
    held.add("a", {}, response, 0.0)
    assert 99_000 < held.memory < 105_000
    kept = held.take("a")[0].response
    assert kept is not None
    assert getattr(kept.unpacked(), "raw_api_response", None) is answer


def test_items_without_a_response_wait_too(held: HeldItems) -> None:
    items = [{"html": "x" * 10_000 + str(number)} for number in range(3)]
    for item in items:
        held.add("a", item, None, 0.0)
    assert 30_000 < held.memory < 33_000
    taken = held.take("a")
    assert [(each.item, each.response) for each in taken] == [(item, None) for item in items]
    for each in taken:
        held.done(each)
    assert held.memory == 0
