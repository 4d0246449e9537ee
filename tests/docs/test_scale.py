"""The blocks of the page on scale, run in their order, and what comes of them."""

from __future__ import annotations

import shlex
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

import scrapy_blockfilter as bf
from scrapy_blockfilter import batch
from tests.docs.pages import DOCS, blocks
from tests.support.made_sites import make_site

SITE = make_site("semantic", pages=12, seed=4, rich=True)
PAGES = {f"http://gazette.example{page.url_path}": page for page in SITE.pages}
REDIS, SCRAPY_REDIS, CORE, SPARK, DATATROVE = blocks(DOCS / "scale.md", "python")


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    """The names of the first block, which needs no engine."""
    names: dict[str, Any] = {"__name__": "scale", "pages": {url: page.html for url, page in PAGES.items()}}
    exec(compile(CORE, "scale.md", "exec"), names)
    return names


@pytest.mark.parametrize("lines", [REDIS, SCRAPY_REDIS])
def test_settings_name_a_redis_server_as_the_store(lines: str) -> None:
    names: dict[str, Any] = {}
    exec(compile(lines, "scale.md", "exec"), names)
    assert bf.Options.from_settings(Settings(names)).store.startswith("redis://")


def test_parts_are_learnt_as_the_whole(made: dict[str, Any]) -> None:
    whole = batch.fit(batch.sample_of(made["rows"]))
    assert made["model"].digest == whole.digest
    assert made["text"] == whole.clean(made["rows"][0].html).text


def test_one_pass_cleans_each_page(made: dict[str, Any]) -> None:
    assert made["cleaned"].keys() == PAGES.keys()
    for url, text in made["cleaned"].items():
        PAGES[url].assert_cleaned(text)


def test_job_on_spark(made: dict[str, Any], spark: Any, tmp_path: Path) -> None:
    # Absolute, as relative paths begin where the session was started.
    pages, cleaned = (str(tmp_path / name) for name in ("pages", "cleaned"))
    spark.createDataFrame(list(made["pages"].items()), "url string, html string").write.parquet(pages)
    source = SPARK.replace('"pages"', repr(pages)).replace('"cleaned"', repr(cleaned))
    exec(compile(source, "scale.md", "exec"), {**made, "session": spark})
    assert {row["url"]: row["text"] for row in spark.read.parquet(cleaned).collect()} == made["cleaned"]


@pytest.mark.parametrize(
    "command",
    [
        shlex.split(line)[3:]
        for block in blocks(DOCS / "scale.md", "shell")
        for line in block.splitlines()
        if line.startswith("python -m scrapy_blockfilter.extras.spark ")
    ],
)
def test_commands_are_ones_that_are_taken(command: list[str]) -> None:
    from scrapy_blockfilter.extras.spark.__main__ import _parser, _settings

    arguments = _parser().parse_args(command)
    assert arguments.output in ("cleaned", "models")
    bf.Options.from_settings(_settings(arguments.set))


@pytest.mark.filterwarnings("default")
def test_step_of_datatrove_cleans_as_one_pass(made: dict[str, Any]) -> None:
    if find_spec("datatrove") is None:
        pytest.skip("datatrove is not installed: `make test-scale` installs it")
    from datatrove.data import Document

    exec(compile(DATATROVE, "scale.md", "exec"), made)
    documents = [Document(text=html, id=url, metadata={"url": url}) for url, html in made["pages"].items()]
    done = made["CleanSites"](pages=10).run(iter(documents + documents))
    assert {document.id: document.text for document in done} == made["cleaned"]
