"""``learn`` and ``clean`` by the core alone: a plain file or standard output, in one process."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrapy_blockfilter.commands import ExitCode
from scrapy_blockfilter.plugins import Plugins
from tests.support.archives import items_of, read_lines, write_csv, write_lines
from tests.support.command_line import Commands
from tests.support.made_sites import make_site

SITE = make_site(pages=6)
ITEMS = items_of(SITE, "news.example")
TEXTS = ["\n".join(page.content) for page in SITE.pages]


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Commands:
    monkeypatch.setattr("scrapy_blockfilter.commands.offline.files.FILES", Plugins("nothing", "nothing", ()))
    return Commands(tmp_path)


def test_lines_are_learnt_and_cleaned_into_a_file_that_is_not_overwritten_unasked(commands: Commands) -> None:
    path, out = write_lines(commands.folder / "feed.jsonl", ITEMS), commands.folder / "out.jsonl"
    arguments = ("clean", str(path), "--learn", "--format", "text", "-o", str(out))
    done = commands.run(*arguments)
    assert done.out.splitlines()[-1] == "6 records: 6 cleaned, 0 unchanged, 0 could not be read."
    assert [item["text"] for item in read_lines(out)] == TEXTS
    assert commands.run("clean", str(path), "--format", "text").out == out.read_text(encoding="utf-8")
    refused = commands.run(*arguments)
    assert (refused.code, refused.error) == (
        ExitCode.USAGE,
        f"scrapy blockfilter: {out} exists already; --overwrite starts it anew.",
    )
    assert "is read, too" in commands.run("clean", str(path), "-o", str(path), "--overwrite").error
    out.write_text("old", encoding="utf-8")
    assert commands.run(*arguments, "--overwrite").code == ExitCode.DONE
    assert [item["text"] for item in read_lines(out)] == TEXTS


@pytest.mark.parametrize(
    ("items", "code"), [([], ExitCode.NOT_FOUND), ([{"url": ITEMS[0]["url"], "body": "<p>a"}], ExitCode.FAILED)]
)
def test_output_with_nothing_in_it_is_removed(commands: Commands, items: list[dict[str, str]], code: ExitCode) -> None:
    commands.learn({"news.example": [page.html for page in SITE.pages]})
    path, out = write_lines(commands.folder / "feed.jsonl", items), commands.folder / "out.jsonl"
    assert commands.run("clean", str(path), "-o", str(out)).code == code
    assert not out.exists()


def test_formats_of_an_extra_are_unknown_and_so_are_its_arguments(commands: Commands) -> None:
    packed = write_lines(commands.folder / "feed.jsonl.gz", ITEMS)
    for path in (packed, write_csv(commands.folder / "feed.csv", ITEMS)):
        done = commands.run("learn", str(path))
        assert done.code == ExitCode.NOT_FOUND
        assert done.error.endswith(
            f"{path} has no known format: the format follows from the name, *.html, *.htm, *.xhtml, *.jsonl, *.jl, "
            "*.ndjson, *.warc."
        )
    assert "b/ | scrapy blockfilter clean -` cleans one page." in commands.run("learn", "https://a.example/b/").error
    assert "unrecognized arguments: --jobs" in commands.run("learn", str(packed), "--jobs", "2").error
    assert ".zst" not in commands.run("clean", "--help").out
