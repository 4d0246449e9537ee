"""The benchmarks of changing and of poisoned sites, on small made-up corpora."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from benchmarks import drift
from benchmarks.corpus import CorpusPage, find_sites
from benchmarks.drift import MEASURES, Change, changes, run
from benchmarks.passing import Crawl
from scrapy_blockfilter import Options
from stress import poisoning
from stress.poisoned_sites import Source, generated_sources
from stress.poisoning import outcomes
from tests.support.corpora import write_corpus
from tests.support.made_sites import make_site

pytestmark = pytest.mark.slow


def write_generated(folder: Path, set_name: str, name: str, layout: str, pages: int, seed: int) -> None:
    lines = [
        json.dumps({"html": page.html, "gold": "\n".join(page.content)})
        for page in make_site(layout, pages, seed).pages
    ]
    path = folder / set_name / f"{name}.jsonl.gz"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress("\n".join(lines).encode()))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A publisher's old and new pages, and a site beside."""
    write_generated(tmp_path, "old", "gazette", "div", 9, 1)
    write_generated(tmp_path, "new", "gazette", "semantic", 12, 2)
    write_generated(tmp_path, "new", "herald", "dl", 10, 3)
    return tmp_path


def test_publishers_are_joined_both_ways_and_neighbours_in_a_ring(corpus: Path) -> None:
    found = [(change.kind, change.name, change.pages) for change in changes(find_sites(corpus), 8)]
    assert found == [
        ("publisher", "new/gazette > old/gazette", 7),
        ("publisher", "old/gazette > new/gazette", 8),
        ("new", "new/gazette > new/herald", 8),
        ("new", "new/herald > new/gazette", 8),
    ]


def test_change_of_layout_is_found_and_measured(corpus: Path) -> None:
    old, new = (find_sites(corpus, [set_name])[0] for set_name in ("old", "new"))
    result = run(Change("publisher", old, new, 5))
    assert set(result.f1) == set(MEASURES)
    assert result.layouts == 1
    assert result.misfits == 5
    assert result.emptied == result.false_layouts == 0
    assert result.judged == 5 + 12 + 4
    assert result.f1["after"] == pytest.approx(result.f1["alone"], abs=0.02)
    assert result.f1["again"] == pytest.approx(result.f1["before"], abs=0.02)


def test_drift_prints_a_row_a_publisher_and_a_row_a_set(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "drift.json"
    assert drift.main([str(corpus), "--pages", "6", "--processes", "1", "--json", str(results)]) == 0
    printed = capsys.readouterr().out
    assert "old/gazette > new/gazette (N = 6)" in printed
    assert "publisher: 2 changes" in printed
    assert "new: 2 changes" in printed
    assert "emptied of their gold: 0" in printed
    assert len(json.loads(results.read_text(encoding="utf-8"))["changes"]) == 4


def test_drift_needs_two_sites(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        drift.main([str(write_corpus(tmp_path, {"news": {"one": 6}}))])
    assert "no two sites" in capsys.readouterr().err


def test_crawl_of_the_benchmarks_empties_no_page_and_counts_one_that_is() -> None:
    made = [(page, page.title.split()[0]) for page in make_site("div", 6).pages]
    for drop, emptied in (((), 0), (("h1",), 3)):
        crawl = Crawl(Options(pages=4, drop=drop))
        crawl.f1([CorpusPage(page.html, name, "en") for page, name in made])
        assert crawl.judged == 3
        assert crawl.emptied == emptied


def test_risks_on_a_made_up_site() -> None:
    (source,) = generated_sources(1)
    found = {outcome.risk: outcome for outcome in outcomes(Source("generated", "one", source.pages[:16], source.lists))}
    # On so small a site one block of eight may go.
    assert found["20 session ids: gold kept"].value >= found["20 session ids: gold kept"].clean - 1 / 8
    assert found["text quoted on half of the pages: kept"].value == 1
    for share_of_site in (60, 25, 15):
        of_section = found[f"a section with {share_of_site}% of the pages: F1"]
        assert of_section.value == pytest.approx(of_section.clean, abs=0.05)
    assert found["another site with the same pages: models changed"].value == 0
    recovered = [outcome.value for risk, outcome in found.items() if risk.endswith("until recovered")]
    assert len(recovered) == 5
    assert max(recovered) < 20


def test_poisoning_reports_mean_and_worst() -> None:
    made = [
        poisoning.Outcome("walls: F1 after 40", "corpus", "a", 0.9, 0.95),
        poisoning.Outcome("walls: F1 after 40", "corpus", "b", 0.8, 0.95),
        poisoning.Outcome("walls: pages until recovered", "corpus", "a", 3, 0),
        poisoning.Outcome("walls: pages until recovered", "corpus", "b", 8, 0),
    ]
    printed = poisoning.report(made)
    assert ".850 (.950), .800 (.950)" in printed
    assert "5.5, 8" in printed
    assert "corpus, 2 sites" in printed
