"""Stores on servers and in files are merged, where the extra for Redis is there, too."""

from __future__ import annotations

from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from scrapy_blockfilter.commands import ExitCode
from scrapy_blockfilter.extras.merging.command import MergeableFile
from scrapy_blockfilter.extras.merging.merging import contents, merge
from tests.extras.merging.test_merging import LIMIT, merged, rows, three_stores
from tests.support.command_line import Commands
from tests.support.redis_server import RedisServer, needs_redis

redis = pytest.importorskip("scrapy_blockfilter.extras.redis")


@needs_redis
def test_server_and_file_are_merged_either_way(tmp_path: Path) -> None:
    paths = three_stores(tmp_path)
    with (
        RedisServer() as server,
        closing(redis.RedisStore(server.url, pages=LIMIT)) as shared,
        closing(MergeableFile(tmp_path / "all.db")) as file,
        ExitStack() as opened,
    ):
        parts = [opened.enter_context(closing(MergeableFile(path))) for path in paths]
        merge(parts, shared, LIMIT)
        merge([shared], file, LIMIT)
        assert contents(file) == contents(shared)
        assert file.corrections() == shared.corrections()
    expected = merged(paths, tmp_path / "expected.db")
    assert rows(tmp_path / "all.db")["pages"] == expected["pages"]


def test_store_that_cannot_be_read_is_named_whatever_the_setting(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(b"something else" * 100)
    done = Commands(tmp_path).run(
        "merge", str(damaged), "-o", str(tmp_path / "all.db"), BLOCKFILTER_STORE="redis://db.example/0"
    )
    assert done.code in (ExitCode.STORE, ExitCode.USAGE)
    assert len(done.err.splitlines()) == 1
    if done.code == ExitCode.STORE:  # the package for Redis is installed
        assert "damaged.db is damaged or not a store" in done.err


def test_server_that_does_not_answer_leaves_no_new_file(tmp_path: Path) -> None:
    done = Commands(tmp_path).run("merge", "redis://127.0.0.1:1/0", "-o", str(tmp_path / "all.db"))
    assert done.code in (ExitCode.STORE, ExitCode.USAGE), done.err
    assert not list(tmp_path.glob("all.db*"))
