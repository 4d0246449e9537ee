"""Say what a page is, by what its site shows: content, a shell that scripts fill, a wall, or a page that is missing.

A page that fills the slots of the site's content is content. Another page is a wall or missing if it says the same as
pages at other addresses, after what the template holds is set aside; scripts and forms show the kind. No word of any
language counts.
"""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from lxml import etree

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.columns import CHARS, FIGURES, IMAGES, Integers
from scrapy_blockfilter.html.gates import GUARDS, Gates, gates_of
from scrapy_blockfilter.html.tags import HEADINGS
from scrapy_blockfilter.methods.base import Flags
from scrapy_blockfilter.model.losses import are_read
from scrapy_blockfilter.model.usual_things import UsualThings
from scrapy_blockfilter.storable.array_bytes import ArrayReader, Values, parts
from scrapy_blockfilter.storable.hashing import hash32, hash64
from scrapy_blockfilter.text.dates_and_prices import PRICED
from scrapy_blockfilter.text.terms import words_of

if TYPE_CHECKING:
    from scrapy_blockfilter.model.learnt import Learnt

CONTENT, SHELL, WALL, MISSING, UNKNOWN = "content", "shell", "wall", "missing", ""
# So many different pages show what is usual, and so many addresses with one text show that it is nobody's content.
_ENOUGH = 3
# A page is content if it has this share of the characters that pages usually have in the slots of content.
_FILLED = 0.25
# Characters: next to no text, such as "Loading"; a short text; more than any wall or message has.
_FEW, _SHORT, _MOST = 60, 1_000, 4_000
# Texts are alike if their pages have one TITLE, and they share this much of their words: paths and names of the page
# that was asked for differ. Pages of a shop or of records share as much, but not their titles.
_ALIKE = 0.6
# Words of a text that are compared, and texts of a site that are remembered: some 40 KB a site at the most.
_WORDS, _TEXTS = 40, 10
# Different texts among which a sample's pages are compared: walls at the start of a crawl are among the first.
_GROUPS = 100
# Links to so many addresses of the site lead back into it.
_LINKS = 3
# Numbers of requests, sessions and addresses, times and paths: a text differs by these from address to address.
_IDENTIFIER = re.compile(r"(?<![!-~])[!-~]*?[0-9/][!-~]*")
# Parts of a shop may differ by numbers alone, also in their titles. A wall has one price at all addresses, if any.
_AMOUNT = re.compile(r"\d[\d.,]{0,20}")
# A page with several numbers of its own is another page. A message has a date and a number of the address at the most:
# its paths, times, and the numbers of requests are longer, or have letters or signs within.
_NUMBER = re.compile(r"(?<![!-~])[(+-]?([0-9]{1,5}(?:[.,][0-9]{1,5}){0,2})[A-Za-z]{0,3}[%),.:;]{0,2}(?![!-~])")
_DIFFERENT = 2
# A text with more numbers is a table of figures.
_IDENTIFIERS = 8
# Levels from an element to that whose slot it is in.
_LEVELS = 20
# Codes of HTTP that a page states in its title or a heading.
_TITLES = HEADINGS | {"title"}
_CODE = re.compile(r"(?<![\w.,])(?:(?P<missing>404|410)|(?P<wall>401|403|429|503))(?![\w.,])")

# Words are hashes of 32 bits, and so are images.
_HASH = 2**32 - 1
_SLOTS = ("slots", "around", "beside")


class Words(NamedTuple):
    """Words of a page's TITLE and own prices, and words, images and numbers of its own: those with the least hashes."""

    title: frozenset[int]
    text: frozenset[int]
    numbers: frozenset[int]


_NO_WORDS = Words(frozenset(), frozenset(), frozenset())
# A block of a page's own: its style path, with the names of elements, its tag path, characters, and whether it stays.
_Block = tuple[int, int, int, bool]
_BY_NAMES, _BY_TAGS, _SIZE, _STAYS = range(4)


