"""What pages that mislead the learner cost, on generated sites and, where a corpus is given, on its larger sites.

Each risk is tried on each site and compared with what the same site gives without it:

- walls: 10 or 40 pages of a robot check, or of that, a consent, a login and a missing page in turn, each with a line of
  its own, come before any other. Told is after how many real pages F1 stays within 5 % of what it is without them, and
  F1 from the 41st real page on (of a site of fewer, that of its last five);
- session ids: 20 addresses show one page, as it is or with a line that changes, before 20 others come. Told is the
  recall of the gold of that page;
- a quoted text: a paragraph stands in the main text of every second page. Told is on which share of them it is kept;
- lists first: 10 pages of teasers in the site's template come before its articles (generated sites only);
- tiny sites: the site has shown 1 to 9 pages. Told is the recall of their gold by a model of so many pages, by
  default and where only the template goes, beside that by a model of ten, and that of all text;
- sections: the site is one of three that come as one, in no order: 60, 25 or 15 % of what comes are its pages, the
  others' are generated. Told is F1 of its pages from the 11th on;
- another site: a site that shares all its pages with this one. Told is on how many sites the model changes.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.corpus import CorpusError, CorpusPage
from benchmarks.generate import GeneratedSite
from benchmarks.passing import Crawl, f1_of
from benchmarks.scoring import score, tokens
from benchmarks.tables import RESULTS, environment, names, positive, share, table, write_json
from benchmarks.workers import mapped
from scrapy_blockfilter import Cleaned, Options, learn
from stress.poisoned_sites import GENERATED, Source, corpus_sources, generated_sources

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
# Of a site's pages those that are of each section.
_SECTIONS = (0.6, 0.25, 0.15)
_SECTION_PAGES = 30
_PARAGRAPH = re.compile(r"<p(?: [^>]*)?>([^<]{60,})")


@dataclass
class Outcome:
    """What one risk came to on one site: with it and without it, on the measure of the risk."""

    risk: str
    kind: str
    site: str
    value: float
    clean: float


def outcomes(source: Source) -> list[Outcome]:
    """Try every risk on a site."""
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
    return [Outcome(risk, source.kind, source.name, value, without) for risk, value, without in found]


def _wall(number: int, varying: bool) -> str:
    kinds = list(_WALLS)
    kind = kinds[number % len(kinds)] if varying else kinds[0]
    reference = f"<p>Reference {number * 7919:x}</p>" if varying else ""
    head = f'<!DOCTYPE html>\n<html lang="en"><head><title>{kind}</title></head>'
    return f'{head}<body><div class="wall">{_WALLS[kind]}{reference}</div></body></html>'


def _after(first: Sequence[str], pages: Sequence[CorpusPage], clean: Sequence[float]) -> tuple[float, float]:
    """After how many pages F1 is back, for good, and what it is from the 41st on."""
    crawl = Crawl(Options(pages=N))
    for number, html in enumerate(first):
        crawl.meet(html, f"first {number}")
    reached = crawl.f1(pages)
    # Of five pages, as a page may be judged worse by chance.
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
    """How much of the gold of a page is kept that comes at so many addresses before 20 others, and then again."""
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
    """On which share of the pages that quote a text it is kept, None where no page has a paragraph to put it behind."""
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
    model = learn([pages[0].html], Options(strip="template"))  # one page repeats nothing
    return sum(_recall(model.clean(page.html), page.gold) for page in pages) / len(pages)


def _in_section(pages: Sequence[CorpusPage], place: int | None) -> float:
    """F1 of the first pages of a site, without the first N, that are one of three sections; None: alone."""
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
    """Whether a site that shows the pages of this one, among walls, changes what is learnt here."""
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
    """The outcomes as a person reads them: a row a risk, for each kind of sites the mean and the worst."""
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
    parser.add_argument("--limit", type=positive, default=6, metavar="SITES", help="of each set, at most (6)")
    parser.add_argument("--processes", type=positive, default=2, help="sites evaluated at a time (2)")
    parser.add_argument(
        "--json", type=Path, default=RESULTS / "poisoning.json", metavar="FILE", help="where figures go"
    )
    options = parser.parse_args(arguments)
    sources = generated_sources()
    try:
        sources += corpus_sources(options.corpus, options.sets, options.limit) if options.corpus else []
    except CorpusError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    found = [outcome for own in mapped(outcomes, sources, options.processes) for outcome in own]
    print(report(found))
    write_json(options.json, {"environment": environment(), "outcomes": [asdict(outcome) for outcome in found]})
    return 0


if __name__ == "__main__":
    sys.exit(main())
