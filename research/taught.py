"""Quality with a teacher that knows the gold: what one, three and ten taught pages a site bring.

Protocol: a site learns from its first N pages, the teacher is asked about some of these, and all pages are scored as in
benchmarks.quality. A block is content for the teacher if the gold has most of its tokens. Each difference has its 95 %
bootstrap interval over sites.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from benchmarks.arguments import add_options
from benchmarks.corpus import CorpusError, Site, choose_sites, find_sites
from benchmarks.digest import corpus_digest
from benchmarks.evaluate import result_of_model
from benchmarks.harm import expected_of
from benchmarks.intervals import interval
from benchmarks.parts import CHOOSE, PARTS, sites_of
from benchmarks.tables import environment, made_with, positive, share, table, write_json
from benchmarks.unshipped import about_weights
from benchmarks.workers import mapped
from research.training.labels import label_blocks
from scrapy_blockfilter import Options, learn
from scrapy_blockfilter.extras.teacher import Question, teach
from scrapy_blockfilter.extras.teacher.questions import judged_page
from scrapy_blockfilter.extras.teacher.teaching import Budget, corrections_by
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.storable.hashing import hash64

TAUGHT = (1, 3, 10)
# A difference of F1 that counts as better or worse.
_FELT = 0.001
_NO_BUDGET = 10**9


class Outcome(NamedTuple):
    """A site after some pages were taught: its F1, the corrections that came of them, and the tokens sent."""

    f1: float
    corrections: int
    tokens: int


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        every = [site for corpus in options.corpora for site in find_sites(corpus)]
        found, _ = choose_sites(sites_of(options.part, options.corpora), options.limit)
        chosen = sorted(found, key=lambda site: hash64(site.name.encode()))[: options.sites]
        results = [one for one in mapped(partial(taught, learnt=options.pages), chosen, options.processes) if one]
        weights = about_weights(every, options.part, None)
    except CorpusError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    print(
        f"F1 by pages taught, learnt from {options.pages} pages, on {len(results)} sites of the part {options.part}. "
        f"Weights: {weights}.\n\n{taught_table(results)}\n\n{made_with(environment(), corpus_digest(chosen))}"
    )
    figures = {"environment": environment(), "part": options.part, "sites": [[*map(list, one)] for one in results]}
    write_json(options.json, figures)
    return 0


def taught(site: Site, learnt: int) -> list[Outcome]:
    """Return the outcome of no taught page, and of each number of them; none for a site that cannot be read."""
    pages = site.pages()
    expected = expected_of(pages)
    html = [page.html for page in pages[:learnt]]
    try:
        model = learn(html, Options(pages=learnt))
    except ValueError:
        return []
    reader = Reader(model.options)
    judged = [one for number, page in enumerate(html) if (one := judged_page(model, reader, str(number), page))]
    labels = {
        one.name: label_blocks([block.text for block in one.page.blocks], pages[int(one.name)].gold) for one in judged
    }

    def gold(question: Question) -> list[int]:
        return [block.number for block in question.blocks if labels[question.page][block.number - 1] > 0.5]

    outcomes = [Outcome(result_of_model(model, pages, expected).score.f1, 0, 0)]
    for most in TAUGHT:
        found = teach(judged, gold, most, Budget(_NO_BUDGET))
        corrected = model.corrected(corrections_by("gold", found.rows)) if found.rows else None
        f1 = result_of_model(corrected, pages, expected).score.f1 if corrected else outcomes[0].f1
        outcomes.append(Outcome(f1, len(found.rows), sum(asked.tokens for asked in found.asked)))
    return outcomes


def taught_table(results: Sequence[Sequence[Outcome]]) -> str:
    """Return a table with a row for each number of taught pages."""
    rows = []
    for place, pages in enumerate((0, *TAUGHT)):
        of_sites = [one[place] for one in results]
        gains = [one[place].f1 - one[0].f1 for one in results]
        low, high = interval([gains])
        gain = f"{sum(gains) / len(gains):+.4f} ({low:+.4f}–{high:+.4f})" if place else ""
        rows.append(
            [
                str(pages),
                share(sum(one.f1 for one in of_sites) / len(of_sites)),
                gain,
                str(sum(one > _FELT for one in gains)),
                str(sum(one < -_FELT for one in gains)),
                f"{sum(one.corrections for one in of_sites) / len(of_sites):.1f}",
                f"{sum(one.tokens for one in of_sites) / len(of_sites):,.0f}",
            ]
        )
    head = ["pages taught", "F1", "gain", "sites better", "sites worse", "corrections a site", "tokens a site"]
    return table(head, rows)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m research.taught", description=__doc__)
    parser.add_argument("corpora", type=Path, nargs="+", metavar="CORPUS", help="a folder of <set>/<site>.jsonl.gz")
    parser.add_argument("--part", choices=PARTS, default=CHOOSE, help="the part of the sites (choose)")
    parser.add_argument("--sites", type=positive, metavar="N", help="only so many sites, drawn by their names (all)")
    add_options(parser, "--pages", "--limit", "--processes", figures="taught.json")
    return parser


if __name__ == "__main__":
    sys.exit(main())
