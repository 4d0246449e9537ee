"""Steps after the score: each sees a page with the verdicts so far, and changes some of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from scrapy_blockfilter.consensus.case import Case, Change, Step
from scrapy_blockfilter.consensus.features.evidence import Evidence
from scrapy_blockfilter.consensus.features.of_blocks import LONG_BLOCK
from scrapy_blockfilter.consensus.lines import lines_as_headings
from scrapy_blockfilter.consensus.marked import dialogs, hidden_blocks
from scrapy_blockfilter.consensus.notes import note_lists
from scrapy_blockfilter.consensus.pictures import Pictures
from scrapy_blockfilter.consensus.pointers import pointers
from scrapy_blockfilter.consensus.teasers import teaser_lists
from scrapy_blockfilter.consensus.units import Units
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.class_hints import GROUPS
from scrapy_blockfilter.html.columns import LAST_KIND, TITLE
from scrapy_blockfilter.html.tags import HEADINGS
from scrapy_blockfilter.methods.base import Flags
from scrapy_blockfilter.text.characters import COMMA, SENTENCE_END


class Comments:
    """Keep readers' comments below the content if they are wanted: ``BLOCKFILTER_COMMENTS = "keep"``."""

    kind = "comments"

    def changes(self, case: Case) -> Iterator[Change]:
        if case.keeps_comments and (blocks := np.flatnonzero(are_comments(case.evidence)).tolist()):
            yield Change(blocks, True, "a reader's comment")


def are_comments(evidence: Evidence) -> Flags:
    """Mark the blocks that are text of comments.

    Comments are after the content, unlinked and on no other page, and in one of several similar records with a date
    each, or in an element named so.
    """
    in_thread = (evidence.records > 0) | (evidence.column("named: comments") > 0)
    is_text = (evidence.column("text: link density") < 0.5) & (evidence.pages_with == 0)
    return np.asarray(in_thread & evidence.are_below_content & is_text, np.bool_)


_REASONS = {
    "select": "a choice of a form",
    "datalist": "a choice of a form",
    "textarea": "a field of a form",
    "footer": "in the footer of the page",
}
# A FOOTER inside a section belongs to the section, not to the page (HTML standard, 4.3.8, and its lists of sectioning
# content and sectioning roots).
_SECTIONS = frozenset(
    {"article", "aside", "blockquote", "details", "dialog", "fieldset", "figure", "main", "nav", "section", "td"}
)


class Structure:
    """Strip elements that hold no content by the HTML standard: choices and fields of forms, and the page's footer."""

    kind = "element"

    def changes(self, case: Case) -> Iterator[Change]:
        columns, tree = case.columns, case.evidence.tree
        in_section: dict[int, bool] = {-1: False}
        end = 0  # of the last run: elements nested in it add nothing
        for node in case.nodes_of(*_REASONS):
            tag, run = columns.tags[node], range(int(tree.starts[node]), int(tree.ends[node]))
            if not run or run.start < end or (tag == "footer" and _is_in_section(columns, node, in_section)):
                continue
            end = run.stop
            yield Change(list(run), False, _REASONS[tag])


def _is_in_section(columns: Page, node: int, known: dict[int, bool]) -> bool:
    """Whether a node is in an element of ``_SECTIONS``.

    Args:
        known: answers for nodes visited before and for -1, no node; new answers are added.
    """
    around = []
    parent = columns.parents[node]
    while parent not in known:
        around.append(parent)
        parent = columns.parents[parent]
    found = known[parent]
    for passed in reversed(around):
        found = known[passed] = found or columns.tags[passed] in _SECTIONS
    return found


class Hidden:
    """Strip text that no reader sees. If hidden text is most of what stays, scripts show it."""

    kind = "element"

    def changes(self, case: Case) -> Iterator[Change]:
        if not case.may_be_unseen:
            return
        matters = case.keep | (case.columns.weights >= LONG_BLOCK)
        hidden, unseen = hidden_blocks(case.columns, matters)
        weights = case.columns.weights * case.keep
        if unseen and 2 * weights[hidden].sum() <= weights.sum():
            yield Change(unseen, False, "hidden from readers")


class Dialogs:
    """Strip dialogs that ask for a choice, such as whether to accept cookies, beside text that stays."""

    kind = "element"

    def changes(self, case: Case) -> Iterator[Change]:
        if not case.may_be_unseen:
            return
        plain = case.columns.weights * (case.keep & ~case.is_linked)
        total = plain.sum()
        for blocks in dialogs(case.columns):
            beside = total - plain[blocks].sum()
            if beside >= LONG_BLOCK and not (case.columns.numbers[blocks, TITLE] >= _AGREEMENT).any():
                total = beside
                yield Change(blocks, False, "a dialog that asks for a choice")


