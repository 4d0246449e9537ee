"""Cost of a change of a site's template, on two sites joined into one: first the pages of one, then of the other.

Where a publisher is in sets of different years, its old pages are followed by its new ones. Every other site is
followed by the next of its set. Pages go through a site as in a crawl: it learns from a page if it needs more,
then judges it. F1 against gold is given for

- before: pages of the first site, after N of its pages have been learnt;
- change: the first N pages of the second site;
- after: the other pages of the second site;
- alone: the same pages, judged by what was learnt of the second site alone;
- frozen: the same pages, judged by the model of the first site;
- again: the pages of "before" a second time.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from benchmarks.corpus import CorpusError, Site, find_sites
from benchmarks.digest import digest_of
from benchmarks.passing import Crawl, f1_of
from benchmarks.tables import RESULTS, environment, names, positive, share, table, write_json
from benchmarks.workers import mapped
from scrapy_blockfilter import Options
from scrapy_blockfilter.crawl import stats

MEASURES = ("before", "change", "after", "alone", "frozen", "again")
# The second site needs this many pages beyond N, to measure "after".
_LEAST_AFTER = 2


@dataclass(frozen=True)
class Change:
    """Two joined sites, and the number of pages to learn from."""

    kind: str
    first: Site
    second: Site
    pages: int

    @property
    def name(self) -> str:
        return f"{self.first.set_name}/{self.first.name} > {self.second.set_name}/{self.second.name}"


@dataclass
class Result:
    """Figures of one change.

    Attributes:
        f1: measure of ``MEASURES`` -> mean F1 over its pages.
        judged: number of pages judged after the first site was learnt.
        emptied: judged pages that lost every word of their gold.
        layouts: layouts learnt beside the first, on the pages of both sites.
        misfits: pages that fitted no layout.
        false_layouts: layouts learnt before the second site's first page.
    """

    kind: str
    name: str
    pages: int
    f1: dict[str, float]
    judged: int
    emptied: int
    layouts: int
    misfits: int
    false_layouts: int


def run(change: Change) -> Result:
    """Meet the pages of the first site, of the second, and of the first again."""
    first, second = change.first.pages(), change.second.pages()
    crawl = Crawl(Options(pages=change.pages))
    before = crawl.f1(first)
    old_model = crawl.model()
    false_layouts = crawl.stats[stats.LAYOUTS_LEARNT]
    at_change, after = crawl.f1(second[: change.pages]), crawl.f1(second[change.pages :])
    alone = Crawl(Options(pages=change.pages))
    alone.f1(second[: change.pages])
    rest = second[change.pages :]
    f1 = {
        "before": before,
        "change": at_change,
        "after": after,
        "alone": alone.f1(rest),
        "frozen": [f1_of(old_model.clean(page.html), page.gold) for page in rest] if old_model is not None else [],
        "again": crawl.f1(first[change.pages :]),
    }
    return Result(
        change.kind,
        change.name,
        change.pages,
        {name: sum(values) / len(values) for name, values in f1.items() if values},
        crawl.judged,
        crawl.emptied,
        crawl.stats[stats.LAYOUTS_LEARNT],
        crawl.stats[stats.PAGES_MISFIT],
        false_layouts,
    )


def changes(sites: Sequence[Site], pages: int) -> list[Change]:
    """Return the pairs of sites to join: publishers that the corpus has twice, and neighbours in a set."""
    by_name: dict[str, list[tuple[Site, int]]] = defaultdict(list)
    by_set: dict[str, list[Site]] = defaultdict(list)
    for site in sites:
        if site.has_enough_pages():
            count = len(site.pages())
            by_name[site.name].append((site, count))
            if count >= pages + _LEAST_AFTER:
                by_set[site.set_name].append(site)
    found = []
    for same in by_name.values():
        for first, count in same:
            for second, other_count in same:
                fewer = min(pages, count, other_count - _LEAST_AFTER)
                if first is not second and fewer > 2:
                    found.append(Change("publisher", first, second, fewer))
    for group in by_set.values():
        pairs = zip(group, [*group[1:], *group[:1]], strict=True)
        found += [Change(group[0].set_name, first, second, pages) for first, second in pairs if first is not second]
    return found


def report(results: Sequence[Result]) -> str:
    """Return the results as text for people: a row per publisher, and one per set."""
    rows = []
    for kind in dict.fromkeys(result.kind for result in results):
        own = [result for result in results if result.kind == kind]
        if kind == "publisher":
            rows += [_row(f"{result.name} (N = {result.pages})", [result]) for result in own]
        rows.append(_row(f"{kind}: {len(own)} changes", own))
    header = ["F1", *MEASURES, "layouts", "emptied"]
    judged, emptied = sum(result.judged for result in results), sum(result.emptied for result in results)
    false = sum(result.false_layouts for result in results)
    note = (
        f"Pages judged: {judged}, emptied of their gold: {emptied}. "
        f"Layouts learnt before the change: {false} in {len(results)} sites."
    )
    return f"{table(header, rows)}\n\n{note}"


def _row(name: str, results: Sequence[Result]) -> list[str]:
    means = [_mean([result.f1[measure] for result in results if measure in result.f1]) for measure in MEASURES]
    return [
        name,
        *means,
        str(sum(result.layouts for result in results)),
        str(sum(result.emptied for result in results)),
    ]


def _mean(values: Sequence[float]) -> str:
    return share(sum(values) / len(values)) if values else "-"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.drift", description=__doc__.partition("\n")[0])
    parser.add_argument("corpus", type=Path, help="a folder of <set>/<site>.jsonl.gz")
    parser.add_argument("--sets", type=names(), default=(), help="comma-separated sets of the corpus (all)")
    parser.add_argument("--pages", type=positive, default=10, metavar="N", help="pages to learn from, at most (10)")
    parser.add_argument("--processes", type=positive, default=2, help="changes evaluated at a time (2)")
    parser.add_argument(
        "--json", type=Path, default=RESULTS / "drift.json", metavar="FILE", help="file for the figures"
    )
    options = parser.parse_args(arguments)
    try:
        joined = changes(find_sites(options.corpus, options.sets), options.pages)
    except CorpusError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    if not joined:
        parser.exit(2, f"{parser.prog}: {options.corpus} has no two sites of enough pages\n")
    results = list(mapped(partial(run), joined, options.processes))
    print(report(results))
    by_change = [asdict(result) for result in results]
    write_json(options.json, {"environment": environment(), "corpus": digest_of(options.corpus), "changes": by_change})
    return 0


if __name__ == "__main__":
    sys.exit(main())
