"""Copies of articles on other sites: how many are found, by the share of text that is another on the copy.

Run ``python -m benchmarks.copies``. Publishers are made up (:mod:`benchmarks.reprints`). Each is learnt from its first
ten pages, all pages are cleaned, and ``scrapy blockfilter copies`` groups them. Recall is the share of reprints in one
group with their original, precision the share of grouped pairs of pages that are prints of one article.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any

from benchmarks.arguments import add_options
from benchmarks.intervals import interval
from benchmarks.reprints import Print, reprints
from benchmarks.tables import environment, positive, share, table, write_json
from benchmarks.workers import mapped
from scrapy_blockfilter import Cleaned, learn
from scrapy_blockfilter.extras.copies.command import LEAST
from scrapy_blockfilter.extras.copies.copy_groups import CopyGroups, Keys
from scrapy_blockfilter.extras.copies.keys import content_key, similar_key

SHARES = (0.0, 0.05, 0.1, 0.2, 0.4)
_LOW = 0.3
# What pages are compared by -> the least likeness.
WAYS: Mapping[str, float] = {
    "the same text": 1.0,
    f"likeness {LEAST}": LEAST,
    f"likeness {_LOW}": _LOW,
    f"whole pages, likeness {LEAST}": LEAST,
}
MEASURES = ("recall", "precision")
_WHOLE = next(way for way in WAYS if way.startswith("whole"))


def measure(publishers: int, learnt: int, changed: float) -> dict[str, Any]:
    """Return the figures for one share of changed text."""
    prints = reprints(publishers, changed)
    cleaned: list[tuple[Print, Cleaned]] = []
    for publisher in range(publishers):
        own = [page for page in prints if page.publisher == publisher]
        model = learn([page.html for page in own[:learnt]])
        cleaned += [(page, model.clean(page.html, page.url)) for page in own]
    return {way: _found(cleaned, way, least) for way, least in WAYS.items()}


def _found(cleaned: Sequence[tuple[Print, Cleaned]], way: str, least: float) -> dict[str, Any]:
    keys = _keys_of_all if way == _WHOLE else partial(_keys_of_kept, exact=least == 1)
    groups = CopyGroups(least)
    groups.add(Keys(str(page.publisher), page.url, *keys(of)) for page, of in cleaned)
    pages = {page.url: page for page, _ in cleaned}
    pairs = [
        (pages[one.url], pages[other.url])
        for group in groups.groups()
        for one, other in combinations(group, 2)
        if one.site != other.site
    ]
    groups.close()
    by_article: dict[int, set[int]] = defaultdict(set)
    for page in pages.values():
        by_article[page.article].add(page.publisher)
    right = [float(one.article == other.article) for one, other in pairs]
    found = {one.article for one, other in pairs if one.article == other.article}
    return {
        "recall": _mean([float(article in found) for article, of in by_article.items() if len(of) > 1]),
        "precision": _mean(right),
    }


def _keys_of_kept(cleaned: Cleaned, *, exact: bool) -> tuple[str, str]:
    return cleaned.content_key, "" if exact else cleaned.similar_key


def _keys_of_all(cleaned: Cleaned) -> tuple[str, str]:
    texts = [block.text for block in cleaned.blocks]
    return content_key(texts), similar_key(texts)


def _mean(values: Sequence[float]) -> dict[str, Any]:
    if not values:
        return {"of": 0}
    return {"of": len(values), "mean": sum(values) / len(values), "interval": list(interval([values]))}


def copies_table(measure: str, figures: Mapping[str, Any]) -> str:
    """Return a table of recall or precision, by the share of text that is another."""
    rows = [
        [f"{float(changed):.0%}", *(_cell(of[way][measure]) for way in WAYS)]
        for changed, of in figures["changed"].items()
    ]
    return table([f"{measure}, by text changed", *WAYS], rows)


def about(figures: Mapping[str, Any]) -> str:
    first = next(iter(next(iter(figures["changed"].values())).values()))
    return (
        f"{figures['publishers']} made publishers with {figures['pages']} pages, {first['recall']['of']} reprints; "
        f"learnt from {figures['learnt']} pages of each."
    )


def _cell(of: Mapping[str, Any]) -> str:
    return f"{share(of['mean'])} ({'–'.join(map(share, of['interval']))})" if of["of"] else "–"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.copies", description=__doc__)
    parser.add_argument("--publishers", type=positive, default=24, help="number of publishers (24)")
    add_options(parser, "--pages", "--processes", figures="copies.json")
    options = parser.parse_args(arguments)
    work: Callable[[float], dict[str, Any]] = partial(measure, options.publishers, options.pages)
    measured = mapped(work, SHARES, options.processes)
    figures = {
        "environment": environment(),
        "publishers": options.publishers,
        "pages": len(reprints(options.publishers, 0)),
        "learnt": options.pages,
        "changed": {str(changed): of for changed, of in zip(SHARES, measured, strict=True)},
    }
    write_json(options.json, figures)
    print("\n\n".join([about(figures), *(copies_table(measure, figures) for measure in MEASURES)]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
