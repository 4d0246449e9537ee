"""Samples as bytes: equal for any splits, orders and repeats of the same pages, and refused when they are not whole."""

from __future__ import annotations

import random
import tracemalloc
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scrapy_blockfilter as bf
from scrapy_blockfilter import batch
from scrapy_blockfilter.sample import PageRecord, SiteSample, site_sample
from scrapy_blockfilter.storable import ArrayReader, StateError, Values, pack
from tests.support.made_sites import make_site
from tests.support.pages import segmented

LIMIT = 5
_SITE = make_site("div", pages=4, seed=5, paragraphs=1)
# A page has an identity, a content and a time; any two of them may meet.
_CONTENTS = [page.html for page in _SITE.pages] + [
    "<p>Menu</p><p>A page with e\u0301",
    "<p>Menu</p><p>A page with \xe9",
]
_IDS = [-(2**63), -7, -1, 0, 3, 2**40, 2**63 - 1]
Seen = tuple[int, int, int]
_SEEN = st.tuples(st.sampled_from(_IDS), st.integers(0, len(_CONTENTS) - 1), st.integers(0, 1))
_PAGES = st.lists(_SEEN, min_size=1, max_size=9)
_SEEDS = st.integers(0, 2**32)


def part_of(content: str, time: int) -> PageRecord:
    sample = bf.SiteSample(1)
    sample.add(0, segmented(content), time)
    sample.pack()
    return sample.records[0]


_PARTS = [[part_of(content, time) for time in range(2)] for content in _CONTENTS]


def sample_of_seen(seen: Sequence[Seen]) -> bf.SiteSample:
    sample = bf.SiteSample(LIMIT, epoch=20260401)
    for page, content, time in seen:
        sample.add_rows([(page, _PARTS[content][time])])
    return sample


def settled(seen: Sequence[Seen]) -> list[Seen]:
    """What a sample must hold, said another way: of each page the newest, else the one with the smallest record."""
    kept: list[Seen] = []
    for page in sorted({page for page, _, _ in seen})[:LIMIT]:
        of_page = [one for one in seen if one[0] == page]
        newest = max(time for _, _, time in of_page)
        rank = {one: (_PARTS[one[1]][one[2]].keys, _PARTS[one[1]][one[2]].body) for one in of_page}
        kept.append(min((one for one in of_page if one[2] == newest), key=rank.__getitem__))
    return kept


def split(seen: list[Seen], chooser: random.Random) -> list[list[Seen]]:
    """Divide pages into parts, in another order, some pages and some parts twice."""
    mixed = seen + chooser.choices(seen, k=chooser.randint(0, 3))
    chooser.shuffle(mixed)
    cuts = sorted(chooser.choices(range(len(mixed) + 1), k=chooser.randint(0, 3)))
    parts = [mixed[start:end] for start, end in zip([0, *cuts], [*cuts, len(mixed)], strict=True)]
    return parts + chooser.choices(parts, k=chooser.randint(0, 2))


@pytest.mark.slow
@given(_PAGES, _SEEDS)
def test_any_splits_orders_and_repeats_give_equal_bytes(seen: list[Seen], seed: int) -> None:
    expected = sample_of_seen(settled(seen))
    assert sample_of_seen(seen).to_bytes() == expected.to_bytes()
    chooser = random.Random(seed)
    for nested in (False, True) * 5:  # ten thousand splits in all: Hypothesis would take most of its time to draw them
        samples = [sample_of_seen(part) for part in split(seen, chooser)]
        if nested:
            samples = [batch.merge(*samples[start : start + 2]) for start in range(0, len(samples), 2)]
        merged = batch.merge(*samples)
        assert merged.to_bytes() == expected.to_bytes()
        assert merged.digest() == expected.digest()


@given(_PAGES, _SEEDS)
def test_rows_are_taken_by_the_same_rule(seen: list[Seen], seed: int) -> None:
    options = bf.Options(pages=1)
    rows = [
        [batch.PageRow("a.example", page, _CONTENTS[content], "", time) for page, content, time in part]
        for part in split(seen, random.Random(seed))
    ]
    merged = batch.merge(*(batch.sample_of(part, options) for part in rows))
    expected = bf.SiteSample(4)
    for page, content, time in settled(seen)[:4]:
        expected.add(page, segmented(_CONTENTS[content]), time)
    assert merged.to_bytes() == expected.to_bytes()


def whole() -> bf.SiteSample:
    return sample_of_seen([(page, number % 4, 1) for number, page in enumerate(_IDS[:3])])


