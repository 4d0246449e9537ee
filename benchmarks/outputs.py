"""Digest what cleaning yields, form by form: equal before and after a change that should change nothing.

Each form has a line with the digest of its outputs over all pages of the corpora, and so have the blocks, with their
verdicts, scores and reasons. A second table has the blocks by method, over fewer sites.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import blake2b
from pathlib import Path

import scrapy_blockfilter as bf
from benchmarks.corpus import CorpusError, Site, find_sites
from scrapy_blockfilter.methods import METHOD_NAMES

FORMS = (
    *("html", "text", "markdown", "bare_html", "chunks", "markdown_chunks", "links", "comments"),
    *("metadata", "metadata_sources", "content_key", "suspicious", "unchanged"),
)
# Pages of a site: those to learn from, and with them those that are cleaned, which the model has and has not seen.
LEARNT, CLEANED = 10, 14
# One of so many sites for each method but the default, which takes all that are asked for.
METHODS_EVERY = 10
Digests = dict[str, bytes]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.outputs", description=__doc__)
    parser.add_argument("corpora", type=Path, nargs="+", help="folders of pages, each as <set>/<site>.jsonl.gz")
    parser.add_argument("--every", type=int, default=1, help="take one of so many sites")
    parser.add_argument("--processes", type=int, help="default: one for each core")
    arguments = parser.parse_args()
    try:
        sites = [site for corpus in arguments.corpora for site in find_sites(corpus)][:: arguments.every]
    except CorpusError as error:
        raise SystemExit(f"error: {error}") from error
    with ProcessPoolExecutor(arguments.processes) as pool:
        show(pool.map(outputs_of, sites, chunksize=8))
        for method in sorted(METHOD_NAMES):
            show(pool.map(partial(blocks_by, method), sites[::METHODS_EVERY], chunksize=8))


def outputs_of(site: Site) -> Digests:
    """Digest every form of the pages of a site, by the default method."""
    return _digests(site, bf.Options(), FORMS)


def blocks_by(method: str, site: Site) -> Digests:
    """Digest the blocks of the pages of a site, by another method."""
    return {f"blocks by {method}": _digests(site, bf.Options(method=method), ())["blocks"]}


def _digests(site: Site, options: bf.Options, forms: Sequence[str]) -> Digests:
    pages = [page.html for page in site.first_pages(CLEANED)]
    try:
        model = bf.learn(pages[:LEARNT], options=options)
    except ValueError as error:  # no page of the site can be read
        return dict.fromkeys(("blocks", *forms), blake2b(str(error).encode(), digest_size=16).digest())
    sums = {name: blake2b(digest_size=16) for name in ("blocks", *forms)}
    for page in pages:
        cleaned = model.clean(page)
        for block in cleaned.blocks:
            verdict = [block.text, block.path, block.keep, round(block.score, 4), str(block.reason)]
            sums["blocks"].update(json.dumps(verdict).encode())
        for form in forms:
            sums[form].update(json.dumps(getattr(cleaned, form), default=str).encode())
    return {name: made.digest() for name, made in sums.items()}


def show(of_sites: Iterator[Digests]) -> None:
    """Print the digest of each name over all sites, in their order."""
    sums: dict[str, blake2b] = {}
    for digests in of_sites:
        for name, digest in digests.items():
            sums.setdefault(name, blake2b(digest_size=16)).update(digest)
    for name, made in sums.items():
        print(f"{name:<34}{made.hexdigest()}", flush=True)


if __name__ == "__main__":
    main()
