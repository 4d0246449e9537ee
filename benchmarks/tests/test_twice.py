"""The benchmark of pages cleaned twice, on a small made-up corpus."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.corpus import find_sites
from benchmarks.twice import Twice, clean_twice, main
from scrapy_blockfilter import Options
from tests.support.corpora import write_corpus


def test_a_method_that_judges_each_block_alone_changes_no_page_again(tmp_path: Path) -> None:
    (site,) = find_sites(write_corpus(tmp_path, {"made": {"up": 12}}))
    found = clean_twice(site, Options(method="chunk_frequency", pages=8), most=3)
    assert found == Twice(cleaned=3)


def test_outcomes_add_up() -> None:
    assert Twice(3, 1, 200, 10) + Twice(2, 2, 100, 30) == Twice(5, 3, 300, 40)


def test_a_line_a_method_says_what_came_of_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = write_corpus(tmp_path, {"made": {"up": 12, "down": 12}})
    assert main([str(corpus), "--methods", "chunk_frequency,consensus", "--pages", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == ["chunk_frequency", "consensus"]
    assert lines[0].endswith("2 pages cleaned, 0 changed when cleaned again, which took 0.0 % of their text")
    assert re.search(r"[12] pages? cleaned, \d changed", lines[1])


def test_a_corpus_that_is_not_there_ends_with_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([str(tmp_path / "nowhere")])
    assert ended.value.code == 2
    assert f"{tmp_path / 'nowhere'} does not exist" in capsys.readouterr().err
