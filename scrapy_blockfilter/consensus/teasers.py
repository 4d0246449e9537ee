"""Find what leads to the site's other pages: lists of teasers below the content, and labelled lines amid it.

A teaser is a linked title with a short text. A labelled line begins with a label that recurs, such as "Read also:".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import numpy as np

from scrapy_blockfilter.consensus.case import Case, Change
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CHARS, FIGURES, LINES, LINK_CHARS, LINKS
from scrapy_blockfilter.html.marks import word_of
from scrapy_blockfilter.html.page import TAIL
from scrapy_blockfilter.html.tags import CELLS
from scrapy_blockfilter.storable.hashing import hash64
from scrapy_blockfilter.text.characters import WIDE
from scrapy_blockfilter.text.dates_and_prices import PRICED

# Characters of a heading, and of all texts of a teaser. No more than so many texts belong to one title.
_LONGEST_HEADING, _LONGEST_TEASER, _MOST_TEXTS = 60, 600, 4
_READ = np.array([CHARS, WIDE, LINK_CHARS, LINKS, LINES, FIGURES])
_RELATED = re.compile(r"(?i)related|similar|recommend")
# The attribute that marks an element with the page's own address, its value, and the attribute with the address.
_OWN_ADDRESSES = {"link": ("rel", "canonical", "href"), "meta": ("property", "og:url", "content")}
_HOST = re.compile(r"(?:https?:)?//(?:www\.)?([^/?#\s]+)", re.IGNORECASE)
# Elements up to the link of a title, and characters of a name that are read.
_UP_TO_LINK, _MOST_NAMES = 4, 300

# Characters of prose beside a line, of the shortest title of a line, and of the longest label.
_PROSE, _SHORTEST_TITLE, _LONGEST_LABEL = 60, 20, 40
# A line has links for some titles, and perhaps for a picture.
_MOST_LINKS = 4
_UP_TO_COLON, _WITHOUT_LETTERS = re.compile(r"[^:：]{1,39}[:：]"), re.compile(r"[\W_]*")
# Pages of a site with a label before it is known; lines of a page alone.
_LEAST_PAGES, _LEAST_LINES = 3, 2
# Lines next to each other, in marks of blocks.
_MARKED = re.compile(rb"\x01+")
# Elements of labels and values.
_NO_LINES = CELLS | {"li", "dt", "dd"}


def teasers(case: Case) -> Iterator[Change]:
    """Strip lists of teasers with their headings, and labelled lines."""
    for blocks in _lists(case):
        yield Change(blocks, "teasers of other pages")
    if lines := _lines(case):
        yield Change(lines, "a line that leads to another page, with a label that recurs")


def _lists(case: Case) -> Iterator[range]:
    """Yield the blocks of each list with its heading, which ends with the heading's element or before the next list.

    The heading is in an element whose name says that it holds related pages.
    """
    page, evidence, tree = case.page, case.evidence, case.tree
    may_be = evidence.are_below_content & ~case.is_linked & (evidence.column("named near: related") > 0)
    may_be &= (page.weights < _LONGEST_HEADING) & (page.numbers[:, FIGURES] == 0)
    following = len(page.keys)
    for block in reversed(may_be.nonzero()[0].tolist()):
        outer = tree.outer[page.nodes[block]]
        if not (evidence.headings[block] == block or tree.starts[outer] == block):
            continue
        end, following = min(following, int(tree.ends[outer])), block
        if end - block > 2 and _are_teasers(page, block + 1, end) and _is_named_related(page, int(page.nodes[block])):
            yield range(block, end)


def _are_teasers(page: Page, start: int, end: int) -> bool:
    """Return whether blocks are linked titles, two or more, most with a text, and none with much text or a price."""
    titles: list[int] = []
    with_text: set[int] = set()
    texts = chars = 0
    for block, (size, wide, linked, links, lines, figures) in enumerate(page.numbers[start:end, _READ].tolist(), start):
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
    around = page.elements_at(places).values() if places else ()
    names = (element.get(name, "")[:_MOST_NAMES] for element in around for name in ("class", "id"))
    return any(map(_RELATED.search, names))


def _lead_away(page: Page, blocks: Sequence[int]) -> bool:
    """Return whether most links of some blocks lead within the page, or to other sites than the page's own."""
    own = _own_host(page)
    addresses = () if page.root is None else addresses_in(page, blocks).values()
    away = [address for address in addresses if address[:1] == "#" or (own and _host_of(address) not in ("", own))]
    return 2 * len(away) > len(blocks)


