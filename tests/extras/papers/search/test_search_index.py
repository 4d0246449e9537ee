"""The index of ``search``: kept in a file, brought up to date by URL, and searched by page and by block."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scrapy_blockfilter.extras.papers.search import BY, Document, SearchIndex
from scrapy_blockfilter.store import StoreError

TIDES = Document("http://a/tides", "a", "Tides", "en", ("High water at noon.", "The harbour is open."))
WATER = Document("http://a/water", "a", "Bills", "en", ("Pay for the harbour here.", "Call us.", "Opening hours."))
TOKYO = Document("http://b/tokyo", "b", "東京都", "ja", ("東京都の水道局は水を供給します。", "給水"))
OTHERS = [Document(f"http://c/{number}", "c", f"Page {number}", "en", (f"Nothing {number}.",)) for number in range(9)]


def index_of(*documents: Document, path: Path | None = None) -> SearchIndex:
    index = SearchIndex(path)
    index.add([*documents, *OTHERS])
    return index


def urls(index: SearchIndex, query: str, **how: object) -> list[str]:
    return [found.url for found in index.search(query, limit=10, **how).found]  # type: ignore[arg-type]


@pytest.mark.parametrize("by", ["page", "block", "both"])
def test_pages_are_found_by_stems_with_their_best_passage(by: str) -> None:
    with closing(index_of(TIDES, WATER)) as index:
        result = index.search("Harbours opened", by=by, limit=10)
        assert result.words == ["harbour", "open"]
        assert result.total == 2
        assert {found.url: found.passage for found in result.found}[TIDES.url] == "The harbour is open."
        (first, second) = result.found
        assert first.score >= second.score > 0


def test_block_with_both_words_is_above_blocks_with_one_each() -> None:
    with closing(index_of(WATER, TIDES)) as index:
        assert urls(index, "harbour open", by="block") == [TIDES.url, WATER.url]


def test_title_is_found_by_page_and_has_no_passage() -> None:
    with closing(index_of(TIDES, WATER)) as index:
        (found,) = index.search("bills", limit=10).found
        assert (found.url, found.passage) == (WATER.url, "")
        assert urls(index, "bills", by="block") == []


@pytest.mark.parametrize("query", ["水", "給", "東京", "水道局", "京都", "供給"])
def test_text_without_spaces_is_found_by_any_part_of_it(query: str) -> None:
    with closing(index_of(TIDES, TOKYO)) as index:
        assert urls(index, query) == [TOKYO.url]


def test_query_may_hold_anything() -> None:
    queries = ('"', "NEAR(a b)", "noon*", "-noon", "words:noon", "' OR x", "noon AND", "\x00", "(", "a" * 5000, "")
    with closing(index_of(TIDES)) as index:
        for query in queries:
            assert urls(index, query) in ([], [TIDES.url])
        assert urls(index, 'noon "AND') == [TIDES.url]


def test_page_that_is_added_again_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    with closing(index_of(TIDES, TOKYO, path=path)) as index:
        index.add([TIDES._replace(title="Ebb", passages=("Low water at six.",)), TOKYO])
        assert urls(index, "noon") == urls(index, "tides") == []
        assert urls(index, "ebb") == urls(index, "six") == [TIDES.url]
        fresh = index_of(TIDES._replace(title="Ebb", passages=("Low water at six.",)), TOKYO)
        scores = [[one.score for one in of.search("water 水", by="page", limit=10).found] for of in (index, fresh)]
        assert len(scores[0]) == 2
        assert scores[0] == pytest.approx(scores[1])
        fresh.close()


def test_pages_are_scored_by_page_by_block_and_by_the_mean_of_both() -> None:
    with closing(index_of(TIDES, WATER, TIDES._replace(url="http://b/t", title="Open", passages=("Ebb.",)))) as index:
        page, block, both = (
            {found.url: found.score for found in index.search("harbour open", by=by, limit=10).found} for by in BY
        )
        assert page.keys() == both.keys() > block.keys()
        assert both == {url: pytest.approx((score + block.get(url, 0)) / 2) for url, score in page.items()}


def test_best_passage_of_a_page_is_the_first_of_the_highest() -> None:
    alike = TIDES._replace(passages=("One of many words: noon.", "High noon.", "Noon tide."))
    with closing(index_of(alike)) as index:
        assert [found.passage for found in index.search("noon", limit=10).found] == ["High noon."]


def test_another_programs_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE documents (id INTEGER)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="is another file"):
        SearchIndex(path)
    assert path.read_bytes() == before
    path.write_bytes(b"no database" * 1000)
    with pytest.raises(StoreError, match=r"is damaged or no index \(.*\)\. Name another file"):
        SearchIndex(path)


def test_index_of_other_words_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    index_of(TIDES, path=path).close()
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE made_with SET stemmer = '1.0'")
    with pytest.raises(StoreError, match="Delete it, and index the items again"):
        SearchIndex(path)


def test_failed_add_leaves_the_index_as_it_was() -> None:
    def documents() -> Iterator[Document]:
        yield TIDES._replace(passages=("Other words.",))
        raise KeyboardInterrupt

    with closing(index_of(TIDES)) as index:
        with pytest.raises(KeyboardInterrupt):
            index.add(documents())
        assert urls(index, "noon") == [TIDES.url]
        assert urls(index, "words") == []
