"""What goes from a page that has content without it, whatever its score: threads of comments, lines of links, and what
other pages end with, too.

A network that has not seen a site like it takes either for content now and then, and then much of it. By both rules F1
on daniel rises from .9363 to .9372, held back by site, and from .9216 to .9271, held back by set (wp.pl .604 to .769,
newsru.com .882 to .930), and no site of 118 loses more than .0001.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.evidence.features import Evidence
from scrapy_blockfilter.evidence.own_text import has_content, own_text
from scrapy_blockfilter.evidence.tree import running_sums
from scrapy_blockfilter.html.columns import CHARS, LINES, LINK_CHARS, LINKS, PageColumns
from scrapy_blockfilter.html.names import GROUPS

Flags = npt.NDArray[np.bool_]

# Comments: so many like elements with text of their own, side by side, below this much content. With two a docs site
# loses .004.
_COMMENTS, _CONTENT_BEFORE = 3, 400
_NAMED = 1 << GROUPS.index("comments")
# Lines of links: this much of a block is linked, in two links or more on three lines or more, longer than a label; or
# in so many links that no line breaks are wanted. By the latter F1 on wcxb rises from .7849 to .7881, held back by
# site, and from .7454 to .7534, held back by set: github.com gains .099, and a page of steampowered.com, which keeps a
# little too much for the guard then, costs that site .043.
_ALL_LINKED, _LINKS, _BREAKS, _LENGTH = 0.85, 2, 2, 60
_MANY_LINKS = 10
# What a page ends with and other pages have, too: so many of them, texts of so many characters, those of scripts
# without spaces counted as three. Labels may stand between.
_OTHER_PAGES, _LONG, _LABEL = 2, 150, 60


def comment_threads(page: PageColumns, evidence: Evidence, keep: Flags) -> Flags:
    """Which blocks are in one of several like elements side by side, in an element named for comments, below content.

    The name alone is no reason: a page whose content is a discussion has hardly any before it (github.com).
    """
    tree = evidence.tree
    is_named = (tree.inherited & _NAMED) > 0
    found = np.zeros(len(keep), np.bool_)
    if not (is_named[page.nodes] & keep).any():
        return found
    text = own_text(page)
    with_text = running_sums(text[:, None])[:, 0]
    before = running_sums((text * (keep & ~is_named[page.nodes]))[:, None])[:, 0]
    siblings: dict[tuple[int, int], list[int]] = defaultdict(list)
    for node in np.flatnonzero(is_named & (tree.ends > tree.starts)).tolist():
        siblings[page.parents[node], int(page.tag_paths[node])].append(node)
    for nodes in siblings.values():
        starts, ends = tree.starts[nodes], tree.ends[nodes]
        if np.count_nonzero(with_text[ends] > with_text[starts]) >= _COMMENTS and before[starts[0]] >= _CONTENT_BEFORE:
            for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
                found[start:end] = True
    return found


def lines_of_links(page: PageColumns, keep: Flags) -> Flags:
    """Which blocks are several lines of links, or a long one, on a page that keeps text of its own."""
    numbers = page.numbers
    is_linked = numbers[:, LINK_CHARS] >= _ALL_LINKED * np.maximum(numbers[:, CHARS], 1)
    is_broken = (numbers[:, LINKS] >= _LINKS) & (numbers[:, LINES] >= _BREAKS)
    is_list = (is_broken | (numbers[:, LINKS] >= _MANY_LINKS)) & (page.weights >= _LENGTH)
    found = np.asarray(is_linked & is_list, np.bool_)
    if (found & keep).any() and has_content(page, keep):
        return found
    return np.zeros(len(keep), np.bool_)


def shared_endings(page: PageColumns, evidence: Evidence, keep: Flags) -> list[int]:
    """The last blocks that a page keeps, as long as they are texts that other pages have, too.

    A text that pages quote stands in the midst of their own; the last is what the site says below each. F1 on daniel
    rises from .9431 to .9439, held back by site (sina.com.hk by .032), on modern from .9849 to .9861, and no site of
    118 loses.
    """
    weights = page.weights
    is_shared = evidence.pages_with >= _OTHER_PAGES
    found = []
    for block in np.flatnonzero(keep)[::-1].tolist():
        if not is_shared[block] and weights[block] >= _LABEL:
            break
        if is_shared[block] and weights[block] >= _LONG:
            found.append(block)
    if found and has_content(page, keep & ~is_shared):
        return found
    return []
