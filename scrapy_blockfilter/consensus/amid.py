"""Keep what is the page's own between two paragraphs that stay, and below them.

A template puts links, forms and adverts between paragraphs, too: the same on several pages, or in elements named for
them. By its score alone, a programme, a cast or a discography is a list of teasers, and a section on footers a footer.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from scrapy_blockfilter.consensus.case import Case, Change, bits_of
from scrapy_blockfilter.html.columns import CHARS, CONTROLS, LAST_KIND, LINK_CHARS
from scrapy_blockfilter.html.tags import UNITS
from scrapy_blockfilter.text.characters import SENTENCE_END

# Blocks between paragraphs. Elements around a paragraph, itself included, up to the one that holds both: if that is
# farther, other pages must show what is the page's own, and a post is no part of the text in another one.
_MOST, _NEAR = 60, 3
# Share of the text of a part that no other page has.
_OWN = 0.8
# Share of text in links above which a part leads to other pages.
_MOST_LINKED = 0.5
# Elements of the text around them by the HTML standard. A quotation of a post has the name of its network.
_OF_TEXT = frozenset({"address", "blockquote", "details"})
# Groups of names that only a part without links may have, and only without dates if they are of comments.
_COMMENTS = bits_of("comments")
_NAMES = bits_of("comments", "sharing", "navigation", "footer", "sidebar", "related", "advert")


def amid(case: Case) -> Iterator[Change]:
    """Keep the parts of the page's own between two paragraphs of an element, and those below that lead nowhere."""
    stays = case.keep.tobytes()
    for start, stop, around, is_below in _gaps(case):
        if 0 in stays[start:stop]:
            for node, part in _parts(case, start, stop, around):
                blocks = part.start + (~case.keep[part] & case.has_text[part]).nonzero()[0]
                if len(blocks) and _is_own(case, node, part, around, is_below=is_below):
                    yield Change(blocks.tolist(), f"the page's own, {'below' if is_below else 'amid'} text that stays")


def _gaps(case: Case) -> Iterator[tuple[int, int, int, bool]]:
    """Yield the blocks between paragraphs of an element, and those below them, with the element."""
    ends, last = case.ranges[1], dict[int, int]()
    paragraphs = (case.is_long & ~case.is_heading).nonzero()[0]
    levels = zip(paragraphs.tolist(), case.tree.levels[paragraphs].tolist(), strict=True)
    for (before, nodes), (behind, others) in pairwise(levels):
        around = next((node for node in nodes if ends[node] > behind), -1)
        is_close = behind - before <= _MOST and around in others
        is_near = is_close and around in nodes[:_NEAR] and around in others[:_NEAR]
        if is_near or (is_close and case.has_others and not case.evidence.records[[before, behind]].any()):
            last[around] = behind + 1
            yield before + 1, behind, around, False
    yield from ((start, min(ends[around], start + _MOST), around, True) for around, start in last.items())


def _parts(case: Case, start: int, stop: int, around: int) -> Iterator[tuple[int, slice]]:
    """Yield each child of an element from block ``start`` to before ``stop``, with its blocks; and its own texts."""
    starts, ends, outer = case.ranges
    while start < stop:
        node = int(case.page.nodes[start])
        while outer[node] > around:  # what is around an element has a lower number, in broken records, too
            node = outer[node]
        end = ends[node] if starts[node] == start and node > around else start + 1
        if end <= stop:
            yield node, slice(start, end)
        start = end


def _is_own(case: Case, node: int, part: slice, around: int, *, is_below: bool) -> bool:
    """Return whether most text of a part is on no other page, and nothing else says that it is of a template."""
    numbers, is_known = case.page.numbers[part], case.has_others
    if numbers[case.evidence.pages_with[part] == 0, CHARS].sum() < _OWN * numbers[:, CHARS].sum():
        return False
    hints = case.tree.inherited
    names = int(np.bitwise_or.reduce(hints[case.page.nodes[part]])) & ~int(hints[around])
    is_prose = bool(((numbers[:, LAST_KIND] == SENTENCE_END) & case.may_be_long[part]).any())
    linked = int(numbers[:, LINK_CHARS].sum())
    texts = filter(None, map(case.page.texts.__getitem__, range(part.start, part.stop)))
    holder = case.page.nearest(_OF_TEXT)[node]
    tag = case.page.tags[holder if holder > around else node]
    if tag in _OF_TEXT and (is_known or not linked) and (tag == "blockquote" or not names & _NAMES):
        return True
    if is_below and (not is_known or linked or names & _NAMES or "\n" not in "\n".join(texts)):  # maybe a byline
        return False
    is_dated, are_links = case.has_day[part].any(), linked > _MOST_LINKED * numbers[:, CHARS].sum()
    if len(numbers) == 1 and not is_prose:  # maybe a label, a byline, or a line that leads elsewhere
        is_other = not is_known or (linked and (is_dated or are_links))
    else:  # maybe teasers, or a form
        are_teasers = are_links and (is_dated or not (is_known or tag in UNITS))
        is_other = are_teasers or (not is_known and numbers[:, CONTROLS].any())
    if is_other:
        return False
    is_comment = names & _COMMENTS and case.evidence.records[part].any()
    return not names & _NAMES or ((is_known or is_prose) and not (linked or is_comment))
