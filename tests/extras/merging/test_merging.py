"""Stores that are merged: what one crawl would have kept of all, in any order, however often."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from scrapy_blockfilter.extras.merging.command import MergeableFile
from scrapy_blockfilter.extras.merging.merging import merge
from scrapy_blockfilter.html import Page, PageCaches, parse, segment
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.store import SqliteStore, Suspect
from scrapy_blockfilter.store.corrections import add, undo
from scrapy_blockfilter.store.keys import layout_key, misfits_key, stored_key
from tests.support.made_sites import make_site

LIMIT = 12
TERMS = PageCaches()
OLD = [segment(parse(page.html), TERMS) for page in make_site("div", 12).pages]
NEW = [segment(parse(page.html), TERMS) for page in make_site("semantic", 12, seed=1).pages]
SITE = "news.example"


def sample_of(numbers: Iterable[int], pages: list[Page] = OLD, first: int = 0) -> SiteSample:
    sample = SiteSample(LIMIT)
    for number in numbers:
        sample.add(first + number, pages[number])
    return sample


def store_of(path: Path, samples: dict[str, SiteSample]) -> Path:
    with closing(SqliteStore(path)) as store:
        for site, sample in samples.items():
            store.save(site, sample)
    return path


def merged(paths: Iterable[Path], output: Path) -> dict[str, Any]:
    """Merge stores in a process of its own, and return all that is in the result but the times."""
    with ExitStack() as opened:
        stores = [opened.enter_context(closing(MergeableFile(path))) for path in (output, *paths)]
        merge(stores[1:], stores[0], LIMIT)
    return rows(output)


def rows(path: Path) -> dict[str, Any]:
    statements = {
        "pages": "SELECT site, page, blocks, record FROM pages JOIN sites ON sites.id = site_id ORDER BY 1, 2",
        "slots": "SELECT site, slot, parent, label FROM slots JOIN sites ON sites.id = site_id ORDER BY 1, 2",
        "corrections": "SELECT site, action, selector, made, undone IS NULL FROM corrections ORDER BY id",
        "suspects": "SELECT site, url, reason FROM suspicious_pages JOIN sites ON sites.id = site_id ORDER BY 1, 2",
        "times": "SELECT site, first_seen FROM sites ORDER BY site",
    }
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return {name: connection.execute(statement).fetchall() for name, statement in statements.items()}


@pytest.fixture
def paths(tmp_path: Path) -> list[Path]:
    return three_stores(tmp_path)


def three_stores(folder: Path) -> list[Path]:
    """Three stores: of the same site, one of them since its redesign, and of sites of their own."""
    chooser = random.Random(1)
    made = [
        {SITE: sample_of(range(8)), "a.example": sample_of([1, 2])},
        {SITE: sample_of(range(5, 12)), layout_key(SITE, 2): sample_of(range(6), NEW, 100)},
        {SITE: sample_of(range(3, 12), NEW, 100), misfits_key(SITE): sample_of([2]), "c.example": sample_of([3])},
    ]
    paths = [store_of(folder / f"{number}.db", samples) for number, samples in enumerate(made)]
    for number, path in enumerate(paths):
        with closing(SqliteStore(path)) as store:
            add(store, SITE, [("drop", f".{number}"), ("keep", ".all")])
            store.note_suspects(SITE, [Suspect(f"http://{chooser.random()}.example/", "lost all")], ())
    return paths


def test_merged_site_has_the_pages_that_one_crawl_would_have_kept(tmp_path: Path) -> None:
    chooser = random.Random(0)
    parts = [chooser.sample(range(12), 7) for _ in range(3)]
    paths = [store_of(tmp_path / f"{number}.db", {SITE: sample_of(part)}) for number, part in enumerate(parts)]
    merged(paths, tmp_path / "all.db")
    with closing(SqliteStore(tmp_path / "all.db")) as store:
        loaded = store.load(SITE, LIMIT)
    expected = sample_of(sorted({number for part in parts for number in part}))
    assert (loaded.records, loaded.texts, loaded.steps) == (expected.records, expected.texts, expected.steps)


def test_order_and_repetition_change_nothing(paths: list[Path], tmp_path: Path) -> None:
    first = merged(paths, tmp_path / "all.db")
    assert merged(paths, tmp_path / "all.db") == first
    assert merged(paths[1:2], tmp_path / "all.db") == first
    assert merged(paths[::-1], tmp_path / "reversed.db") == first
    for path in (paths[2], paths[0], paths[1], paths[0]):
        one_by_one = merged([path], tmp_path / "one by one.db")
    assert one_by_one == first


def test_layouts_are_told_apart_by_their_pages_not_by_their_numbers(paths: list[Path], tmp_path: Path) -> None:
    merged(paths, tmp_path / "all.db")
    with closing(SqliteStore(tmp_path / "all.db")) as store:
        samples = [store.load(layout_key(SITE, number), 100) for number in (1, 2, 3)]
    assert [len(sample) for sample in samples] == [12, 12, 0]
    assert sorted(sorted(sample.records)[0] for sample in samples[:2]) == [0, 100]


def test_samples_of_other_segmenters_stay_apart(tmp_path: Path) -> None:
    key = stored_key(SITE, "dom")
    path = store_of(tmp_path / "a.db", {SITE: sample_of([1]), key: sample_of([2, 3])})
    merged([path], tmp_path / "all.db")
    with closing(SqliteStore(tmp_path / "all.db")) as store:
        assert [len(store.load(site, LIMIT)) for site in (SITE, key)] == [1, 2]


def test_correction_that_was_undone_anywhere_is_undone(paths: list[Path], tmp_path: Path) -> None:
    merged(paths, tmp_path / "all.db")
    with closing(SqliteStore(paths[0])) as store:
        undone = undo(store, SITE)
    assert undone is not None
    merged([paths[0]], tmp_path / "all.db")
    with closing(SqliteStore(tmp_path / "all.db")) as store:
        assert ".1" in store.corrections()[SITE].drop
    found = [row for row in rows(tmp_path / "all.db")["corrections"] if row[2] == undone.selector]
    assert not all(is_in_effect for *_, is_in_effect in found)
    with closing(SqliteStore(paths[1])) as store:  # and made again at once
        undo(store, SITE)
        add(store, SITE, [("keep", ".all")])
    assert merged([paths[1]], tmp_path / "again.db")["corrections"][-1][4]


def test_stores_that_are_read_stay_as_they_are(paths: list[Path], tmp_path: Path) -> None:
    before = [path.read_bytes() for path in paths]
    merged(paths, tmp_path / "all.db")
    assert [path.read_bytes() for path in paths] == before
