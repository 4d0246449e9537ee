"""Cost of pages that mislead what is learnt, on generated sites and, with a corpus, on its larger sites.

Each risk is tried on each site and compared with the same site without it:

- walls: 10 or 40 pages come before all others. They show a robot check; or in turn a robot check, a consent, a login
  and a missing page, each with a unique line. Measured: the real pages until F1 stays within 5 % of F1 without walls,
  and F1 from the 41st real page on (on smaller sites, of the last five pages);
- session ids: 20 addresses show one page, unchanged or with a changing line, before 20 other pages come. Measured: the
  recall of that page's gold;
- a quoted text: the main text of every second page has one and the same paragraph. Measured: the share of these pages
  on which it is kept;
- lists first: 10 pages of teasers in the site's template come before its articles (generated sites only);
- tiny sites: the site has shown 1 to 9 pages. Measured: the recall of their gold by a model of these pages, by default
  and with the template alone stripped; beside it, recall by a model of ten pages, and of all text;
- sections: three sites are mixed into one at random: 60, 25 or 15 % of the pages are this site's, the others are
  generated. Measured: F1 of its pages from the 11th on;
- quoting pages: one to three of the ten pages learnt from quote the texts of ten others, also on made shops, blogs and
  records. Measured: the share of the quoted texts that stay, and in brackets where texts of nobody are quoted;
- another site: a second site shows all the pages of this one. Measured: the number of sites whose model changes.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.corpus import CorpusError, CorpusPage, digest_of
from benchmarks.generate import GeneratedSite
from benchmarks.passing import Crawl, f1_of
from benchmarks.scoring import score, tokens
from benchmarks.tables import RESULTS, environment, names, positive, share, table, write_json
from benchmarks.workers import mapped
from scrapy_blockfilter import Cleaned, Options, learn
from stress.poisoned_sites import GENERATED, QUOTED, Source, corpus_sources, generated_sources, quoted_sources
from stress.quoting_pages import kept_by_way

N = 10
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


@dataclass
class Outcome:
    """The measure of one risk on one site, with the risk and without it."""

    risk: str
    kind: str
    site: str
    value: float
    clean: float


def outcomes(source: Source) -> list[Outcome]:
    """Try every risk on a site; on those made to be quoted, pages that quote others alone."""
    found = [*(() if source.kind == QUOTED else _other_risks(source)), *kept_by_way(source.pages)]
    return [Outcome(risk, source.kind, source.name, value, without) for risk, value, without in found]


def _other_risks(source: Source) -> list[tuple[str, float, float]]:
    pages = source.pages
    crawl = Crawl(Options(pages=N))
    for page in pages[:N]:
        crawl.meet(page.html)
    clean = crawl.f1(pages)
    found: list[tuple[str, float, float]] = []
    for count, varying in ((N, False), (N, True), (4 * N, False), (4 * N, True)):
        walls = [_wall(number, varying) for number in range(count)]
        what = f"{count} walls{', each with a line of its own' if varying else ''}"
        pages_needed, after = _after(walls, pages, clean)
        found += [(f"{what}: pages until recovered", pages_needed, 0), (f"{what}: F1 after 40", after, _tail(clean))]
    if source.lists:
        pages_needed, after = _after(source.lists, pages, clean)
        found += [
            ("lists first: pages until recovered", pages_needed, 0),
            ("lists first: F1 after 40", after, _tail(clean)),
        ]
    once = _session_ids(pages, 1)
    for varying in (False, True):
        what = f"20 session ids{', a line changes' if varying else ''}"
        found.append((f"{what}: gold kept", _session_ids(pages, 20, varying=varying), once))
    quoted = _quoted(pages)
    if quoted is not None:
        found.append(("text quoted on half of the pages: kept", quoted, 1))
    for strip in ("boilerplate", "template"):
        options = Options(strip=strip)
        tiny = [_tiny(pages[:count], options) for count in range(1, N)]
        model = learn([page.html for page in pages[:N]], options)
        of_ten = [_recall(model.clean(page.html), page.gold) for page in pages[: N - 1]]
        what = f"1 to 9 pages{', template alone' if strip == 'template' else ''}: gold kept"
        found.append((what, sum(tiny) / len(tiny), sum(of_ten) / len(of_ten)))
    found.append(("all text: gold kept", _all_text(pages[: N - 1]), 1))
    alone = _in_section(pages, None)
    for place, share_of_site in enumerate(_SECTIONS):
        found.append((f"a section with {share_of_site:.0%} of the pages: F1", _in_section(pages, place), alone))
    found.append(("another site with the same pages: models changed", _changed(pages), 0))
    return found


def _wall(number: int, varying: bool) -> str:
    kinds = list(_WALLS)
    kind = kinds[number % len(kinds)] if varying else kinds[0]
    reference = f"<p>Reference {number * 7919:x}</p>" if varying else ""
    head = f'<!DOCTYPE html>\n<html lang="en"><head><title>{kind}</title></head>'
    return f'{head}<body><div class="wall">{_WALLS[kind]}{reference}</div></body></html>'


def _after(first: Sequence[str], pages: Sequence[CorpusPage], clean: Sequence[float]) -> tuple[float, float]:
    """Return the number of pages until F1 recovers for good, and F1 from the 41st page on."""
    crawl = Crawl(Options(pages=N))
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
    tail = values[40:] or values[-5:]
    return sum(tail) / len(tail)


def _session_ids(pages: Sequence[CorpusPage], addresses: int, *, varying: bool = False) -> float:
    """Return the recall of a page's gold, after it came at many addresses, then 20 other pages, then again."""
    crawl = Crawl(Options(pages=N))
    same = [
        pages[0].html.replace(
            "</body>", f"<p>Made at 12:0{number % 9}:{10 + number}.</p></body>" if varying else "</body>"
        )
        for number in range(addresses)
    ]
    for number, html in enumerate(same):
        crawl.meet(html, f"id {number}")
    for page in pages[1:21]:
        crawl.meet(page.html)
    cleaned = [crawl.meet(html, f"id {number}") for number, html in enumerate(same)]
    recalls = [_recall(page, pages[0].gold) for page in cleaned if page is not None]
    return sum(recalls) / len(recalls)


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
    kept = [any(block.keep and block.text == _QUOTED for block in model.clean(html).blocks) for html in with_text]
    return sum(kept) / len(kept)


