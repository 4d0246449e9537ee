"""Retrieval of known items: by page, by block and by both, from all text and from what cleaning leaves.

Protocol (Shinde, Bolli, Kulkarni 2013, section 6; Cai, Yu, Wen, Ma 2004): all pages of all sites are one collection, in
which each query has one answer. BM25 ranks. DR ranks pages, BR pages by their best block, DR + BR by the mean of both
scores. With expansion, words of the ten best blocks are added, and pages are ranked again. A site's figure is the
mean over its queries, a printed one the mean over sites with its 95 % bootstrap interval. The shipped weights have
seen these sites.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.arguments import add_options
from benchmarks.corpus import CorpusError, choose_sites, find_sites
from benchmarks.digest import corpus_digest
from benchmarks.intervals import interval
from benchmarks.retrieval_bm25 import Bm25, Scores
from benchmarks.retrieval_engines import about_engines, compare_engines, engines_table
from benchmarks.retrieval_pages import ALONE, NEED_BOXES, PAGE, QUERY_SETS, STATES, TITLE, SitePages, read_site, units
from benchmarks.tables import environment, positive, share, table, write_json
from benchmarks.workers import mapped
from scrapy_blockfilter.extras.papers.search.expansion import BEST_BLOCKS, QUERY_WEIGHT, new_words
from scrapy_blockfilter.extras.papers.search.ranking import ALPHA
from scrapy_blockfilter.storable.hashing import hash64

DR, BR, BOTH, EXPANDED = "DR", "BR", "DR + BR", "DR, expanded"
# Where a page is looked for: among all pages, and among those of its site.
AMONG = ("all pages", "pages of its site")
# Rank of the answer -> what is counted, as a mean over queries.
_MEASURES: dict[str, Callable[[float], float]] = {
    "mrr": lambda rank: 1 / rank,
    "first": lambda rank: float(rank <= 1),
    "ten": lambda rank: float(rank <= 10),
}

# By state, query set, place, unit and ranking: the ranks of the answers of each site.
Ranks = dict[tuple[str, ...], list[list[float]]]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        found = [site for corpus in options.corpora for site in choose_sites(find_sites(corpus), options.limit)[0]]
        found = sorted(found, key=lambda site: hash64(site.name.encode()))[: options.sites]
        sites = list(_read(found, options.pages, options.processes))
    except CorpusError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    figures = {
        "environment": environment(),
        "corpus": corpus_digest(found),
        "protocol": {"pages_to_learn_from": options.pages, "alpha": ALPHA, "best_blocks": BEST_BLOCKS},
        **measured(sites),
        "engines": compare_engines(found, options.pages, options.engine_sites),
    }
    print(report(figures))
    write_json(options.json, figures)
    return 0


def measured(sites: Sequence[SitePages]) -> dict[str, Any]:
    """Return the figures of all states, units and rankings."""
    postings: dict[str, dict[str, int]] = {}
    ranks: Ranks = {}
    for state in STATES:
        for left_out, asked in ((TITLE, [name for name in QUERY_SETS if name != ALONE]), (ALONE, [ALONE])):
            indexes = {unit: _index(sites, (left_out, state), unit) for unit in units()}
            if left_out == TITLE:
                postings[state] = {unit: index.postings for unit, index in indexes.items()}
            for key, of_state in _ranks(sites, asked, indexes).items():
                ranks[(state, *key)] = of_state
    queries = {
        name: {
            "queries": sum(len(site.queries[name]) for site in sites),
            "of_sites": sum(bool(site.queries[name]) for site in sites),
        }
        for name in QUERY_SETS
    }
    return {
        "sites": len(sites),
        "pages": sum(_size(site) for site in sites),
        "queries": queries,
        "postings": postings,
        "rows": [
            {
                "queries": name,
                "among": among,
                "unit": unit,
                "ranking": ranking,
                **_compared(ranks, name, among, unit, ranking),
            }
            for name in QUERY_SETS
            if queries[name]["queries"]
            for among in AMONG
            for unit, ranking in _rankings()
        ],
    }


def _rankings() -> list[tuple[str, str]]:
    blocks = [(unit, ranking) for unit in units()[1:] for ranking in (BR, BOTH, EXPANDED)]
    return [(PAGE, DR), (PAGE, EXPANDED), *blocks]


def _size(site: SitePages) -> int:
    return len(site.texts[TITLE, STATES[0]])


def _index(sites: Sequence[SitePages], which: tuple[str, str], unit: str) -> Bm25:
    """Return the index of all pages, or of the blocks of all pages."""
    terms, block_of, page_of = [], [], []
    blocks = 0
    texts = [text for site in sites for text in site.texts[which]]
    for number, text in enumerate(texts):
        own = np.zeros(len(text.terms), np.int64) if unit == PAGE else text.blocks[unit]
        count = 1 if unit == PAGE else int(own.max(initial=-1)) + 1
        terms.append(text.terms)
        block_of.append(own + blocks)
        page_of.append(np.full(count, number))
        blocks += count
    return Bm25(np.concatenate(terms), np.concatenate(block_of), np.concatenate(page_of))


def _ranks(sites: Sequence[SitePages], asked: Sequence[str], indexes: Mapping[str, Bm25]) -> Ranks:
    """Return the ranks of the answers of each site's queries, by query set, place, unit and ranking."""
    found: Ranks = {}
    first = 0
    pages = sum(map(_size, sites))
    for site in sites:
        own = slice(first, first + _size(site))
        for name in asked:
            ranks: dict[tuple[str, ...], list[float]] = {}
            for number, query in site.queries[name].items():
                for (unit, ranking), scores in _scores(query, indexes, pages):
                    for among, part in zip(AMONG, (slice(None), own), strict=True):
                        rank = _rank(scores[part], scores[first + number])
                        ranks.setdefault((name, among, unit, ranking), []).append(rank)
            for key, values in ranks.items():
                found.setdefault(key, []).append(values)
        first = own.stop
    return found


