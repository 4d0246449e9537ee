"""A new Scrapy project with the add-on's one line, which crawls a made site over loopback."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from release.running import ReleaseError, run
from tests.support.made_sites import GeneratedSite, make_site
from tests.support.mockserver import MockServer

HOST = "news.example"
# More than twice the pages that a site is learnt from, so that some items are held, and some are not.
PAGES = 24
_ADDON = 'ADDONS = {"scrapy_blockfilter.Addon": 500}\n'
SPIDER = """\
import scrapy


class PagesSpider(scrapy.Spider):
    name = "pages"
    start_urls = ["http://news.example/page/0"]

    def parse(self, response):
        yield {"url": response.url, "html": response.text}
        yield from response.follow_all(css="a.next")
"""
# What in a log is a problem. Warnings of Scrapy and other packages are theirs.
_BAD = ("[scrapy_blockfilter", " ERROR: ", " CRITICAL: ", "Traceback ")


class Project:
    """A project in an environment."""

    def __init__(
        self, python: Path, parent: Path, *, has_native: bool, settings: str = _ADDON, spider: str = SPIDER
    ) -> None:
        self.python = python  # the interpreter of the environment
        self.folder = parent / "project"  # of the project
        self.site: GeneratedSite = make_site("div", PAGES)  # what is crawled
        # With 1, a native module that cannot be used is an error.
        self._environment = {"BLOCKFILTER_NATIVE": "1"} if has_native else {}
        self._run("-m", "scrapy", "startproject", "project", folder=parent)
        self.add_settings(settings)
        (self.folder / "project" / "spiders" / "pages.py").write_text(spider, encoding="utf-8")

    def add_settings(self, lines: str) -> None:
        """Add lines to the settings of the project."""
        with (self.folder / "project" / "settings.py").open("a", encoding="utf-8") as file:
            file.write(f"\n{lines}")

    def python_says(self, code: str) -> str:
        """Run a program in the environment, and return what it prints."""
        return self._run("-I", "-c", code)

    def command(self, *arguments: str) -> str:
        """Run ``scrapy blockfilter``, and return what it prints."""
        return self._run("-m", "scrapy", "blockfilter", *arguments)

    def crawl(self, output: str = "items.jsonl", **settings: Any) -> list[dict[str, Any]]:
        """Crawl the site, and return the items, in the order of the pages.

        Args:
            settings: without ``BLOCKFILTER_``, in lower case.

        Raises:
            ReleaseError: the crawl fails, logs an error or a warning of the filter, or leaves out a page.
        """
        given = [f"BLOCKFILTER_{name.upper()}={_as_text(value)}" for name, value in settings.items()]
        # A new project waits a second between requests, for the sake of others' servers.
        flags = [part for setting in ("DOWNLOAD_DELAY=0", *given) for part in ("-s", setting)]
        with MockServer() as server:
            server.add(HOST, "/robots.txt", "")
            server.add_site(self.site, HOST)
            proxy = {"http_proxy": server.url, "no_proxy": ""}
            self._run("-m", "scrapy", "crawl", "pages", "-L", "WARNING", "-O", output, *flags, variables=proxy)
        items = self.lines(output)
        paths = [f"http://{HOST}{page.url_path}" for page in self.site.pages]
        urls = [item.get("url") for item in items]
        if sorted(map(str, urls)) != sorted(paths):
            raise ReleaseError(f"{len(paths)} pages give {len(urls)} items, of {len(set(urls))} pages")
        return sorted(items, key=lambda item: paths.index(item["url"]))

    def lines(self, name: str) -> list[dict[str, Any]]:
        """Read a file of JSON lines in the project's folder."""
        return [json.loads(line) for line in (self.folder / name).read_text(encoding="utf-8").splitlines()]

    def check_cleaned(self, items: list[dict[str, Any]], field: str = "html") -> None:
        """Check that a field of each item has the content of its page and no template; raise ReleaseError if not."""
        for page, item in zip(self.site.pages, items, strict=True):
            text = str(item.get(field) or "")
            lost = [wanted for wanted in page.content if wanted not in text]
            stayed = [template for template in page.template if template in text]
            if lost or stayed:
                what = f"lost {lost[0][:40]!r}" if lost else f"still has {stayed[0][:40]!r}"
                raise ReleaseError(
                    f"the field {field!r} of {item['url']} {what}, one of {len(lost) + len(stayed)} texts"
                )

    def _run(self, *arguments: str, folder: Path | None = None, variables: Mapping[str, str] | None = None) -> str:
        environment = {**self._environment, **(variables or {})}
        done = run([self.python, *arguments], folder=folder or self.folder, environment=environment)
        bad = [line for line in done.stderr.splitlines() if any(mark in line for mark in _BAD)]
        if bad:
            raise ReleaseError(f"logs {bad[0]}")
        return done.stdout


def _as_text(value: Any) -> str:
    return json.dumps(value) if isinstance(value, dict) else str(value)
