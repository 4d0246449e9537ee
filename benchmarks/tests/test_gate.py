"""The quality gate: its logic with made-up numbers, and the gate itself where the corpus is at hand."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from benchmarks import gate
from benchmarks.corpus import CorpusError, corpus_digest
from benchmarks.gate import PAGES, TOLERANCE, Floors, fallen, gate_sites, read_floors
from tests.support.corpora import write_corpus

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


class Gate:
    """The program with made-up measurements."""

    def __init__(self, corpus: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._corpus, self._monkeypatch, self._capsys = corpus, monkeypatch, capsys
        self.file = corpus.parent / "floors.json"
        self.digest = corpus_digest(gate_sites([corpus]))

    def run(self, news: float, shops: float, *arguments: str) -> tuple[int, str]:
        """Exit code and what is printed."""
        self._monkeypatch.setattr(gate, "measure", lambda sites, processes: {"news": news, "shops": shops})
        code = gate.main([str(self._corpus), "--floors", str(self.file), *arguments])
        return code, self._capsys.readouterr().out

    def floors(self) -> dict[str, float]:
        floors = read_floors(self.file)
        assert floors is not None
        assert floors.digest == self.digest
        return dict(floors.groups)


@pytest.fixture
def program(corpus: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Gate:
    return Gate(corpus, monkeypatch, capsys)


def test_the_first_floors_are_what_is_measured(program: Gate) -> None:
    code, printed = program.run(0.9, 0.8)
    assert code == 1
    assert "has no floors for these files" in printed
    assert not program.file.exists()
    assert program.run(0.9, 0.8, "--raise")[0] == 0
    assert program.floors() == {"news": 0.9, "shops": 0.8}
    assert json.loads(program.file.read_text()) == {"digest": program.digest, "groups": program.floors()}


def test_raising_writes_what_rose_and_lowers_no_floor(program: Gate) -> None:
    program.run(0.9, 0.8, "--raise")
    code, printed = program.run(0.93009, 0.7, "--raise")
    assert code == 1
    assert "shops: F1 fell to 0.7000, 0.1000 below its floor of 0.8000." in printed
    assert program.floors() == {"news": 0.93, "shops": 0.8}


def test_without_an_option_nothing_is_written(program: Gate) -> None:
    program.run(0.9, 0.8, "--raise")
    before = program.file.read_bytes()
    code, printed = program.run(0.95, 0.8)
    assert code == 0
    assert "| news            |     .950 |  .900 | holds |" in printed
    code, printed = program.run(0.95, 0.7)
    assert code == 1
    assert "| shops           |     .700 |  .800 |  fell |" in printed
    assert program.file.read_bytes() == before


def test_floors_of_other_files_are_replaced_only_where_that_is_asked_for(program: Gate) -> None:
    program.file.write_text(json.dumps({"digest": "other", "groups": {"news": 0.99}}))
    code, printed = program.run(0.9, 0.8, "--raise")
    assert code == 1
    assert "has no floors for these files" in printed
    assert "--lower sets them anew" in printed
    assert json.loads(program.file.read_text())["digest"] == "other"
    assert program.run(0.9, 0.8, "--lower")[0] == 0
    assert program.floors() == {"news": 0.9, "shops": 0.8}


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
