"""Find lists of teasers below the content: linked titles of the site's other pages, each with a short text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
from lxml import etree

from scrapy_blockfilter.consensus.features.evidence import Evidence
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CHARS, FIGURES, LINES, LINK_CHARS, LINKS
from scrapy_blockfilter.methods.base import Flags
from scrapy_blockfilter.text.characters import WIDE
from scrapy_blockfilter.text.dates_and_prices import PRICED

# The heading of a list is on this share of the other pages, and on at least so many.
_NEARLY_ALL, _LEAST_OTHERS = 0.8, 3
# Characters of a heading, and of all texts of a teaser. No more than so many texts belong to one title.
_LONGEST_HEADING, _LONGEST_TEASER, _MOST_TEXTS = 60, 600, 4
_READ = np.array([CHARS, WIDE, LINK_CHARS, LINKS, LINES, FIGURES])
_RELATED = re.compile(r"(?i)related|similar|recommend")
_OWN_ADDRESS = etree.XPath("string((//link[@rel='canonical']/@href | //meta[@property='og:url']/@content)[1])")
_HOST = re.compile(r"(?:https?:)?//(?:www\.)?([^/?#\s]+)", re.IGNORECASE)
# Elements up to the link of a title, and characters of a name that are read.
_UP_TO_LINK, _MOST_NAMES = 4, 300


def teaser_lists(page: Page, evidence: Evidence, is_linked: Flags) -> Iterator[range]:
    """Yield the blocks of each list with its heading, which ends with the heading's element or before the next list.

    Nearly all pages have the heading, or it is in an element whose name says that it holds related pages.
    """
    tree = evidence.tree
    may_be = evidence.are_below_content & ~is_linked
    may_be &= (page.weights < _LONGEST_HEADING) & (page.numbers[:, FIGURES] == 0)
    numbers = np.flatnonzero(may_be)
    is_of_all = evidence.pages_with[numbers] >= max(_LEAST_OTHERS, _NEARLY_ALL * evidence.others)
    outer = tree.outer[page.nodes[numbers]]
    may_be = is_of_all | (evidence.column("named near: related")[numbers] > 0)
    may_be &= (evidence.headings[numbers] == numbers) | (tree.starts[outer] == numbers)
    of_headings = (column[may_be].tolist() for column in (numbers, tree.ends[outer], is_of_all))
    following = len(page.keys)
    for block, end_of_outer, is_common in reversed([*zip(*of_headings, strict=True)]):
        end, following = min(following, end_of_outer), block
        if _are_teasers(page, block + 1, end) and (is_common or _is_named_related(page, int(page.nodes[block]))):
            yield range(block, end)


def _are_teasers(page: Page, start: int, end: int) -> bool:
    """Return whether blocks are linked titles, two or more, most with a text, and none with much text or a price."""
    titles: list[int] = []
    with_text: set[int] = set()
    texts = chars = 0
    rows = page.numbers[start:end, _READ].tolist() if end - start > 1 else []
    for block, (size, wide, linked, links, lines, figures) in enumerate(rows, start):
        if 2 * linked > size or (links == 1 and lines > 0):  # a title alone, or with its text behind a line break
            titles.append(block)
            texts, chars = 0, size - linked
        else:
            texts, chars = texts + 1, chars + size + 2 * wide
        if figures & PRICED or texts > _MOST_TEXTS or chars > (_LONGEST_TEASER if titles else _LONGEST_HEADING):
            return False
        if titles and chars >= _LONGEST_HEADING:
            with_text.add(titles[-1])
    return len(with_text) > 1 and 2 * len(with_text) >= len(titles) and not _lead_away(page, titles)


def _is_named_related(page: Page, node: int) -> bool:
    """Return whether the name of a node, or of that around it, says that it holds related pages."""
    places = () if page.root is None else (page.ordinals[node], page.ordinals[max(page.parents[node], 0)])
    around = [page.elements[place] for place in places]
    names = (element.get(name, "")[:_MOST_NAMES] for element in around for name in ("class", "id"))
    return any(map(_RELATED.search, names))


def _lead_away(page: Page, blocks: Sequence[int]) -> bool:
    """Return whether most links of some blocks lead within the page, or to other sites than that it says to be of."""
    own = own_host(page)
    addresses = [] if page.root is None else [address_in(page, block) for block in blocks]
    away = [address for address in addresses if address[:1] == "#" or (own and host_of(address) not in ("", own))]
    return 2 * len(away) > len(blocks)


def own_host(page: Page) -> str:
    """Return the host that a page says to be of, "" if it says nothing."""
    return "" if page.root is None else host_of(_OWN_ADDRESS(page.root))


def host_of(address: str) -> str:
    """Return the host of an absolute address, in lower case without www, "" for others."""
    found = _HOST.match(address.strip())
    return found[1].lower() if found else ""


def address_in(page: Page, block: int, *, last: bool = False) -> str:
    """Return the address of the link that the first or last piece of a block is in; "" for no link."""
    pieces = page.pieces[page.range_of(block)]
    element = page.elements[pieces[-1 if last else 0] >> 2]
    around = [element, *islice(element.iterancestors(), _UP_TO_LINK)]
    return next((outer.get("href", "").strip() for outer in around if outer.tag == "a"), "")
