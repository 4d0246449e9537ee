"""Slots are kept with their site, and go with it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from scrapy_blockfilter.store import SqliteStore
from scrapy_blockfilter.store.overview import forget
from tests.support.command_line import pages_of
from tests.support.pages import sampled


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "templates.db"


def count(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM slots").fetchone()[0])


def test_slots_come_back_and_are_those_of_all_that_was_saved(path: Path) -> None:
    first, second = sampled(pages_of(3)), sampled(pages_of(3, layout="table"))
    with closing(SqliteStore(path)) as store:
        store.save("news.example", first)
        assert store.load("news.example", 10).steps == first.steps
        store.save("news.example", second)
        assert store.load("news.example", 10).steps == first.steps | second.steps
    with closing(SqliteStore(path)) as store:
        assert store.load("news.example", 10).steps == first.steps | second.steps
        assert count(path) == len(first.steps | second.steps)
        forget(store, "news.example")
    assert count(path) == 0
