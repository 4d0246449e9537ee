"""Keep a table or list whole if enough of it is kept, with its labels and recurring items.

Labels of a table and items of a list are on many pages ("Weight", "Yes"), but a table is worthless without them. This
only rescues blocks: none is stripped because of its neighbours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scrapy_blockfilter.html.tags import CELLS, ROWS, UNITS
from scrapy_blockfilter.methods.base import Rescues, Verdict
from scrapy_blockfilter.sample import PageFeatures

# Characters. A table with a longer cell arranges a page, as many of the 2000s do, rather than values.
_LONGEST_CELL = 300


def whole_units(page: PageFeatures, verdicts: list[Verdict], rescues: Rescues) -> list[Verdict]:
    """Return the verdicts, with stripped blocks of a list or data table kept if enough of it is kept."""
    nearest = page.structure.nearest(UNITS)
    units: dict[int, list[int]] = {}
    for index, block in enumerate(page.blocks):
        unit = nearest[block.node]
        if unit >= 0:
            units.setdefault(unit, []).append(index)
    settled = list(verdicts)
    for unit, members in units.items():
        staying = [index for index in members if verdicts[index].keep]
        if not 0 < len(staying) < len(members):
            continue
        kept = sum(page.blocks[index].chars for index in staying)
        if kept:
            tag = page.structure.tags[unit]
            total = sum(page.blocks[index].chars for index in members)
            needed, least_score = rescues.of_table if tag == "table" else rescues.of_list
            if kept >= needed * total and not (tag == "table" and _lays_out(page, members)):
                for index in members:
                    if not verdicts[index].keep and verdicts[index].score >= least_score:
                        settled[index] = verdicts[index].kept(f"part of a {tag} that is kept", "whole")
    return settled


def _lays_out(page: PageFeatures, members: Sequence[int]) -> bool:
    """Whether a table arranges parts of a page rather than values: it has a long cell, or a single row."""
    cells = page.structure.nearest(CELLS)
    chars: Counter[int] = Counter()
    for index in members:
        chars[cells[page.blocks[index].node]] += page.blocks[index].chars
    if max(chars.values()) > _LONGEST_CELL:
        return True
    rows = page.structure.nearest(ROWS)
    return len({rows[page.blocks[index].node] for index in members}) < 2
