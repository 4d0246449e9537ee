"""Quality of the default method on sites with a single page, next to other extractors.

Protocol: as in benchmarks.quality, but the model that cleans a page has learnt from that page alone. Sites with too few
pages for benchmarks.quality have rows of their own: most have one page. With the networks of a cross-validation, each
site is judged by weights trained without it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from itertools import groupby
from pathlib import Path

from benchmarks.arguments import add_options
from benchmarks.corpus import MIN_PAGES, CorpusError, CorpusPage, Site, find_sites
from benchmarks.digest import corpus_digest
from benchmarks.evaluate import SiteResult, evaluate_peers, result_of_texts
from benchmarks.harm import expected_of
from benchmarks.kinds import usual_kind
from benchmarks.peers import installed_peers
from benchmarks.quality import HARM_NOTE, harm_of, harm_table, scores_table, summary
from benchmarks.tables import environment, names, write_json
from benchmarks.unshipped import model_of, network_without
from benchmarks.workers import mapped
from scrapy_blockfilter import Options
from scrapy_blockfilter.consensus.method import Consensus
from scrapy_blockfilter.consensus.network import Network
from scrapy_blockfilter.consensus.weights import load_network


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    versions, missing = installed_peers() if options.peers else ({}, {})
    for name, reason in missing.items():
        print(f"{name} is left out: it is not installed ({reason})")
    try:
        sites = find_sites(options.corpus, options.sets)
        work = partial(evaluate_alone, peers=tuple(versions), networks=options.networks)
        found = sorted(mapped(work, sites, options.processes), key=lambda result: (result.set_name, result.site))
    except CorpusError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    sets = {name: summary(list(group)) for name, group in groupby(found, lambda result: result.set_name)}
    print(f"Each page learnt from by itself.\n\n{scores_table(sets, versions)}")
    print(f"\n{HARM_NOTE}\n\n{harm_table(harm_of(sets), versions)}")
    results = {"environment": environment(), "corpus": corpus_digest(sites), "peers": versions, "sets": sets}
    write_json(options.json, results)
    return 0


def evaluate_alone(site: Site, peers: Sequence[str] = (), networks: Path | None = None) -> SiteResult:
    """Learn each page of a site by itself, clean it, and score the text that is kept.

    Args:
        networks: folder of the networks of a cross-validation by site; None for the shipped network.
    """
    network = network_without(site, networks) if networks else load_network()
    pages = site.pages()
    expected = expected_of(pages)
    own = result_of_texts((_cleaned_alone(page, network) for page in pages), expected)
    others = evaluate_peers(peers, pages, expected)
    set_name = site.set_name if len(pages) >= MIN_PAGES else f"{site.set_name}, under {MIN_PAGES} pages per site"
    results = {Consensus.name: own, **others}
    return SiteResult(set_name, site.name, len(pages), 1, None, results, usual_kind(pages))


def _cleaned_alone(page: CorpusPage, network: Network) -> str:
    model = model_of([page], Consensus(network), Options(pages=1))
    return model.clean(page.html).text if model else ""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.alone", description=__doc__)
    parser.add_argument("corpus", type=Path, help="a folder of <set>/<site>.jsonl.gz, or one such file")
    parser.add_argument("--sets", type=names(), default=(), help="comma-separated sets of the corpus (all)")
    parser.add_argument(
        "--networks",
        type=Path,
        metavar="FOLDER",
        help="networks of a cross-validation by site (the shipped network)",
    )
    add_options(parser, "--peers", "--processes", figures="alone.json")
    return parser


if __name__ == "__main__":
    sys.exit(main())
