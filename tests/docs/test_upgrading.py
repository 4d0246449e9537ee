"""The page "From 0.3 to 0.4", and of 0.2: what it says of names, settings, stores and rule files is so."""

from __future__ import annotations

import gzip
import json
import logging
import re
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from scrapy_blockfilter.commands import ExitCode
from scrapy_blockfilter.crawl import STATS
from scrapy_blockfilter.crawl.stores import warn_of_left_items
from scrapy_blockfilter.options import Options, unknown_settings
from scrapy_blockfilter.options.removed import REMOVED
from scrapy_blockfilter.store import SqliteStore
from tests.docs.pages import DOCS, ROOT, blocks, read, rows_under
from tests.store.stores.make_releases import RELEASES
from tests.support.command_line import Commands

PAGE = DOCS / "upgrading.md"
OLD = json.loads((ROOT / "tests/options/names_of_0_2_0.json").read_text(encoding="utf-8"))


def written_in(block: str) -> dict[str, Any]:
    """The settings of a block of Python."""
    found: dict[str, Any] = {}
    exec(block, {}, found)
    return found


def test_settings_of_the_old_block_are_told_and_those_of_the_new_do_the_same() -> None:
    old, new = map(written_in, blocks(PAGE, "python"))
    (told,) = unknown_settings(Settings(old))
    assert "BLOCKFILTER_IBDF_THRESHOLD is gone; write BLOCKFILTER_METHOD_ARGS" in told
    assert not list(unknown_settings(Settings(new)))
    options = Options.from_settings(new)
    assert (options.method, options.method_args) == ("ibdf", {"threshold": 0.5})
    assert Options.from_settings(Settings(old)).method_args == {}
    with pytest.raises(TypeError, match=r"write BLOCKFILTER_METHOD_ARGS"):
        Options(ibdf_threshold=0.5)  # type: ignore[call-arg]


def test_page_has_every_name_of_0_2_that_went_with_what_is_told() -> None:
    arguments = rows_under(read(PAGE), "| went | write in `BLOCKFILTER_METHOD_ARGS` |")
    told = {old.strip("`"): f'BLOCKFILTER_METHOD_ARGS = {{"{new.strip("`")}": …}}' for old, new in arguments}
    told |= {old.strip("`"): new.replace("`", "") for old, new in rows_under(read(PAGE), "| went | write |")}
    told |= {
        old: new.replace("`", "") for old, new in re.findall(r"^- `([\w ]+)`: write (.+)\.$", read(PAGE), re.MULTILINE)
    }
    names = {*OLD["settings"], *OLD["names"], *(f"scrapy blockfilter {command}" for command in OLD["commands"])}
    gone = {name for name in REMOVED if name in names or name.startswith("scrapy_blockfilter.")}
    assert told == {name: REMOVED[name] for name in gone}


def test_page_has_every_stat_of_0_2_that_went() -> None:
    gone = {name.rpartition("/")[2] for name in OLD["stats"] if name not in STATS}
    _, _, of_gone = read(PAGE).partition("\n## Gone since 0.3\n")
    assert gone
    assert all(f"`{name}`" in of_gone for name in gone)


def test_opening_an_old_store_logs_what_the_page_shows(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "templates.db"
    (shown,) = blocks(PAGE, "text")
    path.write_bytes(gzip.decompress(RELEASES[-1].store.read_bytes()))
    with caplog.at_level(logging.WARNING), closing(SqliteStore(path)) as store:
        warn_of_left_items(store)
    assert [message.replace(str(path), path.name) for message in caplog.messages] == [shown.strip()]


def test_selector_that_the_page_calls_refused_is_and_the_other_is_taken(tmp_path: Path) -> None:
    commands = Commands(tmp_path)
    commands.learn({"a.example": ["<p>a", "<p>b"]})
    refused, taken = (commands.run("drop", "a.example", selector) for selector in ("//div[//a]", "//div[.//a]"))
    assert (refused.code, taken.code) == (ExitCode.USAGE, 0)
    assert "`//div[.//a]` for\n  `//div[//a]`" in read(PAGE)


def test_command_warns_of_a_setting_that_went_and_goes_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    commands = Commands(tmp_path)
    commands.learn({"a.example": ["<p>a", "<p>b"]})
    assert commands.run("sites", BLOCKFILTER_IBDF_THRESHOLD=0.5).code == 0
    assert [message for message in caplog.messages if "BLOCKFILTER_IBDF_THRESHOLD is gone; write" in message]
