"""The quality gate: its logic with made-up numbers, and the gate itself where the corpus is at hand."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import gate
from benchmarks.corpus import CorpusError, corpus_digest
from benchmarks.gate import PAGES, TOLERANCE, Floors, fallen, gate_sites, read_floors
from tests.support.corpora import write_corpus

# Exit code, what is printed, and the floors after it.
Run = Callable[..., tuple[int, str, object]]
_SHARED = Path(__file__).parents[3] / "shared"
_NAMED = os.environ.get("BLOCKFILTER_CORPUS")
_DEFAULTS = [_SHARED / name for name in ("corpus", "corpus-train")]
CORPORA = [folder for folder in (map(Path, _NAMED.split(os.pathsep)) if _NAMED else _DEFAULTS) if folder.is_dir()]


@pytest.mark.slow
def test_quality_holds_on_real_pages() -> None:
    if not CORPORA:
        pytest.skip("no corpus of real pages to measure quality on; BLOCKFILTER_CORPUS may name folders")
    floors = read_floors()
    sites = gate_sites(CORPORA)
    assert floors is not None, "benchmarks/floors.json is missing: `make quality-floors` writes it"
    assert corpus_digest(sites) == floors.digest, (
        "these are not the pages that benchmarks/floors.json was measured on: `make quality-floors ARGS=--lower`"
    )
    below = fallen(gate.measure(sites, 2), floors)
    assert not below, "\n".join(below)


def test_a_group_may_be_below_its_floor_by_the_tolerance_but_no_further() -> None:
    floors = Floors("digest", {"news": 0.9, "shops": 0.8, "docs": 0.95})
    assert fallen({"news": 0.9 - TOLERANCE, "shops": 0.8, "docs": 1.0}, floors) == []
    lines = fallen({"news": 0.9 - TOLERANCE - 0.0001, "shops": 0.75, "docs": 0.95}, floors)
    assert [line.partition(":")[0] for line in lines] == ["news", "shops"]
    assert "fell to 0.7500, 0.0500 below its floor of 0.8000" in lines[1]
    assert "`make quality-floors ARGS=--lower`" in lines[1]


# Sites of the part "report" by the hash of their names, as shop-3 and shop-8 are, and the number of their pages.
REPORTED = {"board-2": 5, "board-6": 5, "board-8": 14}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    sets = {"news": {**REPORTED, "small-e": 4, "other": 5}, "shops": {"shop-3": 5}, "singles": {"shop-8": 1}}
    return write_corpus(tmp_path / "corpus", sets, 9_000, themed=True)


@pytest.fixture
def run(corpus: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The program with made-up measurements."""
    file = corpus.parent / "floors.json"

    def run(news: float, shops: float, *arguments: str) -> tuple[int, str, object]:
        monkeypatch.setattr(gate, "measure", lambda sites, processes: {"news": news, "shops": shops})
        code = gate.main([str(corpus), "--floors", str(file), *arguments])
        floors = read_floors(file)
        assert floors is None or floors.digest == corpus_digest(gate_sites([corpus]))
        return code, capsys.readouterr().out, floors and floors.groups

    return run


def test_floors_are_first_what_is_measured_then_only_rise(run: Callable[..., tuple[int, str, object]]) -> None:
    code, printed, floors = run(0.9, 0.8)
    assert (code, floors) == (1, None)
    assert "has no floors for these files" in printed
    first = {"news": 0.9, "shops": 0.8}
    assert run(0.9, 0.8, "--raise")[::2] == (0, first)
    code, printed, floors = run(0.95, 0.8)
    assert (code, floors) == (0, first)
    assert "| news            |     .950 |  .900 | holds |" in printed
    code, printed, floors = run(0.95, 0.7)
    assert (code, floors) == (1, first)
    assert "| shops           |     .700 |  .800 |  fell |" in printed
    code, printed, floors = run(0.93009, 0.7, "--raise")
    assert (code, floors) == (1, {"news": 0.93, "shops": 0.8})
    assert "shops: F1 fell to 0.7000, 0.1000 below its floor of 0.8000." in printed


def test_floors_of_other_files_are_replaced_only_where_that_is_asked_for(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(gate, "measure", lambda sites, processes: {"news": 0.9})
    file = corpus.parent / "floors.json"
    file.write_text(json.dumps({"digest": "other", "groups": {"news": 0.99}}))
    arguments = [str(corpus), "--floors", str(file)]
    assert gate.main([*arguments, "--raise"]) == 1
    assert "--lower sets them anew" in capsys.readouterr().out
    assert json.loads(file.read_text())["digest"] == "other"
    assert gate.main([*arguments, "--lower"]) == 0
    assert json.loads(file.read_text())["groups"] == {"news": 0.9}


def test_the_gate_looks_at_the_first_pages_of_the_sites_of_the_report_part_with_enough(corpus: Path) -> None:
    sites = gate_sites([corpus])
    assert [(site.set_name, site.name) for site in sites] == [
        ("news", "board-2"),
        ("news", "board-6"),
        ("news", "board-8"),
        ("shops", "shop-3"),
    ]
    assert [len(site.pages()) for site in sites] == [5, 5, PAGES, 5]
    with pytest.raises(CorpusError, match="no site of at least 5 pages in the part report"):
        gate_sites([corpus / "singles"])


@pytest.mark.slow
def test_a_group_is_measured_by_the_mean_of_its_sites(corpus: Path) -> None:
    sites = gate_sites([corpus])
    alone, together = gate.measure(sites, 1), gate.measure(sites, 2)
    assert alone == together
    assert list(alone) == ["news", "shops"]
    news = [gate.measure([site], 1)["news"] for site in sites if site.set_name == "news"]
    assert alone["news"] == pytest.approx(sum(news) / len(news))
