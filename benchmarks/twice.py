"""Cleaning pages a second time with the same model: how many pages change, and by how much.

A cleaned page has lost the surroundings by which a site-level method tells content, so a second cleaning may take
content. The first N pages of each site are learnt, and the others cleaned.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.corpus import CorpusError, Site, find_sites
from benchmarks.tables import names, positive
from scrapy_blockfilter import Options, learn
from scrapy_blockfilter.methods import METHOD_NAMES


@dataclass(frozen=True)
class Twice:
    """Counts of pages that were cleaned twice.

    Attributes:
        cleaned: pages that lost something in the first cleaning.
        changed: pages among them that lost more in the second.
        characters: characters of the changed pages after the first cleaning.
        lost: characters among them that were gone after the second.
    """

    cleaned: int = 0
    changed: int = 0
    characters: int = 0
    lost: int = 0

    def __add__(self, other: Twice) -> Twice:
        return Twice(
            self.cleaned + other.cleaned,
            self.changed + other.changed,
            self.characters + other.characters,
            self.lost + other.lost,
        )


def clean_twice(site: Site, options: Options, most: int) -> Twice:
    """Learn the first N pages of a site, and clean ``most`` of the others twice."""
    pages = [page.html for page in site.pages()]
    learnt, others = pages[: options.pages], pages[options.pages :]
    return sum(_of_pages(learnt, others[:most], options), Twice())


def _of_pages(learnt: Sequence[str], others: Sequence[str], options: Options) -> Iterator[Twice]:
    model = learn(learnt, options)
    for page in others:
        once = model.clean(page)
        if not once.unchanged:
            again = model.clean(once.html)
            if again.html == once.html:
                yield Twice(cleaned=1)
            else:
                yield Twice(1, 1, len(once.text), len(once.text) - len(again.text))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.twice", description=__doc__)
    parser.add_argument("corpus", type=Path, help="a folder of <set>/<site>.jsonl.gz")
    parser.add_argument("--methods", type=names(METHOD_NAMES), default=METHOD_NAMES, help="methods (all)")
    parser.add_argument("--pages", type=positive, default=6, help="pages of each site to clean (6)")
    options = parser.parse_args(arguments)
    try:
        sites = [site for site in find_sites(options.corpus) if site.has_enough_pages()]
        for method in options.methods:
            total = sum((clean_twice(site, Options(method=method), options.pages) for site in sites), Twice())
            share = 100 * total.lost / total.characters if total.characters else 0.0
            print(
                f"{method}: {total.cleaned:,} pages cleaned, {total.changed:,} changed when cleaned again, "
                f"which took {share:.1f} % of their text",
                flush=True,
            )
    except CorpusError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
