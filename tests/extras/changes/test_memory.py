"""What is remembered of pages: keys of chunks and lines, what makes a change, and the bounds of what keeps it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import scrapy_blockfilter as bf
from scrapy_blockfilter.extras.changes import chunk_key, file, text_key
from scrapy_blockfilter.extras.changes.file import DAYS, MemoryFile
from scrapy_blockfilter.extras.changes.keys import shown_of
from scrapy_blockfilter.extras.changes.memory import Memory, Remembered, Shown, place_of
from scrapy_blockfilter.extras.changes.site_news import LEAST, SHARE, SiteNews
from scrapy_blockfilter.store import StoreError
from tests.support.made_sites import make_site

SITE = make_site("div", 12, seed=5, rich=True)
MODEL = bf.learn([page.html for page in SITE.pages])
LARGE = 10**9
KEYS = st.integers(-(2**63), 2**63 - 1)
LINES = st.integers(0, 2**32 - 1)
SHOWN = st.builds(
    Shown,
    st.frozensets(KEYS, min_size=1, max_size=5),
    st.frozensets(KEYS, max_size=9),
    st.lists(LINES, max_size=9).map(tuple),
    st.frozensets(LINES, max_size=9),
)
# Lines of two versions of a page, most of them the same.
OF_FEW = st.frozensets(st.integers(0, 9), min_size=4)


@given(SHOWN)
def test_what_a_page_showed_is_read_as_it_was_written(shown: Shown) -> None:
    assert Shown.from_bytes(shown.to_bytes()) == shown


@given(st.binary(max_size=60))
def test_bytes_of_anything_are_keys_or_refused(data: bytes) -> None:
    try:
        shown = Shown.from_bytes(data)
    except ValueError:
        return
    assert len(shown.items) + len(shown.chunks) + len(shown.kept) + len(shown.gone) <= len(data)


@given(SHOWN, SHOWN)
def test_page_of_several_items_says_what_each_of_them_says(one: Shown, other: Shown) -> None:
    both = one.merged(other)
    assert both.says_the_same(one)
    assert both.says_the_same(other)
    assert both.chunks == one.chunks | other.chunks
    assert one.merged(one) == one


@given(st.lists(LINES, min_size=2, max_size=8, unique=True), st.data())
def test_other_verdict_on_a_line_is_no_change_and_another_line_is(lines: list[int], data: st.DataObject) -> None:
    cut = data.draw(st.integers(1, len(lines) - 1))
    before = Shown(frozenset([1]), frozenset(), tuple(lines), frozenset())
    stripped = Shown(frozenset([2]), frozenset(), tuple(lines[:cut]), frozenset(lines[cut:]))
    lost = Shown(frozenset([3]), frozenset(), tuple(lines[:cut]), frozenset())
    turned = Shown(frozenset([4]), frozenset(), tuple(reversed(lines)), frozenset())
    assert before.says_the_same(stripped)
    assert stripped.says_the_same(before)
    assert not before.says_the_same(lost)
    assert not lost.says_the_same(before)
    assert not before.says_the_same(turned)


@given(*[st.builds(Shown, st.frozensets(KEYS, min_size=1), st.frozensets(KEYS), OF_FEW.map(tuple), OF_FEW)] * 2)
def test_news_of_the_site_make_no_change_and_are_no_news_a_second_time(before: Shown, now: Shown) -> None:
    news = before.news(now)
    assume(before.says_the_same(now, news))
    told = before.told(now, news)
    assume(told.kept)
    assert told.says_the_same(now)
    # An item that was shown before has no other lines; made ones may.
    assert now.items <= before.items or told.says_the_same(before) or not before.says_the_same(now)
    assert told.chunks == (now if now.items <= before.items else before).chunks


def met(site_news: SiteNews, pages: range, news: frozenset[int] = frozenset([7])) -> list[frozenset[int]]:
    return [site_news.shared("site", page, news) for page in pages]


def test_text_is_of_the_site_once_enough_pages_have_it_anew() -> None:
    assert met(SiteNews(), range(20)) == [frozenset()] * (LEAST - 1) + [frozenset([7])] * (21 - LEAST)


def test_page_met_again_is_no_second_page_and_no_page_of_another_site() -> None:
    site_news = SiteNews()
    assert not any(met(site_news, range(LEAST - 1)) + met(site_news, range(LEAST - 1)))
    assert not site_news.shared("other", LEAST, frozenset([7]))
    assert site_news.shared("site", LEAST, frozenset([7, 8])) == {7}


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


def test_long_text_is_the_same_line_wherever_it_stands_and_a_value_is_not() -> None:
    def lines(html: str) -> set[int]:
        shown = shown_of(MODEL.clean(f"<html><body>{html}</body></html>"))
        return {*shown.kept, *shown.gone}

    story = "The old harbour of the island was painted green again"
    assert lines(f"<div><p>{story}</p></div>") == lines(f"<section><ul><li>{story}</li></ul></section>")
    for value in ("Sold out", f"{story} for 12 euros"):
        assert not lines(f"<div><p>{value}</p></div>") & lines(f"<section><ul><li>{value}</li></ul></section>")


@given(st.lists(st.sampled_from(SITE.pages[0].markup), min_size=1, max_size=6), st.data())
def test_chunks_that_a_page_did_not_have_hold_all_that_is_new(markup: list[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(markup)))
    added = "Nobody had written these words on any page of the site before, in this order at least."
    pages = ["".join(markup), "".join([*markup[:place], f"<p>{added}</p>", *markup[place:]])]
    before, after = (MODEL.clean(f"<html><body><div class=story>{page}</div>") for page in pages)
    known = shown_of(before).chunks
    new = [chunk for chunk in after.chunks if chunk_key(chunk) not in known]
    assert added in "".join(chunk["text"] for chunk in new) or added not in after.text
    assert {chunk_key(chunk) for chunk in new} | known >= shown_of(after).chunks
    assert [chunk for chunk in before.chunks if chunk_key(chunk) not in known] == []


def test_forms_are_none_outside_of_a_crawl() -> None:
    cleaned = MODEL.clean(SITE.pages[0].html)
    assert cleaned.form("change") is None
    assert cleaned.form("changed_chunks") is None


def test_key_of_a_text_is_that_of_its_words_and_marks() -> None:
    html = SITE.pages[0].html
    key = text_key(MODEL.clean(html))
    assert text_key(MODEL.clean(html.replace("<p>", "\n<p> "))) == key
    assert text_key(MODEL.clean(html.replace(SITE.pages[0].content[1], SITE.pages[0].content[1] + "!"))) != key


def page_of(number: int, run: int, before: Shown | None = None) -> Remembered:
    shown = Shown(frozenset([number]))
    return Remembered(run, shown, before, place_of("site", shown))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "made" / "changes.db"


@pytest.fixture
def memory(path: Path) -> Iterator[Memory]:
    with closing(MemoryFile(path, LARGE)) as memory:
        yield memory


def test_memory_gives_back_what_it_was_given(memory: Memory) -> None:
    old, new = page_of(1, 7), page_of(2, 8, Shown(frozenset([3])))
    memory.write({5: old, -6: new})
    assert memory.page(5) == old
    assert memory.page(-6) == new
    assert memory.page(7) is None
    assert memory.pages_at(old.place) == [old]
    assert memory.pages_at(0) == memory.pages_at(1) == []
    assert not memory.is_finished(7)
    memory.finish(7)
    assert memory.is_finished(7)
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


def test_file_forgets_pages_that_no_crawl_has_met_for_a_year_and_more(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_damaged_row_is_an_error_that_names_the_file(path: Path, memory: Memory) -> None:
    memory.write({1: page_of(1, 7)})
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE pages SET now = x'00ff'")
    with pytest.raises(StoreError, match=r"changes\.db is damaged"):
        memory.page(1)


def test_crawls_share_a_file(path: Path, memory: Memory) -> None:
    with closing(MemoryFile(path, LARGE)) as other:
        memory.write({1: page_of(1, 7)})
        other.write({2: page_of(2, 8)})
        other.finish(8)
        assert other.page(1) == memory.page(1)
        assert memory.is_finished(8)
