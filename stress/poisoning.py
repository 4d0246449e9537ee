"""Cost of pages that mislead what is learnt, on generated sites and, with a corpus, on its larger sites.

Each risk is tried on each site and compared with the same site without it:

- walls: 40 pages come before all others. In turn they show a robot check, a consent, a login and a missing page, each
  with a line of its own. Measured: the real pages until F1 stays within 5 % of F1 without walls, and F1 from the 41st
  real page on (on smaller sites, of the last five pages);
- lists first: 10 pages of teasers in the site's template come before its articles (generated sites only);
- session ids: 20 addresses show one page, with a line that changes, before 20 other pages come. Measured: the recall of
  that page's gold;
- a quoted text: the main text of every second page has one and the same paragraph. Measured: the share of these pages
  on which it is kept;
- tiny sites: the site has shown 1 to 9 pages. Measured: the recall of their gold by a model of these pages; beside it,
  recall by a model of ten pages;
- sections: three sites are mixed into one at random: 60, 25 or 15 % of the pages are this site's, the others are
  generated. Measured: F1 of its pages from the 11th on;
- another site: a second site shows all the pages of this one. Measured: the number of sites whose model changes;
- quoting pages: as :mod:`stress.quoting_pages` says, also on shops, blogs and records that are made for it.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.arguments import add_arguments, refusing
from benchmarks.corpus import FIRST_PAGES_OF, CorpusPage, digest_of, find_sites
from benchmarks.generate import GeneratedSite
from benchmarks.scoring import Score, score, tokens
from benchmarks.tables import environment, positive, share, table, write_json
from benchmarks.workers import mapped
from scrapy_blockfilter import Cleaned, Options, SiteModel, learn
from scrapy_blockfilter.crawl import Sites
from scrapy_blockfilter.crawl.stats import Uncounted
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.storable import hash64
from scrapy_blockfilter.store import MemoryStore
from stress.quoting_pages import kept_by_way, made_sites

N = 10
# The kind of the sites made for pages that quote others: too few pages for other risks.
QUOTED = "shops, blogs, records"
# Number of generated sites, and of the pages of each; recovery must show among the first 40.
_GENERATED, _PAGES, _LISTS = 4, 50, 10
# Pages that a site of a corpus must have, if so many of its set count.
_LEAST_PAGES = 25
_WALLS = {
    "robot check": "<h1>Are you a robot?</h1><p>There is unusual traffic from your network. Tick the box to go on.</p>",
    "consent": "<h1>Before you read on</h1><p>We and our 812 partners store cookies. Accept them, or pay to read.</p>",
    "login": "<h1>Log in</h1><form><label>Name <input></label><label>Word <input></label></form><p>Lost it?</p>",
    "missing": "<h1>Nothing here</h1><p>The page that you asked for has moved or never was. Try our front page.</p>",
}
_QUOTED = (
    "Any person who takes part in the public consultation may inspect the plans at the town hall during opening hours, "
    "and may raise objections in writing within four weeks of their publication. Objections that arrive later are not "
    "considered. Whoever raises an objection in time is invited to the hearing, where the council explains how it has "
    "weighed each of them against the interest of the public."
)
# The share of each section in a site's pages.
_SECTIONS = (0.6, 0.25, 0.15)
_SECTION_PAGES = 30
_PARAGRAPH = re.compile(r"<p(?: [^>]*)?>([^<]{60,})")
# Endings of risks whose measure is a count: less is better.
_COUNTED = ("recovered", "changed")


@dataclass(frozen=True)
class Source:
    """A site to poison, with its pages, and pages that list others."""

    kind: str
    name: str
    pages: Sequence[CorpusPage]
    lists: Sequence[str] = ()


@dataclass(frozen=True)
class Outcome:
    """The measure of one risk on one site, with the risk and without it."""

    risk: str
    kind: str
    site: str
    value: float
    clean: float


class Crawl:
    """A crawl that yields each page as an item: it learns from each page that is wanted, then judges it."""

    def __init__(self) -> None:
        self._sites = Sites(Options(pages=N), MemoryStore(), Uncounted(), is_early=False)

    def meet(self, html: str, url: str = "", host: str = "site.example") -> Cleaned | None:
        """Learn from a page, by its URL or content, and clean it; None while its site is learnt, or if unreadable."""
        site, page_hash = self._sites.named(host), hash64((url or html).encode("utf-8", "replace"))
        try:
            if site.wants(page_hash):
                site.learn(page_hash, self._sites.reader.read(html, whole=True))
            page = self._sites.reader.read(html, whole=True)
        except UnfitPage:
            return None
        model = self._sites.named(host).judge(page, page_hash)
        return model.clean_page(html, page) if model is not None else None

    def f1(self, pages: Sequence[CorpusPage]) -> list[float]:
        """Meet the pages, and return F1 of each that is judged."""
        met = ((self.meet(page.html), page.gold) for page in pages)
        return [_score(cleaned, gold).f1 for cleaned, gold in met if cleaned is not None]

    def model(self) -> SiteModel | None:
        return self._sites.named("site.example").model()


def generated_sources(sites: int = _GENERATED) -> Iterator[Source]:
    """Yield generated sites, each with pages that list ten articles."""
    for number in range(sites):
        site = GeneratedSite(number)
        made = [site.page(page, 12_000) for page in range(_PAGES)]
        lists = [_list(made[0].html, site, at) for at in range(_LISTS)]
        yield Source("generated", f"site {number}", [CorpusPage(page.html, page.gold, "en") for page in made], lists)


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
    found: dict[str, list[Source]] = {}
    for site in find_sites(corpus, sets):
        of_set = found.setdefault(site.set_name, [])
        least = FIRST_PAGES_OF.get(site.set_name, _LEAST_PAGES)
        if len(of_set) < limit and len(pages := site.pages()) >= least:
            of_set.append(Source("corpus", f"{site.set_name}/{site.name}", pages))
    return [source for of_set in found.values() for source in of_set]


def outcomes(source: Source) -> list[Outcome]:
    """Try every risk on a site; on those made to be quoted, pages that quote others alone."""
    found = [*(() if source.kind == QUOTED else _other_risks(source)), *kept_by_way(source.pages)]
    return [Outcome(risk, source.kind, source.name, value, without) for risk, value, without in found]


def _other_risks(source: Source) -> Iterator[tuple[str, float, float]]:
    pages = source.pages
    crawl = Crawl()
    crawl.f1(pages[:N])
    clean = crawl.f1(pages)
    walls = [_wall(number) for number in range(4 * N)]
    for what, first in (("40 walls, each with a line of its own", walls), ("lists first", source.lists)):
        if first:
            pages_needed, after = _after(first, pages, clean)
            yield f"{what}: pages until recovered", pages_needed, 0
            yield f"{what}: F1 after 40", after, _tail(clean)
    yield "20 session ids, a line changes: gold kept", _session_ids(pages, 20), _session_ids(pages, 1)
    quoted = _quoted(pages)
    if quoted is not None:
        yield "text quoted on half of the pages: kept", quoted, 1
    tiny = fmean(_recall(pages[:count], pages[:count]) for count in range(1, N))
    yield "1 to 9 pages: gold kept", tiny, _recall(pages[:N], pages[: N - 1])
    alone = _in_section(pages, None)
    for place, share_of_site in enumerate(_SECTIONS):
        yield f"a section with {share_of_site:.0%} of the pages: F1", _in_section(pages, place), alone
    yield "another site with the same pages: models changed", _changed(pages), 0


def _wall(number: int) -> str:
    kind, text = list(_WALLS.items())[number % len(_WALLS)]
    head = f'<!DOCTYPE html>\n<html lang="en"><head><title>{kind}</title></head>'
    return f'{head}<body><div class="wall">{text}<p>Reference {number * 7919:x}</p></div></body></html>'


def _after(first: Sequence[str], pages: Sequence[CorpusPage], clean: Sequence[float]) -> tuple[float, float]:
    """Return the number of pages until F1 recovers for good, and F1 from the 41st page on."""
    crawl = Crawl()
    for number, html in enumerate(first):
        crawl.meet(html, f"first {number}")
    reached = crawl.f1(pages)
    # Over five pages, as a single page may be worse by chance.
    behind = [
        number
        for number in range(len(pages) - 4)
        if sum(reached[number : number + 5]) < 0.95 * sum(clean[number : number + 5])
    ]
    return float(behind[-1] + 1 if behind else 0), _tail(reached)


def _tail(values: Sequence[float]) -> float:
    return fmean(values[40:] or values[-5:])


def _session_ids(pages: Sequence[CorpusPage], addresses: int) -> float:
    """Return the recall of a page's gold, after it came at many addresses, then 20 other pages, then again."""
    crawl = Crawl()
    same = [
        pages[0].html.replace("</body>", f"<p>Made at 12:0{number % 9}:{10 + number}.</p></body>")
        for number in range(addresses)
    ]
    for number, html in enumerate(same):
        crawl.meet(html, f"id {number}")
    for page in pages[1:21]:
        crawl.meet(page.html)
    cleaned = [crawl.meet(html, f"id {number}") for number, html in enumerate(same)]
    return fmean(_score(page, pages[0].gold).recall for page in cleaned if page is not None)


