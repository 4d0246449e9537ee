"""Things are counted on made pages, on files and on checkouts of other extractors' tests."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import scrapy_blockfilter as bf
from benchmarks.corpus import CorpusPage
from benchmarks.made_things import CLEANED, made_sites
from benchmarks.things import Content, clean, kept, main, of_markdown, read, things_of

ARTICLE = (
    "<h1>Boats</h1><figure><img src='/i/pier.jpg' srcset='/i/pier-2.jpg 2x'><figcaption>The  pier</figcaption></figure>"
    "<pre><code>sail(3)\n  moor()</code></pre><table><tr><td>Length</td></tr></table><ul><li>First</li></ul>"
    "<p><img class='math' src='/math/1.png' alt='{\\displaystyle x^{2}}'></p>"
)


def test_things_of_an_article_are_found_by_kind() -> None:
    assert things_of(ARTICLE) == {
        "images": ["pier-2.jpg pier.jpg"],
        "captions": ["The pier"],
        "code lines": ["sail(3)", "moor()"],
        "cells": ["Length"],
        "items": ["First"],
        "formulas": ["x^{2}"],
    }


def test_what_an_extractor_gives_has_images_in_any_size_texts_in_any_spacing_and_formulas_in_markdown() -> None:
    content = of_markdown("The pier sail(3)\tmoor()", "![a \\[b\\]](<https://e.example/i/pier-2.jpg?w=1>) $x^{2}$")
    assert kept(things_of(ARTICLE), content) == {"images": 1, "captions": 1, "code lines": 2, "formulas": 1}
    assert kept(things_of(ARTICLE), Content("", "", frozenset())) == Counter()


def test_signs_of_notes_do_not_count_but_signs_of_code_do() -> None:
    things = things_of("<ol><li><a href=#r>^</a> <sup>a</sup> Miller, x<sup>2</sup></li></ol><pre>a - b</pre>")
    assert kept(things, Content("1. [a] Miller, x^2\na + b", "", frozenset())) == {"items": 1}
    assert kept(things, Content("1. [a] Miller, y^2\na - b", "", frozenset())) == {"code lines": 1}


@pytest.mark.slow
@pytest.mark.parametrize("is_learnt", [True, False])
def test_made_pages_keep_their_things_and_nothing_of_others(is_learnt: bool) -> None:
    sites = list(made_sites())
    assert len({site[:3] for site in sites}) == len(sites) == 6 * 4 * 12
    for site in sites:
        model = bf.learn([page.html for page in site.pages[:-CLEANED]]) if is_learnt else None
        for page in site.pages[-CLEANED:]:
            content = clean(CorpusPage(page.html, "", ""), model)
            assert kept(page.things, content) == {kind: len(each) for kind, each in page.things.items()}, site[:3]
            assert [one for one in page.others if one in content.images or one in content.text] == [], site[:3]


@pytest.mark.parametrize("kind", ["lines", "readability", "defuddle"])
def test_files_and_checkouts_are_read(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = f"<html><body><ul><li><a href=/>Menu</a></ul><main>{ARTICLE}<p>{'The boats came home. ' * 20}</main>"
    source = tmp_path / "pages.jsonl"
    if kind == "lines":
        source.write_text(json.dumps({"page": "a", "html": page, "expected": ARTICLE}), encoding="utf-8")
    else:
        source = tmp_path / "tests"
        folders = [source / "a", source / "fixtures", source / "expected"]
        for folder in folders:
            folder.mkdir(parents=True)
        files = {"source.html": page, "expected.html": ARTICLE}
        if kind == "defuddle":
            folders, files = folders[1:], {"a.html": page, "a.md": "![](/i/pier.jpg)\n\n```\nsail(3)\n```"}
        for place, (name, text) in enumerate(files.items()):
            (folders[place if kind == "defuddle" else 0] / name).write_text(text, encoding="utf-8")
    (wanted,) = read(source)
    assert wanted.things["images"][0].endswith("pier.jpg")
    assert "sail(3)" in wanted.things["code lines"]
    assert main([str(source), "--no-peers", "--json", str(tmp_path / "things.json")]) == 0
    assert source.name in capsys.readouterr().out
    found = json.loads((tmp_path / "things.json").read_text(encoding="utf-8"))["sources"][source.stem]["found"]
    assert found["scrapy-blockfilter"]["kept"]["images"] == 1
