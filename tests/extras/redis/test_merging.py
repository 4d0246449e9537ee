"""Stores on servers and in files are merged."""

from __future__ import annotations

from contextlib import ExitStack, closing
from pathlib import Path

from scrapy_blockfilter.extras.redis import RedisStore
from scrapy_blockfilter.store import SqliteStore
from scrapy_blockfilter.store.merging import contents, merge
from tests.store.test_merging import LIMIT, merged, rows, three_stores
from tests.support.redis_server import RedisServer, needs_redis

pytestmark = needs_redis


def test_server_and_file_are_merged_either_way(tmp_path: Path) -> None:
    paths = three_stores(tmp_path)
    with (
        RedisServer() as server,
        closing(RedisStore(server.url, pages=LIMIT)) as shared,
        closing(SqliteStore(tmp_path / "all.db")) as file,
        ExitStack() as opened,
    ):
        parts = [opened.enter_context(closing(SqliteStore(path))) for path in paths]
        merge(parts, shared, LIMIT)
        merge([shared], file, LIMIT)
        assert contents(file) == contents(shared)
        assert file.corrections() == shared.corrections()
    expected = merged(paths, tmp_path / "expected.db")
    assert rows(tmp_path / "all.db")["pages"] == expected["pages"]