def _scores(query: Sequence[int], indexes: Mapping[str, Bm25], pages: int) -> Iterator[tuple[tuple[str, str], Scores]]:
    """Yield the scores of all pages by each unit and ranking."""
    asked = dict.fromkeys(query, 1.0)
    of_page = indexes[PAGE]
    by_page = _spread(*of_page.scores(asked), pages)
    yield (PAGE, DR), by_page
    for unit, index in indexes.items():
        blocks, scores = index.scores(asked)
        if unit != PAGE:
            by_block = _fitted(index.best(blocks, scores), pages)
            yield (unit, BR), by_block
            yield (unit, BOTH), ALPHA * by_page + (1 - ALPHA) * by_block
        best = blocks[np.argsort(-scores, kind="stable")[:BEST_BLOCKS]]
        more = new_words(index.terms_of(best.tolist()), asked, index.frequency, index.blocks)
        yield (unit, EXPANDED), QUERY_WEIGHT * by_page + _spread(*of_page.scores(more), pages)


def _spread(numbers: Any, scores: Scores, count: int) -> Scores:
    of_all = np.zeros(count)
    of_all[numbers] = scores
    return of_all


def _fitted(scores: Scores, count: int) -> Scores:
    """Return the scores of all pages, of which the last ones may have no block."""
    return np.pad(scores, (0, count - len(scores)))


def _rank(scores: Scores, own: float) -> float:
    """Return the rank of a score, the mean one of equal scores; the last one where nothing was found."""
    if own <= 0:
        return float(len(scores))
    return float(np.sum(scores > own) + (np.sum(scores == own) + 1) / 2)


def _compared(ranks: Ranks, name: str, among: str, unit: str, ranking: str) -> dict[str, Any]:
    by_state: dict[str, list[list[float]]] = {state: ranks[(state, name, among, unit, ranking)] for state in STATES}
    base = {state: _by_site(ranks[(state, name, among, PAGE, DR)]) for state in STATES}
    rr = {state: _by_site(values) for state, values in by_state.items()}
    of_states: dict[str, Any] = {
        state: {
            measure: _mean([_mean([count(rank) for rank in of_site]) for of_site in values])
            for measure, count in _MEASURES.items()
        }
        | {"interval": interval([rr[state]]), "beyond_pages": _difference(rr[state], base[state])}
        for state, values in by_state.items()
    }
    return {**of_states, "by_cleaning": _difference(rr["cleaned"], rr["all text"])}


def _by_site(ranks: Sequence[Sequence[float]]) -> list[float]:
    return [_mean([1 / rank for rank in of_site]) for of_site in ranks]