def labels_of(pages: Iterable[Page]) -> frozenset[int]:
    """Return hashes of the labels that lines amid the text have on several pages of a site."""
    on_pages = Counter(label for page in pages for label in {label for _, label, is_amid in _labelled(page) if is_amid})
    return frozenset(label for label, count in on_pages.items() if count >= _LEAST_PAGES)


def _lines(case: Case) -> list[int]:
    """Return the lines to other pages of the site whose label the site has, or several lines amid the text."""
    page = case.page
    labelled = list(_labelled(page))
    amid = Counter(label for _, label, is_amid in labelled if is_amid)
    found = [block for block, label, _ in labelled if label in case.labels or amid[label] >= _LEAST_LINES]
    if not found or page.root is None:  # the memory of a site has no addresses
        return found
    own = _own_host(page)
    addresses = addresses_in(page, found, last=True)
    return [block for block, to in addresses.items() if to and to[0] != "#" and _host_of(to) in ("", own)]


def _labelled(page: Page) -> Iterator[tuple[int, int, bool]]:
    """Yield each line with a label and a linked title, beside prose; the hash of its label; whether prose is around."""
    chars, linked, links = (page.numbers[:, column] for column in (CHARS, LINK_CHARS, LINKS))
    is_linked = 2 * linked > chars
    is_title = linked * page.weights >= _SHORTEST_TITLE * chars
    may_be = (links > 0) & (links <= _MOST_LINKS) & is_title & is_linked
    prose = (~is_linked & (page.weights >= _PROSE)).tobytes()
    for run in _MARKED.finditer(may_be.tobytes()):
        start, end = run.span()
        sides = sum(prose[start - 1 : start]) + sum(prose[end : end + 1])
        for block in range(start, end) if sides else ():
            is_value = page.tags[page.nodes[block]] in _NO_LINES
            if not is_value and (label := _label_of(page.texts[block], int(linked[block]))):
                yield block, hash64(label.casefold().encode("utf-8", "replace")), sides == 2


def _label_of(line: str, linked: int) -> str:
    """Return a line up to its first colon, or else what stands before its link; "" for no label."""
    with_colon = _UP_TO_COLON.match(line)
    return with_colon[0] if with_colon else line[: min(_LONGEST_LABEL, max(0, len(line) - linked))].strip()


def _own_host(page: Page) -> str:
    """Return the host that a page names as its own, or ""."""
    for element in () if page.root is None else page.root.iter(*_OWN_ADDRESSES):
        kind, says_so, address = _OWN_ADDRESSES[str(element.tag)]
        if word_of(element, kind) == says_so and (said := element.get(address)) is not None:
            return _host_of(said)
    return ""


def _host_of(address: str) -> str:
    """Return the host of an absolute address, in lower case without www, "" for others."""
    found = _HOST.match(address.strip())
    return found[1].lower() if found else ""


def addresses_in(page: Page, blocks: Sequence[int], *, last: bool = False) -> dict[int, str]:
    """Return the address of the link that the first or last piece of each block is in; "" for no link.

    A last piece without letters, such as a full stop, counts as part of the link before it.
    """
    pieces = {block: page.pieces[page.range_of(block)][-1 if last else 0] for block in blocks}
    elements, found = page.elements_at(piece >> 2 for piece in pieces.values()), dict[int, str]()
    for block, piece in pieces.items():
        element = elements[piece >> 2]
        is_behind = piece & 3 == TAIL and not (last and _WITHOUT_LETTERS.fullmatch(element.tail or ""))
        around = islice((element, *islice(element.iterancestors(), _UP_TO_LINK)), is_behind, None)
        found[block] = next((outer.get("href", "").strip() for outer in around if outer.tag == "a"), "")
    return found
