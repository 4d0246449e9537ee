"""Quality of the default method on sites with a single page, next to other extractors.

Protocol: as in benchmarks.quality, by the groups of benchmarks.report, but the model that cleans a page has learnt from
that page alone. Sites with too few pages for benchmarks.quality are in it, too: most have one page. With the networks
of a cross-validation, each site is judged by weights trained without it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks.arguments import add_options
from benchmarks.corpus import CorpusError, CorpusPage, Site, find_sites
from benchmarks.digest import corpus_digest
from benchmarks.evaluate import SiteResult, evaluate_peers, result_of_texts
from benchmarks.harm import expected_of
from benchmarks.kinds import group_of, in_order, usual_kind
from benchmarks.parts import PARTS, sites_of
from benchmarks.peers import asked_peers
from benchmarks.quality import HARM_NOTE, harm_of, harm_table, scores_table, summary
from benchmarks.tables import environment, names, write_json
from benchmarks.unshipped import about_weights, model_of, network_without
from benchmarks.workers import mapped
from scrapy_blockfilter import Options
from scrapy_blockfilter.consensus.method import Consensus
from scrapy_blockfilter.consensus.network import Network
from scrapy_blockfilter.consensus.weights import load_network


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    versions, _ = asked_peers(options.peers)
    try:
        every = [site for corpus in options.corpora for site in find_sites(corpus, options.sets)]
        sites = sites_of(options.part, options.corpora) if options.part else every
        work = partial(evaluate_alone, peers=tuple(versions), networks=options.networks)
        found = sorted(mapped(work, sites, options.processes), key=lambda result: (result.set_name, result.site))
        digest, weights = corpus_digest(sites), about_weights(every, options.part, options.networks)
    except CorpusError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    groups = in_order({_group(result) for result in found})
    sets = {name: summary([result for result in found if _group(result) == name]) for name in groups}
    print(f"Each page learnt from by itself. Weights: {weights}.\n\n{scores_table(sets, versions)}")
    print(f"\n{HARM_NOTE}\n\n{harm_table(harm_of(sets), versions)}")
    results = {"environment": environment(), "corpus": digest, "weights": weights, "peers": versions, "sets": sets}
    write_json(options.json, results)
    return 0


def evaluate_alone(site: Site, peers: Sequence[str] = (), networks: Path | None = None) -> SiteResult:
    """Learn each page of a site by itself, clean it, and score the text that is kept.

    Args:
        networks: networks of a cross-validation by site, or one file of weights; None for the shipped weights.
    """
    network = network_without(site, networks) if networks else load_network()
    pages = site.pages()
    expected = expected_of(pages)
    own = result_of_texts((_cleaned_alone(page, network) for page in pages), expected)
    others = evaluate_peers(peers, pages, expected)
    results = {Consensus.name: own, **others}
    return SiteResult(site.set_name, site.name, len(pages), 1, None, results, usual_kind(pages))


def _group(result: SiteResult) -> str:
    return group_of(result.set_name, result.kind)


def _cleaned_alone(page: CorpusPage, network: Network) -> str:
    model = model_of([page], Consensus(network), Options(pages=1))
    return model.clean(page.html).text if model else ""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.alone", description=__doc__)
    parser.add_argument(
        "corpora", type=Path, nargs="+", metavar="CORPUS", help="a folder of <set>/<site>.jsonl.gz, or one such file"
    )
    parser.add_argument("--part", choices=PARTS, help="only the sites of one part of the corpora (all)")
    parser.add_argument("--sets", type=names(), default=(), help="comma-separated sets of the corpus (all)")
    parser.add_argument(
        "--networks",
        type=Path,
        metavar="PATH",
        help="networks of a cross-validation by site, or one file of weights (the shipped weights)",
    )
    add_options(parser, "--peers", "--processes", figures="alone.json")
    return parser


if __name__ == "__main__":
    sys.exit(main())
