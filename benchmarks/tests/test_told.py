"""How many pages that lose half of their gold are told as suspicious."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import told
from benchmarks.parts import PARTS, sites_of
from benchmarks.told import Told, parts_of, told_of
from scrapy_blockfilter import Cleaned, Options
from scrapy_blockfilter.html import Reader
from scrapy_blockfilter.methods import Verdict
from scrapy_blockfilter.methods.base import Reason
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


@pytest.mark.parametrize(
    ("goes", "counts"),
    [
        ((), {"parts": 2, "uneven": 0}),
        ((0, 2, 4, 6), {"parts": 2, "uneven": 0}),
        ((0,), {"parts": 2, "uneven": 1}),
        ((1, 2, 3), {"parts": 2, "uneven": 2}),
    ],
)
def test_part_of_like_tiles_is_uneven_if_it_goes_from_some(goes: tuple[int, ...], counts: dict[str, int]) -> None:
    tiles = "".join(f"<li><b class=name>Boat</b><p id=part{2 * place + 1}>{place} €</p></li>" for place in range(4))
    page = Reader(Options()).read(f"<body><p>A line</p><ul>{tiles}</ul><p>{'long text ' * 100}</p></body>")
    keep = [block.number - 1 not in goes for block in page.blocks]
    cleaned = Cleaned("", page, [Verdict(stays, 1.0, Reason("", "")) for stays in keep], "")
    assert parts_of(cleaned) == counts


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
    rows = results["rows"]
    assert list(rows) == ["made grids, learnt", "made grids, each page alone", f"pages of the part {part}"]
    assert "| made grids, learnt " in out
