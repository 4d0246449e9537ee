"""The three parts of the corpora, and the families of templates, each wholly in one part.

Part ``build`` is for training and for reading pages. Part ``choose`` shows only figures, to settle sizes and steps.
Part ``report`` is measured for the README and decides nothing. A network that knows a site also knows others of its
generator and theme, so families are not split.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from pathlib import Path

from benchmarks.corpus import Site, find_sites
from scrapy_blockfilter.storable import hash64

BUILD, CHOOSE, REPORT = "build", "choose", "report"
PARTS = (BUILD, CHOOSE, REPORT)
# Tenths of the families in each part.
_TENTHS = {BUILD: 6, CHOOSE: 2, REPORT: 2}
# The part of each vertical of record sites. Values are to stay in verticals that nothing was trained on.
VERTICALS = {"auto": BUILD, "camera": BUILD, "movie": CHOOSE, "nbaplayer": REPORT}
# Demo shops of themes, left out of training and of all figures: their gold has some filler text that all pages repeat,
# but not the same text beside it. The corpus's own notes on its weaknesses name them, no output of any method.
LEFT_OUT = frozenset(
    {
        *("davici", "collax", "m2-tools", "shopwoo-es", "sew-what", "fruit-organic", "magento1-paper", "jello-ice"),
        *("explicit-wines", "flatsome-demo", "kmt7-pizza"),
    }
)
# Two sites are of one family if they share this much of the class names that most of their first pages have.
# Sites with fewer names cannot be compared, and stay alone.
_SAME, _LEAST_NAMES, _PAGES = 0.5, 12, 3
# One pattern per spelling: patterns that begin with plain letters match in half the time.
_CLASSES = tuple(
    re.compile(rf"""{name}(?<=\s{name})\s*=\s*(?:"([^"]*)"|'([^']*)')""") for name in ("class", "CLASS", "Class")
)
_DIGITS = re.compile(r"\d+")


def sites_of(part: str, corpora: Iterable[Path]) -> list[Site]:
    """Return the sites of a part, sorted by set and name, without those whose gold is plainly wrong."""
    parts = parts_of([site for corpus in corpora for site in find_sites(corpus)])
    of_part = [site for site in parts if parts[site] == part and site.name not in LEFT_OUT]
    return sorted(of_part, key=lambda site: (site.set_name, site.name))


def parts_of(sites: Sequence[Site]) -> dict[Site, str]:
    """Return the part of each site."""
    names = [part for part in PARTS for _ in range(_TENTHS[part])]
    return {site: names[hash64(family[0].name.encode()) % len(names)] for family in families(sites) for site in family}


def value_parts(sites: Sequence[Site], with_gold: Sequence[Site]) -> dict[Site, str]:
    """Return the part of each site whose values are known: that of its namesakes with gold, else of its family.

    Args:
        with_gold: the sites of corpora with gold, whose parts do not depend on ``sites``.
    """
    names = [part for part in PARTS for _ in range(_TENTHS[part])]
    of_name = {site.name: part for site, part in parts_of(with_gold).items()}
    found = {}
    for family in families(sites):
        known = [of_name[site.name] for site in family if site.name in of_name]
        part = known[0] if known else names[hash64(family[0].name.encode()) % len(names)]
        found.update(dict.fromkeys(family, part))
    found.update({site: VERTICALS[vertical] for site in sites if (vertical := vertical_of(site))})
    return found


def vertical_of(site: Site) -> str:
    """Return which of ``VERTICALS`` a record site is of, "" for any other site."""
    vertical, hyphen, _ = site.name.partition("-")
    return vertical if site.set_name == "record" and hyphen and vertical in VERTICALS else ""


def families(sites: Sequence[Site]) -> list[list[Site]]:
    """Group sites by family, each sorted by name. A site that is in several sets is one family."""
    ordered = sorted(sites, key=lambda site: (site.name, site.set_name))
    first = list(range(len(ordered)))  # for each site another of its family, for the first itself

    def root(place: int) -> int:
        while first[place] != place:
            first[place] = first[first[place]]
            place = first[place]
        return place

    names = [class_names(page.html for page in site.first_pages(_PAGES)) for site in ordered]
    neighbours = pairwise(range(len(ordered)))
    namesakes = ((one, other) for one, other in neighbours if ordered[one].name == ordered[other].name)
    for one, other in chain(namesakes, _alike(names)):
        low, high = sorted((root(one), root(other)))
        first[high] = low
    found: dict[int, list[Site]] = {}
    for place, site in enumerate(ordered):
        found.setdefault(root(place), []).append(site)
    return list(found.values())


def class_names(pages: Iterable[str]) -> frozenset[str]:
    """Return the class names that most of the pages have, digits folded."""
    counts: Counter[str] = Counter()
    number = 0
    for html in pages:
        number += 1
        values = {double or single for classes in _CLASSES for double, single in classes.findall(html)}
        counts.update({_DIGITS.sub("0", name) for name in {name for value in values for name in value.split()}})
    return frozenset(name for name, count in counts.items() if 2 * count > number)


def _alike(names: Sequence[frozenset[str]]) -> Iterator[tuple[int, int]]:
    """Find the pairs of places with similar names, without comparing most of the others.

    If a set of ``n`` names shares ``_SAME`` of all names with another, any ``n * (1 - _SAME) + 1`` of its names include
    a shared one. So only sets that share one of the rarest names are compared.
    """
    common = Counter(name for of_site in names for name in of_site)
    having: dict[str, list[int]] = {}
    for place, of_site in enumerate(names):
        if len(of_site) < _LEAST_NAMES:
            continue
        by_rarity = sorted(of_site, key=lambda name: (common[name], name))
        rarest = by_rarity[: int(len(of_site) * (1 - _SAME)) + 1]
        candidates = {other for name in rarest for other in having.get(name, ())}
        yield from ((other, place) for other in sorted(candidates) if _are_alike(names[other], of_site))
        for name in rarest:
            having.setdefault(name, []).append(place)


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    shared = len(one & other)
    return shared >= _SAME * (len(one) + len(other) - shared)
