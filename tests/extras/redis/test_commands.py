"""Commands and settings that name a Redis server."""

from __future__ import annotations

from pathlib import Path

import scrapy_blockfilter as bf
from scrapy_blockfilter.commands import ExitCode
from tests.support.command_line import Commands


def test_other_commands_tell_how_to_look_into_a_server(tmp_path: Path) -> None:
    done = Commands(tmp_path).run("sites", "--store", "redis://db.example/0")
    assert done.code == ExitCode.USAGE
    assert "scrapy blockfilter merge redis://" in done.err


def test_options_do_not_show_the_password() -> None:
    assert "secret" not in repr(bf.Options(store="redis://user:secret@127.0.0.1/0"))
