"""The recipes, run in the order of their page, and what comes of them."""

from __future__ import annotations

import os
import re
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.extras.papers.visual import SCRIPT
from tests.docs.pages import DOCS, ROOT, blocks, read
from tests.support.archives import read_lines, write_lines
from tests.support.crawls import CrawlFunction, list_spider
from tests.support.forked import Template, run_python
from tests.support.losing import losing
from tests.support.made_sites import make_site
from tests.support.mockserver import MockServer, Reply

RECIPES = read(DOCS / "recipes.md")
SECTIONS = {
    title: re.findall(r"^```python\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
    for title, section in re.findall(r"^#{1,2} ([^\n]*)\n(.*?)(?=^## |\Z)", RECIPES, re.DOTALL | re.MULTILINE)
}
SITE = make_site("semantic", pages=12, seed=4, rich=True)
BY_URL = {f"http://gazette.example{page.url_path}": page for page in SITE.pages}
PAGES = {url: page.html for url, page in BY_URL.items()}
TEMPLATE = SITE.pages[0].template
Chunks = list[tuple[str, dict[str, Any]]]


def cook(title: str, **given: Any) -> dict[str, Any]:
    """Run the blocks of a section, and return what they named; what packages it needs must be there."""
    for package in re.findall(r"^(?:import|from) (\w+)", "\n".join(SECTIONS[title]), re.MULTILINE):
        if find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    kitchen: dict[str, Any] = {"__name__": "recipes", "pages": PAGES, **given}
    for block in [*SECTIONS["Recipes"], *SECTIONS[title]]:
        exec(compile(block, f"recipes.md, {title}", "exec"), kitchen)
    return kitchen


def test_every_recipe_is_tried() -> None:
    tried = set(re.findall(r'cook\("([^"]+)"', Path(__file__).read_text(encoding="utf-8")))
    assert set(SECTIONS) - {"Recipes"} == tried
    assert all(SECTIONS.values())


def test_chunks_of_a_corpus_have_the_content_and_no_template() -> None:
    corpus = cook("A clean corpus for retrieval")["corpus"]
    for url, page in BY_URL.items():
        of_page = [chunk["text"] for chunk in corpus if chunk["url"] == url]
        assert all(text.startswith(f"{page.title}\n") for text in of_page)
        assert [part for part in page.content[1:] if part not in "\n".join(of_page)] == []
        assert [part for part in TEMPLATE if part in "\n".join(of_page)] == []


@pytest.fixture
def feed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Chunks:
    """A feed of pages with their chunks, as a crawl writes it. Returns address and chunk of each."""
    model = bf.learn(PAGES.values(), bf.Options(chunk_characters=300))
    items = [{"url": url, "chunks": model.clean(html, url=url).chunks} for url, html in PAGES.items()]
    write_lines(tmp_path / "pages.jsonl", items)
    monkeypatch.chdir(tmp_path)
    return [(url, chunk) for url, item in zip(PAGES, items, strict=True) for chunk in item["chunks"]]  # type: ignore[misc]


def test_langchain_loads_each_chunk_with_its_place(feed: Chunks) -> None:
    documents = cook("LangChain")["documents"]
    assert [(found.metadata["source"], found.page_content) for found in documents] == [
        (url, chunk["text"]) for url, chunk in feed
    ]
    assert documents[1].metadata["headings"] == " > ".join(feed[1][1]["headings"]) != ""
    assert len({found.id for found in documents}) == len(documents) > len(PAGES)


def test_llamaindex_has_each_chunk_as_a_node_of_its_page(feed: Chunks) -> None:
    nodes = cook("LlamaIndex")["nodes"]
    assert [(node.ref_doc_id, node.text) for node in nodes] == [(url, chunk["text"]) for url, chunk in feed]
    assert nodes[1].metadata["headings"] == " > ".join(feed[1][1]["headings"])
    assert len({node.node_id for node in nodes}) == len(nodes)


def test_feed_is_a_data_set(feed: Chunks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}.items():
        monkeypatch.setenv(name, value)
    corpus = cook("Hugging Face datasets")["corpus"]
    assert corpus["url"] == list(PAGES)
    for page, text in zip(SITE.pages, corpus["text"], strict=True):
        assert text.startswith(f"{page.title}\n")
        assert [part for part in TEMPLATE if part in text] == []


def test_site_is_crawled_by_its_sitemap(server: MockServer, crawl: CrawlFunction) -> None:
    assert cook("A site by its sitemap")["ArticlesSpider"].name == "articles"
    host = server.add_site(SITE)
    pages = "".join(f"<url><loc>http://{host}{page.url_path}</loc></url>" for page in SITE.pages)
    sitemap = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{pages}</urlset>'
    server.add(host, "/sitemap.xml", Reply(sitemap, "application/xml"))
    server.add(host, "/robots.txt", Reply(f"Sitemap: http://{host}/sitemap.xml\n", "text/plain"))
    (source,) = SECTIONS["A site by its sitemap"]
    items = crawl(source.replace("https://example.com", f"http://{host}")).check().by_path()
    assert set(items) == {page.url_path for page in SITE.pages}
    for page in SITE.pages:
        assert [part for part in TEMPLATE if part in items[page.url_path]] == []
        assert page.content[1] in items[page.url_path]


def test_changes_are_those_of_the_content() -> None:
    page, other = SITE.pages[3], SITE.pages[7]
    today = page.html.replace(page.content[1], "Nothing of this is true.")
    for link, elsewhere in zip(page.related, other.related, strict=True):
        today = today.replace(link, elsewhere)
    made = cook("Changes of a page, without the noise", yesterday=page.html, today=today)
    assert made["changes"](page.html, today) == [f"- {page.content[1]}", "+ Nothing of this is true."]
    assert made["changes"](page.html, page.html) == []


def test_other_extractors_get_pages_without_the_template() -> None:
    made = cook("Before trafilatura or readability")
    texts = [document.text for document in made["documents"]]
    for page, text, summary in zip(SITE.pages, texts, made["summaries"], strict=True):
        for extracted in (text, summary):
            assert page.content[1] in extracted
            assert [part for part in TEMPLATE if part in extracted] == []


def test_settings_and_spider_for_pages_that_scripts_build() -> None:
    made = cook("Pages that scripts build")
    assert made["ADDONS"] == {"scrapy_blockfilter.Addon": 500}
    assert made["FeedSpider"].name == "feed"


def test_settings_and_function_for_blocks_as_a_browser_shows_them() -> None:
    made = cook("Blocks as a browser shows them")
    assert made["BLOCKFILTER_SEGMENTER"] == "vips"
    run: list[str] = []
    driver = SimpleNamespace(execute_script=run.append, page_source="<p>")
    assert (made["boxed"](driver), run) == ("<p>", [SCRIPT])


def test_settings_beside_other_packages() -> None:
    deltafetch = cook("Only what is new")
    (path,) = deltafetch["SPIDER_MIDDLEWARES"]
    assert path.rpartition(".")[2] in deltafetch
    assert deltafetch["BLOCKFILTER_WARMUP"] == "once"
    assert "scrapy_blockfilter.Addon" in cook("Page objects")["ADDONS"]


@pytest.mark.parametrize("losing_pages", [0, 2])
def test_monitor_fails_if_pages_lose_content(server: MockServer, crawl: CrawlFunction, losing_pages: int) -> None:
    made = cook("An alarm when pages lose content")
    site = make_site(pages=12, paragraphs=8)
    host = server.add_site(site)
    for page in site.pages[8 : 8 + losing_pages]:
        server.add(host, page.url_path, losing(page))
    (suite,) = made["SPIDERMON_SPIDER_CLOSE_MONITORS"]
    settings = {
        **{name: value for name, value in made.items() if name.isupper()},
        "EXTENSIONS": {"tests.support.crawls.Recorder": 0, **made["EXTENSIONS"]},
        "SPIDERMON_SPIDER_CLOSE_MONITORS": [suite.replace("project.monitors", "crawl_spider")],
    }
    monitors, _ = SECTIONS["An alarm when pages lose content"]
    spider = list_spider([f"http://{host}{page.url_path}" for page in site.pages])
    result = crawl(f"{monitors}{spider}", settings)
    assert result.stat("items/cleaned") == 12
    assert result.stat("items/suspicious") == losing_pages
    assert f"ContentMonitor/test_share... {'FAIL' if losing_pages else 'OK'}\n" in result.log
    assert bool(result.log_lines("list", "ERROR")) == (losing_pages > 0)


def test_pages_that_are_not_there_are_dropped(crawl: CrawlFunction, server: MockServer) -> None:
    made = cook("Pages that are not there")
    host = server.add_site(SITE)
    urls = [f"http://{host}{page.url_path}" for page in SITE.pages]
    gone = [f"http://{host}/gone/{number}" for number in range(5)]
    for url in gone:
        body = f"<title>404</title><h1>404</h1><p>{url} is not here any more, or never was</p><a href=/>Front page</a>"
        server.add(host, url.removeprefix(f"http://{host}"), f"<!DOCTYPE html><html><body>{body}</body></html>")
    settings = {
        "BLOCKFILTER_OUTPUT_FIELDS": made["BLOCKFILTER_OUTPUT_FIELDS"],
        "ITEM_PIPELINES": {"crawl_spider.NoAnswers": 600},
        "CONCURRENT_REQUESTS": 1,
    }
    result = crawl(SECTIONS["Pages that are not there"][1] + list_spider(urls + gone), settings)
    assert [item["state"] for item in result.items] == ["content"] * len(urls) + ["", ""]
    assert result.stat("page_state/missing") == 3


def write_feed(path: Path, pages: dict[str, str]) -> None:
    write_lines(path, ({"url": url, "html": html} for url, html in pages.items()))


@pytest.mark.slow
def test_commands_clean_last_years_feed(tmp_path: Path, template: Template | None) -> None:
    write_feed(tmp_path / "last-year.jsonl", PAGES)
    (commands,) = blocks(DOCS / "recipes.md", "shell")
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    for command in commands.splitlines():
        scrapy, *arguments = command.split()
        assert scrapy == "scrapy"
        run_python(["-m", scrapy, *arguments], tmp_path, environment, template).check_returncode()
    for item, page in zip(read_lines(tmp_path / "last-year-clean.jsonl"), SITE.pages, strict=True):
        page.assert_cleaned(item["html"])


def test_last_years_feed_is_cleaned_and_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    urls = list(PAGES)
    write_feed(Path("last-year.jsonl"), {url: PAGES[url] for url in urls[:-1]})
    feed = cook("Last year's feed")
    cleaned = list(feed["items"]("last-year-clean.jsonl"))
    assert [item["url"] for item in cleaned] == urls[:-1]
    for item in cleaned:
        page = BY_URL[item["url"]]
        for made in (item["html"], item["text"]):
            page.assert_cleaned(made)

    changed = {**PAGES, urls[2]: PAGES[urls[2]].replace(BY_URL[urls[2]].content[2], "Nothing of the kind.")}
    write_feed(Path("this-year.jsonl"), {url: changed[url].replace(TEMPLATE[0], "New menu") for url in urls[1:]})
    feed["clean_feed"]("this-year.jsonl", "this-year-clean.jsonl")
    compared = cook("Two crawls compared", items=feed["items"])
    assert compared["difference"] == {"new": [urls[-1]], "gone": [urls[0]], "changed": [urls[2]]}


def test_a_teacher_on_a_server_that_is_away_leaves_the_model_as_it_was() -> None:
    kitchen = cook("Ask once, clean for ever", url="http://127.0.0.1:9/v1")
    for html in PAGES.values():
        assert kitchen["model"].clean(html).text == bf.learn(PAGES.values()).clean(html).text