@dataclass(frozen=True)
class ContentSlots:
    """The slots that a site's pages fill with text of their own, and the texts that several pages share."""

    slots: frozenset[int]  # the slots in which several different pages have text of their own that stays
    around: frozenset[int]  # the slots of the elements around them
    beside: frozenset[int]  # the slots in which pages have text of their own that goes, such as news and comments
    pages: int  # the number of different pages with text of their own there, without those that share a text
    chars: int  # the number of characters that a page usually has there
    shared: Sequence[Words]  # the words of texts that are all that some pages have of their own
    things: UsualThings  # the slots in which the pages have prices, images, dates and tables

    @classmethod
    def of(
        cls, pages: Sequence[Page], keep: Sequence[Flags], different: Sequence[Page], common: Set[int]
    ) -> ContentSlots:
        """Return what pages show.

        Args:
            keep: whether each block of the pages stays.
            different: the pages without copies.
            common: the keys of the blocks that most different pages have.
        """
        own = {
            page: are_read(page) & np.array([key not in common for key in page.keys.tolist()], np.bool_)
            for page in pages
        }
        many = _that_say_the_same(pages, own)
        left_out = {page for members in many for page in members}
        stays = dict(zip(pages, keep, strict=True))
        others = [page for page in different if page not in left_out]
        judged = [_own_blocks(page, own[page], stays[page]) for page in others]
        slots, beside = _of_several(judged, _BY_NAMES)
        kept = [[block for block in blocks if block[_STAYS]] for blocks in judged]
        if 2 * sum(_chars_at(blocks, slots) for blocks in kept) < sum(block[_SIZE] for block in chain(*kept)):
            slots |= _of_several(judged, _BY_TAGS)[0]  # names differ from page to page
        around = frozenset(chain.from_iterable(_around(page, slots) for page in others))
        filled = [_chars_at(blocks, slots) for blocks in kept]
        chars = int(statistics.median(filled or [0]))
        shared = [main_words(first, _out_of(first, own[first], beside)) or _NO_WORDS for first, *_ in many]
        things = UsualThings.of([(page, own[page]) for page in others])
        return cls(slots, around, beside, sum(map(bool, filled)), chars, shared, things)

    @classmethod
    def restored(cls, state: ArrayReader) -> ContentSlots:
        """Return the object with this :meth:`state`."""
        rows = state.integers("shared", None, len(_NO_WORDS) * _WORDS)[:_TEXTS].reshape(-1, len(_NO_WORDS), _WORDS)
        shared = [Words(*(frozenset(word for word in row if word >= 0) for row in pair)) for pair in rows.tolist()]
        slots, around, beside = (frozenset(state.integers(name, None).tolist()) for name in _SLOTS)
        pages, chars = (state.whole(name, 0, 2**31) for name in ("pages", "chars"))
        return cls(slots, around, beside, pages, chars, shared, UsualThings.restored(state.part("things")))

    def state(self) -> Values:
        rows = [sorted(words) + [-1] * (_WORDS - len(words)) for shared in self.shared for words in shared]
        return {
            **{name: np.array(sorted(getattr(self, name)), np.int64) for name in _SLOTS},
            "pages": self.pages,
            "chars": self.chars,
            "shared": np.array(rows, np.int64).reshape(-1, len(_NO_WORDS) * _WORDS),
            **parts(things=self.things.state()),
        }


class Answers:
    """The texts that pages of a site have shown in place of content lately, with the addresses of each."""

    def __init__(self) -> None:
        self._seen: list[tuple[Words, set[int]]] = []

    def addresses(self, words: Words, url: str) -> int:
        """Note a text at an address, and return the number of addresses that have had it, or ``_ENOUGH``."""
        place = next((place for place, (known, _) in enumerate(self._seen) if are_alike(known, words)), None)
        known = (words, set()) if place is None else self._seen.pop(place)
        self._seen.append(known)
        del self._seen[:-_TEXTS]
        if len(known[1]) < _ENOUGH:
            known[1].add(hash64(url.encode("utf-8", "replace")))
        return len(known[1])


class Shown(NamedTuple):
    """A page, and what its site has shown."""

    page: Page
    source: str
    url: str
    own: Flags  # the blocks that most pages of the site lack, without the TITLE and texts for browsers without scripts
    learnt: Learnt
    answers: Answers | None  # texts that pages have shown in place of content; None outside of a crawl

    def is_shared(self, words: Words) -> bool:
        """Return whether pages at several addresses say the same."""
        if any(are_alike(words, known) for known in self.learnt.content.shared):
            return True
        return bool(self.answers and self.url and self.answers.addresses(words, self.url) >= _ENOUGH)

    def gates(self, marks: Set[int]) -> Gates:
        """Return the gates of the page, besides those in slots of ``marks``."""
        page = self.page
        slots = {page.elements[place]: slot for place, slot in zip(page.ordinals, page.slots.tolist(), strict=True)}

        def is_template(element: etree._Element) -> bool:
            around = islice(chain((element,), element.iterancestors()), _LEVELS)
            return next((slots[above] in marks for above in around if above in slots), False)

        assert page.root is not None
        return gates_of(page.root, self.url, is_template)


