"""Quality with a model for each cluster of a site's pages, beside one model for all.

Protocol: as in benchmarks.report, on part ``report`` of all sites of the corpora. *Own pages*: a site learns from its
first N pages. *Three sites as one*: three sites of different families take turns, as the sections of one site do, and
N pages of all are learnt from. Each difference has its 95 % bootstrap interval over sites.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.arguments import add_options
from benchmarks.corpus import CorpusError, CorpusPage, Site, choose_sites
from benchmarks.digest import corpus_digest
from benchmarks.evaluate import result_of_model
from benchmarks.harm import expected_of
from benchmarks.intervals import interval
from benchmarks.parts import PARTS, REPORT, sites_of
from benchmarks.tables import environment, made_with, names, positive, share, table, write_json
from benchmarks.unshipped import model_of
from benchmarks.workers import mapped
from scrapy_blockfilter import Options
from scrapy_blockfilter.methods import METHOD_NAMES, get_method
from scrapy_blockfilter.storable.hashing import hash64

OWN, MIXED = GROUPS = ("own pages", "three sites as one")
# Pages of each site of three, so that none outweighs the others.
_PAGES_EACH = 10
# Methods that judge each page by itself have no clusters.
_METHODS = tuple(name for name in METHOD_NAMES if not get_method(name).single_page)


class Pages(NamedTuple):
    """Sites whose pages take turns."""

    group: str
    sites: tuple[Site, ...]

    def pages(self) -> list[CorpusPage]:
        if len(self.sites) == 1:
            return self.sites[0].pages()
        turns = zip_longest(*(site.first_pages(_PAGES_EACH) for site in self.sites))
        return [page for turn in turns for page in turn if page is not None]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        found, _ = choose_sites(sites_of(options.part, options.corpora), options.limit)
        chosen = sorted(found, key=lambda site: hash64(site.name.encode()))[: options.sites]
        work = partial(evaluate_pages, methods=options.methods, learnt=options.pages)
        results = list(_told(mapped(work, groups_of(chosen), options.processes)))
    except CorpusError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    figures = {
        "environment": environment(),
        "corpus": corpus_digest(chosen),
        "part": options.part,
        "protocol": {"pages_to_learn_from": options.pages},
        "groups": {
            group: {
                "sites": len(own),
                "f1": {method: _compared([one[method] for one in own]) for method in options.methods},
            }
            for group in GROUPS
            if (own := [f1 for of, f1 in results if of == group])
        },
    }
    print(f"{about(figures)}\n\n{clusters_table(figures)}\n\n{made_with(figures['environment'], figures['corpus'])}")
    write_json(options.json, figures)
    return 0


def groups_of(sites: Sequence[Site]) -> list[Pages]:
    """Return each site by itself, then threes of sites, none in two of them."""
    threes = zip(sites[::3], sites[1::3], sites[2::3], strict=False)
    return [*(Pages(OWN, (site,)) for site in sites), *(Pages(MIXED, three) for three in threes)]


def evaluate_pages(pages: Pages, methods: Sequence[str], learnt: int) -> tuple[str, dict[str, tuple[float, float]]]:
    """Return the group, and by method the F1 without clusters and with them."""
    found = pages.pages()
    expected = expected_of(found)
    f1s = {}
    for method in methods:
        models = (
            model_of(found[:learnt], get_method(method), Options(method=method, pages=learnt, cluster=cluster))
            for cluster in (None, "structure")
        )
        without, clustered = (result_of_model(model, found, expected).score.f1 for model in models)
        f1s[method] = (without, clustered)
    return pages.group, f1s


def _compared(f1s: Sequence[tuple[float, float]]) -> dict[str, Any]:
    differences = [clustered - without for without, clustered in f1s]
    means = [sum(values) / len(f1s) for values in zip(*f1s, strict=True)]
    return {"without": means[0], "clustered": means[1], "interval": list(interval([differences]))}


def about(figures: Mapping[str, Any]) -> str:
    """Say what was measured."""
    counts = ", ".join(f"{group}: {of['sites']}" for group, of in figures["groups"].items())
    pages = figures["protocol"]["pages_to_learn_from"]
    return f"F1 without clusters → with them, learnt from {pages} pages, on the part {figures['part']} ({counts})."


def clusters_table(figures: Mapping[str, Any]) -> str:
    """Return a table of F1 by method and group."""
    groups = figures["groups"]
    rows = []
    for method in next(iter(groups.values()))["f1"]:
        cells = []
        for of in groups.values():
            own = of["f1"][method]
            low, high = own["interval"]
            gain = own["clustered"] - own["without"]
            cells.append(f"{share(own['without'])} → {share(own['clustered'])}, {gain:+.3f} ({low:+.3f}–{high:+.3f})")
        rows.append([f"`{method}`", *cells])
    return table(["F1", *groups], rows)


def _told(results: Iterator[Any]) -> Iterator[Any]:
    for number, result in enumerate(results, 1):
        print(number, file=sys.stderr, flush=True)
        yield result


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.clusters", description=__doc__)
    parser.add_argument("corpora", type=Path, nargs="+", metavar="CORPUS", help="a folder of <set>/<site>.jsonl.gz")
    parser.add_argument("--part", choices=PARTS, default=REPORT, help="the part of the sites (report)")
    parser.add_argument("--methods", type=names(_METHODS), default=_METHODS, help="methods (all that learn)")
    parser.add_argument("--sites", type=positive, metavar="N", help="only so many sites, drawn by their names (all)")
    add_options(parser, "--pages", "--limit", "--processes", figures="clusters.json")
    return parser


if __name__ == "__main__":
    sys.exit(main())
