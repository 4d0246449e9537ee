"""Larger blocks in all that is made of a page: models, forms, reports, and what commands say of them."""

from __future__ import annotations

from pathlib import Path

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.model.restoring import conditions_of
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.report import page_report
from tests.crawls.test_crawl import first_url, learnt_sites
from tests.report.test_page_report import frames, marked
from tests.support.command_line import Commands, pages_of
from tests.support.crawls import CrawlFunction, chain_spider
from tests.support.made_sites import make_site
from tests.support.mockserver import MockServer
from tests.support.pages import document

SITE = make_site(pages=6, rich=True, seed=4)


def test_models_of_each_segmenter_stay_apart() -> None:
    segmenters = [
        Options(),
        Options(segmenter="dom"),
        Options(segmenter="fixed_length", method_args={"segment_length": 50}),
        Options(segmenter="fixed_length", method_args={"segment_length": 60}),
    ]
    assert len({conditions_of(each) for each in segmenters}) == len(segmenters)
    with pytest.raises(ValueError, match="a model that was fitted with other options"):
        bf.SiteModel.from_bytes(bf.learn(pages_of(4)).to_bytes(), Options(segmenter="dom"))


def test_blocks_of_several_chunks_are_marked_wherever_their_text_is() -> None:
    html = document("<ul><li>Menu</li><li>News</li></ul><h1>{}</h1><dl><dt>About</dt><dd>{}</dd></dl>")
    pages = [html.format(f"Story {word}", word) for word in ("one", "two", "three", "four")]
    model = bf.learn(pages, bf.Options(method="chunk_frequency", segmenter="dom"))
    original, after = frames(page_report(model.clean(pages[0])))
    assert marked(original) == {"0": "MenuNews", "1": "Story one", "2": "Aboutone"}
    assert marked(after) == {"1": "Story one", "2": "Aboutone"}
    options = bf.Options(method="chunk_frequency", segmenter="dom", drop=("dt",))
    original, after = frames(page_report(bf.learn(pages, options).clean(pages[0])))
    assert marked(original) == {"0": "MenuNews", "1": "Story one", "2": "About", "3": "one"}
    assert marked(after) == {"1": "Story one", "3": "one"}


def test_what_each_segmenter_has_learnt_of_a_site_is_listed_by_itself(tmp_path: Path) -> None:
    commands = Commands(tmp_path)
    commands.learn({"a.example": pages_of(5)})
    commands.learn({"a.example": [*pages_of(9), *pages_of(6, seed=2, layout="table")]}, segmenter="dom")
    listed = commands.run("sites", "--json").json
    assert [(site["site"], site["segmenter"], site["pages"], site["layouts"]) for site in listed] == [
        ("a.example", "chunks", 4, 1),
        ("a.example", "dom", 4, 2),
    ]
    assert [row.split("  ")[0] for row in commands.run("sites").out.splitlines()[1:3]] == [
        "a.example",
        "a.example (dom)",
    ]
    commands.run("forget", "a.example")
    assert commands.run("sites", "--json").json == []


def test_what_a_segmenter_has_learnt_is_shown_and_explained_by_its_blocks(tmp_path: Path) -> None:
    commands = Commands(tmp_path)
    settings = {"BLOCKFILTER_SEGMENTER": "dom", "BLOCKFILTER_METHOD": "chunk_frequency"}
    commands.learn({"news.example": pages_of(2)})
    commands.learn({"news.example": [page.html for page in SITE.pages]}, segmenter="dom", method="chunk_frequency")
    found = commands.run("show", "news.example", "--json", **settings).json
    assert (found["pages"], found["segmenter"], [version["pages"] for version in found["versions"]]) == (4, "dom", [4])
    menu = "\n".join(SITE.pages[0].template[1:4])
    assert " ".join(menu.split("\n")) in {block["text"] for block in found["layouts"][0]["blocks"]}
    page = tmp_path / "page.html"
    page.write_text(SITE.pages[-1].html, encoding="utf-8")
    blocks = commands.run("show", str(page), "--site", "news.example", "--json", **settings).json["blocks"]
    assert (menu, False, "on 4 of 4 pages") in [(block["text"], block["keep"], block["reason"]) for block in blocks]
    assert commands.run("show", "news.example", "--json").json["pages"] == 2


def test_crawls_with_other_segmenters_learn_anew_and_lose_nothing(crawl: CrawlFunction, server: MockServer) -> None:
    site = make_site(pages=7, seed=3)
    host = server.add_site(site)
    spider = chain_spider(first_url(host))
    by_dom = {"BLOCKFILTER_METHOD": "chunk_frequency", "BLOCKFILTER_SEGMENTER": "dom"}
    first = crawl(spider, by_dom).check()
    for page in site.pages:
        page.assert_cleaned(first.by_path()[page.url_path])
    assert (first.stat("sites/known"), learnt_sites(first.store)) == (0, {f"{host}\tdom": 4})

    by_length = {"BLOCKFILTER_SEGMENTER": "fixed_length", "BLOCKFILTER_METHOD_ARGS": {"segment_length": "60"}}
    second = crawl(spider, by_dom | by_length).check()
    for page in site.pages:
        assert [text for text in page.content if text not in second.by_path()[page.url_path]] == []
    assert second.stat("items/cleaned") > 0

    third = crawl(spider, {"BLOCKFILTER_METHOD": "chunk_frequency"}).check()
    assert learnt_sites(third.store) == {host: 4, f"{host}\tdom": 4, f"{host}\tfixed_length 60": 4}
    assert (second.stat("sites/known"), third.stat("sites/known")) == (0, 0)

    again = crawl(spider, by_dom).check()
    assert (again.stat("sites/known"), again.stat("pages/learnt")) == (1, 0)
    assert again.by_path() == first.by_path()
