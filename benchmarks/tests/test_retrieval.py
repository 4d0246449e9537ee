"""The benchmark of retrieval: its ranks are those of the index that ships, and its queries are known items."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from benchmarks import retrieval
from benchmarks.corpus import find_sites
from benchmarks.retrieval_bm25 import Bm25
from benchmarks.retrieval_pages import ALONE, DESCRIPTION, STATES, TITLE, read_site, units
from scrapy_blockfilter.extras.papers.search import Document
from scrapy_blockfilter.extras.papers.search.search_index import SearchIndex
from tests.support.corpora import write_corpus


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("corpus"), {"news": {"one": 6}, "shops": {"two": 6}}, 9_000)


def test_scores_of_pages_and_blocks_are_those_of_the_index_that_ships() -> None:
    random = np.random.default_rng(5)
    texts = [[random.integers(1, 40, random.integers(1, 30)) for _ in range(random.integers(1, 6))] for _ in range(40)]
    blocks = [block for text in texts for block in text]
    page_of = np.repeat(np.arange(40), [len(text) for text in texts])
    lengths = [len(block) for block in blocks]
    index = Bm25(np.concatenate(blocks).astype(np.uint32), np.repeat(np.arange(len(blocks)), lengths), page_of)
    with closing(SearchIndex()) as shipped:
        spelled = [tuple(" ".join(f"w{term}" for term in block) for block in text) for text in texts]
        shipped.add(Document(str(number), "", "", "xx", passages) for number, passages in enumerate(spelled))
        for query in ([3], [3, 17], [3, 17, 39, 99]):
            found, scores = index.scores(dict.fromkeys(query, 1.0))
            theirs = shipped.passage_scores([f"w{term}" for term in query])
            assert sorted(one.score for one in theirs) == pytest.approx(sorted(scores.tolist()), rel=1e-6, abs=1e-5)
            best = index.best(found, scores)
            for number, score in enumerate(best.tolist()):
                own = [one.score for one in theirs if one.document == number + 1]
                assert max(own, default=0) == pytest.approx(score, rel=1e-6, abs=1e-5)
        assert index.frequency(3) == shipped.passage_frequency("w3")
        assert index.terms_of([0]) == [set(blocks[0].tolist())]


def test_queries_are_words_of_few_titles_and_no_index_has_the_titles(corpus: Path) -> None:
    site = read_site(find_sites(corpus)[0], 5)
    assert len(site.queries[TITLE]) == 6
    assert site.queries[ALONE] == site.queries[TITLE]
    assert site.queries[DESCRIPTION] == {}
    for state in STATES:
        for name in (TITLE, ALONE):
            for text in site.texts[name, state]:
                assert len(text.terms) > 0
                assert {unit: len(numbers) for unit, numbers in text.blocks.items()} == dict.fromkeys(
                    units()[1:], len(text.terms)
                )
    kept = [sum(len(text.terms) for text in site.texts[TITLE, state]) for state in STATES]
    assert kept[1] < kept[0]
    blocks = [sum(len(set(text.blocks[unit])) for text in site.texts[TITLE, STATES[0]]) for unit in units()[1:]]
    assert max(blocks) == blocks[0]
    assert len(set(blocks)) == len(blocks)


def test_rank_is_the_mean_one_of_equal_scores_and_the_last_one_without_a_score() -> None:
    assert retrieval._rank(np.array([3.0, 2.0, 2.0, 1.0]), 2.0) == 2.5
    assert retrieval._rank(np.array([3.0, 0.0, 0.0, 1.0]), 0.0) == 4


def test_it_runs_from_start_to_end(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "retrieval.json"
    assert retrieval.main([str(corpus), "--pages", "5", "--processes", "1", "--json", str(file)]) == 0
    figures = json.loads(file.read_text(encoding="utf-8"))
    assert (figures["sites"], figures["pages"], figures["queries"][TITLE]["queries"]) == (2, 12, 12)
    for row in figures["rows"]:
        for state in STATES:
            low, high = row[state]["interval"]
            assert 0 < low <= row[state]["mrr"] <= high <= 1
    assert figures["postings"]["cleaned"]["page"] < figures["postings"]["all text"]["page"]
    printed = capsys.readouterr().out
    assert "Not measurable: vips and combined" in printed
    assert "| SQLite FTS5, cleaned" in printed
