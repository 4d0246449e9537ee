"""The example project as its users run it: whole crawls, each in a process of its own."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from tests.support.archives import read_lines
from tests.support.forked import Template, run_python
from tests.support.mockserver import MockServer

pytestmark = pytest.mark.crawl

ROOT = Path(__file__).parents[2]
PROJECT = ROOT / "example_project"
ADDED = ["text", "markdown"]
FIELDS = ["url", "title", "html", *ADDED]
N = 4
SIDE = "Harbour news, tides and timetables"
FOOT = "Printed by the harbour office, all rights reserved"


class Run(NamedTuple):
    """A process that has ended, and the items in its feed."""

    exit_code: int
    output: str
    items: list[dict[str, Any]]


CrawlFunction = Callable[..., Run]


def run(
    command: list[str], folder: Path = PROJECT, template: Template | None = None, environment: Mapping[str, str] = {}
) -> tuple[int, str]:
    """Run Python in a project's folder, with the package on its path whether it is installed or not."""
    usual = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    done = run_python(command, folder, {**usual, **environment}, template)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def crawl(tmp_path: Path, template: Template | None) -> CrawlFunction:
    """Run a spider with its store and feed in the test's folder."""

    def crawl(spider: str, arguments: dict[str, object] | None = None, pages: int = N, **environment: str) -> Run:
        feed = tmp_path / "items.jsonl"
        feeds = {str(feed): {"format": "jsonlines", "overwrite": True}}
        settings = {
            "BLOCKFILTER_STORE": tmp_path / "templates.db",
            "BLOCKFILTER_PAGES": pages,
            "FEEDS": json.dumps(feeds),
            "DOWNLOAD_DELAY": 0,
        }
        options = [f"-s{name}={value}" for name, value in settings.items()]
        options += [f"-a{name}={value}" for name, value in (arguments or {}).items()]
        exit_code, output = run(["-m", "scrapy", "crawl", spider, *options], template=template, environment=environment)
        return Run(exit_code, output, read_lines(feed) if feed.exists() else [])

    return crawl


def check(result: Run, count: int, fields: list[str] = FIELDS) -> None:
    """Assert what holds of every crawl that went well."""
    assert result.exit_code == 0, result.output
    assert " ERROR: " not in result.output, result.output
    assert len(result.items) == count, result.output
    assert all(list(item) == fields for item in result.items)
    assert len({item["url"] for item in result.items}) == count


def article(number: int) -> str:
    """What only page ``number`` says, several sentences of words that no other page has."""
    return " ".join(f"Vessel{number}x{word} berthed beside quay{number}x{word}." for word in range(20))


def page(number: int, links: str = "") -> str:
    return (
        f'<!DOCTYPE html><html lang="en"><head><title>Page {number}</title></head><body>'
        f'<div class="side"><p>{SIDE}</p>{links}</div>'
        f'<div class="main"><h1>Arrival {number}</h1><p>{article(number)}</p></div>'
        f'<div class="foot"><p>{FOOT}</p></div></body></html>'
    )


def check_cleaned(items: list[dict[str, Any]]) -> None:
    """Assert that all but the pages of the warm-up have lost the template, and that no page has lost its content."""
    for item in items:
        number = int(item["title"].removeprefix("Page "))
        assert article(number) in item["text"]
        assert article(number) in item["html"]
        assert (SIDE in item["text"]) == (SIDE in item["html"]) == (FOOT in item["text"]) == (FOOT in item["html"])
    # The page that completes the N pages is cleaned already.
    assert sum(SIDE in item["html"] for item in items) <= N - 1


@pytest.fixture
def served(server: MockServer) -> str:
    """The host of twelve pages, each of which links all the others, a page elsewhere and things that are no pages."""
    host = server.new_host()
    hrefs = ["/1#tides", "mailto:harbour@example.com", "javascript:void(0)", f"ftp://{host}/1"]
    hrefs += [f"http://elsewhere.{host}/", *(f"/{number}" for number in range(12))]
    links = "".join(f'<a href="{href}">{index}</a> ' for index, href in enumerate(hrefs))
    for number in range(12):
        server.add(host, f"/{number}", page(number, links))
    return host


@cache
def made(hash_seed: str = "random") -> dict[str, dict[str, dict[str, Any]]]:
    """The pages of the made sites by site and path, from a process with a hash seed of its own."""
    code = (
        "import json; from example_project.made import news_site, shop_site; "
        "print(json.dumps({site.name: {path: vars(page) for path, page in site.pages.items()} "
        "for site in (news_site(), shop_site())}))"
    )
    exit_code, output = run(["-c", code], environment={"PYTHONHASHSEED": hash_seed})
    assert exit_code == 0, output
    pages: dict[str, dict[str, dict[str, Any]]] = json.loads(output)
    return pages


def test_made_sites_are_the_same_each_time() -> None:
    assert made("1") == made("2")
    assert [len(pages) for pages in made("1").values()] == [31, 29]


@pytest.mark.parametrize(
    ("spider", "fields"), [("news", FIELDS), ("shop", ["url", "name", "price", "sku", "html", *ADDED])]
)
def test_spiders_of_made_sites_find_every_article_and_product_and_lose_their_menus(
    crawl: CrawlFunction, spider: str, fields: list[str]
) -> None:
    result = crawl(spider)
    check(result, 24, fields)
    pages = next(pages for site, pages in made().items() if f"{site} is ready" in result.output)
    items = {urlsplit(item["url"]).path: item for item in result.items}
    assert items.keys() == {path for path, page in pages.items() if page["own"]}
    for path, item in items.items():
        assert item.get("price", "") == pages[path]["price"]
        # The model of four pages, which the first items get, knows menus and paragraphs already.
        assert pages[path]["price"] in item["text"]
        assert all(text in item["text"] for text in pages[path]["own"] if len(text) > 120)
        assert pages[path]["clutter"][0] not in item["text"]