def _difference(one: Sequence[float], other: Sequence[float]) -> dict[str, Any]:
    differences = [a - b for a, b in zip(one, other, strict=True)]
    return {"mean": _mean(differences), "interval": interval([differences])}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def report(figures: Mapping[str, Any]) -> str:
    """Return the figures as text for people."""
    lines = [about(figures)]
    for name in _asked(figures):
        for among in AMONG:
            lines += ["", f"Words of the {name}, the page among {among}", "", ranks_table(figures, name, among)]
    lines += ["", order(figures), "", "Postings", "", postings_table(figures)]
    lines += ["", about_engines(figures["engines"]), "", engines_table(figures["engines"])]
    return "\n".join(lines)


def _asked(figures: Mapping[str, Any]) -> list[str]:
    return list(dict.fromkeys(row["queries"] for row in figures["rows"]))


def about(figures: Mapping[str, Any]) -> str:
    """Say what was searched, and what could not be measured."""
    queries = ", ".join(
        f"{of['queries']:,} by {name} ({of['of_sites']} sites)" for name, of in figures["queries"].items()
    )
    return (
        f"{figures['pages']:,} pages of {figures['sites']} sites are one collection; queries: {queries}. "
        f"Not measurable: {' and '.join(NEED_BOXES)}, as pages of a corpus have no boxes."
    )


def ranks_table(figures: Mapping[str, Any], name: str, among: str) -> str:
    """Return a table of MRR with its intervals, and of the queries whose page came first."""
    rows = []
    for row in figures["rows"]:
        if (row["queries"], row["among"]) == (name, among):
            cells = [f"{share(row[state]['mrr'])} ({'–'.join(map(share, row[state]['interval']))})" for state in STATES]
            first = " / ".join(share(row[state]["first"]) for state in STATES)
            rows.append([f"{row['unit']}, {row['ranking']}", *cells, signed(row["by_cleaning"]), first])
    return table(["MRR", *STATES, "by cleaning", "first: all text / cleaned"], rows)


def signed(difference: Mapping[str, Any]) -> str:
    """Return a difference with its interval: ``+.012 (+.004–+.020)``."""
    low, high = (f"{value:+.3f}".replace("0.", ".", 1) for value in difference["interval"])
    return f"{difference['mean']:+.3f} ({low}–{high})".replace("0.", ".", 1)


def order(figures: Mapping[str, Any]) -> str:
    """Say which unit came first, and whether it is surely better than whole pages."""
    lines = []
    for name in _asked(figures):
        rows = [row for row in figures["rows"] if (row["queries"], row["among"]) == (name, AMONG[0])]
        for state in STATES:
            ordered = sorted(rows, key=lambda row: -row[state]["mrr"])
            best = ordered[0]
            gain = best[state]["beyond_pages"]
            sure = "the interval excludes 0" if gain["interval"][0] > 0 else "the interval does not exclude 0"
            first = ", ".join(f"{row['unit']} {row['ranking']} {share(row[state]['mrr'])}" for row in ordered[:3])
            beyond = (
                f"; beyond whole pages: {signed(gain)}, {sure}" if best["unit"] != PAGE or best["ranking"] != DR else ""
            )
            lines.append(f"- {name}, {state}: {first}{beyond}")
    return "\n".join(lines)


def postings_table(figures: Mapping[str, Any]) -> str:
    """Return a table of the sizes of the indexes."""
    before, after = (figures["postings"][state] for state in STATES)
    rows = [
        [unit, f"{before[unit]:,}", f"{after[unit]:,}", f"{after[unit] / before[unit] - 1:+.0%}"] for unit in before
    ]
    return table(["postings", *STATES, "by cleaning"], rows)


def _read(sites: Sequence[Any], learnt: int, processes: int) -> Iterator[SitePages]:
    for number, site in enumerate(mapped(partial(read_site, learnt=learnt), sites, processes), 1):
        print(f"{number}/{len(sites)}", file=sys.stderr, flush=True)
        yield site


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.retrieval", description=__doc__)
    parser.add_argument("corpora", type=Path, nargs="+", metavar="CORPUS", help="a folder of <set>/<site>.jsonl.gz")
    parser.add_argument("--sites", type=positive, metavar="N", help="only so many sites, drawn by their names (all)")
    parser.add_argument(
        "--engine-sites", type=int, default=60, metavar="SITES", help="sites to compare engines on (60); 0 for none"
    )
    add_options(parser, "--pages", "--limit", "--processes", figures="retrieval.json")
    return parser


if __name__ == "__main__":
    sys.exit(main())
