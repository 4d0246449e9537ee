"""The first pages of sites, held until all are learnt and cleaned at once, on made-up sites."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import scrapy_blockfilter as bf
from benchmarks import warmup
from benchmarks.corpus import CorpusPage, Site, find_sites
from benchmarks.parts import REPORT, VERTICALS
from benchmarks.warmup import WAYS, texts_of
from tests.support.corpora import write_corpus

_N = 5


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sets = {"news": {"shop-3": 7, "shop-4": 6, "small": 2}}  # the first is of the part to report, by its name
    return write_corpus(tmp_path_factory.mktemp("corpus"), sets, 4_000, themed=True)


@pytest.fixture(scope="module")
def site(corpus: Path) -> Site:
    return next(site for site in find_sites(corpus) if site.name == "shop-3")


def test_held_pages_are_cleaned_by_the_model_of_all_and_others_by_that_of_the_pages_so_far(site: Site) -> None:
    pages = site.first_pages(_N)
    learnt = bf.learn([page.html for page in pages], bf.Options(pages=_N))
    first = bf.learn([pages[0].html], bf.Options(pages=1))
    texts = texts_of(pages, _N)
    assert tuple(texts) == WAYS
    assert texts["held"] == [learnt.clean(page.html).text for page in pages]
    assert texts["once"][-1] == texts["held"][-1]
    assert texts["once"][0] == first.clean(pages[0].html).text
    assert texts["alone"] == [bf.clean(page.html).text for page in pages]


def test_pages_that_cannot_be_read_pass_whole() -> None:
    empty = CorpusPage("", "", "")
    assert texts_of([empty], _N) == {way: [""] for way in WAYS}


def test_it_prints_a_row_for_each_way_of_the_part_that_decides_nothing(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = [
        {"html": f"<nav>Home</nav><p>A height of {number} cm</p>", "values": [f"A height of {number} cm"]}
        for number in range(6)
    ]
    for vertical in VERTICALS:
        path = tmp_path / "record" / f"{vertical}-one.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(f"{json.dumps(page)}\n" for page in pages), encoding="utf-8")
    given = [str(corpus), "--values", str(tmp_path), "--pages", str(_N), "--processes", "1"]
    assert warmup.main(given) == 0
    printed = capsys.readouterr().out.splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in printed if line.startswith("|")]
    assert rows[2][:3] == ["of", "1 sites", "5 pages"]
    of_report = sum(part == REPORT for part in VERTICALS.values())
    assert rows[2][-1] == f"{of_report} sites, {_N * of_report} pages"
    assert [row[0] for row in rows[3:6]] == list(WAYS)
    assert rows[6][-3:] == list(WAYS)
    assert "shop-3" not in "".join(printed)
