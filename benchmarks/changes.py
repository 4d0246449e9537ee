"""Changes told between two crawls: how often a page that says the same is called changed, and how often one is missed.

Run ``python -m benchmarks.changes CORPUS``. Real pages of part build are learnt from, and then shown anew with another
template, date, count, link, advert or comment, or with other content, as their gold tells it. A page counts as changed
if the form ``change`` would say so in a crawl that meets all these pages of the site in their order. Shares are means
over sites, with 95 % bootstrap intervals over sites.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from benchmarks.arguments import add_arguments, refusing
from benchmarks.corpus import Site, digest_of
from benchmarks.intervals import interval
from benchmarks.parts import BUILD, sites_of
from benchmarks.rerendered import BESIDE, WITHIN, Edit, Rendered, common_texts
from benchmarks.tables import positive, print_made_with, table
from benchmarks.workers import mapped
from scrapy_blockfilter import learn
from scrapy_blockfilter.extras.changes.keys import shown_of, stripped_lines
from scrapy_blockfilter.extras.changes.site_news import LEAST, SiteNews

ALL = "all of these"
# Whether a change is told, or shows in no clean text.
IN_OUTPUT = ", if the clean text differs"
# Pages of a site that a crawl compares before it can tell what is new on all of them.
FIRST = LEAST - 1

# Kind of change -> of each of its pages whether its key has changed.
Told = dict[str, list[bool]]


def measure(pages: int, most: int, site: Site) -> Told:
    """Show the pages of a site anew, and return which are told as changed."""
    of_site = [page for page in site.pages() if page.gold.strip()]
    model = learn([page.html for page in of_site[:pages]])
    common = common_texts(of_site)
    told: Told = defaultdict(list)
    news: Mapping[str, SiteNews] = defaultdict(SiteNews)
    for seed, page in enumerate(of_site[:most]):
        before = model.clean(Rendered.of(page, common, seed).html())
        if before.unchanged not in ("", "nothing_to_strip"):
            continue
        edits: dict[str, Sequence[Edit]] = {name: [edit] for name, edit in {**BESIDE, **WITHIN}.items()}
        for name, several in {**edits, ALL: list(BESIDE.values())}.items():
            rendered = Rendered.of(page, common, seed)
            edited = [edit(rendered) for edit in several]
            after = model.clean(rendered.html()) if any(edited) else before
            shown, later = shown_of(before), shown_of(after)
            shared = news[name].shared(site.name, seed, shown.news(later), stripped_lines(after))
            if any(edited):
                told[name].append(not shown.says_the_same(later, shared))
                told[name + IN_OUTPUT].append(told[name][-1] or shown.items == later.items)
    return dict(told)


def report(results: Sequence[Told]) -> str:
    """Return two tables: of pages that say the same, the first of a site and those after, and of pages that do not."""
    first = [{name: pages[:FIRST] for name, pages in told.items()} for told in results]
    later = [{name: pages[FIRST:] for name, pages in told.items()} for told in results]
    false = table(
        ["changed beside the content", "pages", f"the first {FIRST} told as changed", "pages after", "told as changed"],
        [[*_row(first, name), *_row(later, name)[1:]] for name in (*BESIDE, ALL)],
    )
    missed = table(
        ["changed in the content", "pages", "missed", "missed, and the clean text differs"],
        [
            [*_row(results, name, is_missed=True), _row(results, name + IN_OUTPUT, is_missed=True)[-1]]
            for name in WITHIN
        ],
    )
    return f"{false}\n\n{missed}"


def shares(results: Sequence[Told], name: str, *, is_missed: bool = False) -> list[float]:
    """Return for each site the share of its pages that were told as changed, or were not."""
    of_sites = [told[name] for told in results if told.get(name)]
    return [sum(changed != is_missed for changed in pages) / len(pages) for pages in of_sites]


def _row(results: Sequence[Told], name: str, *, is_missed: bool = False) -> list[str]:
    of_sites = shares(results, name, is_missed=is_missed)
    pages = sum(len(told.get(name, ())) for told in results)
    if not of_sites:
        return [name, "0", "–"]
    low, high = interval([of_sites])
    return [name, f"{pages:,}", f"{sum(of_sites) / len(of_sites):.2%} ({low:.2%}–{high:.2%})"]


def sample(corpora: Sequence[Path], most: int, pages: int) -> list[Site]:
    """Return sites of part build with pages enough, as many of each set as of another."""
    by_set: Mapping[str, list[Site]] = defaultdict(list)
    for site in sites_of(BUILD, corpora):
        by_set[site.set_name].append(site)
    chosen: list[Site] = []
    for rank in range(max(map(len, by_set.values()), default=0)):
        for sites in by_set.values():
            if rank < len(sites) and len(chosen) < most and len(sites[rank].first_pages(pages)) == pages:
                chosen.append(sites[rank])
    return chosen


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.changes", description=__doc__.partition("\n")[0])
    parser.add_argument("--sites", type=positive, default=120, help="sites to show anew (120)")
    parser.add_argument("--most", type=positive, default=20, help="pages of a site to show anew (20)")
    add_arguments(parser, "corpora", "--pages", "--processes")
    options = parser.parse_args(arguments)
    with refusing(parser):
        sites = sample(options.corpora, options.sites, options.pages)
    results = list(mapped(partial(measure, options.pages, options.most), sites, options.processes))
    print(f"{report(results)}\n\n{len(sites)} sites of part build.")
    print_made_with(digest_of(*options.corpora))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
