"""What is remembered of pages: keys of chunks and lines, what makes a change, and the bounds of what keeps it."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import scrapy_blockfilter as bf
from scrapy_blockfilter.extras.changes import chunk_key, file
from scrapy_blockfilter.extras.changes.file import DAYS, MemoryFile
from scrapy_blockfilter.extras.changes.keys import chunks_beyond, shown_of
from scrapy_blockfilter.extras.changes.memory import MOST_CHUNKS, MOST_ITEMS, MOST_LINES, Remembered, Shown, place_of
from scrapy_blockfilter.extras.changes.server import MemoryServer
from scrapy_blockfilter.extras.changes.site_news import LEAST, SHARE, SiteNews
from scrapy_blockfilter.store import StoreError
from tests.extras.changes.shops import WITHDRAWN, shop_page
from tests.support.made_sites import make_site

SITE = make_site("div", 12, seed=5, rich=True)
MODEL = bf.learn([page.html for page in SITE.pages])
SHOP = bf.learn([shop_page(number) for number in range(14)])
LARGE = 10**9
KEYS = st.integers(-(2**63), 2**63 - 1)
SHOWN = st.builds(
    Shown,
    st.frozensets(KEYS, min_size=1, max_size=5),
    st.lists(KEYS, max_size=9).map(lambda keys: tuple(sorted(keys))),
    st.lists(KEYS, max_size=9).map(tuple),
)
# Lines of two versions of a page, most of them the same.
OF_FEW = st.lists(st.integers(0, 9), min_size=4).map(tuple)


@given(SHOWN)
def test_what_a_page_showed_is_read_as_it_was_written(shown: Shown) -> None:
    assert Shown.from_bytes(shown.to_bytes()) == shown


@given(st.binary(max_size=60))
def test_bytes_of_anything_are_keys_or_refused(data: bytes) -> None:
    try:
        shown = Shown.from_bytes(data)
    except ValueError:
        return
    assert 8 * (len(shown.items) + len(shown.chunks) + len(shown.lines)) <= len(data)


@given(SHOWN, st.lists(st.integers(0, 2**32 - 1), min_size=1))
def test_what_release_0_3_wrote_is_known_by_its_texts_and_not_by_its_lines(shown: Shown, gone: list[int]) -> None:
    head = np.array([len(shown.items), len(shown.chunks), len(shown.lines)], ">u2")
    keys, kept = np.array([*sorted(shown.items), *shown.chunks], ">i8"), np.array(shown.lines, ">i8").astype(">u4")
    old = Shown.from_bytes(head.tobytes() + keys.tobytes() + kept.tobytes() + np.array(gone, ">u4").tobytes())
    assert old == shown._replace(lines=())
    assert old.says_the_same(shown)
    assert not old.says_the_same(shown._replace(items=frozenset(range(9)) - shown.items))


@given(SHOWN, SHOWN)
def test_page_of_several_items_says_what_each_of_them_says(one: Shown, other: Shown) -> None:
    both = one.merged(other)
    assert both.says_the_same(one)
    assert both.says_the_same(other)
    assert Counter(both.chunks) == Counter(one.chunks) | Counter(other.chunks)
    assert one.merged(one) == one


def test_keys_of_a_page_are_bounded_whatever_it_shows() -> None:
    shown = Shown(frozenset([-1]))
    for item in range(2 * MOST_ITEMS):
        shown = shown.merged(Shown(frozenset([item]), tuple(range(item * 10, item * 10 + 10))))
    assert (len(shown.items), len(shown.chunks)) == (MOST_ITEMS, MOST_CHUNKS)
    long = bf.clean("<html><body>" + "".join(f"<p>Boat {n} came home late.</p>" for n in range(MOST_LINES + 1)))
    assert len(long.lines) > MOST_LINES
    assert shown_of(long).lines == ()


@given(st.lists(KEYS, min_size=1, max_size=8), st.data())
def test_each_line_counts_as_often_as_it_stands_and_in_its_place(lines: list[int], data: st.DataObject) -> None:
    before = Shown(frozenset([1]), (), tuple(lines))
    place = data.draw(st.integers(0, len(lines)))
    more = [*lines[:place], data.draw(st.sampled_from(lines)), *lines[place:]]
    turned = data.draw(st.permutations(lines))
    for number, other in enumerate((more, more[1:] if len(lines) > 1 else [], turned), 2):
        now = Shown(frozenset([number]), (), tuple(other))
        assert before.says_the_same(now) == now.says_the_same(before) == (other == lines)


@given(*[st.builds(Shown, st.frozensets(KEYS, min_size=1), st.just(()), OF_FEW)] * 2)
def test_news_of_the_site_make_no_change_and_are_no_news_a_second_time(before: Shown, now: Shown) -> None:
    news = before.news(now)
    assume(before.says_the_same(now, news))
    told = before.told(now)
    assert told.says_the_same(now)
    assert not told.news(now)
    # An item that was shown before has no other lines; made ones may.
    assert now.items <= before.items or told._replace(lines=before.lines) == before


@given(OF_FEW, st.sampled_from(range(10)), st.integers(1, 3))
def test_line_met_more_often_than_on_other_pages_is_the_pages_own(lines: tuple[int, ...], line: int, more: int) -> None:
    site_news = SiteNews()
    before, other = Shown(frozenset([1]), (), lines), Shown(frozenset([2]), (), (*lines, line))
    now = Shown(frozenset([3]), (), (*lines, *[line] * (1 + more)))
    for page in range(LEAST):
        shared = site_news.shared("site", page, before.news(other))
    assert before.says_the_same(other, shared)
    assert not before.says_the_same(now, site_news.shared("site", LEAST, before.news(now)))


def met(site_news: SiteNews, pages: range, news: frozenset[int] = frozenset([7])) -> list[frozenset[int]]:
    return [site_news.shared("site", page, news) for page in pages]


def test_text_is_of_the_site_once_enough_pages_have_it_anew() -> None:
    assert met(SiteNews(), range(20)) == [frozenset()] * (LEAST - 1) + [frozenset([7])] * (21 - LEAST)


def test_page_met_again_is_no_second_page_and_no_page_of_another_site() -> None:
    site_news = SiteNews()
    assert not any(met(site_news, range(LEAST - 1)) + met(site_news, range(LEAST - 1)))
    assert not site_news.shared("other", LEAST, frozenset([7]))
    assert site_news.shared("site", LEAST, frozenset([7, 8])) == {7}


@given(KEYS, KEYS)
def test_text_that_comes_to_a_page_is_of_the_site_if_it_is_stripped_from_the_others(notice: int, other: int) -> None:
    assume(notice not in (other, other + 1))
    site_news = SiteNews()
    before, now = Shown(frozenset([1]), (), (other,)), Shown(frozenset([2]), (), (other, notice))
    for page in range(LEAST - 1):
        assert not site_news.shared("site", page, frozenset(), np.array([notice, other]).view(np.uint64))
    assert before.says_the_same(now, site_news.shared("site", LEAST, before.news(now)))
    assert not now.says_the_same(before, site_news.shared("site", LEAST, now.news(before)))
    more = now._replace(items=frozenset([3]), lines=(other, notice, other + 1))
    assert not before.says_the_same(more, site_news.shared("site", LEAST, before.news(more)))


def test_text_that_comes_to_some_pages_of_a_site_is_theirs() -> None:
    site_news = SiteNews()
    rest = round((1 / SHARE - 1) * LEAST) + 1
    met(site_news, range(100, 100 + rest), frozenset())
    assert not any(met(site_news, range(LEAST)))


def test_notice_that_comes_up_during_a_crawl_and_pages_of_any_news_are_bounded() -> None:
    site_news = SiteNews()
    met(site_news, range(10_000), frozenset())
    assert met(site_news, range(10_000, 10_100))[-1] == {7}
    assert not any(met(site_news, range(10_200, 10_300), frozenset(range(5_000))))
    for site in range(2_000):
        site_news.shared(str(site), 1, frozenset([7]))
    assert not site_news.shared("site", 1, frozenset([7]))


def test_line_is_another_one_in_another_place_of_the_template() -> None:
    keys = [shown_of(MODEL.clean(f"<html><body><div class={name}><p>Sold out")) for name in ("story", "story", "offer")]
    assert keys[0] == keys[1]
    assert keys[0].items == keys[2].items
    assert not set(keys[0].lines) & set(keys[2].lines)


@given(*[st.lists(st.sampled_from(["In stock", "Sold out", WITHDRAWN]), max_size=4)] * 4)
def test_page_says_the_same_if_its_clean_text_does_whatever_its_readers_said(
    said: list[str], says: list[str], commented: list[str], comments: list[str]
) -> None:
    before, after = SHOP.clean(shop_page(5, said, commented)), SHOP.clean(shop_page(5, says, comments))
    assert "Comments" not in before.text + after.text
    assert shown_of(before).says_the_same(shown_of(after)) == (before.text == after.text)
    chunks, now = (Counter(chunk_key(chunk) for chunk in page.chunks) for page in (before, after))
    assert Counter(map(chunk_key, chunks_beyond(shown_of(before).chunks, after))) == now - chunks


@given(st.lists(st.sampled_from(SITE.pages[0].markup), min_size=1, max_size=6), st.data())
def test_chunks_that_a_page_did_not_have_hold_all_that_is_new(markup: list[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(markup)))
    added = "Nobody had written these words on any page of the site before, in this order at least."
    pages = ["".join(markup), "".join([*markup[:place], f"<p>{added}</p>", *markup[place:]])]
    before, after = (MODEL.clean(f"<html><body><div class=story>{page}</div>") for page in pages)
    known = shown_of(before).chunks
    new = chunks_beyond(known, after)
    assert added in "".join(chunk["text"] for chunk in new) or added not in after.text
    assert Counter(map(chunk_key, new)) == Counter(shown_of(after).chunks) - Counter(known)
    assert chunks_beyond(known, before) == []
    assert chunks_beyond((), after) == after.chunks


def test_forms_are_none_outside_of_a_crawl() -> None:
    cleaned = MODEL.clean(SITE.pages[0].html)
    assert cleaned.form("change") is None
    assert cleaned.form("changed_chunks") is None


def page_of(number: int, run: int, before: Shown | None = None) -> Remembered:
    shown = Shown(frozenset([number]))
    return Remembered(run, shown, before, place_of("site", shown))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "made" / "changes.db"


@pytest.fixture
def memory(path: Path) -> Iterator[MemoryFile]:
    with closing(MemoryFile(path, LARGE)) as memory:
        yield memory


def test_memory_gives_back_what_it_was_given(memory: MemoryFile | MemoryServer) -> None:
    old, new = page_of(1, -7), page_of(2, 8, Shown(frozenset([3]), (5, 6, 6), (2, 1, 2)))
    memory.write({5: old, -11: new})
    assert memory.page(5) == old
    assert memory.page(-11) == new
    assert memory.page(7) is None
    assert memory.pages_at(old.place) == [old]
    assert memory.pages_at(0) == memory.pages_at(1) == []
    assert not memory.is_finished(-7)
    memory.finish(-7)
    assert memory.is_finished(-7)
    assert not memory.is_finished(8)


def test_file_forgets_the_pages_not_met_for_longest(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    day = 20_000
    monkeypatch.setattr(file, "_today", lambda: day)
    monkeypatch.setattr(file, "_BATCH", 50)
    with closing(MemoryFile(path, 100_000)) as memory:
        for day in range(20_000, 20_020):
            memory.write({day * 100 + number: page_of(number, day) for number in range(100)})
        kept = [page for page in range(2_000_000, 2_002_000) if memory.page(page)]
    assert 100 <= len(kept) < 2_000
    assert kept[-1] == 2_001_999
    assert {page // 100 for page in kept} == set(range(kept[0] // 100, 20_020))
    assert path.stat().st_size < 200_000


def test_file_forgets_pages_not_met_for_a_year_and_more(memory: MemoryFile, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.write({1: page_of(1, 7)})
    memory.finish(7)
    today = file._today()
    monkeypatch.setattr(file, "_today", lambda: today + DAYS)
    memory.finish(8)
    assert memory.page(1) is not None
    monkeypatch.setattr(file, "_today", lambda: today + DAYS + 1)
    memory.finish(9)
    assert memory.page(1) is None
    assert not memory.is_finished(7)


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        ("PRAGMA application_id = 1", "another program's"),
        ("PRAGMA user_version = 9", "newer release"),
        ("CREATE TRIGGER t AFTER INSERT ON pages BEGIN SELECT 1; END", "this package's schema"),
        ("DROP TABLE runs", "this package's schema"),
    ],
)
def test_file_that_is_not_ours_is_refused_and_left_alone(harm: str, told: str, path: Path) -> None:
    MemoryFile(path, LARGE).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(harm)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=told):
        MemoryFile(path, LARGE)
    assert path.read_bytes() == before


def test_damaged_row_is_an_error_that_names_the_file(path: Path, memory: MemoryFile) -> None:
    memory.write({1: page_of(1, 7)})
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE pages SET now = x'00ff'")
    with pytest.raises(StoreError, match=r"changes\.db is damaged"):
        memory.page(1)


def test_file_of_release_0_3_keeps_its_pages_without_their_lines(path: Path) -> None:
    text = (-7).to_bytes(8, "big", signed=True)
    written = bytes([0, 1, 0, 0, 0, 2]) + text + bytes(4 * 5)  # two lines that stay, and three that go
    with closing(MemoryFile(path, LARGE)) as memory:
        memory.write({1: page_of(1, 7), 2: page_of(2, 7)})
        memory.finish(7)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE pages SET now = ?, before = ? WHERE page = 1", (written, written))
        connection.execute("PRAGMA user_version = 1")
    for _ in range(2):
        with closing(MemoryFile(path, LARGE)) as memory:
            found = memory.page(1)
            assert found is not None
            assert found.now == found.before == Shown(frozenset([-7]))
            assert memory.page(2) is not None
            assert memory.is_finished(7)


def test_crawls_share_a_file(path: Path, memory: MemoryFile) -> None:
    with closing(MemoryFile(path, LARGE)) as other:
        memory.write({1: page_of(1, 7)})
        other.write({2: page_of(2, 8)})
        other.finish(8)
        assert other.page(1) == memory.page(1)
        assert memory.is_finished(8)
