"""The pages of a measured crawl: some sites of a corpus, or generated ones, under host names of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby, islice, zip_longest
from pathlib import Path

from benchmarks.corpus import Site, find_sites
from benchmarks.costs import GENERATED_SIZES, is_fit
from benchmarks.generate import GeneratedSite
from scrapy_blockfilter import Options


def crawl_sites(corpus: Path | None, sites_of_set: int, pages_of_site: int) -> dict[str, list[str]]:
    """Return host -> HTML of pages: of so many sites of each set, evenly spaced, or generated. All can be learnt."""
    if corpus is None:
        sites = [_generated(number, pages_of_site) for number in range(sites_of_set)]
    else:
        sites = [
            pages
            for _, group in groupby(find_sites(corpus), lambda site: site.set_name)
            for pages in _spaced(list(group), sites_of_set, pages_of_site)
        ]
    # Names of sites do not matter to the filter, and those of a corpus need not be names of hosts.
    return {f"site{number}.example": pages for number, pages in enumerate(sites)}


def by_url(sites: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return URL -> HTML, a page of each site in turn, as a crawl of several sites meets them."""
    pages: dict[str, str] = {}
    for number, row in enumerate(zip_longest(*sites.values())):
        pages |= {f"http://{host}/{number}": html for host, html in zip(sites, row, strict=True) if html is not None}
    return pages


def _spaced(sites: Sequence[Site], count: int, pages_of_site: int) -> list[list[str]]:
    step = max(1, len(sites) // count)
    in_turn = (site for start in range(step) for site in sites[start::step])
    return list(islice(filter(None, (_learnable(site, pages_of_site) for site in in_turn)), count))


def _learnable(site: Site, most: int) -> list[str]:
    """Return the HTML of the pages of a site, of none if they are too few to learn the site from."""
    pages = site.first_pages(most) if site.has_enough_pages() else []
    if len(pages) < Options().pages:
        return []
    fit = [page.html for page in pages if is_fit(page)]
    return fit if len(fit) >= Options().pages else []


def _generated(number: int, pages: int) -> list[str]:
    site = GeneratedSite(number)
    return [site.page(page, GENERATED_SIZES[page % len(GENERATED_SIZES)]).html for page in range(pages)]
