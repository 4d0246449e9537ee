"""Pages that lose half of their gold: how many are told as suspicious, and how many fine pages are told, too.

Protocol: as in benchmarks.report. A page loses half if the recall of its gold's tokens is under .5; it is fine if it
loses less than a fifth. Pages without gold do not count. Intervals are over sites. ``--part choose`` with weights
that were trained without it shows what another bound of doubt would tell.

Each page with gold is content, whatever its state is said to be. In place of the content of a site's pages, in its
template, stand made answers at six addresses: the state of the last is counted.

Parts of like tiles are counted on pages with gold, and on made grids. A tile is the smallest element with several
texts, but no long text, that has at least two siblings of its style path. A part is the texts at one place of such
siblings, with one style path: the names of a list, or its prices. A part that stays in some tiles and goes from others
is uneven.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.arguments import add_arguments, refusing
from benchmarks.corpus import CorpusPage, Site, choose_sites, corpus_digest, find_sites
from benchmarks.made_things import CLEANED, GRIDS, made_sites
from benchmarks.parts import sites_of
from benchmarks.scoring import score, tokens
from benchmarks.tables import environment, share, table, write_json
from benchmarks.unshipped import about_weights, model_of, network_for
from benchmarks.workers import mapped
from scrapy_blockfilter import Cleaned, Options, SiteModel, clean, learn
from scrapy_blockfilter.html import Reader
from scrapy_blockfilter.html.columns import CHARS
from scrapy_blockfilter.html.subtrees import Tree
from scrapy_blockfilter.model.losses import DOUBT
from scrapy_blockfilter.model.page_state import Answers
from scrapy_blockfilter.render import render_html
from scrapy_blockfilter.storable import hash64

_SHIPPED = "suspicious"
_DOUBTS = (0.05, 0.08, DOUBT, 0.15, 0.2)
# Recalls from the first number to below the second.
_GROUPS = {"lose half": (0.0, 0.5), "fine": (0.8, math.inf)}
_RESAMPLES, _SEED = 1_000, 21


_LEAST_TILES = 3
# Characters of a tile: longer elements are posts or articles, whose paragraphs are no parts.
_LONGEST_TILE = 600
PARTS, UNEVEN = "parts", "uneven"


class Share(NamedTuple):
    """How many pages of a group are told, on how many sites, and the interval of their share over sites."""

    told: int
    pages: int
    sites: int
    low: float
    high: float


class Told(NamedTuple):
    """A page: its recall, how much content it is expected to lose, whether it is told as suspicious, and its state."""

    recall: float
    doubt: float
    is_told: bool
    state: str


class OfSite(NamedTuple):
    """The pages of a site with gold, their parts of like tiles, and the states of made answers by their true state."""

    pages: list[Told]
    parts: Counter[str]
    answers: dict[str, str]


# The answers differ by the path that they name, and are in languages that the site may not have.
_MESSAGES = (
    "The page {path} was not found. It may have been moved or removed, or its address was mistyped.",
    "Die Seite „{name}“ gibt es nicht oder nicht mehr. Sie kann umgezogen sein, oder die Adresse hat einen Fehler.",
    "Страница {path} не найдена. Возможно, она была удалена, или адрес набран с ошибкой.",
    "ページ {path} が見つかりません。削除されたか、アドレスが間違っている可能性があります。",
)
_ANSWERS = {
    "missing": '<h1>404</h1><p>{message}</p><p><a href="/">404</a></p>',
    "wall": '<h1>{name}</h1><p>{message}</p><form><input name="u"><input type="password" name="p"></form>',
    "shell": '<div id="app-root"></div><script src="/app.js"></script>',
}
_NAMES = ("blue thing", "old harbour news", "long road 7", "market day 2024", "four winds", "green garden")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    with refusing(parser):
        every = [site for corpus in options.corpora for site in find_sites(corpus)]
        sites = choose_sites(sites_of(options.part, options.corpora), options.limit)
        work = partial(pages_told, learnt=options.pages, network=options.weights)
        found_of = list(mapped(work, sites, options.processes))
        weights = about_weights(every, options.part, options.weights)
    pages = [of.pages for of in found_of]
    states = states_of(found_of)
    rows = parts_of_made_grids() | {f"pages of the part {options.part}": summed(of.parts for of in found_of)}
    found = {_SHIPPED: told_of(pages)} | {f"doubt over {share(doubt)}": told_of(pages, doubt) for doubt in _DOUBTS}
    rules = {name: {group: of._asdict() for group, of in groups.items()} for name, groups in found.items()}
    about = f"On the part {options.part}. Weights: {weights}."
    print(about, report(rules), state_table(states), rows_table(rows), sep="\n\n")
    results = {
        "environment": environment(),
        "corpus": corpus_digest(sites),
        "weights": weights,
        "part": options.part,
        "sites": len(sites),
        "pages": sum(map(len, pages)),
        "rules": rules,
        "states": states,
        "rows": rows,
    }
    write_json(options.json, results)
    return 0


def pages_told(site: Site, learnt: int, network: Path | None) -> OfSite:
    """Learn from the first pages of a site, clean all its pages, and return those with gold; then answers."""
    pages = site.pages()
    options = Options(pages=learnt)
    model = model_of(pages, network_for(network), options)
    if model is None:
        return OfSite([], Counter(), {})
    reader, seen, found, parts = Reader(options), Answers(), [], Counter[str]()
    for number, page in enumerate(pages):
        gold = tokens(page.gold)
        if gold:
            read = reader.read(page.html)
            cleaned = model.clean_page(page.html, read, page.url or f"http://{site.name}/{number}", seen)
            recall = score(tokens(cleaned.text), gold).recall
            found.append(Told(recall, cleaned.doubt, bool(cleaned.suspicious), cleaned.page_state))
            parts.update(parts_of(cleaned))
    return OfSite(found, parts, {state: _answered(site, model, reader, pages, state) for state in _ANSWERS})


def _answered(site: Site, model: SiteModel, reader: Reader, pages: Sequence[CorpusPage], kind: str) -> str:
    """Return the state of the last of some answers of a kind, each in the template of a page."""
    message = _MESSAGES[hash64(site.name.encode()) % len(_MESSAGES)]
    seen, state = Answers(), ""
    for page, name in zip(pages, _NAMES, strict=False):
        read, path = reader.read(page.html), f"/{name.replace(' ', '-')}"
        common = [2 * model.learnt.frequencies.get(key, 0) > model.different for key in read.keys.tolist()]
        body = _ANSWERS[kind].format(name=name, message=message.format(path=path, name=name))
        html, end, _ = render_html(read, common, page.html).rpartition("</body>")
        html = re.sub(r"(?is)<title.*?</title>", f"<title>{site.name}</title>", f"{html}<div>{body}</div>{end}")
        state = model.clean_page(html, reader.read(html), f"http://{site.name}{path}", seen).page_state
    return state


def states_of(sites: Sequence[OfSite]) -> dict[str, dict[str, int]]:
    """Return how many pages and answers are said to have each state, by the state that they have."""
    found = {"content": Counter(page.state for site in sites for page in site.pages)}
    found |= {kind: Counter(site.answers[kind] for site in sites if site.answers) for kind in _ANSWERS}
    return {kind: dict(counts) for kind, counts in found.items()}


def state_table(states: Mapping[str, Mapping[str, int]]) -> str:
    """Return the states as a table, a row for each state that pages have."""
    said = ("content", *_ANSWERS, "")
    rows = [[kind, *(str(counts.get(state, 0)) for state in said)] for kind, counts in states.items()]
    return table(["is", *said[:-1], "unclear"], rows)


def told_of(sites: Sequence[Sequence[Told]], doubt: float | None = None) -> dict[str, Share]:
    """Return which pages that lose half, or less than a fifth, are told: by ``doubt`` above a share, or as shipped."""
    return {
        name: _share(
            [
                [page.is_told if doubt is None else page.doubt > doubt for page in site if least <= page.recall < most]
                for site in sites
            ]
        )
        for name, (least, most) in _GROUPS.items()
    }


def _share(sites: Sequence[Sequence[bool]]) -> Share:
    counts = np.array([(sum(site), len(site)) for site in sites if site], np.float64).reshape(-1, 2)
    if not len(counts):
        return Share(0, 0, 0, 0.0, 0.0)
    drawn = counts[np.random.default_rng(_SEED).integers(len(counts), size=(_RESAMPLES, len(counts)))].sum(axis=1)
    low, high = np.percentile(drawn[:, 0] / drawn[:, 1], (2.5, 97.5)).tolist()
    told, pages = counts.sum(axis=0).astype(int).tolist()
    return Share(told, pages, len(counts), low, high)


def report(rules: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> str:
    """Return the shares as a table, a row for each rule."""
    header = ["told if", "of pages that lose half", "on sites", "of pages that lose less than a fifth", "on sites"]
    return table(header, [[name, *map(str, chain(*map(_cells, of.values())))] for name, of in rules.items()])


def _cells(of: Mapping[str, Any]) -> tuple[str, int]:
    if not of["pages"]:
        return "0 of 0", 0
    interval = f"{share(of['low'])}–{share(of['high'])}"
    return f"{share(of['told'] / of['pages'])} ({interval}): {of['told']} of {of['pages']}", of["sites"]


def parts_of(cleaned: Cleaned) -> Counter[str]:
    """Count the parts of like tiles of a page, and the uneven parts."""
    page = cleaned.page
    if page is None:
        return Counter()
    tree, slots = Tree.of(page), page.slots.tolist()
    like = Counter(zip(page.parents, slots, strict=True))
    tiles: dict[int, int] = {}  # of each block
    for node, (start, end) in enumerate(zip(tree.starts.tolist(), tree.ends.tolist(), strict=True)):
        if end - start > 1 and like[page.parents[node], slots[node]] >= _LEAST_TILES:
            tiles |= dict.fromkeys(range(start, end), node if page.weights[start:end].sum() <= _LONGEST_TILE else 0)
    parts = defaultdict(list)
    for block, tile in tiles.items():
        if tile and page.numbers[block, CHARS]:
            place = block - int(tree.starts[tile])
            parts[page.parents[tile], slots[tile], slots[page.nodes[block]], place].append(cleaned.keep[block])
    several = [keep for keep in parts.values() if len(keep) >= _LEAST_TILES]
    return Counter({PARTS: len(several), UNEVEN: sum(any(keep) and not all(keep) for keep in several)})


def parts_of_made_grids() -> dict[str, Counter[str]]:
    """Count the parts of made grids, whose pages are cleaned by a model of their site and each alone."""
    found = {"made grids, learnt": Counter[str](), "made grids, each page alone": Counter[str]()}
    learnt, alone = found.values()
    for site in made_sites(GRIDS):
        pages = [page.html for page in site.pages]
        model = learn(pages[:-CLEANED])
        for page in pages[-CLEANED:]:
            learnt.update(parts_of(model.clean(page)))
            alone.update(parts_of(clean(page)))
    return found


def rows_table(rows: Mapping[str, Mapping[str, int]]) -> str:
    """Show the number of parts and the share of uneven parts."""
    cells = [[name, f"{of[PARTS]:,}", share(of[UNEVEN] / of[PARTS]) if of[PARTS] else "–"] for name, of in rows.items()]
    return table(["like tiles of", "parts", "stay in some, go from others"], cells)


def summed(counts: Iterable[Counter[str]]) -> Counter[str]:
    """Return the sum of counts, with those that are zero."""
    total = Counter({PARTS: 0, UNEVEN: 0})
    for each in counts:
        total.update(each)
    return total


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.told", description=__doc__)
    usual = ("corpora", "--weights", "--part", "--pages", "--limit", "--processes")
    add_arguments(parser, *usual, figures="told.json")
    return parser


if __name__ == "__main__":
    sys.exit(main())