def _tiny(pages: Sequence[CorpusPage], options: Options) -> float:
    model = learn([page.html for page in pages], options)
    recalls = [_recall(model.clean(page.html), page.gold) for page in pages]
    return sum(recalls) / len(recalls)


def _all_text(pages: Sequence[CorpusPage]) -> float:
    model = learn([pages[0].html], Options(strip="template"))  # a single page repeats nothing
    return sum(_recall(model.clean(page.html), page.gold) for page in pages) / len(pages)


def _in_section(pages: Sequence[CorpusPage], place: int | None) -> float:
    """Return F1 of a site's pages after the first N, as one of three sections; None for the site alone."""
    crawl = Crawl(Options(pages=N))
    chosen = random.Random(0)
    others = [GeneratedSite(GENERATED + section) for section in range(len(_SECTIONS))]
    scores = []
    for number, page in enumerate(pages[:_SECTION_PAGES]):
        while place is not None and (section := chosen.choices(range(len(_SECTIONS)), _SECTIONS)[0]) != place:
            crawl.meet(others[section].page(chosen.randrange(1_000), 9_000).html)
        cleaned = crawl.meet(page.html)
        if number >= N and cleaned is not None:
            scores.append(f1_of(cleaned, page.gold))
    return sum(scores) / len(scores)


def _changed(pages: Sequence[CorpusPage]) -> float:
    """Tell whether a site that shows this one's pages among walls changes the model of this one."""
    digests = []
    for other in (False, True):
        crawl = Crawl(Options(pages=N))
        for number, page in enumerate(pages[:20]):
            if other:
                crawl.meet(page.html, site="other.example")
                crawl.meet(_wall(number, True), site="other.example")
            crawl.meet(page.html)
        model = crawl.model()
        digests.append(model.digest if model is not None else "")
    return float(digests[0] != digests[1])


def _recall(cleaned: Cleaned, gold: str) -> float:
    return score(tokens(cleaned.text), tokens(gold)).recall


def report(found: Sequence[Outcome]) -> str:
    """Return the outcomes as text for people: a row per risk, with mean and worst for each kind of sites."""
    kinds = list(dict.fromkeys(outcome.kind for outcome in found))
    sites = {kind: len({outcome.site for outcome in found if outcome.kind == kind}) for kind in kinds}
    rows = []
    for risk in dict.fromkeys(outcome.risk for outcome in found):
        own = [[outcome for outcome in found if (outcome.risk, outcome.kind) == (risk, kind)] for kind in kinds]
        rows.append([risk, *map(_cell, own)])
    header = ["mean (without the risk), worst", *(f"{kind}, {sites[kind]} sites" for kind in kinds)]
    return table(header, rows)


def _cell(own: Sequence[Outcome]) -> str:
    if not own:
        return "-"
    value, clean = (sum(values) / len(own) for values in zip(*((one.value, one.clean) for one in own), strict=True))
    if own[0].clean == 0 and own[0].risk.endswith(("recovered", "changed")):
        return f"{value:.1f}, {max(one.value for one in own):.0f}"
    worst = min(own, key=lambda one: one.value - one.clean)
    return f"{share(value)} ({share(clean)}), {share(worst.value)} ({share(worst.clean)})"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m stress.poisoning", description=__doc__.partition("\n")[0])
    parser.add_argument("corpus", type=Path, nargs="?", help="a folder of <set>/<site>.jsonl.gz")
    parser.add_argument("--sets", type=names(), default=(), help="comma-separated sets of the corpus (all)")
    parser.add_argument("--limit", type=positive, default=6, metavar="SITES", help="sites of each set, at most (6)")
    parser.add_argument("--processes", type=positive, default=2, help="sites evaluated at a time (2)")
    parser.add_argument(
        "--json", type=Path, default=RESULTS / "poisoning.json", metavar="FILE", help="file for the figures"
    )
    options = parser.parse_args(arguments)
    sources = [*generated_sources(), *quoted_sources()]
    try:
        sources += corpus_sources(options.corpus, options.sets, options.limit) if options.corpus else []
    except CorpusError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    found = [outcome for own in mapped(outcomes, sources, options.processes) for outcome in own]
    print(report(found))
    corpus = digest_of(options.corpus) if options.corpus else ""
    by_site = [asdict(outcome) for outcome in found]
    write_json(options.json, {"environment": environment(), "corpus": corpus, "outcomes": by_site})
    return 0


if __name__ == "__main__":
    sys.exit(main())
