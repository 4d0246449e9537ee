"""Even rows: whether a part of like tiles stays in all of them or goes from all of them.

A tile is the smallest element with several texts, but no long text, that has at least two siblings of its style path. A
part is the texts at one place of such siblings, with one style path: the names of a list, or its prices. A part that
stays in some tiles and goes from others is uneven.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

import scrapy_blockfilter as bf
from benchmarks.made_things import CLEANED, GRIDS, made_sites
from benchmarks.tables import share, table
from scrapy_blockfilter.html.columns import CHARS
from scrapy_blockfilter.html.subtrees import Tree

_LEAST_TILES = 3
# Characters of a tile: longer elements are posts or articles, whose paragraphs are no parts.
_LONGEST_TILE = 600
PARTS, UNEVEN = "parts", "uneven"


def parts_of(cleaned: bf.Cleaned) -> Counter[str]:
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
        model = bf.learn(pages[:-CLEANED])
        for page in pages[-CLEANED:]:
            learnt.update(parts_of(model.clean(page)))
            alone.update(parts_of(bf.clean(page)))
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
