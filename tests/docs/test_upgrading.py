"""The page "From 0.3 to 0.4": each name that went is there, with the text that the program tells."""

from __future__ import annotations

import gzip
import json
import logging
from contextlib import closing
from pathlib import Path

import pytest

from scrapy_blockfilter.crawl import STATS
from scrapy_blockfilter.crawl.stores import warn_of_left_items
from scrapy_blockfilter.options.removed import REMOVED
from scrapy_blockfilter.store import SqliteStore
from tests.docs.pages import DOCS, ROOT, blocks, read, rows_under
from tests.store.stores.make_releases import RELEASES
from tests.support.command_line import Commands

PAGE = DOCS / "upgrading.md"
OLD = json.loads((ROOT / "tests/options/names_of_0_3_0.json").read_text(encoding="utf-8"))


def test_page_has_every_name_of_0_3_that_went_with_what_is_told() -> None:
    rows = rows_under(read(PAGE), "| went | write |")
    told = {old.strip("`"): new.replace("`", "").replace("\\|", "|") for olds, new in rows for old in olds.split(", ")}
    names = {*OLD["settings"], *OLD["names"], *(f"scrapy blockfilter {command}" for command in OLD["commands"])}
    names |= {f'the form "{form}"' for form in OLD["output_forms"]}
    names |= {
        name for name in REMOVED if name.startswith(("scrapy blockfilter export --", "scrapy blockfilter search --"))
    }
    names |= {name for name in REMOVED if any(f"{path}.".startswith(f"{name}.") for path in OLD["paths"])}
    gone = {name for name in REMOVED if name in {*names, "scrapy_blockfilter.store.rebuild"}}
    assert told == {name: REMOVED[name].replace("`", "") for name in gone}


def test_page_has_every_stat_of_0_3_that_went() -> None:
    gone = {name.rpartition("/")[2] for name in OLD["stats"] if name not in STATS}
    _, _, of_gone = read(PAGE).partition("\n## Gone since 0.3\n")
    assert gone
    assert all(f"{name}`" in of_gone for name in gone)


def test_opening_an_old_store_logs_what_the_page_shows(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "templates.db"
    (shown,) = blocks(PAGE, "text")
    path.write_bytes(gzip.decompress(RELEASES[-1].store.read_bytes()))
    with caplog.at_level(logging.WARNING), closing(SqliteStore(path)) as store:
        warn_of_left_items(store)
    assert [message.replace(str(path), path.name) for message in caplog.messages] == [shown.strip()]


def test_command_warns_of_a_setting_that_went_and_goes_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    commands = Commands(tmp_path)
    commands.learn({"a.example": ["<p>a", "<p>b"]})
    assert commands.run("sites", BLOCKFILTER_IBDF_THRESHOLD=0.5).code == 0
    assert [message for message in caplog.messages if "BLOCKFILTER_IBDF_THRESHOLD is gone; write" in message]
