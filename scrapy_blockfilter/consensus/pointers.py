"""Find lines amid the text that lead to other pages, behind a label that recurs: "Read also: …"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Set

import numpy as np

from scrapy_blockfilter.consensus.teasers import address_in, host_of, own_host
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CHARS, LINK_CHARS, LINKS
from scrapy_blockfilter.html.tags import CELLS
from scrapy_blockfilter.storable.hashing import hash64

# Characters of prose, of the shortest title, and of the longest label.
_PROSE, _SHORTEST, _LONGEST = 60, 20, 40
# A line has links for some titles, and perhaps for a picture.
_MOST_LINKS = 4
_UP_TO_COLON = re.compile(r"[^:：]{1,39}[:：]")
# Pages of a site with a label before it is known; lines of a page alone.
_LEAST_PAGES, _LEAST_LINES = 3, 2
# Elements of labels and values.
_NO_LINES = CELLS | {"li", "dt", "dd"}


def labels_of(pages: Iterable[Page]) -> frozenset[int]:
    """Return hashes of the labels that lines amid the text have on several pages of a site."""
    on_pages = Counter(label for page in pages for label in {label for _, label, is_amid in _labelled(page) if is_amid})
    return frozenset(label for label, count in on_pages.items() if count >= _LEAST_PAGES)


def pointers(page: Page, known: Set[int]) -> list[int]:
    """Return the blocks that lead to other pages of the site.

    Args:
        known: the site's labels. A label that lines amid the text of the page share counts, too.
    """
    labelled = list(_labelled(page))
    amid = Counter(label for _, label, is_amid in labelled if is_amid)
    found = [block for block, label, _ in labelled if label in known or amid[label] >= _LEAST_LINES]
    if not found or page.root is None:  # the memory of a site has no addresses
        return found
    own = own_host(page)
    return [block for block in found if _is_of_site(address_in(page, block, last=True), own)]


def _is_of_site(address: str, own: str) -> bool:
    """Return whether an address is of another page of a site, given the site's host."""
    return not address.startswith("#") and address != "" and host_of(address) in ("", own)


def _labelled(page: Page) -> Iterator[tuple[int, int, bool]]:
    """Yield each line with a label and a linked title, beside prose; the hash of its label; whether prose is around."""
    chars, linked, links = (page.numbers[:, column] for column in (CHARS, LINK_CHARS, LINKS))
    may_be = (links > 0) & (links <= _MOST_LINKS) & (linked >= _SHORTEST) & (2 * linked > chars)
    lines, others = np.flatnonzero(may_be), np.flatnonzero(~may_be)
    if not len(lines):
        return
    # Whether each other block is prose, with one that is not at the end, which is before the first one, too.
    are_prose = np.append((page.weights[others] >= _PROSE) & (2 * linked[others] <= chars[others]), False)
    behind = np.searchsorted(others, lines)
    beside = are_prose[behind - 1].astype(np.int8) + are_prose[behind]
    for block, sides in zip(lines[beside > 0].tolist(), beside[beside > 0].tolist(), strict=True):
        label = _label_of(page.texts[block], int(linked[block]))
        if label and page.tags[page.nodes[block]] not in _NO_LINES:
            yield block, hash64(label.casefold().encode("utf-8", "replace")), sides == 2


def _label_of(line: str, linked: int) -> str:
    """Return a line up to its first colon, or else what stands before its link; "" for no label."""
    with_colon = _UP_TO_COLON.match(line)
    return with_colon[0] if with_colon else line[: min(_LONGEST, max(0, len(line) - linked))].strip()
