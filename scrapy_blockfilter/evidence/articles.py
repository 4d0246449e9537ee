"""Further articles on the page of one, told by the H1 headings below its headline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.evidence.features import NAMES, Evidence
from scrapy_blockfilter.html.columns import TITLE, PageColumns

# On at least this share of the pages learnt from, and this many, there are further H1 headings below the H1 that agrees
# with the TITLE: the site puts further articles behind each. With headings of any level, sections of documentation are
# taken for articles (postgres-docs from 3 pages: F1 .997 -> .851).
_RIVAL_SHARE, _RIVAL_PAGES = 0.5, 3
# Characters, those of scripts without spaces counted as three, that an element with a headline has at least if it holds
# an article. Of the first ten pages of 118 sites 10 have further articles, of 1,488 or more, and 3 have H1 headings of
# sections: beside the headline itself, or behind one that stands in 182 alone.
_ARTICLE = 500
_BELOW_RIVAL = NAMES.index("text: below a rival headline")
_BEHIND_HEADLINE = NAMES.index("text: before or after the headline")
_H1 = NAMES.index("tag: h1")


class HeadlineSlots:
    """Whether a site puts further articles behind each article, and where their headlines stand.

    Args:
        pages: the columns and the evidence of each page learnt from.
    """

    def __init__(self, pages: Sequence[tuple[PageColumns, Evidence]]) -> None:
        headlines = [(columns, found[0]) for columns, page in pages if (found := _rival_headlines(page)) is not None]
        self.usual = len(headlines) >= max(_RIVAL_PAGES, _RIVAL_SHARE * len(pages))
        self._paths = [_tag_path(columns, block) for columns, block in headlines] if self.usual else []

    def below_others(self, columns: PageColumns, page: Evidence) -> npt.NDArray[np.bool_]:
        """Which blocks are below a further headline, of a site where they usually are. Where no heading agrees with the
        TITLE, the headline is that which agrees most, and the first of these, where other pages have theirs."""
        if page.matrix[:, _BEHIND_HEADLINE].any():
            return are_of_others(page)
        at_headlines = page.matrix[:, _H1] > 0
        at_headlines &= np.isin(columns.tag_paths[columns.nodes], self._paths)
        found = np.flatnonzero(at_headlines)
        headline = found[columns.numbers[found, TITLE].argmax()] if len(found) else len(at_headlines)
        at_headlines[: headline + 1] = False
        return np.asarray(np.logical_or.accumulate(at_headlines), np.bool_)


def are_of_others(page: Evidence) -> npt.NDArray[np.bool_]:
    """Which blocks are below a further H1 heading."""
    return np.asarray(page.matrix[:, _BELOW_RIVAL] > 0, np.bool_)


def follow(columns: PageColumns, page: Evidence) -> bool:
    """Whether further articles follow on a page by what it shows itself: the headline and the next each stand in an
    element of their own that holds an article."""
    headlines = _rival_headlines(page)
    if headlines is None:
        return False
    own, other = (columns.nodes[block] for block in headlines)
    around_own, around_other = (list(_line(columns.parents, node)) for node in (own, other))
    while around_own and around_other and around_own[-1] == around_other[-1]:
        around_own.pop()
        around_other.pop()
    if len(around_own) < 2 or len(around_other) < 2:  # a heading itself is next to the other article
        return False
    starts, ends = page.tree.starts, page.tree.ends
    return all(page.weights[starts[node] : ends[node]].sum() >= _ARTICLE for node in (around_own[-1], around_other[-1]))


def _rival_headlines(page: Evidence) -> tuple[int, int] | None:
    """The blocks of the headline, if it is an H1, and of the first further one."""
    behind = np.flatnonzero(page.matrix[:, _BEHIND_HEADLINE] > 0)  # the headline is the first of them
    if not (len(behind) and page.matrix[behind[0], _H1] and page.matrix[behind[-1], _BELOW_RIVAL]):
        return None
    return int(behind[0]), int(np.flatnonzero(are_of_others(page))[0])


def _tag_path(columns: PageColumns, block: int) -> int:
    return int(columns.tag_paths[columns.nodes[block]])


def _line(parents: Sequence[int], node: int) -> Iterator[int]:
    """A node, and those around it up to the root."""
    while node >= 0:
        yield node
        node = parents[node]
