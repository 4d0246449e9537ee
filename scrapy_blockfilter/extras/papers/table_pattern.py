"""TP: keep tables of one pattern, such as the posts of a forum.

Samuel Louvan: Extracting the Main Content from HTML Documents, section 2.3.3.

The posts of a forum are tables with almost the same properties (CSS class, border, width). Two or more such tables form
a pattern, and the pattern with the most text outside links is the content. A page without a pattern keeps everything.

Forums are built of other elements now, and few pages have two tables with the same style path. So other boxes with the
same tag path also form a pattern; class names are ignored, as they often number the posts. If patterns are nested,
the innermost one with enough text counts. With tables alone, as ``paper_defaults`` has it, the method finds next to
nothing on today's forums.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from scrapy_blockfilter.extras.papers.one_page import SinglePageMethod, string_lengths
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.subtrees import Tree, running_sums
from scrapy_blockfilter.methods.base import Reason, Verdict, reason_later
from scrapy_blockfilter.options import Options

_TABLE = frozenset({"table"})
_ROWS = _TABLE | {"tr", "li", "dl", "article", "section", "div"}
# A pattern has enough text if it has this share of the text of the largest. Forums come out worse with .3 or .7.
_SHARE = 0.5


class TablePattern(SinglePageMethod):
    name = "table_pattern"

    def verdicts(self, page: Page, shown: list[int], options: Options) -> Iterable[Verdict]:
        rows = pattern_rows(page, shown, options.paper_defaults)
        if not rows:
            yield from [_NO_PATTERN] * len(shown)
            return
        tag = page.tags[rows[0][0]]
        is_inside = np.zeros(len(page.blocks), np.bool_)
        for _, start, end in rows:
            is_inside[start:end] = True
        total = float(string_lengths(page)[is_inside].sum())
        verdicts = [
            Verdict(keep, float(keep), reason_later("pattern", _REASON, where, len(rows), tag, total))
            for keep, where in ((False, "outside"), (True, "in one"))
        ]
        yield from (verdicts[block] for block in is_inside[shown].astype(np.intp).tolist())


def pattern_rows(page: Page, shown: Sequence[int], tables_alone: bool) -> list[tuple[int, int, int]]:
    """Return the elements of the best pattern, each with the range of its blocks, or nothing without a pattern.

    All boxes with the same tag path form a pattern, or ``tables_alone`` with the same style path.
    """
    tags, paths = (_TABLE, page.slots) if tables_alone else (_ROWS, page.tag_paths)
    tree = Tree.of(page)
    lengths = np.zeros(len(page.blocks))
    lengths[shown] = string_lengths(page)[shown]
    running = running_sums(lengths)
    starts, ends = tree.starts.tolist(), tree.ends.tolist()
    patterns: dict[int, list[int]] = {}
    for node, (tag, path) in enumerate(zip(page.tags, paths.tolist(), strict=True)):
        if tag in tags and running[ends[node]] > running[starts[node]]:
            patterns.setdefault(path, []).append(node)
    texts: dict[int, float] = {}
    for path, nodes in patterns.items():
        if len(nodes) > 1:  # elements of one path are never nested, as paths grow on the way down
            texts[path] = float(sum(running[ends[node]] - running[starts[node]] for node in nodes))
    if not texts:
        return []
    least = max(texts.values()) if tables_alone else _SHARE * max(texts.values())
    depths = [0] * len(page.parents)
    for node, parent in enumerate(page.parents[1:], 1):
        depths[node] = depths[parent] + 1
    best = max(
        (path for path, text in texts.items() if text >= least),
        key=lambda path: (depths[patterns[path][0]], texts[path], -patterns[path][0]),
    )
    return [(node, starts[node], ends[node]) for node in patterns[best]]


_REASON = "pattern: {} of {} similar {} elements, which have {:.0f} characters"
_NO_PATTERN = Verdict(True, 0.5, Reason("other", "pattern: none on this page"))
