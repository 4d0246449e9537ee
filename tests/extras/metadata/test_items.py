"""Metadata in the fields of items, and in what commands write."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.archives import write_lines
from tests.support.command_line import Commands
from tests.support.made_crawler import MakeFilter, html_response
from tests.test_pipeline import PAGE, SITE, URL, known


def test_metadata_are_written_as_json(tmp_path: Path) -> None:
    commands = Commands(tmp_path)
    commands.learn({"news.example": [page.html for page in SITE.pages]})
    page = SITE.pages[2]
    path = write_lines(commands.folder / "about.jsonl", [{"url": "http://news.example/page/2", "html": page.html}])
    (cleaned,) = map(json.loads, commands.run("clean", str(path), "--format", "metadata").out.splitlines())
    (about,) = (value for value in cleaned.values() if isinstance(value, dict))
    assert page.title in about["title"]
    assert about["url"] == "http://news.example/page/2"


def test_metadata_of_items_of_one_page_are_their_own_and_bad_structured_data_are_counted(
    make_filter: MakeFilter,
) -> None:
    filtering = known(make_filter(output_fields={"about": "metadata", "why": "metadata_sources"}))
    head = '<head><script type="application/ld+json">{</script><meta property="og:title" content="Named">'
    response = html_response(URL, PAGE.html.replace("<head>", head))
    first, second = (filtering.scrape({}, response) for _ in range(2))
    assert first["about"]["title"] == "Named"
    assert first["about"]["url"] == URL
    assert first["why"]["title"][0] == {"source": "opengraph", "value": "Named"}
    first["about"]["title"] = "Changed"
    assert second["about"]["title"] == "Named"
    assert filtering.stats["blockfilter/fields/simplified/bad_json_ld"] == 2
