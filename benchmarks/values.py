"""Values kept of pages whose values alone are known: prices, names, dates, ingredients and other content.

Protocol: the default method learns from the first N pages of a site and cleans all its pages. A value is kept if its
row of tokens occurs in the cleaned text as :mod:`benchmarks.harm` says; values that the text of the whole page lacks do
not count. Nothing is known of any other text, so the share of the page's tokens that are kept is printed beside it.
Both shares are means over sites. Sites of one or two pages are a group apart, and record sites of unseen verticals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.corpus import MIN_PAGES, CorpusPage, Site, corpus_digest, find_sites
from benchmarks.evaluate import texts_of_peers
from benchmarks.harm import Kept, SearchedText, row_of
from benchmarks.intervals import interval
from benchmarks.parts import CHOOSE, REPORT, value_parts, vertical_of
from benchmarks.peers import PEERS, all_text
from benchmarks.scoring import tokens
from benchmarks.tables import share, table
from benchmarks.unshipped import model_of, network_for
from benchmarks.workers import mapped
from scrapy_blockfilter import Options, SiteModel

# Sites of at most so many pages are a group apart.
FEW_PAGES = 2
VALUES_NOTE = "The share of values kept (with its interval over sites), and the share of the text kept."
NEW_VERTICALS = "record, verticals not trained on"


@dataclass(frozen=True)
class KeptOfSite:
    """How much of a site's pages an extractor keeps."""

    values: Kept = Kept()  # values of all pages, once a page
    text: Kept = Kept()  # tokens of all pages

    def __add__(self, other: KeptOfSite) -> KeptOfSite:
        return KeptOfSite(self.values + other.values, self.text + other.text)


@dataclass(frozen=True)
class SiteValues:
    """What each extractor keeps of a site, by the name of its row."""

    set_name: str
    pages: int
    vertical: str
    results: Mapping[str, KeptOfSite]


class KnownPage:
    """A page's values that occur in its whole text, and the tokens of this text."""

    def __init__(self, page: CorpusPage) -> None:
        whole = all_text(page.html)
        searched = SearchedText(whole)
        rows = {row_of(value) for value in page.values} - {""}
        self.rows = frozenset(row for row in rows if searched.count(row))
        self.tokens = tokens(whole)

    def kept(self, text: str) -> KeptOfSite:
        """Count what a cleaned text keeps of the page."""
        searched = SearchedText(text)
        values = sum(searched.count(row) > 0 for row in self.rows)
        return KeptOfSite(Kept(values, len(self.rows)), Kept((tokens(text) & self.tokens).total(), self.tokens.total()))


def sites_of(values: Path, gold: Iterable[Path], part: str) -> list[Site]:
    """Return the sites of a part whose values are known; those of the corpora with ``gold`` keep their parts."""
    parts = value_parts(find_sites(values), [site for corpus in gold for site in find_sites(corpus)])
    return [site for site in find_sites(values) if parts[site] == part]


def measure(
    sites: Sequence[Site],
    part: str,
    rows: Mapping[str, Options],
    network: Path | None,
    peers: Sequence[str],
    processes: int,
) -> dict[str, Any]:
    """Return what is kept of the values of some sites, by group."""
    work = partial(evaluate_site, rows=rows, network=network, peers=peers)
    found = groups(mapped(work, sites, processes), part)
    return {"corpus": corpus_digest(sites), "groups": {name: summary(of) for name, of in found.items()}}


def evaluate_site(site: Site, rows: Mapping[str, Options], network: Path | None, peers: Sequence[str]) -> SiteValues:
    """Learn from the first pages of a site by each row's options, clean all its pages, and count the values kept.

    Args:
        network: as for :func:`benchmarks.unshipped.network_for`.
    """
    pages, judge = site.pages(), network_for(network)
    texts = {row: _cleaned(model_of(pages, judge, options), pages) for row, options in rows.items()}
    texts |= {name: [text or "" for text in of] for name, of in texts_of_peers(peers, pages).items()}
    return site_values(site, pages, texts)


def groups(sites: Iterable[SiteValues], part: str) -> dict[str, list[SiteValues]]:
    """Group sites by kind: those with enough pages to learn from, then those of one or two pages.

    Sites without a value that their text has are left out.
    """
    many: dict[str, list[SiteValues]] = {}
    few: dict[str, list[SiteValues]] = {}
    for site in sites:
        if not any(kept.values.of for kept in site.results.values()):
            continue
        if site.pages >= MIN_PAGES:
            many.setdefault(site.set_name, []).append(site)
            if site.vertical and part in (CHOOSE, REPORT):
                many.setdefault(NEW_VERTICALS, []).append(site)
        elif site.pages <= FEW_PAGES:
            few.setdefault(f"{site.set_name}, one or two pages", []).append(site)
    return {name: of[name] for of in (many, few) for name in sorted(of)}


def summary(sites: Sequence[SiteValues]) -> dict[str, Any]:
    """Return the results of a group: means over its sites."""
    return {
        "sites": len(sites),
        "pages": sum(site.pages for site in sites),
        "values": sum(next(iter(site.results.values())).values.of for site in sites),
        "results": {row: _means([site.results[row] for site in sites]) for row in sites[0].results},
    }


def report(figures: Mapping[str, Any], versions: Mapping[str, str]) -> str:
    """Return the results as text for people."""
    return f"{VALUES_NOTE}\n\n{values_table(figures['groups'], versions)}"


def values_table(groups: Mapping[str, Mapping[str, Any]], versions: Mapping[str, str]) -> str:
    """Return a table of the share of values kept, with its interval over sites, and of the share of text kept.

    Args:
        versions: the columns to show beside those of the default method, with the versions to name.
    """
    first = next(iter(groups.values()))["results"] if groups else {}
    columns = [row for row in first if row in versions or row not in PEERS]
    header = ["", "sites, pages, values", *(f"{row} {versions.get(row, '')}".strip() for row in columns)]
    rows = [
        [name, f"{of['sites']}, {of['pages']}, {of['values']}", *(cell(of["results"][row]) for row in columns)]
        for name, of in groups.items()
    ]
    return table(header, rows)


def cell(of: Mapping[str, Any]) -> str:
    """Return the share of values kept with its interval, and the share of text kept."""
    return f"{share(of['values'])} ({'–'.join(map(share, of['interval']))}), {share(of['text'])}"


def _means(kept: Sequence[KeptOfSite]) -> dict[str, Any]:
    values = [of.values.share or 0.0 for of in kept]
    texts = [of.text.share or 0.0 for of in kept]
    return {
        "values": sum(values) / len(values),
        "interval": interval([values]),
        "text": sum(texts) / len(texts),
        "sites_that_lose_half": sum(value < 0.5 for value in values),
    }


def _cleaned(model: SiteModel | None, pages: Iterable[CorpusPage]) -> list[str]:
    return [model.clean(page.html).text if model else "" for page in pages]


def site_values(site: Site, pages: Sequence[CorpusPage], texts: Mapping[str, Sequence[str]]) -> SiteValues:
    """Count what each row's texts of some pages of a site keep of their values."""
    known = list(map(KnownPage, pages))
    results = {row: sum(map(KnownPage.kept, known, of), KeptOfSite()) for row, of in texts.items()}
    return SiteValues(site.set_name, len(pages), vertical_of(site), results)
