"""Find parts of a page that its markup says are no text to read: hidden elements, and dialogs that ask for a choice.

A hidden part amid the shown text of a block, such as a SPAN, is no matter of verdicts: it is taken out of its block.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, groupby, islice

import numpy as np
from lxml import etree

from scrapy_blockfilter.consensus.case import AGREEMENT, Case, Change
from scrapy_blockfilter.consensus.features.of_blocks import LONG_BLOCK
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CHARS, LAST_KIND, TITLE
from scrapy_blockfilter.html.marks import word_of
from scrapy_blockfilter.html.nearby import few_nodes, text_of
from scrapy_blockfilter.html.page import IMAGE, TAIL
from scrapy_blockfilter.html.subtrees import Indices
from scrapy_blockfilter.methods.base import Flags
from scrapy_blockfilter.text.characters import SENTENCE_END
from scrapy_blockfilter.text.dates_and_prices import LONGEST, PRICED, meaning_of_figures

_UNSEEN = re.compile(r"(?i)(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)")
# Attributes that name the element which a click shows. Scripts have its name in quotes.
_NAMING = etree.XPath(
    "//@*[starts-with(., '#')] | //@aria-controls | //@for | //@onclick | //@href[starts-with(., 'javascript:')]",
    smart_strings=False,
)
_SCRIPTS = etree.XPath("//script[not(@src)]/text()", smart_strings=False)
_NAME = re.compile(r"[\w:.-]+")
_QUOTED = re.compile(r"""["'`]#?([\w:.-]{1,100})["'`]""")
# Characters of a SCRIPT that is read, as a longer one has data; and the number of such.
_LONGEST_SCRIPT, _MOST_SCRIPTS = 20_000, 200
# Names of parts that a click or a swipe shows, and the number of elements around one that may have them.
_SHOWN_LATER = re.compile(
    r"(?i)collaps|accordion|(?<![a-z])tabs?(?![a-z])|tab-?content|panel|pane\b|toggl|expand|spoiler|more|faq|slide|swip"
    r"|carousel"
)
_AROUND, _MOST_NAMES = 3, 300
_ROLES = frozenset({"tabpanel", "region"})
# Parts of lists and tables, and tables of values, which are looked for among the first nodes of an element.
_FIRST = 100
_PARTS, _OF_VALUES = frozenset({"li", "tr", "td", "th", "dt", "dd"}), frozenset({"table", "dl"})
# Nodes of a neighbour that are looked through for a button, characters of a price, and nodes of a dialog.
_NEAR, _SHORT, _MOST_IN_DIALOG = 8, 60, 500
_ASKING = frozenset({"dialog", "alertdialog"})
_FIXED = re.compile(r"(?i)position\s*:\s*fixed")
_OF_ARTICLES = frozenset({"article", "main", "h1"})
_CHOICES = 2


def unseen(case: Case) -> Iterator[Change]:
    """Strip text that no reader sees, and dialogs that ask for a choice, such as whether to accept cookies."""
    page = case.page
    if 1 not in case.keep[[*chain.from_iterable(blocks_in(page, page.marked).values())]].tobytes():
        return
    # If hidden text is most of what stays, scripts show it.
    hidden, for_good = _hidden_blocks(page, case.keep | (page.weights >= LONG_BLOCK))
    weights = page.weights * case.keep
    if for_good and 2 * weights[hidden].sum() <= weights.sum():
        yield Change(for_good, "hidden from readers")
    # A dialog stays with its article, or if hardly any text stays beside it.
    plain = page.weights * (case.keep & ~case.is_linked)
    total = plain.sum()
    for blocks in _dialogs(page):
        beside = total - plain[blocks].sum()
        if beside >= LONG_BLOCK and not (page.numbers[blocks, TITLE] >= AGREEMENT).any():
            total = beside
            yield Change(blocks, "a dialog that asks for a choice")


def _hidden_blocks(page: Page, matters: Flags) -> tuple[list[int], list[int]]:
    """Return the blocks in hidden elements, and those in elements with sentences that nothing on the page shows.

    The lists are empty unless a block that ``matters`` is hidden.
    """
    marked = page.elements_at(page.marked)
    hidden = {place: element for place, element in marked.items() if _is_hidden(element) and _has_text(element)}
    found = blocks_in(page, list(hidden))
    blocks = [block for of_element in found.values() for block in of_element]
    if not matters[blocks].any():
        return [], []
    ends = page.numbers[:, LAST_KIND] == SENTENCE_END  # other hidden texts are values that scripts choose from
    places = list(hidden)
    with_sentences = [
        place
        for outer, of_element in found.items()
        if ends[of_element].any()
        for place in places[bisect_left(places, outer) : bisect_left(places, page.element_ends[outer])]
    ]
    found = blocks_in(page, _staying_hidden(hidden, with_sentences))
    return blocks, [block for of_element in found.values() if ends[of_element].any() for block in of_element]


def _staying_hidden(hidden: Mapping[int, etree._Element], places: Iterable[int]) -> list[int]:
    """Return the places of hidden elements that nothing on the page shows."""
    alike = Counter(map(_likeness, hidden.values()))
    unseen = [
        place
        for place in places
        if alike[_likeness(hidden[place])] <= _few(hidden[place])
        and not _has_values(hidden[place])
        and not _is_shown_later(hidden[place])
    ]
    # Names take several passes over the page: they are read if a name is in it once more.
    own = {name for place in unseen if (name := hidden[place].get("id"))}
    source = etree.tostring(hidden[unseen[0]].getroottree(), encoding="unicode") if own else ""
    named = _named(hidden[unseen[0]]) if any(source.count(name) > 1 for name in own) else ()
    return [place for place in unseen if hidden[place].get("id") not in named]


def _has_text(element: etree._Element) -> bool:
    nodes = few_nodes(element, _NEAR)
    return not nodes or not text_of(nodes).isspace()


def _is_unseen(element: etree._Element) -> bool:
    """Return whether nobody sees an element, unless something on the page shows it."""
    is_marked = word_of(element, "hidden", "until-found") != "until-found"
    return is_marked or _UNSEEN.search(element.get("style", "")) is not None


def _is_hidden(element: etree._Element) -> bool:
    """Return whether an element is hidden from readers, or from screen readers alone, and may be text."""
    is_for_nobody = _is_unseen(element)
    if not (is_for_nobody or word_of(element, "aria-hidden") == "true"):
        return False
    if element.tag == "img" or any(node.tag == "math" for node in islice(element.iter(), _NEAR)):
        return False  # it is no text, or a formula that an image shows
    # Readers see what screen readers are not told: a price may be written in two ways.
    return is_for_nobody or not meaning_of_figures(text_of(few_nodes(element, _NEAR))[:_SHORT].strip())


def _few(element: etree._Element) -> int:
    """Return how many elements alike may be hidden for good."""
    return 1 if word_of(element, "aria-hidden") == "true" else 2


def _likeness(element: etree._Element) -> tuple[object, ...]:
    """Return the features that parts of a text share if a script shows them together, such as behind a paywall."""
    attributes = map(element.get, ("class", "style", "hidden", "aria-hidden"))
    return element.getparent(), element.tag, *attributes


def _has_values(element: etree._Element) -> bool:
    """Return whether an element is a part of a list or table, or has one of values in it: more of it is shown later."""
    return element.tag in _PARTS or any(node.tag in _OF_VALUES for node in islice(element.iter(), _FIRST))


def _named(element: etree._Element) -> Set[str]:
    """Return the names of elements that others, or scripts, may show on the page of an element."""
    names = {name for value in _NAMING(element) for name in _NAME.findall(value)}
    for script in _SCRIPTS(element)[:_MOST_SCRIPTS]:
        if len(script) <= _LONGEST_SCRIPT:
            names.update(_QUOTED.findall(script))
    return names


def _names_of(element: etree._Element) -> str:
    """Return the first names of an element: those around many hidden elements are read for each."""
    return f"{element.get('class', '')[:_MOST_NAMES]} {element.get('id', '')[:_MOST_NAMES]}"


def _is_shown_later(element: etree._Element) -> bool:
    """Return whether an element, or those around and beside it, say that a click shows it."""
    if word_of(element, "role") in _ROLES or element.get("aria-labelledby"):
        return True
    for outer in (element, *islice(element.iterancestors(), _AROUND)):
        if outer.tag == "details" or _SHOWN_LATER.search(_names_of(outer)):
            return True
    beside = [other for other in (element.getprevious(), element.getnext()) if other is not None]
    return any(map(_is_choice, chain.from_iterable(islice(other.iter(), _NEAR) for other in beside)))


def _dialogs(page: Page) -> Iterable[list[int]]:
    """Return the blocks of each dialog and fixed box with two buttons or fields, unless an article is in it."""
    elements = page.elements_at(page.marked)
    return blocks_in(page, [place for place, element in elements.items() if _asks(element)]).values()


def _asks(element: etree._Element) -> bool:
    is_dialog = element.tag == "dialog" or word_of(element, "role") in _ASKING
    if not (is_dialog or word_of(element, "aria-modal") == "true" or _is_fixed(element)):
        return False
    nodes = list(islice(element.iter(), _MOST_IN_DIALOG))
    choices = islice(filter(_is_choice, nodes), _CHOICES)
    return all(node.tag not in _OF_ARTICLES for node in nodes) and len([*choices]) == _CHOICES


def _is_fixed(element: etree._Element) -> bool:
    """Return whether an element stays where it is while the page moves, by its style or by classes of style sheets."""
    classes = element.get("class", "").split()
    return (
        _FIXED.search(element.get("style", "")) is not None
        or any(name in ("fixed-bottom", "fixed-top") for name in classes)
        or ("fixed" in classes and any(name.startswith(("bottom-", "inset-", "top-")) for name in classes))
    )


def _is_choice(element: etree._Element) -> bool:
    if element.tag == "a":
        return word_of(element, "href", "#").startswith(("#", "javascript:"))
    return (
        element.tag in ("button", "summary", "select")
        or (element.tag == "input" and word_of(element, "type") != "hidden")
        or word_of(element, "role") == "button"
        or element.get("aria-expanded") is not None
        or element.get("onclick") is not None
    )


def hidden_parts(page: Page, keep: Sequence[bool]) -> list[int]:
    """Return the places in ``page.pieces`` of hidden texts amid shown text of a kept block, which nothing shows.

    A price stays, because scripts choose one of several. Hidden text that is most of its block stays, too. Readers see
    a part with ``aria-hidden`` alone, so it stays.
    """
    if not len(page.pieces):
        return []
    pieces, first = np.asarray(page.pieces), _first_pieces(page)
    blocks = np.repeat(np.arange(len(first)), np.diff(page.ends, prepend=0))
    is_text = (pieces & 3 != IMAGE) & np.asarray(keep, np.bool_)[blocks]
    elements = page.elements_at(_with_text(page, pieces[is_text]))
    hidden = {place: element for place, element in elements.items() if _is_unseen(element) and _is_hidden(element)}
    outermost, outer = _outermost(page, list(hidden))
    if outer.max(initial=-1) < 0:
        return []
    has_shown = np.logical_or.reduceat(is_text & (outer < 0), first)
    amid = np.flatnonzero(is_text & (outer >= 0) & has_shown[blocks])
    staying = set(_staying_hidden(hidden, np.unique(outermost[outer[amid]]).tolist()))
    gone = [piece for piece in amid.tolist() if outermost[outer[piece]] in staying]
    elements = page.elements_at((pieces[gone] >> 2).tolist())
    found = []
    for block, of_block in groupby(gone, key=blocks.__getitem__):
        parts = list(of_block)
        said = [(elements[page.pieces[piece] >> 2], page.pieces[piece] & 3) for piece in parts]
        text = " ".join("".join((of.tail if kind == TAIL else of.text) or "" for of, kind in said).split())
        if 2 * len(text) <= page.numbers[block, CHARS] and not meaning_of_figures(text[:LONGEST]) & PRICED:
            found += parts
    return found


def _with_text(page: Page, pieces: Indices) -> list[int]:
    """Return the places of the marked elements that have any of some pieces in them."""
    marked, holders = np.asarray(page.marked), np.sort(holders_of(page, pieces))
    ends = np.asarray(page.element_ends)[marked]
    found: list[int] = marked[np.searchsorted(holders, marked) < np.searchsorted(holders, ends)].tolist()
    return found


def blocks_in(page: Page, places: Sequence[int]) -> dict[int, list[int]]:
    """Return, by the place of each outermost element, the blocks with all their pieces in it. Places are in order."""
    outermost, outer = _outermost(page, places)
    found: dict[int, list[int]] = {}
    if not len(outer) or outer.max() < 0:
        return found
    first = _first_pieces(page)
    low, high = np.minimum.reduceat(outer, first), np.maximum.reduceat(outer, first)
    blocks = np.flatnonzero((low == high) & (low >= 0))
    for block, place in zip(blocks.tolist(), outermost[low[blocks]].tolist(), strict=True):
        found.setdefault(place, []).append(block)
    return found


def _first_pieces(page: Page) -> Indices:
    """Return the place of the first piece of each block."""
    return np.append(0, np.asarray(page.ends, np.int64)[:-1])


def holders_of(page: Page, pieces: Indices) -> Indices:
    """Return the place of the element that holds each piece."""
    places = pieces >> 2
    return np.where(pieces & 3 == TAIL, np.asarray(page.element_parents)[places], places)


def _outermost(page: Page, places: Sequence[int]) -> tuple[Indices, Indices]:
    """Return the places of the outermost elements, and for each piece the number of the element it is in, or -1."""
    if not len(places) or not len(page.ends):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    outermost, end = [], 0
    for place in places:
        if place >= end:
            outermost.append(place)
            end = page.element_ends[place]
    starts = np.array(outermost, np.int64)
    ends, holders = np.asarray(page.element_ends)[starts], holders_of(page, np.asarray(page.pieces))
    outer = np.searchsorted(starts, holders, side="right") - 1
    outer[holders >= ends[outer]] = -1
    return starts, outer
