"""F1 of every method with text chunks, and with the larger blocks of a segmenter that wants no browser.

Protocol: as in benchmarks.quality. ``consensus`` comes with the weights that ship, which have seen these sites.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from benchmarks.arguments import add_options
from benchmarks.corpus import MIN_PAGES, CorpusError, Site, choose_sites
from benchmarks.digest import corpus_digest
from benchmarks.evaluate import evaluate_options
from benchmarks.harm import expected_of
from benchmarks.parts import PARTS, REPORT, sites_of
from benchmarks.tables import environment, made_with, names, share, table, write_json
from benchmarks.workers import mapped
from scrapy_blockfilter import Options
from scrapy_blockfilter.methods import METHOD_NAMES

SEGMENTERS = ("chunks", "dom", "fixed_length")


class SiteF1(NamedTuple):
    """F1 of a site's pages: method -> segmenter -> F1."""

    set_name: str
    site: str
    pages: int
    f1: Mapping[str, Mapping[str, float]]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        sites, _ = choose_sites(sites_of(options.part, options.corpora), options.limit)
        work = partial(evaluate, methods=options.methods, learnt=options.pages)
        found = list(mapped(work, sites, options.processes))
        digest = corpus_digest(sites)
    except CorpusError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    if not found:
        parser.exit(2, f"{parser.prog}: there is no site of at least {MIN_PAGES} pages\n")
    about = environment()
    pages = sum(site.pages for site in found)
    print(
        f"{len(found)} sites with {pages:,} pages of the part {options.part!r}.\n\n{report(found)}\n\n"
        f"{made_with(about, digest)}"
    )
    by_site = [site._asdict() for site in found]
    write_json(options.json, {"environment": about, "corpus": digest, "part": options.part, "by_site": by_site})
    return 0


def evaluate(site: Site, methods: Sequence[str], learnt: int) -> SiteF1:
    """Learn from the first pages of a site without their gold, clean all its pages, and score the text kept."""
    pages = site.pages()
    expected = expected_of(pages)

    def f1(method: str, segmenter: str) -> float:
        options = Options(method=method, pages=learnt, segmenter=segmenter)
        return evaluate_options(options, pages, expected).score.f1

    found = {method: {segmenter: f1(method, segmenter) for segmenter in SEGMENTERS} for method in methods}
    return SiteF1(site.set_name, site.name, len(pages), found)


def report(sites: Sequence[SiteF1]) -> str:
    """Return F1 of each method by segmenter, the mean over the sites."""
    rows = [
        [f"`{method}`", *(share(fmean(site.f1[method][segmenter] for site in sites)) for segmenter in SEGMENTERS)]
        for method in sites[0].f1
    ]
    return table(["F1", *(f"`{segmenter}`" for segmenter in SEGMENTERS)], rows)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m research.papers.larger_blocks", description=__doc__)
    parser.add_argument("corpora", type=Path, nargs="+", metavar="CORPUS", help="a folder of <set>/<site>.jsonl.gz")
    parser.add_argument("--part", choices=PARTS, default=REPORT, help="part of the corpora (report)")
    parser.add_argument("--methods", type=names(METHOD_NAMES), default=METHOD_NAMES, help="methods (all)")
    add_options(parser, "--pages", "--limit", "--processes", figures="larger-blocks.json")
    return parser


if __name__ == "__main__":
    sys.exit(main())
