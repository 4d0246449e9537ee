"""Keep a table or list whole if enough of it is kept.

Labels of a table, items of a list and lines of code are on many pages ("Weight", "Yes", "}"), but the rest is worthless
without them. This only rescues blocks: none is stripped because of its neighbours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CHARS
from scrapy_blockfilter.html.tags import CELLS, LISTS, ROWS, UNITS
from scrapy_blockfilter.methods.base import FittedMethod, Rescues, Verdict, Verdicts
from scrapy_blockfilter.model.losses import kept_flags
from scrapy_blockfilter.model.one_thread import in_one_thread

# Characters: a table with a longer cell arranges a page rather than values, as many of the 2000s do.
_LONGEST_CELL = 300


def verdicts_by(fitted: FittedMethod, page: Page, *, whole: bool) -> Sequence[Verdict]:
    """Return the verdicts of a method, by which tables and lists stay or go as a whole."""
    # Repetition alone judges fragments, whatever the method.
    rescues = fitted.rescues if whole else FittedMethod.rescues
    judge = in_one_thread(fitted.judge) if fitted.multiplies else fitted.judge
    return whole_units(page, judge(page, whole=whole), rescues)


def whole_units(page: Page, verdicts: Sequence[Verdict], rescues: Rescues) -> Sequence[Verdict]:
    """Return the verdicts, with stripped blocks of a unit kept if enough of it is kept."""
    tags = page.tags
    if UNITS.isdisjoint(tags):
        return verdicts
    keep, of_blocks = kept_flags(verdicts), np.asarray(page.nearest(UNITS), np.int64)[page.nodes]
    kept_units, stripped_units = (set(of_blocks[flags].tolist()) - {-1} for flags in (keep, ~keep))
    outermost = _outermost_lists(page) if kept_units and stripped_units else {}
    if not outermost or {outermost[unit] for unit in kept_units}.isdisjoint(outermost[unit] for unit in stripped_units):
        return verdicts
    changed = verdicts.copy() if isinstance(verdicts, Verdicts) else list(verdicts)
    of_blocks = np.array([1 + outermost.get(unit, -1) for unit in of_blocks.tolist()])  # 0 outside of any
    chars = page.numbers[:, CHARS]
    members, staying = np.bincount(of_blocks), np.bincount(of_blocks, keep)
    total, kept = np.bincount(of_blocks, chars), np.bincount(of_blocks, chars * keep)
    in_order, ends = np.argsort(of_blocks, kind="stable"), np.cumsum(members)
    members[:1] = 0
    for place in np.flatnonzero((kept > 0) & (staying < members)).tolist():
        tag = tags[place - 1]
        needed, least_score = rescues.of_table if tag == "table" else rescues.of_list
        blocks = in_order[ends[place - 1] : ends[place]]
        if kept[place] >= needed * total[place] and not (tag == "table" and _lays_out(page, blocks)):
            for block in blocks[~keep[blocks]].tolist():
                if verdicts[block].score >= least_score:
                    changed[block] = verdicts[block].kept(f"part of a {tag} that is kept", "whole")
    return changed


def _outermost_lists(page: Page) -> dict[int, int]:
    """Return the outermost list of each list that is within others, and of any other unit itself."""
    nearest, tags, found = page.nearest(UNITS), page.tags, dict[int, int]()
    for unit in page.nodes_of(UNITS):
        around = nearest[page.parents[unit]] if unit else -1
        is_within = around >= 0 and tags[unit] in LISTS and tags[around] in LISTS
        found[unit] = found[around] if is_within else unit
    return found


def _lays_out(page: Page, members: npt.NDArray[np.intp]) -> bool:
    """Return whether a table arranges parts of a page rather than values: it has a long cell, or a single row."""
    cells = page.nearest(CELLS)
    nodes = page.nodes[members].tolist()
    of_cells: Counter[int] = Counter()
    for node, size in zip(nodes, page.numbers[members, CHARS].tolist(), strict=True):
        of_cells[cells[node]] += size
    if max(of_cells.values()) > _LONGEST_CELL:
        return True
    rows = page.nearest(ROWS)
    return len({rows[node] for node in nodes}) < 2