def test_pages_crawled_again_on_another_port_are_learnt_from_once(crawl: CrawlFunction) -> None:
    first, again = crawl("news", pages=100), crawl("news", pages=100)
    assert first.items[0]["url"] != again.items[0]["url"]
    assert "blockfilter/pages/learnt': 31" in first.output
    assert "blockfilter/pages/learnt'" not in again.output


@pytest.mark.parametrize(("limit", "count"), [({}, 12), ({"max_pages": 7}, 7)], ids=str)
def test_site_follows_links_within_the_host_up_to_max_pages(
    crawl: CrawlFunction, server: MockServer, served: str, limit: dict[str, object], count: int
) -> None:
    result = crawl("site", {"url": f"http://{served}/0", **limit}, http_proxy=server.url)
    check(result, count)
    check_cleaned(result.items)
    asked = server.requests_to(served)
    assert len(asked) == len(set(asked)) == 1 + count
    assert set(asked) <= {"/robots.txt", *(f"/{number}" for number in range(12))}
    assert server.requests_to(f"elsewhere.{served}") == []


@pytest.mark.parametrize(
    ("spider", "arguments", "message"),
    [
        ("site", {}, "url is missing; type: scrapy crawl site -a url=https://example.com/"),
        ("site", {"url": "example.com"}, "url is 'example.com', which is no http or https URL; type: scrapy crawl"),
        ("site", {"max_pages": "none"}, "max_pages is 'none', but must be a whole number above 0"),
    ],
)
def test_wrong_arguments_stop_the_start_with_what_to_type(
    crawl: CrawlFunction, spider: str, arguments: dict[str, object], message: str
) -> None:
    result = crawl(spider, arguments)
    assert result.exit_code == 1
    assert f"ValueError: {message}" in result.output
    assert not result.items


def copy_project(folder: Path) -> Path:
    """A copy of the project, for what writes into it."""
    return Path(shutil.copytree(PROJECT, folder, ignore=shutil.ignore_patterns("output", ".scrapy", "__pycache__")))


def test_demo_tells_what_it_stripped_and_kept_and_names_its_report(tmp_path: Path, template: Template | None) -> None:
    project = copy_project(tmp_path / "project")
    exit_code, output = run(["-m", "example_project.demo"], project, template=template)
    assert exit_code == 0, output
    rows = dict(re.findall(r"^ *(\w[\w ]*?\w) {2,}(\S.*)$", output, re.MULTILINE))
    assert re.search(r"^ +news +shop$", output, re.MULTILINE)
    assert rows["Items"].split() == ["24", "24"]
    assert rows["cleaned"].split() == ["24", "24"]
    assert all(int(number) > 10 for number in rows["Template blocks learnt"].split())
    assert re.fullmatch(r"- +24 of 24", rows["Prices kept"])
    for figures in (rows["Clutter texts stripped"], rows["Own texts kept"]):
        counts = [(int(part), int(whole)) for part, whole in re.findall(r"(\d+) of (\d+)", figures)]
        assert len(counts) == 2
        assert all(0.9 * whole < part <= whole for part, whole in counts)
    # Of one article and one product: kinds of what went, with their reasons, and lines of what stayed.
    assert output.count("  stripped: ") == output.count("  kept: ") == 2
    assert re.search(r"^ +\d+  Readers' comments$", output, re.MULTILINE)
    assert re.search(r"^ +template: the same text on \d+ of \d+ other pages$", output, re.MULTILINE)
    assert re.search(r"^ +Item number LR-\w\w-\d{5}$", output, re.MULTILINE)
    report = project.resolve() / "output" / "report.html"
    assert f"\nOpen {report} in a browser" in output
    html = report.read_text(encoding="utf-8")
    assert "blockfilter report" in html
    assert "saltby-courier.example" in html
    own = {"news": ["url", "title", "html"], "shop": ["url", "name", "price", "sku", "html"]}
    for name, fields in own.items():
        assert [list(item) for item in read_lines(report.parent / f"{name}.jsonl")] == [[*fields, *ADDED]] * 24
    for name, path in {
        "Feed": "output/news.jsonl",
        "Store": ".scrapy/blockfilter/templates.db",
        "Log": "output/demo.log",
    }.items():
        assert (project / path).is_file()
        assert re.search(rf"^{name} +{re.escape(str((project / path).resolve()))}$", output, re.MULTILINE)


def test_demo_fails_where_a_spider_finds_too_little_or_the_wrong_price(
    tmp_path: Path, template: Template | None
) -> None:
    project = copy_project(tmp_path / "project")
    spiders = project / "example_project" / "spiders"
    for name, right, wrong in (("news", ".list .card", "aside"), ("shop", ".buy .price", ".card .was")):
        code = (spiders / f"{name}.py").read_text(encoding="utf-8")
        assert right in code
        (spiders / f"{name}.py").write_text(code.replace(right, wrong), encoding="utf-8")
    exit_code, output = run(["-m", "example_project.demo"], project, template=template)
    assert exit_code == 1
    assert "The demo failed: news: there are 0 items, fewer than 24" in output
    assert re.search(r"^The demo failed: shop: the price of /tents/heron-2 came out as '£", output, re.MULTILINE)
    assert "report.html" not in output
    assert "Traceback" not in output


def test_examples_in_docstrings_of_the_project_hold() -> None:
    code = (
        "import doctest, example_project.made.site as made; "
        "import example_project.spiders.site as site; "
        "print([tuple(doctest.testmod(module))[:2] for module in (made, site)])"
    )
    assert run(["-c", code]) == (0, "[(0, 1), (0, 1)]\n")
