"""Find what stays with kept content: tables, lists, rows and cards amid it.

A score judges each block by itself. Labels, times and prices recur from page to page and score low, but the rest of a
table is worthless without them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from scrapy_blockfilter.consensus.case import Case, Change, Sums, bits_of
from scrapy_blockfilter.consensus.tiles import LEAST_ROWS
from scrapy_blockfilter.html.columns import CHARS, CONTROLS, FIGURES, IMAGES, LAST_KIND, LINK_CHARS
from scrapy_blockfilter.html.subtrees import Indices
from scrapy_blockfilter.html.tags import HEADINGS, LISTS, TABLE_TAGS, UNITS
from scrapy_blockfilter.text.characters import DIGIT, SENTENCE_END
from scrapy_blockfilter.text.dates_and_prices import DATED, PRICED

# A unit is template if each of its texts is on so large a share of the other pages, in an element without prose half.
_ON_ALL, _ON_MOST = 0.8, 0.5
# Characters of prose, of a sentence, of the longest cell or item, and of the longest part of a card: three for one of a
# script without spaces.
_PROSE, _SENTENCE, _LONGEST_CELL, _LONGEST_PART = 60, 12, 300, 120
# Headings or labels between prose and its unit, elements from either to the one that holds both, and parts of a row.
_MOST_LEADS, _LEVELS_BETWEEN, _MOST_PARTS = 2, 2, 4
_MOST_BEFORE = _MOST_LEADS + 1
# Siblings that are each like the one before, in marks of siblings.
_RUNS = re.compile(rb"\x01{%d,}" % (LEAST_ROWS - 1))
# Share of rows that have figures, and of cards with links that no other page has.
_WITH_FIGURES, _OWN = 0.35, 0.8
# Rows of tables and lists are part of these. Entries have prose and units of their own.
_NO_ROWS = HEADINGS | LISTS | TABLE_TAGS - {"tr"} | {"dt", "dd", "main", "blockquote"}
# Blocks of the longest byline. These elements, and others below a heading or label, have labels and values instead.
_LONGEST_BYLINE = 4
_LABELLED = frozenset({"table", "dl"})
# Groups of names that no table of values has, and those that no cards of content have.
_NO_TABLE = bits_of("comments", "sharing")
_NO_CARDS = bits_of("comments", "sharing", "navigation", "footer", "sidebar", "related")


class _Unit(NamedTuple):
    """Blocks that stay or go together, in a node, and the elements of rows or cards: a table or list has no rows."""

    node: int
    start: int
    end: int
    rows: Indices


def whole_units(case: Case) -> Iterator[Change]:
    """Keep the rest of tables, lists, rows and cards that stand amid content."""
    return _Units(case).changes() if case.is_mixed else iter(())


class _Units:
    """The tables, lists, rows and cards of a page."""

    def __init__(self, case: Case) -> None:
        self._case, self._page, self._evidence, self._keep = case, case.page, case.evidence, case.keep
        self._starts, self._ends, self._outer = case.ranges
        self._stayed: dict[int, int] = {}  # the end of a unit that stays, and the element of the prose before it
        weights, is_heading = case.page.weights, case.is_heading
        is_line, is_short = ~case.is_linked & case.has_text & ~is_heading, weights < _PROSE
        is_prose = is_line & ~is_short
        # Marks of single blocks are looked up in bytes, which takes half as long.
        self._is_prose, self._kept_prose = is_prose.tobytes(), (is_prose & case.keep).tobytes()
        self._is_lead, self._is_heading = (is_heading | (is_line & is_short)).tobytes(), is_heading.tobytes()

    @cached_property
    def _sums(self) -> Sums:
        """Sums of marks, for which most pages have no use."""
        numbers, weights, others = self._page.numbers, self._page.weights, self._evidence.pages_with
        is_linked = self._case.is_linked
        marks = {
            "chars": numbers[:, CHARS],
            "in links": numbers[:, LINK_CHARS],
            "links": is_linked & self._case.has_text,
            "no text": ~self._case.has_text,
            "fields": numbers[:, CONTROLS] > 0,
            "long cells": weights > _LONGEST_CELL,
            "template": others >= max(1, _ON_ALL * self._evidence.others),
            "long parts": weights > _LONGEST_PART,
            "pictures": (numbers[:, IMAGES] > 0) & (numbers[:, FIGURES] != PRICED),
            "dates": numbers[:, FIGURES] & DATED > 0,
            "days": self._case.has_day,
            "figures": numbers[:, DIGIT] > 0,
            "sentences": (numbers[:, LAST_KIND] == SENTENCE_END) & (numbers[:, DIGIT] == 0) & (weights >= _SENTENCE),
            "common": others >= max(1, _ON_MOST * self._evidence.others),
            "own links": is_linked & (others == 0),
        }
        return Sums(marks)

    def changes(self) -> Iterator[Change]:
        """Yield the blocks that stay or go with others."""
        reached = 0  # the end of the last unit that stays
        stays = self._keep.tobytes()
        # Numbers of units sort as units stand on a page, outer ones first.
        for start, minus_end, _, node, row, last in sorted([*self._tables_and_lists(), *self._runs()]):
            end = -minus_end
            if end <= reached:  # within one that stays
                continue
            follows = not self._stayed.keys().isdisjoint(range(start - _MOST_LEADS, start + 1))
            if not follows and 1 not in stays[max(0, start - _MOST_BEFORE) : end + 1]:
                continue
            if 0 not in stays[start:end]:
                self._stayed[end], reached = self._holder(node, end - start), end
                continue
            if not (follows or self._is_near_prose(start, end)):
                continue
            unit = _Unit(node, start, end, self._case.children[0][row:last])
            around, start = self._content_around(unit)
            if around >= 0 and self._belongs(unit, around, has_lead=start < unit.start):
                blocks = np.arange(start, unit.end)
                blocks = blocks[~self._keep[blocks] & self._case.has_text[blocks]]
                name = "rows" if last else "a table" if self._page.tags[node] == "table" else "a list"
                yield Change(blocks.tolist(), f"part of {name} amid the content")
                self._stayed[unit.end], reached = around, unit.end

    def _is_near_prose(self, start: int, end: int) -> bool:
        """Return whether prose that stays is up to two leads before a unit, or right after it with a heading before."""
        if 1 in self._kept_prose[max(0, start - _MOST_BEFORE) : start]:
            return True
        return 1 in self._is_heading[start - 1 : start] and 1 in self._kept_prose[end : end + 1]

    def _tables_and_lists(self) -> Iterator[tuple[int, ...]]:
        """Yield the tables and lists of several blocks, but for lists right within others."""
        open_lists: list[tuple[int, bool]] = []  # the ends of those around a node, and whether each is a list
        for node in self._case.nodes_of(UNITS):
            start, end = self._starts[node], self._ends[node]
            if start < end:
                while open_lists and open_lists[-1][0] <= start:
                    open_lists.pop()
                is_list = self._page.tags[node] != "table"
                if end - start > 1 and not (is_list and open_lists and open_lists[-1][1]):
                    yield start, -end, False, node, 0, 0
                open_lists.append((end, is_list))

    def _runs(self) -> Iterator[tuple[int, ...]]:
        """Yield the runs of siblings with one tag path and no others in between."""
        children, around = self._case.children
        paths, tags, nodes = self._page.tag_paths[children], self._page.tags, children.data
        is_alike = (around[1:] == around[:-1]) & (paths[1:] == paths[:-1])
        for run in _RUNS.finditer(is_alike.tobytes()):
            row, last = run.span()
            first = nodes[row]
            if tags[first] not in _NO_ROWS:
                yield self._starts[first], -self._ends[nodes[last]], True, int(around[row]), row, last + 1

    def _content_around(self, unit: _Unit) -> tuple[int, int]:
        """Return the element that holds a unit and the prose before it, and where the unit with its headings starts.

        Prose right after a unit does as well, if a heading stands before it. Without prose, the element is -1.
        """
        before = unit.start - 1
        while before >= 0 and self._is_lead[before] and unit.start - before <= _MOST_LEADS:
            if before + 1 in self._stayed:
                break
            before -= 1
        start, prose = before + 1, before
        around = self._stayed.get(start, -1)
        is_below = before >= 0 and self._is_prose[before]
        if not is_below and self._is_heading[unit.start - 1] and unit.end < len(self._keep):
            start, prose = unit.start, unit.end
        if prose >= 0 and self._is_prose[prose] and self._keep[prose]:
            around = self._around(prose, unit)
        is_in = around >= 0 and self._starts[around] <= unit.start and unit.end <= self._ends[around]
        return around if is_in else -1, start

    def _around(self, prose: int, unit: _Unit) -> int:
        """Return the element of prose, or one around it that holds a unit, too: editors put each part into its own.

        A post is no part of the text in another post, texts that most pages have may be of the template there, and with
        few other pages cards of links may be teasers.
        """
        nearest = around = self._holder(int(self._page.nodes[prose]), 1)
        for _ in range(_LEVELS_BETWEEN):
            around = around if self._ends[around] >= unit.end else self._outer[around]
        of = partial(self._sums.between, unit.start, unit.end)
        is_other = of("common") == unit.end - unit.start or (of("links") and not self._case.has_others)
        return nearest if is_other or self._evidence.records[prose] else around

    def _holder(self, node: int, blocks: int) -> int:
        """Return the smallest element that holds more than so many blocks of a node: itself or one around it."""
        return node if self._ends[node] - self._starts[node] > blocks else self._outer[node]

    def _belongs(self, unit: _Unit, around: int, *, has_lead: bool) -> bool:
        """Return whether a unit below prose is the page's own: values, or cards in the prose's element."""
        inherited, count, levels, node = self._case.tree.inherited, unit.end - unit.start, 0, unit.node
        while node != around and levels <= _LEVELS_BETWEEN:
            node, levels = self._outer[node], levels + 1
        if levels > _LEVELS_BETWEEN:
            return False
        of = partial(self._sums.between, unit.start, unit.end)
        names = int(inherited[self._page.nodes[unit.start]]) & ~int(inherited[around])
        if of("long cells") or of("fields") or 3 * of("no text") > count:
            return False
        if of("template") == count or 4 * of("sentences") >= of("dates") > 0:
            return False
        if 4 * of("in links") <= of("chars") and 4 * of("links") <= count:
            is_table = not len(unit.rows) or (not of("pictures") and self._are_rows(unit, 1, "figures", _WITH_FIGURES))
            has_labels = has_lead or self._page.tags[unit.node] in _LABELLED
            is_byline = count <= _LONGEST_BYLINE and of("dates") > 0 and not has_labels
            return is_table and not is_byline and not names & _NO_TABLE
        if of("no text") or of("long parts") or of("pictures") or of("days") or names & _NO_CARDS:
            return False
        is_known = self._case.has_others
        if not len(unit.rows):  # a programme
            return is_known and levels <= 1 and min(of("dates") / count, of("own links") / max(1, of("links"))) >= _OWN
        # With few other pages, cards must stand in the element of the prose.
        return (levels <= 1 or is_known) and self._are_rows(unit, 2, "own links", _OWN)

    def _are_rows(self, unit: _Unit, least: int, mark: str, share: float) -> bool:
        """Return whether all rows have a few blocks, at ``least`` some, and a share of them has a block with a mark."""
        rows = [(self._starts[row], self._ends[row]) for row in unit.rows.tolist()]
        marked = sum(self._sums.between(start, end, mark) > 0 for start, end in rows)
        return all(least <= end - start <= _MOST_PARTS for start, end in rows) and marked / len(rows) >= share