class Teasers:
    """Strip linked titles with short texts below the content, under a heading of the template."""

    kind = "teasers"

    def changes(self, case: Case) -> Iterator[Change]:
        for blocks in teaser_lists(case.columns, case.evidence, case.is_linked):
            yield Change(list(blocks), False, "teasers of other pages")


class Pointers:
    """Strip lines amid the text that lead to other pages, behind a label that recurs."""

    kind = "teasers"

    def changes(self, case: Case) -> Iterator[Change]:
        if found := pointers(case.columns, case.labels):
            yield Change(found, False, "a line that leads to another page, with a label that recurs")


# Elements from a text up to that with long text before and behind it, and blocks in between: a heading, a picture.
_UP_TO_ARTICLE, _BETWEEN, _MOST_IN_SECTION = 4, 4, 100
_MISLEADING = sum(1 << GROUPS.index(group) for group in GROUPS[: GROUPS.index("content")])


class MisleadingNames:
    """Keep prose of the page's own, amid long text that stays, if the names of elements speak against it.

    An element without links is seldom part of the template if the text of an article goes on behind it. A section on
    footers may have the ID ``footers``.
    """

    kind = "content"

    def changes(self, case: Case) -> Iterator[Change]:
        columns, evidence = case.columns, case.evidence
        may_be = ~case.keep & ~case.is_linked & (columns.weights >= LONG_BLOCK) & (evidence.pages_with == 0)
        may_be &= (columns.numbers[:, LAST_KIND] == SENTENCE_END) & (evidence.records == 0)
        blocks = np.flatnonzero(may_be).tolist()
        is_long = case.is_long if blocks else may_be
        if found := [block for block in blocks if _is_amid_text(case, is_long, block)]:
            yield Change(found, True, "prose of the page's own amid text that stays")


def _is_amid_text(case: Case, is_long: Flags, block: int) -> bool:
    """Return whether an element with a misleading name, up to the block, stands between long texts of one element."""
    tree, columns = case.evidence.tree, case.columns
    node, hints = int(columns.nodes[block]), 0
    for _ in range(_UP_TO_ARTICLE):
        hints |= columns.hints[node]
        start, end, around = int(tree.starts[node]), int(tree.ends[node]), columns.parents[node]
        if around < 0 or case.is_linked[start:end][:_MOST_IN_SECTION].any():
            return False
        before = is_long[max(start - _BETWEEN, tree.starts[around]) : start]
        behind = is_long[end : min(end + _BETWEEN, tree.ends[around])]
        if before.any() and behind.any():
            return bool((hints | columns.hints[around]) & _MISLEADING)
        node = around
    return False


class LikeParts:
    """Keep the parts of tiles that stay in half of the tiles like them, or more, and the prices of what stays."""

    kind = "whole"

    def changes(self, case: Case) -> Iterator[Change]:
        if not case.keep.any() or case.keep.all():
            return
        if alike := case.tiles.uneven(case.keep):
            yield Change(alike, True, "the same part of most tiles like this one stays")
        if prices := case.tiles.prices(case.keep, case.scores):
            yield Change(prices, True, "a price of what stays")


class WholeUnits:
    """Keep what stays with kept content as a whole: :mod:`scrapy_blockfilter.consensus.units`."""

    kind = "whole"

    def changes(self, case: Case) -> Iterator[Change]:
        return Units(case).changes()


class Notes:
    """Keep the list of the notes that the text refers to, on a page alone: several pages show the slot of notes."""

    kind = "whole"

    def changes(self, case: Case) -> Iterator[Change]:
        if case.evidence.others:
            return
        for blocks in note_lists(case.columns, case.evidence.tree, case.keep, case.is_linked):
            yield Change(list(blocks), True, "notes of text that stays")


# Labels are shorter than this, in characters; those of scripts without spaces count as three.
_LONGEST = 60


