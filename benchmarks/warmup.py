"""The first N pages of a site by what becomes of their items: held until the site is learnt, or cleaned at once.

Protocol: the site of a crawl learns the first N pages of a site in the order of its file. *Held* pages are cleaned
when all are learnt. *Once*, each is cleaned when it and those before it are, as in a crawl that cannot wait. *Alone*,
each is cleaned as if its site had no other page. It measures the part of the corpora that decides nothing, as
:mod:`benchmarks.report` does. Sites whose values alone are known are measured by :mod:`benchmarks.values`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial

from benchmarks import values
from benchmarks.arguments import add_arguments, refusing
from benchmarks.corpus import MIN_PAGES, CorpusPage, Site, choose_sites, corpus_digest
from benchmarks.evaluate import SiteResult, result_of_texts
from benchmarks.harm import Harm, expected_of
from benchmarks.intervals import mean_with_interval
from benchmarks.kinds import usual_kind
from benchmarks.parts import sites_of
from benchmarks.tables import print_made_with, share, table
from benchmarks.workers import mapped
from scrapy_blockfilter import Options, clean
from scrapy_blockfilter.crawl import Sites
from scrapy_blockfilter.crawl.stats import Uncounted
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.store import MemoryStore

WAYS = ("held", "once", "alone")
_SITE = "site.example"


class _Crawl:
    """A crawl of one site, as far as it learns and cleans."""

    def __init__(self, pages: int) -> None:
        self._sites = Sites(Options(pages=pages), MemoryStore(), Uncounted())
        self._learnt = 0

    def learn(self, page: CorpusPage) -> None:
        self._learnt += 1
        try:
            self._sites.named(_SITE).learn(self._learnt, self._sites.reader.read(page.html))
        except UnfitPage:
            return

    def clean(self, page: CorpusPage) -> str:
        model = self._sites.named(_SITE).at_hand()
        # Without a model, neither this page nor one before could be read: it passes unchanged.
        return (model.clean(page.html) if model else clean(page.html)).text


def texts_of(pages: Sequence[CorpusPage], learnt: int) -> dict[str, list[str]]:
    """Return the cleaned texts of the first pages of a site, by way."""
    holds, cleans_at_once = _Crawl(learnt), _Crawl(learnt)
    for page in pages:
        holds.learn(page)

    def at_once(page: CorpusPage) -> str:
        cleans_at_once.learn(page)
        return cleans_at_once.clean(page)

    ways = (holds.clean, at_once, lambda page: clean(page.html).text)
    return {way: list(map(cleaned, pages)) for way, cleaned in zip(WAYS, ways, strict=True)}


def evaluate_site(site: Site, learnt: int) -> SiteResult:
    """Clean the first pages of a site in each way, and measure quality and harm."""
    every = site.pages()
    pages, expected = every[:learnt], expected_of(every)[:learnt]
    results = {way: result_of_texts(texts, expected) for way, texts in texts_of(pages, learnt).items()}
    return SiteResult(site.set_name, site.name, len(pages), results, usual_kind(page.kind for page in pages))


def values_of(site: Site, learnt: int) -> values.SiteValues:
    """Clean the first pages of a site in each way, and count the values kept."""
    pages = site.first_pages(learnt)
    return values.site_values(site, pages, texts_of(pages, learnt))


def report(sites: Sequence[SiteResult], known: Sequence[values.SiteValues]) -> str:
    """Return a row for each way: F1 and harm on sites with gold, and the values kept of sites with values alone."""
    header = ["", "F1", "pages that lost half", "prices kept", "values kept", "values alone known, kept"]
    rows = []
    for way in WAYS:
        results = [site.results[way] for site in sites]
        harm = sum((result.harm for result in results), Harm())
        shares = [harm.under_half / harm.pages, harm.prices.share or 0.0, harm.values.share or 0.0]
        kept = [site.results[way].values.share or 0.0 for site in known]
        f1 = mean_with_interval([[result.score.f1 for result in results]])
        rows.append([way, f1, *map(share, shares), mean_with_interval([kept]) if kept else ""])
    counts = [harm.prices.of, harm.values.of]
    of_known = f"{len(known)} sites, {sum(site.pages for site in known)} pages"
    rows.insert(0, ["of", f"{len(sites)} sites", f"{harm.pages} pages", *map(str, counts), of_known])
    return table(header, rows)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    with refusing(parser):
        chosen = choose_sites(sites_of(options.part, options.corpora), options.limit)
        others = values.sites_of(options.values, options.corpora, options.part) if options.values else []
        enough = choose_sites(others, options.limit)
        results = list(mapped(partial(evaluate_site, learnt=options.pages), chosen, options.processes))
        kept = list(mapped(partial(values_of, learnt=options.pages), enough, options.processes))
        digest = corpus_digest([*chosen, *enough])
    if not results:
        parser.exit(2, f"{parser.prog}: the part {options.part} has no site of at least {MIN_PAGES} pages\n")
    print(report(results, [site for site in kept if site.results[WAYS[0]].values.of]))
    if kept:
        groups = {name: values.summary(of) for name, of in values.groups(kept, options.part).items()}
        print(f"\n{values.report({'groups': groups}, {})}")
    print_made_with(digest)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.warmup", description=__doc__)
    add_arguments(parser, "corpora", "--values", "--part", "--pages", "--limit", "--processes")
    return parser


if __name__ == "__main__":
    sys.exit(main())
