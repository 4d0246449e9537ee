"""Values kept of pages whose values alone are known: prices, names, dates, ingredients and other content.

Protocol: the default method learns from the first N pages of a site and cleans all its pages. A value is kept if its
row of tokens occurs in the cleaned text as :mod:`benchmarks.harm` says; values that the text of the whole page lacks do
not count. Nothing is known of any other text, so the share of the page's tokens that are kept is printed beside it.
Both shares are means over sites. Sites of one or two pages are a group apart. So are record sites of verticals that
nothing was trained on.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.arguments import add_options
from benchmarks.corpus import MIN_PAGES, CorpusError, CorpusPage, Site, find_sites
from benchmarks.digest import corpus_digest
from benchmarks.evaluate import peer_texts
from benchmarks.harm import Kept, SearchedText, row_of
from benchmarks.intervals import interval
from benchmarks.parts import CHOOSE, PARTS, REPORT, value_parts, vertical_of
from benchmarks.peers import PEERS, all_text, asked_peers, load_peers, quiet
from benchmarks.scoring import tokens
from benchmarks.tables import environment, names, share, table, write_json
from benchmarks.unshipped import STRIPS, model_of, models_by_strip, network_of, network_without
from benchmarks.workers import mapped
from scrapy_blockfilter import OptionError, Options, SiteModel
from scrapy_blockfilter.consensus.method import Consensus
from scrapy_blockfilter.consensus.weights import WeightsError, load_network

# Sites of at most so many pages are a group apart.
FEW_PAGES = 2
VALUES_NOTE = "The share of values kept (with its interval over sites), and the share of the text kept."
NEW_VERTICALS = "record, verticals not trained on"


@dataclass(frozen=True)
class KeptOfSite:
    """How much of a site's pages an extractor keeps.

    Attributes:
        values: values of all pages, once a page.
        text: tokens of all pages.
    """

    values: Kept = Kept()
    text: Kept = Kept()

    def __add__(self, other: KeptOfSite) -> KeptOfSite:
        return KeptOfSite(self.values + other.values, self.text + other.text)


@dataclass(frozen=True)
class SiteValues:
    """What each extractor keeps of a site, by the name of its row."""

    set_name: str
    site: str
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


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    versions, _ = asked_peers(options.peers)
    try:
        weights = options.weights.read_bytes() if options.weights else None
        sites = sites_of(options.values, options.gold, options.part)
        figures = measure(
            sites, options.part, options.pages, options.strips, weights, tuple(versions), options.processes
        )
    except (CorpusError, OptionError, WeightsError, OSError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    print(report(figures, versions))
    protocol = {"pages_to_learn_from": options.pages, "strips": options.strips}
    write_json(
        options.json,
        {"environment": environment(), "peers": versions, "part": options.part, "protocol": protocol, **figures},
    )
    return 0


def sites_of(values: Path, gold: Iterable[Path], part: str | None) -> list[Site]:
    """Return the sites whose values are known.

    Args:
        gold: the corpora with gold, whose sites keep their parts.
        part: the part of the sites; None for all.

    Raises:
        CorpusError: a corpus cannot be read.
    """
    sites = find_sites(values)
    if part is None:
        return sites
    parts = value_parts(sites, [site for corpus in gold for site in find_sites(corpus)])
    return [site for site in sites if parts[site] == part]


def measure(
    sites: Sequence[Site],
    part: str,
    learnt: int,
    strips: Sequence[str],
    weights: bytes | None,
    peers: Sequence[str],
    processes: int,
) -> dict[str, Any]:
    """Return what is kept of the values of some sites, by group."""
    work = partial(evaluate_site, learnt=learnt, strips=strips, weights=weights, peers=peers)
    found = []
    for number, result in enumerate(mapped(work, sites, processes), 1):
        print(f"{number}/{len(sites)}", file=sys.stderr, flush=True)
        found.append(result)
    return {"corpus": corpus_digest(sites), "groups": {name: summary(of) for name, of in groups(found, part).items()}}


def evaluate_site(
    site: Site, learnt: int, strips: Sequence[str], weights: bytes | None, peers: Sequence[str]
) -> SiteValues:
    """Learn from the first pages of a site by each way to strip, clean all its pages, and count the values kept.

    Args:
        weights: weights of the network that scores; None for the shipped network.
    """
    pages = site.pages()
    models = models_by_strip(pages, learnt, strips, network_of(weights))
    texts = {row: _cleaned(model, pages) for row, model in models.items()}
    with quiet():
        found = {name: peer_texts(extract, pages) for name, extract in load_peers(peers).items()}
    texts.update({name: [text or "" for text in of] for name, of in found.items()})
    return site_values(site, pages, texts)


def curve_of(site: Site, counts: Sequence[int], networks: Path | None) -> SiteValues:
    """Learn from each number of pages, clean all pages of a site each time, and count the values kept.

    Args:
        networks: as for :func:`benchmarks.unshipped.network_without`; None for the shipped weights.
    """
    pages = site.pages()
    network = network_without(site, networks) if networks else load_network()
    learnt: dict[int, list[str]] = {}
    for number in sorted({min(count, len(pages)) for count in counts}):
        learnt[number] = _cleaned(model_of(pages[:number], Consensus(network), Options(pages=number)), pages)
    return site_values(site, pages, {str(count): learnt[min(count, len(pages))] for count in counts})


def groups(sites: Iterable[SiteValues], part: str | None) -> dict[str, list[SiteValues]]:
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
    """Return the results of a group: means over its sites, and each site's own."""
    return {
        "sites": len(sites),
        "pages": sum(site.pages for site in sites),
        "values": sum(next(iter(site.results.values())).values.of for site in sites),
        "results": {row: _means([site.results[row] for site in sites]) for row in sites[0].results},
        "by_site": [
            {
                "set": site.set_name,
                "site": site.site,
                "pages": site.pages,
                "results": {row: asdict(kept) for row, kept in site.results.items()},
            }
            for site in sites
        ],
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
    return SiteValues(site.set_name, site.name, len(pages), vertical_of(site), results)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.values", description=__doc__)
    parser.add_argument("values", type=Path, metavar="VALUES", help="a folder of <kind>/<site>.jsonl.gz with values")
    parser.add_argument(
        "--gold", type=Path, nargs="+", required=True, metavar="CORPUS", help="the corpora whose sites keep their parts"
    )
    parser.add_argument("--weights", type=Path, metavar="FILE", help="a file of weights (the shipped weights)")
    parser.add_argument("--part", choices=PARTS, default=REPORT, help="the part of the sites (report)")
    parser.add_argument(
        "--strips", type=names(STRIPS), default=("boilerplate",), help="values of BLOCKFILTER_STRIP (boilerplate)"
    )
    add_options(parser, "--peers", "--pages", "--processes", figures="values.json")
    return parser


if __name__ == "__main__":
    sys.exit(main())
