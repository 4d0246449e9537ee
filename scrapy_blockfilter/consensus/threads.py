"""Find readers' comments: the blocks that are text of comments, and the element that holds each comment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from scrapy_blockfilter.consensus.case import Case, Change
from scrapy_blockfilter.consensus.features.evidence import Evidence
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import FIGURES
from scrapy_blockfilter.methods.base import Comment, Flags
from scrapy_blockfilter.text.dates_and_prices import DATED

# Weight of the text that some comment of a thread has beside its date. A shorter text may be a name.
_TEXT = 20


def comments(case: Case) -> Iterator[Change]:
    """Keep readers' comments below the content if they are wanted: ``BLOCKFILTER_COMMENTS = "keep"``."""
    if case.keeps_comments and (blocks := np.flatnonzero(are_comments(case.evidence)).tolist()):
        yield Change(blocks, "a reader's comment")


def are_comments(evidence: Evidence) -> Flags:
    """Mark the blocks that are text of comments.

    Comments are after the content, unlinked and on no other page, and in one of several similar records with a date
    each, or in an element named so.
    """
    in_thread = (evidence.records > 0) | (evidence.column("named: comments") > 0)
    is_text = (evidence.column("text: link density") < 0.5) & (evidence.pages_with == 0)
    return np.asarray(in_thread & evidence.are_below_content & is_text, np.bool_)


def comments_of(page: Page, evidence: Evidence, marked: Flags) -> list[Comment]:
    """Return a page's comments in document order, given the blocks with their text, and perhaps with their dates."""
    if not marked.any():
        return []
    dated = page.numbers[:, FIGURES] & DATED > 0
    holders = _holders(page, evidence, marked, dated)
    found: dict[int, Comment] = {}
    for block in np.flatnonzero(marked | dated).tolist():  # other pages may have a date, too
        holder = holders[page.nodes[block]]
        comment = found.setdefault(holder if holder >= 0 else -1 - block, Comment([], []))
        (comment.dates if dated[block] else comment.texts).append(block)
    return [comment for comment in found.values() if comment.texts]


def _holders(page: Page, evidence: Evidence, marked: Flags, dated: Flags) -> list[int]:
    """Return, for each node, the element around it that holds a single comment, or -1.

    Such an element is one of several with the same tag path that hold a date and a text. If such elements are nested,
    the one with the fewest dates counts, because a comment may contain its replies; in a tie, the outermost. If
    comments have no dates, the element is the outermost of several like elements side by side.
    """
    texts = marked & ~dated
    sums = evidence.tree.sums(np.stack([dated, texts * page.weights, texts], axis=1).astype(np.float32))
    dates, weights, counts = (column.tolist() for column in sums.T)
    tag_paths: list[int] = page.tag_paths.tolist()
    nodes = range(len(tag_paths))
    has_both = Counter(tag_paths[node] for node in nodes if dates[node] and weights[node] >= _TEXT)
    beside = Counter((page.parents[node], tag_paths[node]) for node in nodes if counts[node])
    is_dated = [dates[node] > 0 and has_both[tag_paths[node]] > 1 for node in nodes]
    is_one_of_several = [counts[node] > 0 and beside[page.parents[node], tag_paths[node]] > 1 for node in nodes]
    by_date = _chosen(page.parents, [dates[node] if is_dated[node] else None for node in nodes])
    by_place = _chosen(page.parents, [node if is_one_of_several[node] else None for node in nodes])
    return [dated if dated >= 0 else other for dated, other in zip(by_date, by_place, strict=True)]


def _chosen(parents: Sequence[int], costs: Sequence[float | None]) -> list[int]:
    """Return, for each node, itself or the ancestor with the least cost, the outermost of several; or -1."""
    chosen = [-1] * (len(parents) + 1)  # the root's parent, -1, reads the last entry
    for node, (parent, cost) in enumerate(zip(parents, costs, strict=True)):
        chosen[node] = above = chosen[parent]
        if cost is not None and (above < 0 or cost < (costs[above] or 0)):
            chosen[node] = node
    return chosen
