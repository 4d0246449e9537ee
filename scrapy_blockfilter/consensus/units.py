"""Find what stays with kept content: tables, lists, rows and cards amid it.

A score judges each block by itself. Labels, times and prices recur from page to page and score low, but the rest of a
table is worthless without them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from scrapy_blockfilter.consensus.case import Case, Change, Sums, bits_of
from scrapy_blockfilter.consensus.tiles import LEAST_ROWS
from scrapy_blockfilter.html.columns import CHARS, CONTROLS, FIGURES, IMAGES, LAST_KIND, LINK_CHARS
from scrapy_blockfilter.html.subtrees import Indices
from scrapy_blockfilter.html.tags import HEADINGS, LISTS, TABLE_TAGS, UNITS
from scrapy_blockfilter.methods.base import Flags
from scrapy_blockfilter.text.characters import DIGIT, SENTENCE_END
from scrapy_blockfilter.text.dates_and_prices import DATED, PRICED

# A unit is template if each of its texts is on so large a share of the other pages.
_ON_ALL = 0.8
# Characters of prose, of a sentence, of the longest cell or item, and of the longest part of a card: three for one of a
# script without spaces.
_PROSE, _SENTENCE, _LONGEST_CELL, _LONGEST_PART = 60, 12, 300, 120
# Headings or labels between prose and its unit, elements from the unit to that of the prose, and parts of a row.
_MOST_LEADS, _LEVELS_BETWEEN, _MOST_PARTS = 2, 2, 4
_LEADS = range(_MOST_LEADS + 1)
# Share of rows that have figures, and of cards with links that no other page has.
_WITH_FIGURES, _OWN = 0.35, 0.8
# So many other pages show that links are on no other page. With fewer, cards must stand in the element of the prose.
_MANY = 5
# Rows of tables and lists are part of these. Entries have prose and units of their own.
_NO_ROWS = HEADINGS | LISTS | TABLE_TAGS - {"tr"} | {"dt", "dd", "main", "blockquote"}
# Blocks of the longest byline. These elements, and others below a heading or label, have labels and values instead.
_LONGEST_BYLINE = 4
_LABELLED = frozenset({"table", "dl"})
# Groups of names that no table of values has, and those that no cards of content have.
_NO_TABLE = bits_of("comments", "sharing")
_NO_CARDS = bits_of("comments", "sharing", "navigation", "footer", "sidebar", "related")


class _Unit(NamedTuple):
    """Blocks that stay or go together.

    Attributes:
        node: the element that holds it.
        rows: the elements of its rows or cards; none for a table or list.
    """

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
        page, tree = case.page, case.tree
        self._case, self._page, self._tree, self._evidence, self._keep = case, page, tree, case.evidence, case.keep
        self._sizes = tree.ends - tree.starts
        numbers, weights = page.numbers, page.weights
        self._is_linked, self._is_heading = case.is_linked, case.is_heading
        self._stayed: dict[int, int] = {}  # the end of a unit that stays, and the element of the prose before it
        self._has_text = numbers[:, CHARS] > 0
        self._is_prose = (weights >= _PROSE) & ~self._is_linked & ~self._is_heading
        self._is_lead = self._is_heading | (weights < _PROSE) & ~self._is_linked & self._has_text

    @cached_property
    def _sums(self) -> Sums:
        """Sums of marks, for which most pages have no use."""
        numbers, weights, others = self._page.numbers, self._page.weights, self._evidence.pages_with
        marks = {
            "chars": numbers[:, CHARS],
            "in links": numbers[:, LINK_CHARS],
            "links": self._is_linked & self._has_text,
            "no text": ~self._has_text,
            "fields": numbers[:, CONTROLS] > 0,
            "long cells": weights > _LONGEST_CELL,
            "template": others >= max(1, _ON_ALL * self._evidence.others),
            "long parts": weights > _LONGEST_PART,
            "pictures": (numbers[:, IMAGES] > 0) & (numbers[:, FIGURES] != PRICED),
            "dates": numbers[:, FIGURES] & DATED > 0,
            "figures": numbers[:, DIGIT] > 0,
            "sentences": (numbers[:, LAST_KIND] == SENTENCE_END) & (numbers[:, DIGIT] == 0) & (weights >= _SENTENCE),
            "own links": self._is_linked & (others == 0),
        }
        return Sums(marks)

    def changes(self) -> Iterator[Change]:
        """Yield the blocks that stay or go with others."""
        reached = 0  # the end of the last unit that stays
        for node, start, end, rows, is_whole, is_near in self._units():
            if end <= reached:  # within one that stays
                continue
            if is_whole:
                self._stayed[end], reached = self._holder(node, end - start), end
                continue
            if not (is_near or any(start - leads in self._stayed for leads in _LEADS)):
                continue
            unit = _Unit(node, start, end, self._children[rows])
            around, start = self._content_around(unit)
            if around >= 0 and self._belongs(unit, around, has_lead=start < unit.start):
                blocks = np.arange(start, unit.end)
                blocks = blocks[~self._keep[blocks] & self._has_text[blocks]]
                yield Change(blocks.tolist(), f"part of {self._name(unit)} amid the content")
                self._stayed[unit.end], reached = around, unit.end

    def _is_near_prose(self) -> Flags:
        """Mark the blocks with prose that stays up to two leads before them, or a heading right before."""
        is_near = np.append(False, self._is_heading[:-1])
        prose = self._is_prose & self._keep
        for leads in _LEADS:
            is_near[leads + 1 :] |= prose[: -leads - 1]
        return is_near

    def _units(self) -> Iterator[tuple[int, int, int, slice, bool, bool]]:
        """Yield the tables, outermost lists, and runs of like siblings, in the order of the page.

        A unit has its node, the range of its blocks, that of its rows in ``_children``, whether it stays whole, and
        whether prose that stays is near.
        """
        lists = self._tables_and_lists()
        runs, first, behind = self._runs()
        nodes = np.concatenate((lists, runs))
        starts = np.concatenate((self._tree.starts[lists], self._tree.starts[self._children[first]]))
        ends = np.concatenate((self._tree.ends[lists], self._tree.ends[self._children[behind - 1]]))
        stripped = np.append(0, np.cumsum(~self._keep))
        columns = (
            *(nodes, starts, ends, stripped[starts] == stripped[ends], self._is_near_prose()[starts]),
            *(np.concatenate((np.zeros(len(lists), np.int64), rows)) for rows in (first, behind)),
        )
        order = np.lexsort((-ends, starts))
        for node, start, end, is_whole, is_near, row, last in zip(*(of[order].tolist() for of in columns), strict=True):
            yield node, start, end, slice(row, last), is_whole, is_near

    def _tables_and_lists(self) -> Indices:
        """Return the tables and lists of several blocks, but for lists right within others."""
        nodes, found = self._case.nodes_of(UNITS), list[int]()
        open_lists: list[tuple[int, bool]] = []  # the ends of those around a node, and whether each is a list
        starts, ends = self._tree.starts[nodes].tolist(), self._tree.ends[nodes].tolist()
        for node, start, end in zip(nodes, starts, ends, strict=True):
            if start < end:
                while open_lists and open_lists[-1][0] <= start:
                    open_lists.pop()
                is_list = self._page.tags[node] != "table"
                if end - start > 1 and not (is_list and open_lists and open_lists[-1][1]):
                    found.append(node)
                open_lists.append((end, is_list))
        return np.array(found, np.int64)

    @cached_property
    def _children(self) -> Indices:
        """The nodes with blocks but for the root, those of one element next to each other."""
        parents = np.asarray(self._page.parents)
        nodes = 1 + np.flatnonzero(self._sizes[1:])
        children: Indices = nodes[np.argsort(parents[nodes], kind="stable")]
        return children

    def _runs(self) -> tuple[Indices, Indices, Indices]:
        """Return the runs of siblings with one tag path and no others in between: elements and ranges of children."""
        children, tags = self._children, self._page.tags
        if not len(children):
            return children, children, children
        paths, around = self._page.tag_paths[children], np.asarray(self._page.parents)[children]
        edges = 1 + np.flatnonzero((around[1:] != around[:-1]) | (paths[1:] != paths[:-1]))
        edges = np.concatenate(([0], edges, [len(children)]))
        is_long = np.diff(edges) >= LEAST_ROWS
        begins, ends = edges[:-1][is_long], edges[1:][is_long]
        are_rows = np.array([tags[row] not in _NO_ROWS for row in children[begins].tolist()], np.bool_)
        begins, ends = begins[are_rows], ends[are_rows]
        return around[begins], begins, ends

    def _name(self, unit: _Unit) -> str:
        """Return the name of a unit for the reason."""
        is_table = self._page.tags[unit.node] == "table"
        return "rows" if len(unit.rows) else "a table" if is_table else "a list"

    def _content_around(self, unit: _Unit) -> tuple[int, int]:
        """Return the element that holds a unit and the prose before it, and where the unit with its headings starts.

        Prose right after a unit does as well, if a heading stands before it. Without prose, the element is -1.
        """
        tree, before = self._tree, unit.start - 1
        while before >= 0 and self._is_lead[before] and unit.start - before <= _MOST_LEADS:
            if before + 1 in self._stayed:
                break
            before -= 1
        start, prose = before + 1, before
        around = self._stayed.get(start, -1)
        if (
            not (before >= 0 and self._is_prose[before])
            and self._is_heading[unit.start - 1]
            and unit.end < len(self._keep)
        ):
            start, prose = unit.start, unit.end
        if prose >= 0 and self._is_prose[prose] and self._keep[prose]:
            around = self._holder(int(self._page.nodes[prose]), 1)
        is_in = around >= 0 and tree.starts[around] <= unit.start and unit.end <= tree.ends[around]
        return around if is_in else -1, start

    def _holder(self, node: int, blocks: int) -> int:
        """Return the smallest element that holds more than so many blocks of a node: itself or one around it."""
        return node if self._sizes[node] > blocks else int(self._tree.outer[node])

    def _belongs(self, unit: _Unit, around: int, *, has_lead: bool) -> bool:
        """Return whether a unit below prose is the page's own: it has values of its own, or cards beside that prose."""
        tree, count, levels, node = self._tree, unit.end - unit.start, 0, unit.node
        while node != around and levels <= _LEVELS_BETWEEN:
            node, levels = int(tree.outer[node]), levels + 1
        if levels > _LEVELS_BETWEEN:
            return False
        of = self._sums.between(unit.start, unit.end)
        names = int(tree.inherited[self._page.nodes[unit.start]]) & ~int(tree.inherited[around])
        if of["long cells"] or of["fields"] or 3 * of["no text"] > count:
            return False
        if of["template"] == count or 4 * of["sentences"] >= of["dates"] > 0:
            return False
        if 4 * of["in links"] <= of["chars"] and 4 * of["links"] <= count:
            is_table = not len(unit.rows) or (not of["pictures"] and self._are_rows(unit, 1, "figures", _WITH_FIGURES))
            has_labels = has_lead or self._page.tags[unit.node] in _LABELLED
            is_byline = count <= _LONGEST_BYLINE and of["dates"] > 0 and not has_labels
            return is_table and not is_byline and not names & _NO_TABLE
        of_teasers = of["no text"] or of["long parts"] or of["pictures"] or of["dates"] or names & _NO_CARDS
        is_among_prose = levels <= 1 or self._evidence.others >= _MANY
        return len(unit.rows) > 0 and is_among_prose and not of_teasers and self._are_rows(unit, 2, "own links", _OWN)

    def _are_rows(self, unit: _Unit, least: int, mark: str, share: float) -> bool:
        """Return whether all rows have a few blocks, at ``least`` some, and a share of them has a block with a mark."""
        sizes, sums = self._sizes[unit.rows], self._sums.before(mark)
        are_marked = sums[self._tree.ends[unit.rows]] > sums[self._tree.starts[unit.rows]]
        return bool(least <= sizes.min() and sizes.max() <= _MOST_PARTS and are_marked.mean() >= share)
