"""How many pages that lose half of their gold are told as suspicious."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import told
from benchmarks.parts import PARTS, sites_of
from benchmarks.told import Told, told_of
from tests.support.corpora import write_corpus

LOST, FINE, BETWEEN = 0.2, 0.9, 0.6


def test_pages_are_counted_by_what_they_lose_and_whether_they_are_told() -> None:
    one = [
        Told(LOST, 0.4, True, ""),
        Told(LOST, 0.0, False, ""),
        Told(FINE, 0.0, False, ""),
        Told(BETWEEN, 0.9, True, ""),
    ]
    other = [Told(FINE, 0.3, True, ""), Told(1.0, 0.0, False, "")]
    found = told_of([one, other])
    assert found["lose half"][:3] == (1, 2, 1)
    assert found["fine"][:3] == (1, 3, 2)
    assert found["fine"].low <= 1 / 3 <= found["fine"].high
    assert told_of([one, other], doubt=0.35)["fine"][:3] == (0, 3, 2)
    assert told_of([other])["lose half"] == (0, 0, 0, 0.0, 0.0)


def test_it_runs_from_start_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = write_corpus(tmp_path / "corpus", {"news": {"one": 5, "two": 6}}, 9_000)
    part = next(part for part in PARTS if sites_of(part, [corpus]))
    file = tmp_path / "told.json"
    assert told.main([str(corpus), "--part", part, "--processes", "1", "--json", str(file)]) == 0
    results = json.loads(file.read_text())
    assert (results["part"], results["weights"]) == (part, "as shipped")
    assert results["rules"]["suspicious"]["fine"]["pages"] + results["rules"]["suspicious"]["lose half"]["pages"] > 0
    assert results["states"]["wall"] == {"wall": results["sites"]}
    out = capsys.readouterr().out
    assert "| suspicious " in out
    assert "| wall " in out
