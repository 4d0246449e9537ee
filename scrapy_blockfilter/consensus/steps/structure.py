"""Strip elements that hold no content by the HTML standard: choices and fields of forms, and the page's footer."""

from __future__ import annotations

from collections.abc import Iterator

from scrapy_blockfilter.consensus.steps.base import Case, Change
from scrapy_blockfilter.html import Page

_REASONS = {
    "select": "a choice of a form",
    "datalist": "a choice of a form",
    "textarea": "a field of a form",
    "footer": "in the footer of the page",
}
# A FOOTER in one of these belongs to it, not to the page (HTML standard, 4.3.8, and its lists of sectioning content and
# sectioning roots).
_SECTIONS = frozenset(
    {"article", "aside", "blockquote", "details", "dialog", "fieldset", "figure", "main", "nav", "section", "td"}
)


class Structure:
    """Strip the blocks in such elements."""

    kind = "element"

    def changes(self, case: Case) -> Iterator[Change]:
        columns, tree = case.columns, case.evidence.tree
        in_section: dict[int, bool] = {-1: False}
        end = 0  # of the last run: elements nested in it add nothing
        for node in [node for node, tag in enumerate(columns.tags) if tag in _REASONS]:
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