def page_state(page: Page, source: str, url: str, learnt: Learnt, on_pages: Integers, answers: Answers | None) -> str:
    """Return what a page is, by the number of pages with each block: see :attr:`Cleaned.page_state`."""
    if not page.whole or page.root is None:
        return UNKNOWN
    own = are_read(page) & ~is_common(on_pages, learnt.different)
    content = learnt.content
    is_known = learnt.different >= _ENOUGH and content.slots
    if is_known and _chars(page, own & ~_out_of(page, own, content.slots)) > _FILLED * content.chars:
        return CONTENT
    shown = Shown(page, source, url, own, learnt, answers)
    return _of_other(shown) if is_known else _of_unknown(shown)


def _of_other(shown: Shown) -> str:
    """Return what a page is that does not fill the slots of content."""
    page, content = shown.page, shown.learnt.content
    own = _out_of(page, shown.own, content.beside)
    size, words = _chars(page, own), main_words(page, own, shown.url)
    if words is None:
        return CONTENT
    is_short = size < max(_SHORT, content.chars // 2)
    may_be_guarded = is_short and any(word in shown.source for word in GUARDS)
    is_shared = shown.is_shared(words)
    if size < _FEW or may_be_guarded or is_shared:
        gates = shown.gates(shown.learnt.signature.marks - content.around)
        if (gates.guarded or gates.dialog) and is_short:
            return WALL
        if size < _FEW and _has_things(page, own, gates):
            return UNKNOWN
        if size < _FEW and (gates.hollow or not size):
            return _without_text(gates)
        if is_shared:
            return _of_shared(page, gates)
    return CONTENT if size > max(_FEW, content.chars // 2) else UNKNOWN


def _of_unknown(shown: Shown) -> str:
    """Return what a page is if too little is known of its site, or copies of one page are all that is known."""
    page, read = shown.page, are_read(shown.page)
    size = _chars(page, read)
    if size > _MOST:
        return UNKNOWN
    # Whether it is known what pages of the site have shown in place of content.
    is_compared = shown.learnt.content.shared or (shown.answers is not None and shown.url)
    words = main_words(page, shown.own, shown.url) if is_compared else None
    is_shared = words is not None and bool(words.text) and shown.is_shared(words)
    if size >= _SHORT and not is_shared:
        return UNKNOWN
    gates = shown.gates(frozenset())
    if size < _FEW and gates.hollow and not _has_things(page, read, gates):
        return _without_text(gates)
    if size < _SHORT and gates.noindex and gates.has_password:
        return WALL
    if not is_shared:
        return UNKNOWN
    if gates.scripts and gates.hollow and not gates.guarded:
        return SHELL
    # Amid the links of the site, a dialog may be that of any page: all pages that are known have it.
    return _of_shared(page, gates._replace(dialog=gates.dialog and len(gates.links) < _LINKS))


def is_common(count: Any, different: int) -> Any:
    """Return whether most pages have a block, by their number; takes arrays, too."""
    return (2 * count > different) & (count > 1)


def main_words(page: Page, own: Flags, url: str = "") -> Words | None:
    """Return the words by which a page is compared; None for a text that no wall has."""
    if _chars(page, own) > _MOST:
        return None
    said = "\n".join(page.texts[block] for block in np.flatnonzero(own).tolist())
    text, identifiers = _IDENTIFIER.subn(" ", said)
    if identifiers > _IDENTIFIERS:
        return None
    asked = words_of(url)  # left out, as a message may name the page that was asked for
    images = (key & _HASH for key in page.keys[own & (page.numbers[:, IMAGES] > 0)].tolist())
    words = {*map(_hashed, set(words_of(text)).difference(asked)), *images}
    priced = np.flatnonzero(own & (page.numbers[:, FIGURES] & PRICED > 0)).tolist()
    prices = {_hashed(amount) for block in priced for amount in _AMOUNT.findall(page.texts[block])}
    numbers = map(_hashed, {*_NUMBER.findall(said)}.difference(_AMOUNT.findall(url)))
    return Words(_least({*_title_words(page, asked), *prices}), _least(words), _least(numbers))


def _title_words(page: Page, asked: Iterable[str] = ()) -> frozenset[int]:
    title = page.texts[0] if len(page.keys) and page.tags[page.nodes[0]] == "title" else ""
    return _least(map(_hashed, set(words_of(_IDENTIFIER.sub(" ", title[:_SHORT]))).difference(asked)))


def are_alike(one: Words, other: Words) -> bool:
    is_other = min(map(len, (one.numbers - other.numbers, other.numbers - one.numbers))) >= _DIFFERENT
    alike = len(one.text & other.text) >= _ALIKE * len(one.text | other.text)
    return one.title == other.title and alike and not is_other


def _least(words: Iterable[int]) -> frozenset[int]:
    return frozenset(sorted(words)[:_WORDS])


@lru_cache(20_000)  # pages of a site share most of their words
def _hashed(word: str) -> int:
    return hash32(word.encode("utf-8", "replace"))


def _that_say_the_same(pages: Sequence[Page], own: Mapping[Page, Flags]) -> list[list[Page]]:
    """Return the pages that say the same as enough others, in groups."""
    titles = {page: _title_words(page) for page in pages}
    on_pages = Counter(titles.values())
    groups: list[tuple[Words, list[Page]]] = []
    for page in pages:
        words = main_words(page, own[page]) if on_pages[titles[page]] >= _ENOUGH else None
        if words is None:
            continue
        alike = next((members for known, members in groups if are_alike(known, words)), None)
        if alike is not None:
            alike.append(page)
        elif len(groups) < _GROUPS:
            groups.append((words, [page]))
    return [members for _, members in groups if len(members) >= _ENOUGH][:_TEXTS]


def _own_blocks(page: Page, own: Flags, stays: Flags) -> list[_Block]:
    columns = page.slots[page.nodes], page.tag_paths[page.nodes], page.numbers[:, CHARS], stays
    return list(zip(*(column[own].tolist() for column in columns), strict=True))


def _of_several(judged: Sequence[Sequence[_Block]], by: int) -> tuple[frozenset[int], frozenset[int]]:
    """Return the places, as one of their paths, with own text on several pages that mostly stays, and where it goes."""
    votes: Counter[int] = Counter()
    pages: Counter[int] = Counter()
    for blocks in judged:
        for block in blocks:
            votes[block[by]] += block[_SIZE] if block[_STAYS] else -block[_SIZE]
        pages.update({block[by] for block in blocks if block[_STAYS]})
    slots = frozenset(place for place, count in pages.items() if count > 1 and votes[place] > 0)
    return slots, frozenset(place for place, vote in votes.items() if vote < 0)


def _chars_at(blocks: Iterable[_Block], places: Set[int]) -> int:
    return sum(size for slot, path, size, _ in blocks if slot in places or path in places)


def _out_of(page: Page, flags: Flags, places: Set[int]) -> Flags:
    """Return the marked blocks that are in none of some places: style paths or tag paths."""
    nodes = page.nodes[flags]
    found = flags.copy()
    paths = zip(page.slots[nodes].tolist(), page.tag_paths[nodes].tolist(), strict=True)
    found[flags] = [not (slot in places or path in places) for slot, path in paths]
    return found


def _chars(page: Page, flags: Flags) -> int:
    return int(page.numbers[flags, CHARS].sum())


def _around(page: Page, slots: frozenset[int]) -> Iterator[int]:
    """Return the slots of the elements around slots."""
    slot_of, around = page.slots.tolist(), set[int]()
    for node in range(len(slot_of) - 1, 0, -1):
        if slot_of[node] in slots or node in around:
            around.add(page.parents[node])
    return map(slot_of.__getitem__, around)


def _without_text(gates: Gates) -> str:
    """Return what a page with next to no text of its own is. A page that only has scripts and forbids lists tests."""
    if not (gates.scripts or gates.hollow):
        return UNKNOWN
    return WALL if gates.noindex and not gates.links else SHELL


def _of_shared(page: Page, gates: Gates) -> str:
    """Return what a page is that says the same as pages at other addresses."""
    if gates.guarded or gates.dialog:
        return WALL
    said = (page.texts[block] for block, node in enumerate(page.nodes.tolist()) if page.tags[node] in _TITLES)
    for found in filter(None, map(_CODE.search, said)):
        return MISSING if found["missing"] else WALL
    leads_back = "/" in gates.links or len(gates.links) >= _LINKS
    return MISSING if leads_back and not gates.buttons else WALL


def _has_things(page: Page, own: Flags, gates: Gates) -> bool:
    return gates.media or bool(page.numbers[own, IMAGES].any())