def _quoted(pages: Sequence[CorpusPage]) -> float | None:
    """Return the share of pages that keep a quoted text; None if no page has a paragraph to put it behind."""
    with_text = []
    for page in pages[1::2]:
        found = next((match for match in _PARAGRAPH.finditer(page.html) if match[1].strip() in page.gold), None)
        end = page.html.find("</p>", found.end()) + len("</p>") if found else 0
        if end >= len("</p>"):
            with_text.append(f"{page.html[:end]}<p>{_QUOTED}</p>{page.html[end:]}")
    if len(with_text) < 2:
        return None
    model = learn([page.html for page in pages[: 2 * len(with_text) : 2]] + with_text)
    return fmean(any(block.keep and block.text == _QUOTED for block in model.clean(html).blocks) for html in with_text)


def _recall(learnt: Sequence[CorpusPage], cleaned: Sequence[CorpusPage]) -> float:
    model = learn([page.html for page in learnt])
    return fmean(_score(model.clean(page.html), page.gold).recall for page in cleaned)


def _in_section(pages: Sequence[CorpusPage], place: int | None) -> float:
    """Return F1 of a site's pages after the first N, as one of three sections; None for the site alone."""
    crawl = Crawl()
    chosen = random.Random(0)
    others = [GeneratedSite(_GENERATED + section) for section in range(len(_SECTIONS))]
    scores = []
    for number, page in enumerate(pages[:_SECTION_PAGES]):
        while place is not None and (section := chosen.choices(range(len(_SECTIONS)), _SECTIONS)[0]) != place:
            crawl.meet(others[section].page(chosen.randrange(1_000), 9_000).html)
        cleaned = crawl.meet(page.html)
        if number >= N and cleaned is not None:
            scores.append(_score(cleaned, page.gold).f1)
    return fmean(scores)


