"""Quality of methods with larger blocks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.corpus import find_sites
from benchmarks.digest import corpus_digest
from benchmarks.evaluate import Job
from benchmarks.evaluate import evaluate as by_chunks
from benchmarks.parts import PARTS, parts_of
from research.papers import larger_blocks
from tests.support.corpora import write_corpus

METHODS = ("chunk_frequency", "largest_block_string")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("corpus"), {"news": {"one": 6, "small": 2}}, 9_000)


def test_each_method_is_scored_with_each_segmenter(corpus: Path) -> None:
    site = find_sites(corpus)[0]
    found = larger_blocks.evaluate(site, METHODS, 4)
    plain = by_chunks(Job(site, METHODS, (), 4)).results
    for method in METHODS:
        assert tuple(found.f1[method]) == larger_blocks.SEGMENTERS
        assert found.f1[method]["chunks"] == plain[method].score.f1
    # Blocks of 200 characters begin anywhere, so template is not met again.
    assert found.f1["chunk_frequency"]["fixed_length"] < found.f1["chunk_frequency"]["chunks"]


def test_it_runs_from_start_to_end(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sites = find_sites(corpus)
    part = parts_of(sites)[sites[0]]
    file = tmp_path / "larger-blocks.json"
    arguments = [str(corpus), "--processes", "1", "--methods", ",".join(METHODS), "--json", str(file)]
    assert larger_blocks.main([*arguments, "--part", part]) == 0
    printed = capsys.readouterr().out
    assert "| `chunk_frequency`" in printed
    assert "1 sites with 6 pages" in printed
    results = json.loads(file.read_text(encoding="utf-8"))
    assert results["corpus"] == corpus_digest(site for site in sites if site.name == "one")
    assert results["by_site"][0]["f1"]["chunk_frequency"].keys() == set(larger_blocks.SEGMENTERS)


def test_it_says_where_there_is_no_such_site(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sites = find_sites(corpus)
    other = next(part for part in PARTS if part not in parts_of(sites).values())
    with pytest.raises(SystemExit) as stopped:
        larger_blocks.main([str(corpus), "--processes", "1", "--part", other])
    assert stopped.value.code == 2
    assert "there is no site of at least" in capsys.readouterr().err