class Labels:
    """Keep the unlinked label of a value that stays.

    A label is the first of two blocks in an element, or ends with a colon before the next block of its element.
    """

    kind = "label"

    def changes(self, case: Case) -> Iterator[Change]:
        columns, tree, keep = case.columns, case.evidence.tree, case.keep
        if len(keep) < 2:
            return
        outer = tree.outer[columns.nodes]
        is_pair = (tree.starts[outer] == np.arange(len(keep))) & (tree.ends[outer] - tree.starts[outer] == 2)
        ends_with_colon = (columns.numbers[:, LAST_KIND] == COMMA) & (tree.ends[outer] > np.arange(len(keep)) + 1)
        is_label = ~keep & (columns.weights < _LONGEST) & ~case.is_linked & (is_pair | ends_with_colon)
        is_label[:-1] &= keep[1:]
        is_label[-1] = False
        if blocks := np.flatnonzero(is_label).tolist():
            yield Change(blocks, True, "the label of a value that stays")


# Per cent of agreement with the TITLE that a headline needs. The name of the site in the TITLE agrees less.
_AGREEMENT = 60
# An element of at most this many blocks may be the heading's own: the heading, an edit link, a link to the source.
_OWN_ELEMENT = 3
# Tags of such elements. A HEADER belongs to its page or section, and ends with it.
_WRAPPERS = frozenset({"div", "hgroup"})


# Blocks from a headline without a heading's tag to the text: lines of a byline come between.
_TO_TEXT = 4


class Headline:
    """Keep the headline of a page that keeps anything else.

    The headline is the H1, or else the highest heading, that agrees with the TITLE and is on no other page. On a page
    without such a heading it is a line soon before long text that stays.
    """

    kind = "heading"

    def changes(self, case: Case) -> Iterator[Change]:
        columns, keep = case.columns, case.keep
        agreement = columns.numbers[:, TITLE]
        may_be = (agreement >= _AGREEMENT) & (case.evidence.pages_with == 0)
        found = [(columns.tags[columns.nodes[block]], block) for block in np.flatnonzero(may_be).tolist()]
        headings = sorted((tag, -int(agreement[block]), block) for tag, block in found if tag in HEADINGS)
        highest = [block for tag, _, block in headings if tag == headings[0][0]]
        if not headings:
            lines = [block for tag, block in found if tag != "title" and not case.is_linked[block]]
            is_long = case.is_long
            highest = [block for block in lines if is_long[block:][:_TO_TEXT].any()]
        if highest and keep.any() and not keep[highest].any():
            yield Change(highest[:1], True, "the page's headline: its TITLE says the same")


class SectionHeadings:
    """Keep a heading if text below it stays, up to the next heading of its rank in the same element.

    The name of the site, which is linked and on other pages, is no such heading. Lines that :func:`lines_as_headings`
    finds are headings without the tag.
    """

    kind = "heading"

    def changes(self, case: Case) -> Iterator[Change]:
        columns, keep = case.columns, case.keep
        if lines := lines_as_headings(columns, case.evidence, case.is_long, ~keep & ~case.is_linked):
            yield Change(lines, True, "a line set as the heading of text that stays")
        headings = np.flatnonzero(case.is_heading).tolist()
        if keep[headings].all() or not keep.any():
            return
        tags = {block: columns.tags[columns.nodes[block]] for block in headings}
        is_name = case.is_linked & (case.evidence.pages_with > 0)
        for place in range(len(headings) - 1, -1, -1):  # from the end: a heading that stays keeps the one above it
            block = headings[place]
            if not keep[block] and not is_name[block]:
                last = end = _end_of_element(case, block)
                below = map(headings.__getitem__, range(place + 1, len(headings)))
                end = next((other for other in below if other >= end or tags[other] <= tags[block]), end)
                if keep[block + 1 : min(end, last)].any():
                    yield Change([block], True, "the heading of text that stays")


def _end_of_element(case: Case, block: int) -> int:
    """Return where the element that holds a heading and its text ends.

    An element that holds only links besides the heading, such as one to edit the section, is the heading's own and does
    not count.
    """
    tree = case.evidence.tree
    element = tree.outer[case.columns.nodes[block]]
    while case.columns.tags[element] in _WRAPPERS:
        start, end = int(tree.starts[element]), int(tree.ends[element])
        beside = [other for other in range(start, end) if other != block] if end - start <= _OWN_ELEMENT else []
        if not beside or not case.is_linked[beside].all():
            break
        element = tree.outer[element]
    return int(tree.ends[element])


STEPS: tuple[Step, ...] = (
    Structure(),
    Hidden(),
    Dialogs(),
    Teasers(),
    Pointers(),
    LikeParts(),
    Comments(),
    WholeUnits(),
    Notes(),
    Labels(),
    Headline(),
    Pictures(),
    SectionHeadings(),
    MisleadingNames(),
)
"""The steps in the order in which they act."""
