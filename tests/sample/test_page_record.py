"""Records as bytes: reading accepts only what writing makes, from any source, in bounded memory."""

from __future__ import annotations

import json
import random
import tracemalloc
import zlib
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from scrapy_blockfilter import Options
from scrapy_blockfilter.html import UnfitPage, parse, segment
from scrapy_blockfilter.html.caches import PageCaches
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.model import fit
from scrapy_blockfilter.options import METHODS
from scrapy_blockfilter.sample import PageRecord, SiteSample
from scrapy_blockfilter.sample.page_record import MAX_BLOCKS, MAX_BODY, pack, unpack
from tests.support.made_sites import make_site

TERMS = PageCaches()
SITE = make_site(pages=4)
RECORDS = [PageRecord.of(segment(parse(page.html), TERMS)) for page in SITE.pages]
BLOCKS = len(RECORDS[0].keys) // 8


def body() -> dict[str, Any]:
    loaded = json.loads(zlib.decompress(RECORDS[0].body))
    assert isinstance(loaded, dict)
    return loaded


def packed(content: object) -> bytes:
    return zlib.compress(json.dumps(content).encode())


def test_what_was_packed_comes_back() -> None:
    assert unpack(pack(body()), BLOCKS) == body()
    assert pack(body()) == RECORDS[0].body


def changed(change: Callable[[dict[str, Any]], Any]) -> bytes:
    content = body()
    change(content)
    return packed(content)


def _without(key: str) -> Callable[[dict[str, Any]], object]:
    return lambda content: content.pop(key)


def _shortened(key: str) -> Callable[[dict[str, Any]], object]:
    return lambda content: content[key].pop()


def _set(*path: Any, to: Any) -> Callable[[dict[str, Any]], None]:
    def change(content: Any) -> None:
        for key in path[:-1]:
            content = content[key]
        content[path[-1]] = to

    return change


def _each(*path: Any, to: Sequence[Any]) -> list[bytes]:
    return [changed(_set(*path, to=value)) for value in to]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        RECORDS[0].body[:-1],
        RECORDS[0].body[1:],
        RECORDS[0].body + b"x",
        packed(None),
        packed([]),
        packed({}),
        packed("text"),
        zlib.compress(b"{"),
        zlib.compress(b'{"tags": \xff}'),
        zlib.compress(b"[" * 1_000_000),
        zlib.compress(b'{"tags":' * 100_000),
        zlib.compress(b"1" * 1_000_000),
        *(
            changed(_without(key))
            for key in ("language", "tags", "parents", "slots", "tag_paths", "hints", "numbers", "blocks")
        ),
        *(changed(_shortened(key)) for key in ("tags", "parents", "slots", "tag_paths", "hints", "numbers", "blocks")),
        *(
            data
            for key in ("language", "tags", "parents", "slots", "tag_paths", "hints", "numbers", "blocks")
            for data in _each(key, to=[None, 1, [], {}, [None], [[]], "x" * 100])
        ),
        changed(_set("parents", 0, to=0)),
        changed(_set("parents", 3, to=3)),
        changed(_set("parents", 3, to=-1)),
        changed(_set("parents", 3, to=10**10)),
        changed(_set("tags", 1, to=1)),
        changed(_set("hints", 1, to=-1)),
        changed(_set("hints", 1, to=1 << 40)),
        *(data for key in ("slots", "tag_paths") for data in _each(key, 1, to=[0.5, 1 << 63, "1", None])),
        *_each("numbers", 1, 1, to=[-1, 0.5, float("nan"), float("inf"), 10**10, "1", []]),
        changed(_set("numbers", 1, to=[])),
        *_each("blocks", 1, 0, to=[-1, 10**6, 0.0, None, "0"]),
        *_each("blocks", 1, 1, to=[-1, float("nan"), 10**20, None]),
        *_each("blocks", 1, 2, to=[-1, float("-inf"), 10**10, []]),
        *_each("blocks", 1, 3, to=[[], [1, 1, 1], [1, 1, 1, -1], [1, 1, 1, 0.5], 1, None]),
        *_each("blocks", 1, 4, to=[None, 1, [0.5], ["1"], [1 << 63], [[1]], "terms", {}]),
        changed(_set("blocks", 1, to=[0, 1, 1, [0, 0, 0, 0]])),
    ],
)
def test_bytes_of_another_form_are_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"record|Expecting|codec|digits"):
        unpack(data, BLOCKS)


def test_more_or_fewer_blocks_than_keys_are_a_value_error() -> None:
    for blocks in (0, BLOCKS - 1, BLOCKS + 1, MAX_BLOCKS + 1):
        with pytest.raises(ValueError, match="do not fit each other"):
            unpack(RECORDS[0].body, blocks)
    with pytest.raises(ValueError, match="multiple of item size"):
        PageRecord(RECORDS[0].keys[:-1], RECORDS[0].body).decode()


@pytest.mark.slow
def test_gigabyte_in_a_megabyte_takes_no_more_memory_than_a_record_may() -> None:
    squeeze = zlib.compressobj(9)
    zeros = bytes(10_000_000)
    bomb = b"".join([squeeze.compress(zeros) for _ in range(100)]) + squeeze.flush()
    assert len(bomb) < 1_000_000
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=f"more than {MAX_BODY:,} bytes"):
            unpack(bomb, BLOCKS)
        assert tracemalloc.get_traced_memory()[1] < 4 * MAX_BODY
    finally:
        tracemalloc.stop()


def test_page_whose_record_would_be_too_large_is_unfit() -> None:
    words = " ".join(f"word{number:x}" for number in range(400_000))
    page = segment(parse(f"<p>{words}</p>"), TERMS)
    with pytest.raises(UnfitPage, match=f"more than {MAX_BODY:,}") as raised:
        PageRecord.of(page)
    assert raised.value.reason == "record_too_large"


@pytest.mark.parametrize("seed", range(6))
def test_a_record_changed_anywhere_is_a_value_error_or_can_be_learnt_from(seed: int) -> None:
    chooser = random.Random(seed)
    values: list[Any] = [0, 1, -1, 2**31, 2**63 - 1, -(2**63), 2**64, 0.5, float("nan"), None, "", "p", [], {}, True]
    outcomes = set()
    for _ in range(60):
        content = body()
        for _ in range(chooser.choice((1, 1, 2, 5))):
            place: Any = content
            while True:
                key = chooser.choice(sorted(place) if isinstance(place, dict) else range(len(place)))
                if not isinstance(place[key], list | dict) or not place[key] or chooser.random() < 0.1:
                    break
                place = place[key]
            old = place[key]
            # Often of the same kind, so that it gets past the checks.
            place[key] = (
                chooser.randrange(BLOCKS) if isinstance(old, int) and chooser.random() < 0.7 else chooser.choice(values)
            )
        record = PageRecord(RECORDS[0].keys, packed(content))
        try:
            record.decode()
        except ValueError:
            outcomes.add("refused")
            continue
        outcomes.add("learnt from")
        sample = SiteSample(10)
        sample.add_rows(enumerate([record, *RECORDS[1:]]), {})
        model = fit(sample, Reader(Options(pages=2, method=chooser.choice(tuple(METHODS)))))
        assert model.clean(SITE.pages[0].html).blocks
    assert outcomes == {"refused", "learnt from"}
