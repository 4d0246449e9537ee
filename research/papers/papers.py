"""Every method by every measure of the papers, beside the authors' own figures.

Protocol: learn from the first N pages of a site in the order of its file, and clean all its pages. Take the mean over
the pages of a site, then over sites. The template measures (atf, tdr) look at the pages learnt from.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from statistics import fmean

from benchmarks.arguments import add_arguments, refusing
from benchmarks.corpus import MIN_PAGES, CorpusPage, Site, choose_sites, corpus_digest, find_sites
from benchmarks.parts import PARTS, sites_of
from benchmarks.scoring import Score, mean
from benchmarks.tables import names, print_made_with, share, table
from benchmarks.workers import mapped
from research.papers.authors import ATF, BLOCKS, FEATURES, LCS, REPORTED, TDR
from research.papers.measures import JudgedPage, readable
from research.papers.template import actual_template, discovered_template, template_discovery_ratio, template_fraction
from scrapy_blockfilter import Options, learn
from scrapy_blockfilter.html import Reader
from scrapy_blockfilter.methods import METHOD_NAMES
from scrapy_blockfilter.methods.base import FrequencyArguments
from scrapy_blockfilter.options.segmenter import CHUNKS, PLUGINS

OURS, PAPERS = SETTINGS = ("default", "papers")
# Methods that work otherwise with the argument paper_defaults. The others have all that their papers say of settings.
SET_BY_PAPERS = (
    *("chunk_frequency", "ibdf", "entropy", "feature_extractor", "k_feature_extractor", "tag_ratio"),
    *("largest_block_string", "table_pattern", "content_seeker"),
)


@dataclass(frozen=True)
class MethodResult:
    """Figures of one method on one site."""

    features: Score
    blocks: Score
    lcs: Score
    tokens: Score
    atf: float
    tdr: float | None  # None where the site has no template to discover


@dataclass(frozen=True)
class SiteResult:
    set_name: str
    site: str
    pages: int
    results: Mapping[str, MethodResult]


def evaluate(
    site: Site, *, methods: Sequence[str], learnt: int, segmenter: str = CHUNKS, settings: Sequence[str] = (OURS,)
) -> SiteResult:
    """Take every measure of every method on one site, by each of the settings."""
    pages = list(readable(site.pages(), Reader(Options())))
    results = {
        row: _evaluate(
            pages,
            Options(
                method=method, pages=learnt, segmenter=segmenter, method_args={"paper_defaults": setting == PAPERS}
            ),
        )
        for method, setting, row in (rows_of(methods, settings) if pages else ())
    }
    return SiteResult(site.set_name, site.name, len(pages), results)


def rows_of(methods: Sequence[str], settings: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return method, settings and name of each row; a method that no paper sets otherwise has one row."""
    return [
        (method, setting, f"{method}, {PAPERS}" if setting == PAPERS and len(settings) > 1 else method)
        for method in methods
        for setting in settings
        if setting == OURS or len(settings) == 1 or method in SET_BY_PAPERS
    ]


