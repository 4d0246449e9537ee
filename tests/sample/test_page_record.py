"""Records as bytes: reading accepts only what writing makes, from any source, in bounded memory."""

from __future__ import annotations

import json
import random
import struct
import tracemalloc
import zlib

import pytest

from scrapy_blockfilter import Options
from scrapy_blockfilter.html import Page, Reader, UnfitPage
from scrapy_blockfilter.html.columns import WIDTH
from scrapy_blockfilter.model import fit
from scrapy_blockfilter.sample import MAX_BLOCKS, PageRecord, SiteSample
from scrapy_blockfilter.sample.page_record import MAX_BODY
from tests.support.made_sites import make_site
from tests.support.pages import EVERY_METHOD, segmented

SITE = make_site(pages=4)
RECORDS = [PageRecord.of(segmented(page.html)) for page in SITE.pages]
BLOCKS = len(RECORDS[0].keys) // 8


def body() -> bytearray:
    """The body of the first record as it was before it was compressed."""
    return bytearray(zlib.decompress(RECORDS[0].body))


def decoded(content: bytes | bytearray) -> Page:
    return PageRecord(RECORDS[0].keys, zlib.compress(content)).decode()


def test_what_was_packed_comes_back() -> None:
    assert PageRecord.of(decoded(body())).body == RECORDS[0].body


def changed(*numbers: tuple[int, int]) -> bytearray:
    """The body with other integers: of each the number of the integer, and its value.

    Their first bytes stand together, then their second ones, and so on.
    """
    content = body()
    for place, value in numbers:
        for byte, part in enumerate(value.to_bytes(4, "little")):
            content[HEAD + byte * INTEGERS + place] = part
    return content


def with_head(*sizes: int) -> bytes:
    return struct.pack("<III", *sizes) + body()[HEAD:]


HEAD = 12
NODES, NAMES, TEXTS = struct.unpack_from("<III", body())
INTEGERS = 2 * NODES + (2 + WIDTH) * BLOCKS
# Where integers of each kind begin.
PARENTS, HINTS, OF_BLOCKS, SCRIPTS, NUMBERS = 0, NODES, 2 * NODES, 2 * NODES + BLOCKS, 2 * NODES + 2 * BLOCKS


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"{}", RECORDS[0].body[:-1], RECORDS[0].body[1:], RECORDS[0].body + b"x"),
        *(
            zlib.compress(bytes(content))
            for content in (
                json.dumps({"tags": ["html"], "blocks": []}).encode(),  # as older releases wrote them
                *(b"", b"{}", bytes(1_000_000), body()[:-1], body() + b"x", body()[: HEAD - 1], body()[:HEAD]),
                *(with_head(nodes, NAMES, TEXTS) for nodes in (0, NODES + 1, NODES - 1, 2**32 - 1)),
                with_head(NODES, 2**32 - 1, TEXTS),
                changed((PARENTS, 1)),
                *(changed((PARENTS + 3, parent)) for parent in (0, 4, 2**32 - 1)),
                *(changed((OF_BLOCKS + 1, node)) for node in (NODES, 2**32 - 1)),
                *(changed((kind, 1_000_000_001)) for kind in (SCRIPTS, NUMBERS)),
                changed((INTEGERS - 1, 2**32 - 1)),
                *(body().replace(b"\0head", b"-head", 1), body().replace(b"en\0html", b"\xff\xff\0html", 1)),
                *(body()[:-1] + b"\0", body()[:-1] + b"\xff"),
            )
        ),
    ],
)
def test_bytes_of_another_form_are_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"record|codec"):
        PageRecord(RECORDS[0].keys, data).decode()


def test_more_or_fewer_blocks_than_keys_are_a_value_error() -> None:
    for blocks in (0, BLOCKS - 1, BLOCKS + 1, MAX_BLOCKS + 1):
        with pytest.raises(ValueError, match="do not fit each other"):
            PageRecord(bytes(8 * blocks), RECORDS[0].body).decode()
    with pytest.raises(ValueError, match="multiple of element size"):
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
            PageRecord(RECORDS[0].keys, bomb).decode()
        assert tracemalloc.get_traced_memory()[1] < 4 * MAX_BODY
    finally:
        tracemalloc.stop()


def test_page_whose_record_would_be_too_large_is_unfit() -> None:
    words = " ".join(f"word{number:x}" for number in range(500_000))
    page = segmented(f"<p>{words}</p>")
    with pytest.raises(UnfitPage, match=f"more than {MAX_BODY:,}") as raised:
        PageRecord.of(page)
    assert raised.value.reason == "record_too_large"


@pytest.mark.parametrize("seed", range(6))
def test_a_record_changed_anywhere_is_a_value_error_or_can_be_learnt_from(seed: int) -> None:
    chooser = random.Random(seed)
    outcomes = set()
    for _ in range(60):
        places = [chooser.randrange(INTEGERS) for _ in range(chooser.choice((1, 1, 2, 5)))]
        # Often small, so that it gets past the checks.
        content = changed(*((place, chooser.choice((0, 1, 2, 3, BLOCKS, 2**31, 2**32 - 1))) for place in places))
        if chooser.random() < 0.5:
            content[chooser.randrange(HEAD, len(content))] ^= 1 << chooser.randrange(8)
        record = PageRecord(RECORDS[0].keys, zlib.compress(content))
        try:
            record.decode()
        except ValueError:
            outcomes.add("refused")
            continue
        outcomes.add("learnt from")
        sample = SiteSample(10)
        sample.add_rows(enumerate([record, *RECORDS[1:]]))
        model = fit(sample, Reader(Options(pages=2, method=chooser.choice(EVERY_METHOD))))
        assert model.clean(SITE.pages[0].html).blocks
    assert outcomes == {"refused", "learnt from"}
