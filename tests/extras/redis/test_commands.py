"""Commands and settings that name a Redis server."""

from __future__ import annotations

from pathlib import Path

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.commands.base import ExitCode
from scrapy_blockfilter.options import OptionError
from tests.support.command_line import Commands


def test_other_commands_tell_how_to_look_into_a_server(tmp_path: Path) -> None:
    done = Commands(tmp_path).run("sites", "--store", "redis://db.example/0")
    assert done.code == ExitCode.USAGE
    assert "scrapy blockfilter merge redis://" in done.err


def test_without_its_library_the_setting_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrapy_blockfilter.plugins.find_spec", lambda name: None)
    with pytest.raises(OptionError, match=r"^pip install 'scrapy-blockfilter\[redis\]': .* \(for BLOCKFILTER_STORE\)$"):
        bf.Options(store="redis://localhost:6379/0")


def test_options_do_not_show_the_password() -> None:
    assert "secret" not in repr(bf.Options(store="redis://user:secret@127.0.0.1/0"))