def test_sample_comes_back_from_its_bytes_and_tells_no_order_of_spellings() -> None:
    sample = whole()
    again = bf.SiteSample.from_bytes(sample.to_bytes())
    assert (again.records, again.texts, again.digest()) == (sample.records, sample.texts, sample.digest())
    assert (again.limit, again.epoch, again.segmenter) == (LIMIT, 20260401, "chunks")
    assert [record.time for record in again.records.values()] == [1, 1, 1]
    empty = bf.SiteSample(3)
    assert bf.SiteSample.from_bytes(empty.to_bytes()).to_bytes() == empty.to_bytes()
    composed, decomposed = _CONTENTS[-1], _CONTENTS[-2]
    rows = [batch.PageRow("a", 1, composed), batch.PageRow("a", 2, decomposed)]
    assert set(batch.sample_of(rows).texts.values()) == {"Menu", "A page with \xe9"}


@pytest.mark.parametrize("epoch", ["20260401", None, 20260401.0, -1, 2**63])
def test_epoch_that_could_not_be_read_back_is_refused(epoch: Any) -> None:
    with pytest.raises(ValueError, match="an epoch is a whole number such as 20260401, not "):
        batch.sample_of([], epoch=epoch)


def test_samples_of_other_crawls_sizes_or_segmenters_do_not_merge() -> None:
    april, october = bf.SiteSample(LIMIT, epoch=20260401), bf.SiteSample(LIMIT, epoch=20261001)
    with pytest.raises(batch.MergeError, match="samples of different epochs do not merge: 20260401 and 20261001"):
        batch.merge(april, october)
    assert april.to_bytes() != october.to_bytes()
    assert batch.merge(april, april).to_bytes() == april.to_bytes()
    with pytest.raises(batch.MergeError, match="limits do not merge: 5 and 6"):
        batch.merge(bf.SiteSample(5), bf.SiteSample(6))
    dom = bf.SiteSample(40, segmenter="dom")
    with pytest.raises(batch.MergeError, match="segmenters do not merge: 'dom' and 'chunks'"):
        batch.merge(dom, batch.sample_of([]))
    with pytest.raises(ValueError, match="a sample of 'dom' blocks, where the options want 'chunks'"):
        batch.fit(dom)
    with pytest.raises(ValueError, match="no page to learn from"):
        batch.fit(batch.sample_of([batch.PageRow("a", 1, "")]))


_WHOLE = whole().to_bytes()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        *((wrong, "of a size that none has") for wrong in (b"", b"BFst")),
        (bytes(1000), "of another version"),
        (_WHOLE[:4] + b"\x02" + _WHOLE[5:], "of another version"),
        (_WHOLE[:-1], "not what was written"),
        (batch.fit(whole()).to_bytes(), "not what was written"),
    ],
)
def test_what_is_no_sample_is_refused(wrong: object, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        bf.SiteSample.from_bytes(wrong)  # type: ignore[arg-type]


def test_whatever_somebody_makes_is_refused_or_is_a_sample_that_can_be_fitted() -> None:
    """The checksum is right here, as in bytes that somebody made."""
    genuine = whole().state()
    refused = used = 0
    for name, value in genuine.items():
        others: list[object] = [None, -1, 0, 10**30, "", "chunks 5", "x" * 100, 0.5]
        if isinstance(value, np.ndarray):
            others += [value[:-1], value[:0], np.concatenate([value, value]), value[::-1], np.zeros_like(value)]
            others += [np.full_like(value, np.iinfo(value.dtype).max), np.full_like(value, np.iinfo(value.dtype).min)]
        for other in others:
            values: Values = {key: one for key, one in genuine.items() if key != name}
            if other is not None:
                values[name] = other  # type: ignore[assignment]
            try:
                sample = SiteSample.from_bytes(pack(values, b"sample 2", site_sample.MAX_BYTES))
            except StateError:
                refused += 1
                continue
            used += 1
            assert len(sample) <= sample.limit
            if sample.records:
                assert bf.SiteSample.from_bytes(sample.to_bytes()).to_bytes() == sample.to_bytes()
    assert refused > 5 * len(genuine)
    assert used > 0


@pytest.mark.slow
def test_claims_of_sizes_take_no_memory() -> None:
    """A record that inflates to a gigabyte, and sizes of records that are not there."""
    sample = whole()
    page, record = next(iter(sample.records.items()))
    sample.records[page] = PageRecord(record.keys, zlib.compress(bytes(2**28), 9))
    values = sample.state()
    packed = pack(values, b"sample 2", site_sample.MAX_BYTES)
    huge = whole().state()
    huge["sizes"] = np.full((3, 2), 2**40)
    tracemalloc.start()
    for wrong in (ArrayReader(values), ArrayReader(huge)):
        with pytest.raises(StateError):
            SiteSample.restored(wrong)
    with pytest.raises(StateError):
        bf.SiteSample.from_bytes(packed)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20 * 2**20


def test_sample_beyond_the_bound_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_sample, "MAX_BYTES", 1000)
    with pytest.raises(ValueError, match="more than 1,000"):
        whole().to_bytes()
    with pytest.raises(ValueError, match="of a size that none has"):
        bf.SiteSample.from_bytes(_WHOLE)
