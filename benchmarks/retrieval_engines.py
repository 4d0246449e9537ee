"""SQLite's FTS5 beside bm25s, on the same words of the same documents: answers, time and bytes."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.corpus import Site
from benchmarks.retrieval_pages import STATES
from benchmarks.tables import share, table
from benchmarks.unshipped import model_of
from scrapy_blockfilter import Options
from scrapy_blockfilter.consensus.method import Consensus
from scrapy_blockfilter.consensus.weights import load_network
from scrapy_blockfilter.extras.papers.search import Document
from scrapy_blockfilter.extras.papers.search.documents import DocumentMaker
from scrapy_blockfilter.extras.papers.search.search_index import SearchIndex
from scrapy_blockfilter.extras.papers.search.words import Words
from scrapy_blockfilter.storable.hashing import hash64

FTS5, BM25S = "SQLite FTS5", "bm25s"
_MOST_TITLES = 0.3

Query = tuple[int, list[str]]


def compare_engines(sites: Sequence[Site], learnt: int, count: int) -> dict[str, Any]:
    """Index the pages of some sites, all their text and what cleaning leaves, and look for their titles.

    Args:
        count: number of sites, chosen by their names.
    """
    chosen = sorted(sites, key=lambda site: hash64(site.name.encode()))[:count]
    documents: dict[str, list[Document]] = {state: [] for state in STATES}
    queries: list[Query] = []
    for site in chosen:
        _read(site, learnt, documents, queries)
    found: dict[str, Any] = {
        "sites": len(chosen),
        "pages": len(documents[STATES[0]]),
        "queries": len(queries),
        "rows": [],
    }
    if not queries:
        return found
    engines: dict[str, Callable[[Sequence[Document], Sequence[Query], Path], dict[str, float]]] = {FTS5: _fts5}
    found["versions"] = {FTS5: _sqlite_version()}
    if find_spec("bm25s"):
        engines[BM25S] = _bm25s
        found["versions"][BM25S] = version("bm25s")
    for state in STATES:
        for name, run in engines.items():
            with TemporaryDirectory() as folder:
                found["rows"].append({"engine": name, "state": state, **run(documents[state], queries, Path(folder))})
            print(f"{name}, {state}", file=sys.stderr, flush=True)
    return found


def engines_table(figures: Mapping[str, Any]) -> str:
    """Return a table of the engines."""
    rows = [
        [
            f"{row['engine']}, {row['state']}",
            share(row["mrr"]),
            f"{row['build_s']:.1f}",
            f"{row['query_ms']:.2f}",
            f"{row['bytes'] / 1e6:.1f}",
            f"{row['text_bytes'] / 1e6:.1f}",
        ]
        for row in figures["rows"]
    ]
    return table(["", "MRR", "s to index", "ms a query", "MB of words", "MB with texts to show"], rows)


def about_engines(figures: Mapping[str, Any]) -> str:
    """Say what the engines were compared on."""
    versions = ", ".join(f"{name} {number}" for name, number in figures.get("versions", {}).items())
    counts = f"{figures['pages']:,} pages of {figures['sites']} sites with {figures['queries']:,} queries"
    return f"Engines, on {counts}: {versions}."


def _read(site: Site, learnt: int, documents: dict[str, list[Document]], queries: list[Query]) -> None:
    pages = site.pages()
    model = model_of(pages[:learnt], Consensus(load_network()), Options(pages=learnt))
    maker, words = DocumentMaker(Options(segmenter="dom")), Words()
    first = len(documents[STATES[0]])
    titles = []
    for number, page in enumerate(pages):
        whole = maker.document([page.html], url=f"{site.set_name}/{site.name}/{number}", site=site.name)
        cleaned = maker.document([model.clean(page.html).html], url="", site="") if model else whole
        if whole is None or cleaned is None:
            continue
        titles.append(set(words.of(whole.title, whole.language)))
        for state, document in zip(STATES, (whole, cleaned), strict=True):
            left = tuple(passage for passage in document.passages if passage not in whole.title)
            documents[state].append(whole._replace(title="", passages=left))
    having = Counter(word for title in titles for word in title)
    for number, title in enumerate(titles):
        query = sorted(word for word in title if having[word] < _MOST_TITLES * len(titles))
        if query and titles.count(title) == 1:
            queries.append((first + number, query))


def _fts5(documents: Sequence[Document], queries: Sequence[Query], folder: Path) -> dict[str, float]:
    with closing(SearchIndex(folder / "index.db")) as index:
        start = time.process_time()
        index.add(documents)
        built = time.process_time()
        ranks = [_rank(dict(index.document_scores(query)), number + 1) for number, query in queries]
        asked = time.process_time()
        words = index.bytes_of_words()
    size = (folder / "index.db").stat().st_size
    return _row(ranks, built - start, asked - built, words, size)


def _bm25s(documents: Sequence[Document], queries: Sequence[Query], folder: Path) -> dict[str, float]:
    import bm25s

    words = Words()
    start = time.process_time()
    of_documents = [list(_words(document, words)) for document in documents]
    of_passages = [words.of_document(text, one.language) for one in documents for text in one.passages]
    retrievers = [bm25s.BM25(k1=1.2, b=0.75) for _ in range(2)]
    for retriever, corpus in zip(retrievers, (of_documents, of_passages), strict=True):
        retriever.index(corpus, show_progress=False)
    built = time.process_time()
    ranks = []
    for number, query in queries:
        known = [word for word in query if word in retrievers[0].vocab_dict]
        scores = retrievers[0].get_scores(known) if known else np.zeros(len(documents))
        ranks.append(_rank({place: float(score) for place, score in enumerate(scores) if score > 0}, number))
    asked = time.process_time()
    for name, retriever in zip(("documents", "passages"), retrievers, strict=True):
        retriever.save(str(folder / name))
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    texts = sum(len(text.encode()) for document in documents for text in document.passages)
    return _row(ranks, built - start, asked - built, size, size + texts)


def _words(document: Document, words: Words) -> Iterator[str]:
    for text in document.passages:
        yield from words.of_document(text, document.language)


def _rank(scores: Mapping[int, float], answer: int) -> float:
    own = scores.get(answer, 0.0)
    if own <= 0:
        return float("inf")
    higher = sum(score > own for score in scores.values())
    equal = sum(score == own for score in scores.values())
    return higher + (equal + 1) / 2


def _row(ranks: Sequence[float], build: float, asked: float, size: int, whole: int) -> dict[str, float]:
    return {
        "mrr": sum(1 / rank for rank in ranks) / len(ranks),
        "build_s": build,
        "query_ms": 1_000 * asked / len(ranks),
        "bytes": size,
        "text_bytes": whole,
    }


def _sqlite_version() -> str:
    import sqlite3

    return sqlite3.sqlite_version
