"""The forms of a cleaned page that a crawl offers, in items of every kind and in feeds."""

from __future__ import annotations

import ast
import csv
import json
import re
from pathlib import Path
from typing import Any

from tests.support.archives import read_lines
from tests.support.crawls import CrawlFunction, chain_spider
from tests.support.made_sites import GeneratedPage, make_site
from tests.support.mockserver import MockServer

FORMS = {"clean": "html", "text": "text", "md": "markdown", "gone": "removed", "parts": "chunks", "links": "links"}
LISTS = ("gone", "parts", "links")
FEEDS = {name: {"format": kind, "encoding": "utf-8"} for name, kind in (("i.jsonl", "jsonlines"), ("i.csv", "csv"))}
PAGES = 6

KINDS = """
import json
from dataclasses import make_dataclass
import attrs
import pydantic

TYPES = {
    **dict.fromkeys(("url", "clean", "text", "md"), str),
    "gone": list[dict[str, str | float]],
    "parts": list[dict[str, str | int | list[str]]],
    "links": list[dict[str, str | int]],
}
of_items = {name: scrapy.Field(**({} if kind is str else {"serializer": json.dumps})) for name, kind in TYPES.items()}
Plain = type("Plain", (scrapy.Item,), of_items)
Data = make_dataclass("Data", [(name, kind, None) for name, kind in TYPES.items()])
Attrs = attrs.make_class("Attrs", {name: attrs.field(default=None) for name in TYPES}, frozen=True)
of_models = {name: (kind, None) for name, kind in TYPES.items()}
Model = pydantic.create_model("Model", __config__={"validate_assignment": True}, **of_models)
"""
NAMES = ("dict", "Plain", "Data", "Attrs", "Model")
ITEMS = (
    '{"url": response.url}, Plain(url=response.url), Data(response.url), Attrs(response.url), Model(url=response.url)'
)


def removed_in(page: GeneratedPage, gone: list[dict[str, Any]]) -> None:
    """Assert that the blocks told as removed are those of the template, with a reason and a score each."""
    texts = [block["text"] for block in gone]
    assert [part for part in page.template if part not in texts] == []
    assert [part for part in page.content if part in texts] == []
    assert all(block.keys() == {"text", "reason", "score"} and block["reason"] for block in gone)
    assert all(0 <= block["score"] <= 1 for block in gone)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_items_of_every_kind_carry_all_forms_into_feeds(crawl: CrawlFunction, server: MockServer) -> None:
    site = make_site(pages=PAGES, rich=True, seed=2)
    host = server.add_site(site)
    spider = chain_spider(f"http://{host}/page/0", ITEMS, preamble=KINDS)
    settings = {"BLOCKFILTER_OUTPUT_FIELDS": FORMS, "FEEDS": FEEDS, "FEED_EXPORT_FIELDS": ["url", *FORMS]}
    result = crawl(spider, settings).check()
    exported = read_lines(result.folder / "i.jsonl")
    kinds = [item["_type"] for item in result.items]
    assert sorted(kinds) == sorted(NAMES * PAGES)
    by_path = {page.url_path: page for page in site.pages}
    of_pages: dict[str, list[dict[str, Any]]] = {}
    for kind, item, row in zip(kinds, exported, rows(result.folder / "i.csv"), strict=True):
        path = item["url"].partition(".example")[2]
        page = by_path[path]
        for form in ("clean", "text"):
            page.assert_cleaned(item[form])
            assert row[form] == item[form]
        assert row["md"] == item["md"]
        assert item["md"].startswith(f"# {page.title}\n\n")
        assert re.search(rf"\[[^]]+\]\(http://{re.escape(host)}/about/\w+\)", item["md"])
        assert page.left(item["md"]) == []
        # Scrapy writes a list of dicts to CSV as Python does, unless the field has a serializer, which JSON has, too.
        lists = {form: json.loads(item[form]) if kind == "Plain" else item[form] for form in LISTS}
        assert lists == {form: (json.loads if kind == "Plain" else ast.literal_eval)(row[form]) for form in LISTS}
        removed_in(page, lists["gone"])
        assert "\n".join(chunk["text"] for chunk in lists["parts"]) == item["text"]
        assert all(chunk["headings"][0] == page.title for chunk in lists["parts"])
        assert all(f"]({link['url']}" in item["md"] for link in lists["links"])
        of_pages.setdefault(path, []).append({"clean": item["clean"], "text": item["text"], "md": item["md"], **lists})
    assert len(of_pages) == PAGES
    for forms in of_pages.values():
        assert all(form == forms[0] for form in forms)