def _changed(pages: Sequence[CorpusPage]) -> float:
    """Tell whether a site that shows this one's pages among walls changes the model of this one."""
    digests = []
    for other in (False, True):
        crawl = Crawl()
        for number, page in enumerate(pages[:20]):
            if other:
                crawl.meet(page.html, host="other.example")
                crawl.meet(_wall(number), host="other.example")
            crawl.meet(page.html)
        model = crawl.model()
        digests.append(model.digest if model is not None else "")
    return float(digests[0] != digests[1])


def _score(cleaned: Cleaned, gold: str) -> Score:
    return score(tokens(cleaned.text), tokens(gold))


def summary(found: Sequence[Outcome]) -> dict[str, Any]:
    """Return the number of sites of each kind, and of each risk and kind the mean over sites and the worst site."""
    sites = {kind: {one.site for one in found if one.kind == kind} for kind in dict.fromkeys(one.kind for one in found)}
    risks: dict[str, dict[str, Any]] = {}
    for risk in dict.fromkeys(one.risk for one in found):
        own = {kind: [one for one in found if (one.risk, one.kind) == (risk, kind)] for kind in sites}
        risks[risk] = {kind: _with_and_without(risk, of_kind) if of_kind else None for kind, of_kind in own.items()}
    return {"kinds": {kind: len(names) for kind, names in sites.items()}, "risks": risks}


def _with_and_without(risk: str, own: Sequence[Outcome]) -> dict[str, list[float]]:
    sign = -1 if risk.endswith(_COUNTED) else 1
    worst = min(own, key=lambda one: sign * (one.value - one.clean))
    return {
        "mean": [fmean(one.value for one in own), fmean(one.clean for one in own)],
        "worst": [worst.value, worst.clean],
    }


def report(figures: Mapping[str, Any]) -> str:
    """Return a row for each risk: by kind of sites the mean, in brackets without the risk, then the worst site."""
    header = ["mean (without the risk), worst", *(f"{kind}, {sites} sites" for kind, sites in figures["kinds"].items())]
    rows = [[risk, *(_cell(risk, of) for of in kinds.values())] for risk, kinds in figures["risks"].items()]
    return table(header, rows)


def _cell(risk: str, of: Mapping[str, Sequence[float]] | None) -> str:
    if of is None:
        return "–"
    if risk.endswith(_COUNTED):
        return f"{of['mean'][0]:.1f}, {of['worst'][0]:.0f}"
    return ", ".join(f"{share(value)} ({share(without)})" for value, without in (of["mean"], of["worst"]))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m stress.poisoning", description=__doc__.partition("\n")[0])
    parser.add_argument("corpus", type=Path, nargs="?", help="a folder of <set>/<site>.jsonl.gz")
    parser.add_argument("--limit", type=positive, default=6, metavar="SITES", help="sites of each set, at most (6)")
    add_arguments(parser, "--sets", "--processes", figures="poisoning.json")
    options = parser.parse_args(arguments)
    sources = [*generated_sources(), *(Source(QUOTED, name, pages) for name, pages in made_sites(_GENERATED))]
    with refusing(parser):
        sources += corpus_sources(options.corpus, options.sets, options.limit) if options.corpus else []
    found = [outcome for own in mapped(outcomes, sources, options.processes) for outcome in own]
    corpus = digest_of(options.corpus) if options.corpus else ""
    figures = {"environment": environment(), "corpus": corpus, **summary(found)}
    print(report(figures))
    write_json(options.json, figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
