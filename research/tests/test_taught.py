"""What taught pages bring: the teacher that knows the gold, and the table."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.corpus import Site
from research.taught import Outcome, taught, taught_table
from tests.support.made_sites import make_site


def test_a_site_is_scored_without_a_teacher_and_with_each_number_of_pages(tmp_path: Path) -> None:
    path = tmp_path / "made" / "site.jsonl"
    path.parent.mkdir()
    pages = make_site(pages=8).pages
    rows = [{"html": page.html, "gold": "\n".join(page.content)} for page in pages]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    untaught, *of_numbers = taught(Site("made", path), 5)
    assert (untaught.corrections, untaught.tokens) == (0, 0)
    assert all(one.f1 >= untaught.f1 for one in of_numbers)


def test_the_table_has_gains_and_the_sites_they_are_on() -> None:
    sites = [[Outcome(0.8, 0, 0), *[Outcome(f1, 2, 100)] * 3] for f1 in (0.9, 0.7, 0.8)]
    row = taught_table(sites).splitlines()[-1]
    assert [cell.strip() for cell in row.strip("|").split("|")][3:] == ["1", "1", "2.0", "100"]
