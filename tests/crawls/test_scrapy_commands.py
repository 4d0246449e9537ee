"""Scrapy's own commands in a project with the add-on: they work, and what they log is true."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.crawls import run_scrapy
from tests.support.forked import Template
from tests.support.mockserver import MockServer
from tests.support.waiting_crawls import Web, serve

N = 4
RunFunction = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def web(server: MockServer) -> Web:
    return serve(server, pages=N + 2)


@pytest.fixture
def run(server: MockServer, template: Template | None, tmp_path: Path, web: Web) -> RunFunction:
    """Run a command in a project with one spider."""
    (tmp_path / "spiders").mkdir()
    (tmp_path / "spiders" / "__init__.py").write_text(
        f"""
import scrapy

class Pages(scrapy.Spider):
    name = "pages"

    def parse(self, response):
        \"""
        @url {web.urls[0]}
        @returns items 1 1
        @scrapes url html
        \"""
        yield {{"url": response.url, "html": response.text}}

    def parse_without_html(self, response):
        yield {{"url": response.url, "name": "no page"}}
""",
        encoding="utf-8",
    )
    (tmp_path / "settings.py").write_text(
        f"""
ADDONS = {{"scrapy_blockfilter.Addon": 500}}
BLOCKFILTER_PAGES = {N}
SPIDER_MODULES = ["spiders"]
HTTPPROXY_ENABLED = True
TELNETCONSOLE_ENABLED = False
""",
        encoding="utf-8",
    )
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = settings\n", encoding="utf-8")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        done = run_scrapy(tmp_path, *arguments, proxy=server.url, template=template)
        assert done.returncode == 0, done.stderr
        ours = [line for line in done.stderr.splitlines() if "[scrapy_blockfilter" in line]
        assert [line for line in ours if "INFO: " not in line] == []
        assert "Traceback" not in done.stderr
        return done

    return run


def test_shell_fetches_pages_and_makes_no_store(run: RunFunction, web: Web, tmp_path: Path) -> None:
    code = f"[fetch({web.urls[1]!r}), response.url]"
    assert web.urls[1] in run("shell", web.urls[0], "-c", code).stdout
    assert not [*tmp_path.rglob("*.db")]


def test_parse_shows_items_and_cleans_them_once_the_site_is_learnt(run: RunFunction, web: Web) -> None:
    for url in web.urls:
        done = run("parse", url, "--spider", "pages", "--pipelines", "-c", "parse")
    assert f"'url': '{web.urls[-1]}'" in done.stdout
    (site,) = web.sites.values()
    assert site.pages[-1].content[0] in done.stdout
    assert site.pages[-1].template[0] not in done.stdout


def test_parse_fills_output_fields_of_items_without_html(run: RunFunction, web: Web) -> None:
    for url in web.urls:
        run("parse", url, "--spider", "pages", "--pipelines", "-c", "parse")
    fields = ("-s", 'BLOCKFILTER_OUTPUT_FIELDS={"kept": "text"}')
    done = run("parse", web.urls[-1], "--spider", "pages", "--pipelines", "-c", "parse_without_html", *fields)
    (site,) = web.sites.values()
    assert "'kept': " in done.stdout
    assert site.pages[-1].content[0] in done.stdout
    assert site.pages[-1].template[0] not in done.stdout


def test_contracts_are_checked(run: RunFunction) -> None:
    assert run("check").stderr.rstrip().endswith("OK")


@pytest.mark.slow
def test_bench_runs(run: RunFunction) -> None:
    assert "'finish_reason': " in run("bench").stderr
