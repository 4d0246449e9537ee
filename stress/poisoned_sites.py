"""Sites for poisoning what is learnt: generated ones, and the larger ones of a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.corpus import CorpusPage, find_sites
from benchmarks.generate import GeneratedSite
from stress.quoting_pages import made_sites

# Number of real pages; recovery must show among the first 40.
_PAGES = 50
GENERATED = 4
# The kind of the sites made for pages that quote others: too few pages for other risks.
QUOTED = "shops, blogs, records"
_LISTS = 10
_LEAST_PAGES = 25


@dataclass(frozen=True)
class Source:
    """A site to poison, with its pages."""

    kind: str
    name: str
    pages: list[CorpusPage]
    lists: list[str]


def generated_sources(sites: int = GENERATED) -> list[Source]:
    """Return generated sites, each with pages that list ten articles."""
    sources = []
    for number in range(sites):
        site = GeneratedSite(number)
        made = [site.page(page, 12_000) for page in range(_PAGES)]
        pages = [CorpusPage(page.html, page.gold, "en") for page in made]
        sources.append(
            Source("generated", f"site {number}", pages, [_list(made[0].html, site, at) for at in range(_LISTS)])
        )
    return sources


def quoted_sources(sites: int = GENERATED) -> list[Source]:
    """Return made sites of each kind for pages that quote others."""
    return [Source(QUOTED, name, pages, []) for name, pages in made_sites(sites)]


def _list(html: str, site: GeneratedSite, number: int) -> str:
    """Return a page of teasers in the template of a site's page."""
    before, _, rest = html.partition('<article class="post')
    teasers = []
    for other in range(100 + 10 * number, 110 + 10 * number):
        title, *_, text = site.page(other, 6_000).gold.splitlines()[:3]
        teasers.append(f'<div class="teaser"><h2><a href="/{other}">{title}</a></h2><p>{text[:120]}</p></div>')
    return f'{before}<section class="list">{"".join(teasers)}</section>{rest.partition("</article>")[2]}'


def corpus_sources(corpus: Path, sets: Sequence[str], limit: int) -> list[Source]:
    """Return the first ``limit`` sites of each set of a corpus that have enough pages."""
    sources: list[Source] = []
    for site in find_sites(corpus, sets):
        pages = site.pages() if site.has_enough_pages() else []
        own = sum(source.name.startswith(f"{site.set_name}/") for source in sources)
        if len(pages) >= _LEAST_PAGES - 5 * (site.set_name == "docs") and own < limit:
            sources.append(Source("corpus", f"{site.set_name}/{site.name}", pages, []))
    return sources
