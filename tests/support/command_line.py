"""Runs of ``scrapy blockfilter …``, and the stores to run it on."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from scrapy.cmdline import execute
from scrapy.settings import Settings

from scrapy_blockfilter import Options
from scrapy_blockfilter.crawl import Sites
from scrapy_blockfilter.store import SqliteStore
from tests.support.crawls import run_scrapy
from tests.support.forked import Template
from tests.support.made_crawler import CountingStats
from tests.support.made_sites import make_site

N = 4


@dataclass(frozen=True)
class Done:
    """A command that has ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> str:
        """The line that says what is wrong; there must be one."""
        (line,) = self.err.splitlines()
        assert not self.out
        return line


class Commands:
    """Runs commands in a folder, on its store."""

    def __init__(self, folder: Path, proxy: str = "", template: Template | None = None) -> None:
        self.folder = folder
        self.store = folder / "templates.db"  # the path of the store
        self._proxy = proxy
        self._template = template

    def run(self, *arguments: str, **settings: Any) -> Done:
        """Run a command on the store, with N = 4, in this process, which saves half a second."""
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
        values = {"BLOCKFILTER_PAGES": N, "BLOCKFILTER_STORE": str(self.store)} | settings
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
            execute(["scrapy", "blockfilter", *arguments], Settings(values))
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read())
        return Done(int(ended.value.code or 0), *texts)

    def run_apart(self, *arguments: str) -> Done:
        """Run a command in a separate process, which is started if there is no template."""
        settings = ("-s", f"BLOCKFILTER_PAGES={N}", "-s", f"BLOCKFILTER_STORE={self.store}")
        done = run_scrapy(self.folder, "blockfilter", *arguments, *settings, proxy=self._proxy, template=self._template)
        return Done(done.returncode, done.stdout, done.stderr)

    def learn(self, sites: Mapping[str, Iterable[str]], **options: Any) -> None:
        """Learn pages of sites, as a crawl does."""
        with closing(SqliteStore(self.store)) as store:
            crawled = Sites(Options(pages=N, **options), store, CountingStats())
            for site, pages in sites.items():
                for number, html in enumerate(pages):
                    page = crawled.reader.read(html, whole=True)
                    crawled.named(site).learn(number * 7919, page)
            crawled.close()


def pages_of(pages: int = 6, seed: int = 0, layout: str = "div") -> list[str]:
    """Return the pages of a generated site."""
    return [page.html for page in make_site(layout, pages, seed).pages]
