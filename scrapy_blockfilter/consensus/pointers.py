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
from scrapy_blockfilter.methods.base import Flags
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
    on_pages = Counter(label for page in pages for label in {label for _, label in _labelled(page, both_sides=True)})
    return frozenset(label for label, count in on_pages.items() if count >= _LEAST_PAGES)


def pointers(page: Page, known: Set[int]) -> list[int]:
    """Return the blocks that lead to other pages of the site.

    Args:
        known: the site's labels. A label that lines amid the text of the page share counts, too.
    """
    amid = Counter(label for _, label in _labelled(page, both_sides=True))
    labels = known | {label for label, count in amid.items() if count >= _LEAST_LINES}
    found = [block for block, label in _labelled(page, both_sides=False) if label in labels] if labels else []
    if not found or page.root is None:  # the memory of a site has no addresses
        return found
    own = own_host(page)
    return [block for block in found if _is_of_site(address_in(page, block, last=True), own)]


def _is_of_site(address: str, own: str) -> bool:
    """Return whether an address is of another page of a site, given the site's host."""
    return not address.startswith("#") and address != "" and host_of(address) in ("", own)


def _labelled(page: Page, *, both_sides: bool) -> Iterator[tuple[int, int]]:
    """Yield each line with a label and a linked title, beside prose, and the hash of its label."""
    chars, linked, links = (page.numbers[:, column] for column in (CHARS, LINK_CHARS, LINKS))
    may_be = (links > 0) & (links <= _MOST_LINKS) & (linked >= _SHORTEST) & (2 * linked > chars)
    if not may_be.any():
        return
    is_prose = (page.weights >= _PROSE) & (2 * linked <= chars)
    before, behind = _after_prose(is_prose, may_be), _after_prose(is_prose[::-1], may_be[::-1])[::-1]
    may_be &= (before & behind) if both_sides else (before | behind)
    for block in np.flatnonzero(may_be).tolist():
        label = _label_of(page.texts[block], int(linked[block]))
        if label and page.tags[page.nodes[block]] not in _NO_LINES:
            yield block, hash64(label.casefold().encode("utf-8", "replace"))


def _label_of(line: str, linked: int) -> str:
    """Return a line up to its first colon, or else what stands before its link; "" for no label."""
    with_colon = _UP_TO_COLON.match(line)
    return with_colon[0] if with_colon else line[: min(_LONGEST, max(0, len(line) - linked))].strip()


def _after_prose(is_prose: Flags, may_be: Flags) -> Flags:
    """Mark the blocks whose nearest block before them that may be no such line is prose."""
    last = np.maximum.accumulate(np.where(may_be, 0, np.arange(1, len(may_be) + 1)))
    return np.asarray(np.append(False, is_prose)[np.append(0, last[:-1])], np.bool_)