def _evaluate(pages: Sequence[tuple[CorpusPage, JudgedPage]], options: Options) -> MethodResult:
    learnt = min(options.pages, len(pages))
    model = learn([page.html for page, _ in pages[:learnt]], options)
    cleaned = [model.clean(page.html) for page, _ in pages]
    every = [judged for _, judged in pages]
    texts = list(zip(every, (page.text for page in cleaned), strict=True))
    keeps = [
        judged.of_chunks([block.keep for block in page.blocks], options)
        for judged, page in zip(every, cleaned, strict=True)
    ]
    template_pages = [judged.page for judged in every[:learnt]]
    threshold = FrequencyArguments().threshold_of(learnt)
    actual = actual_template(template_pages, [judged.is_gold for judged in every[:learnt]], threshold)
    found = discovered_template(template_pages, keeps[:learnt])
    return MethodResult(
        mean(judged.features(text) for judged, text in texts),
        mean(judged.blocks(keep) for judged, keep in zip(every, keeps, strict=True)),
        mean(judged.lcs(text) for judged, text in texts),
        mean(judged.tokens(text) for judged, text in texts),
        template_fraction(template_pages, keeps[:learnt]),
        template_discovery_ratio(len(found), len(actual)) if actual else None,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    with refusing(parser):
        found = find_sites(options.corpus, options.sets)
        if options.part:
            of_part = {site.path for site in sites_of(options.part, [options.corpus, *options.beside])}
            found = [site for site in found if site.path in of_part]
        sites = choose_sites(found, options.limit)
        sites = [site for site in sites if not options.sites or site.name in options.sites]
        if not sites:
            parser.exit(2, f"{parser.prog}: {options.corpus} has no such site of at least {MIN_PAGES} pages\n")
        work = partial(
            evaluate,
            methods=options.methods,
            learnt=options.pages,
            segmenter=options.segmenter,
            settings=options.settings,
        )
        results = [result for result in mapped(work, sites, options.processes) if result.results]
        digest = corpus_digest(sites)
    rows = [row for *_, row in rows_of(options.methods, options.settings)]
    print(report(results, rows, options.pages))
    print_made_with(digest)
    return 0


def report(results: Sequence[SiteResult], methods: Sequence[str], learnt: int) -> str:
    """Return the tables as text for people."""
    pages = sum(result.pages for result in results)
    sets = {name: list(group) for name, group in groupby(results, lambda result: result.set_name)}
    rows = []
    for method in methods:
        rows.append([method, *_row([result.results[method] for result in results])])
        for reported in REPORTED.get(method, ()):
            cells = [_values(reported.figures.get(column, ())) for column in _MEASURES]
            rows.append([f"*{reported.source}: {reported.data}*", *cells])
    by_set = [
        [method, *(share(mean(result.results[method].tokens for result in own).f1) for own in sets.values())]
        for method in methods
    ]
    return "\n".join(
        [
            f"{len(results)} sites, {pages} pages, learnt from the first {learnt} of each site. In *italics*: what the "
            "authors report of their own data, the mean of a table of theirs.",
            "",
            table(["method", *_MEASURES], rows),
            "",
            table(["F1", *sets], by_set),
        ]
    )


_MEASURES = (FEATURES, BLOCKS, LCS, "F1", ATF, TDR)


def _row(results: Sequence[MethodResult]) -> list[str]:
    features, blocks, lcs, tokens = (
        mean(getattr(result, name) for result in results) for name in ("features", "blocks", "lcs", "tokens")
    )
    ratios = [result.tdr for result in results if result.tdr is not None]
    return [
        _values(features[:2]),
        _values(blocks[:2]),
        _values(lcs),
        share(tokens.f1),
        share(fmean(result.atf for result in results)),
        share(fmean(ratios)) if ratios else "",
    ]


def _values(values: Sequence[float]) -> str:
    return " ".join(map(share, values))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m research.papers.papers", description=__doc__)
    parser.add_argument("--sites", type=names(), default=(), help="comma-separated names of sites (all)")
    parser.add_argument("--methods", type=names(METHOD_NAMES), default=METHOD_NAMES, help="methods (all)")
    parser.add_argument("--segmenter", choices=PLUGINS.names(), default=CHUNKS, help="segmenter of the pages (chunks)")
    parser.add_argument(
        "--settings", type=names(SETTINGS), default=(OURS,), help="default, papers or both, comma-separated (default)"
    )
    parser.add_argument("--part", choices=PARTS, help="only sites of this part (all)")
    parser.add_argument(
        "--beside", type=Path, nargs="+", default=[], metavar="CORPUS", help="other corpora that parts are made with"
    )
    add_arguments(parser, "corpus", "--sets", "--pages", "--limit", "--processes")
    return parser


if __name__ == "__main__":
    sys.exit(main())
