"""Spell out markup that has a meaning in words, and strip marks that are on a page for the eyes alone.

Text and Markdown are written from a tree that is spelled out. ``x<sup>2</sup>`` would read as x2 without its sign, a
ruby would run into its base, and a formula of MathML or of an image would be lost. Signs of permanent links, numbers of
lines beside code, images that only take up space, and a heading of contents whose list is stripped would be dirt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from lxml import etree

from scrapy_blockfilter.html import Page, UnfitPage
from scrapy_blockfilter.html.caches import PageCaches
from scrapy_blockfilter.html.columns import CHARS, LINK_CHARS
from scrapy_blockfilter.html.listings import LINENUMS
from scrapy_blockfilter.html.nearby import few_nodes, text_of
from scrapy_blockfilter.html.permalinks import is_permalink
from scrapy_blockfilter.html.reader import segment
from scrapy_blockfilter.html.tags import HEADINGS
from scrapy_blockfilter.render.addresses import CONTROL, address_of
from scrapy_blockfilter.render.code import CODE_CLASSES, GONE, KEEPS_SPACES, SPACES, drop_gutters, plain_listings
from scrapy_blockfilter.render.code_language import drop_labels, is_label
from scrapy_blockfilter.render.images import is_spacer
from scrapy_blockfilter.render.markdown_math import LATEX_IN, Formula, formula_of, name_formulas, second_forms
from scrapy_blockfilter.render.side_by_side import may_touch, set_apart

_CONTENTS = frozenset(
    [
        *("contents", "table of contents", "on this page", "inhalt", "inhaltsverzeichnis", "sommaire"),
        *("table des matières", "índice", "contenido", "indice", "conteúdo", "inhoud", "spis treści"),
        *("содержание", "оглавление", "目次", "目录"),
    ]
)
# A page whose HTML and text have none of these has nothing to spell out, and its text is read as it is.
# Flags that ignore case would double its time.
_TO_SPELL = re.compile(
    r"<(?:[sS][uU][bBpP]\b|[mM][aA][tT][hH]\b|[rR][tT]\b|[sS][cC][rR][iI][pP][tT] [^<>]{0,100}math/tex"
    r"|[iI][mM][gG] [^<>]{0,300}(?:class=[\"']?[\w -]{0,40}\b(?:tex|math\w*|formula|equation)\b"
    r"|latex|mimetex|mathtex|tex\.cgi|/math/render|texrender))"
)
# Names of what numbers the lines of code; a page with none of these has no numbers to drop.
_LINE = re.compile("line(?:no|num|-num|-highlight|(?<=data-line))")
_LN = re.compile("ln(?:(?<=[\"'= ]ln)|(?<=hljs-ln))")
# Classes of text for screen readers, which says what a link does; of links to edit a section of a wiki.
_UNSEEN = ("sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text")
_EDITING = frozenset({"mw-editsection", "editsection"})
# A page whose source has none of these has no link to edit a section, and no named formula.
_EDITED, _NAMING_LATEX = "editsection", [f"{name}=" for name in LATEX_IN]
_SPELLED = ("a", "img", "sup", "sub", "rt", "rp", "br")
# Text in a link beside an element with a class: most such elements are the only text of a link, beside a picture.
_PART = (
    r"<(?:span|small|em|i|b|div)\s[^<>]{0,100}class=[\"']?[^<>\"']{0,60}"
    rf"(?:{'|'.join(sorted(_UNSEEN))})[^<>]{{0,60}}>"
)
_IN_TEXT_OF_LINK = re.compile(
    rf"<a\s[^<>]{{0,500}}>\s*(?:[^<>\s][^<>]{{0,200}}{_PART}|{_PART}[^<>]{{0,200}}</\w+>\s*[^<>\s])", re.IGNORECASE
)
_SIGNS_OF_LINKS = "¶§🔗⚓∞↩↑⤴"
_AT_EDGES = ("#", "^", "\\", "\u200b")
_HASH_ALONE = re.compile(r">\s*#\s*<")  # a link's; other lines begin with a hash in code, and hashtags do
# A page has one heading of contents; each that is looked at costs a pass over the page.
_MOST_CONTENTS = 5
_NEXT_TEXT = etree.XPath("(following::text()[normalize-space() and not(parent::script or parent::style)])[1]")
# Signs behind a note that lead back to where it is noted.
_BACK = re.compile(r"[↩↑⤴^]\ufe0e?")
# Raised letters that are no power: ends of ordinal numbers and of shortened words.
_ORDINAL = frozenset(
    ["st", "nd", "rd", "th", "d", "e", "er", "re", "ère", "ème", "eme", "ième", "o", "os", "a", "º", "ª"]
)
_ENDING = frozenset(["me", "mme", "mlle", "lle", "o", "os", "te", "ve", "gr", "tm", "sm", "md", "mc", "r", "c"])
_NUMBER = re.compile(r"\w{1,4}")
_SIGNS = frozenset("*†‡§™®℠©")
# A word behind which a raised number is a note. Units and variables are shorter.
_LONG_WORD = re.compile(r"[^\W\d_]{4}\Z")
_BEFORE = frozenset(")]}|.,;:!?\"'”’»…%°")
_STOPS = frozenset(".,;:!?\"'”’»…")
_MOST_PARTS = 6  # elements in a SUP that gets a sign
_PLAIN = re.compile(r"[-−+]?\w+[-−+]?|[-−+*†‡′″°]{1,3}")
_LONGEST = 40  # characters of a SUP that gets a sign


class Signs(NamedTuple):
    """Signs in the source of a page: searches for what it cannot have are spared.

    Attributes:
        source: the HTML, None if it is not known.
        touches: texts of boxes may touch.
    """

    source: str | None = None
    touches: bool = True

    def has_any(self, names: Iterable[str]) -> bool:
        """Return whether the page may have one of some names."""
        return self.source is None or any(name in self.source for name in names)

    def is_numbered(self) -> bool:
        """Return whether lines of code may have numbers."""
        return self.source is None or _is_numbered(self.source)


_ALL_SIGNS = Signs()


def for_text(root: etree._Element, signs: Signs = _ALL_SIGNS, known: PageCaches | None = None) -> Page | None:
    """Return the page that the text of a clean tree is read from, and change the tree; None if it cannot be read.

    Args:
        known: caches of pages with the same style paths.
    """
    try:
        for element, formula in spelled_out(root, signs).items():
            element.clear(keep_tail=True)
            element.tag = "div" if formula.is_apart else "span"
            element.text = CONTROL.sub("", formula.words)
        if next(root.iter("sup"), None) is not None:
            _bracket_notes(root.iter("a"))
        strip_gone(root)
        return segment(root, known or PageCaches())
    except UnfitPage:
        return None


def signs_in(html: str, page: Page, keep: Sequence[bool], text: str) -> Signs | None:
    """Return the signs that a page has something to spell out, None if it has nothing.

    Args:
        html: its source.
        keep: which of its blocks stay.
        text: its text as it is.
    """
    touches = may_touch(html, text)
    return Signs(html, touches) if touches or _is_to_spell(html, page, keep, text) else None


def _is_to_spell(html: str, page: Page, keep: Sequence[bool], text: str) -> bool:
    """Return whether a page has something to spell out. A search of its source takes longest, so it comes last."""
    tags, lines = page.tags, text.splitlines()
    edges = [line for line in lines if _may_go(line)]
    return (
        "code" in tags
        or any(sign in text for sign in _SIGNS_OF_LINKS)
        or any("#" not in (line[0], line[-1]) for line in edges)
        or _has_link_at_heading(page, keep)
        or ("pre" in tags and (any(map(is_label, lines)) or _is_numbered(html)))
        or (len(edges) > 0 and _HASH_ALONE.search(html) is not None)
        or any(name in html for name in (_EDITED, *_NAMING_LATEX))
        or ("ol" in tags and LINENUMS in html)
        or ("table" in tags and CODE_CLASSES.search(html) is not None)
        or (SPACES in html and KEEPS_SPACES.search(html) is not None)
        or (any(name in html for name in _UNSEEN) and _IN_TEXT_OF_LINK.search(html) is not None)
        or _TO_SPELL.search(html) is not None
    )


def _is_numbered(html: str) -> bool:
    return (
        _LINE.search(html) is not None
        or _LN.search(html) is not None
        or any(name in html for name in ("gutter", "user-select", "select-none"))
    )


def _has_link_at_heading(page: Page, keep: Sequence[bool]) -> bool:
    """Return whether a link is a part of a heading, or a short text beside a heading."""
    kept = np.flatnonzero(keep)
    chars, linked = page.numbers[kept, CHARS], page.numbers[kept, LINK_CHARS]
    is_link = (linked > 0) & (linked == chars) & (chars <= _LONGEST)
    beside = np.append(is_link[1:], False) | np.append(False, is_link[:-1])
    may_have = ((linked > 0) & (linked < chars)) | (beside & (linked == 0))
    return any(page.tags[node] in HEADINGS for node in page.nodes[kept[may_have]].tolist())


def _may_go(line: str) -> bool:
    if len(line) <= _LONGEST and line.casefold().rstrip(": ") in _CONTENTS:
        return True
    return line.startswith(_AT_EDGES) or line.endswith(_AT_EDGES)


def spelled_out(root: etree._Element, signs: Signs = _ALL_SIGNS) -> dict[etree._Element, Formula]:
    """Spell out a tree, mark elements that go as :data:`GONE`, and return the elements that are formulas."""
    nodes = list(root.iter())  # lxml lets go of an element by climbing to one that is held, or to the root
    plain_listings(root, keeps_spaces=signs.has_any((SPACES,)))
    if next(root.iter("pre", "code"), None) is not None and signs.is_numbered():
        drop_gutters(root)
    drop_labels(root)
    if signs.has_any(_NAMING_LATEX):
        name_formulas(root)
    formulas = _formulas(root)
    found = list(root.iter(*_SPELLED))  # in one walk: an element that is gone meanwhile has another tag
    for link in (element for element in found if element.tag == "a"):
        href = link.get("href", "")
        if "#" not in href:
            continue
        if is_permalink(link) or (href.startswith("#") and _BACK.fullmatch((link.text or "").strip())):
            link.tag = GONE
    raised = [element for element in found if element.tag in ("sup", "sub")]
    if raised:
        links = (element for element in found if element.tag == "a")
        _bracket_notes(link for link in links if not address_of(link.get("href"), ""))
    for image in (element for element in found if element.tag == "img"):
        if image not in formulas and not image.get("alt", "").strip() and is_spacer(image):
            image.tag = GONE
    for element in raised:
        _spell_raised(element)
    readings = [element for element in found if element.tag in ("rt", "rp")]
    with_brackets = {bracket.getparent() for bracket in readings if bracket.tag == "rp"}
    for reading in readings:
        if reading.getparent() not in with_brackets:
            _put_around(reading, "(", ")")
    if signs.has_any((_EDITED, *_UNSEEN)):
        _drop_small_parts(root)
    if signs.touches:
        set_apart(root)
    _drop_backslashes([element for element in found if element.tag == "br"])
    del nodes
    return formulas


def strip_gone(root: etree._Element, *others: str) -> None:
    """Strip marked elements, others by their tags, and headings of contents with nothing below them."""
    etree.strip_elements(root, GONE, *others, with_tail=False)
    headings = (found for found in root.iter(*HEADINGS) if _short_text(found).casefold().rstrip(": ") in _CONTENTS)
    for heading in list(islice(headings, _MOST_CONTENTS)):
        following = _next_heading(heading)
        if following is not None and following <= str(heading.tag):
            heading.tag = GONE
    etree.strip_elements(root, GONE, with_tail=False)


def _next_heading(heading: etree._Element) -> str | None:
    """Return the tag of the heading that the next text is in, "" at the end of the page, None for other text."""
    for text in _NEXT_TEXT(heading):
        element = text.getparent()
        around = [element, *element.iterancestors()][text.is_tail :]
        return next((str(outer.tag) for outer in around if outer.tag in HEADINGS), None)
    return ""


def _formulas(root: etree._Element) -> dict[etree._Element, Formula]:
    """Return the formulas of a tree, and mark what shows them again. Whatever is in a MATH is a part of its formula."""
    formulas = {}
    parts: set[etree._Element] = set()
    looked_beside: set[etree._Element] = set()
    for element in list(root.iter("script", "math", "img")):
        if element.tag == GONE or element in parts:
            continue
        if element.tag == "math":
            parts.update(element.iter("script", "math", "img"))
        if formula := formula_of(element):
            formulas[element] = formula
            if (around := element.getparent()) is not None and around not in looked_beside:
                looked_beside.add(around)
                for shown_again in second_forms(element, around):
                    shown_again.tag = GONE
                for outer in (around, around.getparent()):
                    if outer is not None and str(outer.tag).startswith("mjx-"):
                        outer.tag = "span"  # elements of other names break lines
        elif element.tag != "img":
            element.tag = GONE
    return formulas


def _spell_raised(element: etree._Element) -> None:
    """Put the sign of a power or an index before a SUP or SUB, and brackets around the number of a note."""
    said = _short_text(element)
    before = _text_before(element)
    if not said or not (before[-1:].isalnum() or before[-1:] in _BEFORE) or _is_linked(element):
        return
    is_number = said.isdecimal()
    if element.tag == "sup":
        if said in _SIGNS or said.lower() in (_ORDINAL if before[-1].isdecimal() else _ENDING):
            return
        if is_number and (before[-1] in _STOPS or _LONG_WORD.search(before)):
            _put_around(element, "[", "]")
            return
    if before[-1] in _STOPS:
        return
    sign = "^" if element.tag == "sup" else "_"
    _put_around(element, *((sign, "") if _PLAIN.fullmatch(said) else (f"{sign}(", ")")))


def _bracket_notes(links: Iterable[etree._Element]) -> None:
    """Put brackets around the raised numbers of links: nothing else sets them apart from the word before."""
    for link in links:
        if (note := _raised_number(link)) is not None:
            _put_around(note, "[", "]")


def _raised_number(link: etree._Element) -> etree._Element | None:
    """Return the SUP of a link if it has only a number, or a letter, without brackets: that of a note."""
    around = link.getparent()
    raised = link if around is not None and around.tag == "sup" else link.find("sup")
    return raised if raised is not None and _NUMBER.fullmatch(_short_text(link)) else None


def _is_linked(element: etree._Element) -> bool:
    around = element.getparent()
    return (around is not None and around.tag == "a") or element.find("a") is not None


def _short_text(element: etree._Element) -> str:
    """Return the text of an element with few others in it, else ""."""
    said = text_of(few_nodes(element, _MOST_PARTS)).strip()
    return said if len(said) <= _LONGEST else ""


def _text_before(element: etree._Element) -> str:
    for previous in element.itersiblings(preceding=True):
        is_comment = not isinstance(previous.tag, str)
        if said := previous.tail or ("" if is_comment else _short_text(previous)):
            return said[-_LONGEST:]
        if not is_comment:
            return ""
    around = element.getparent()
    return ((around.text or "") if around is not None else "")[-_LONGEST:]


def _put_around(element: etree._Element, before: str, behind: str) -> None:
    """Put signs around the text of an element, without the control characters that lxml refuses."""
    element.text = before + CONTROL.sub("", element.text or "") + ("" if len(element) else behind)
    if len(element):
        element[-1].tail = CONTROL.sub("", element[-1].tail or "") + behind


def _drop_small_parts(root: etree._Element) -> None:
    """Drop what screen readers say of a link that shows text, and the links to edit a section."""
    for part in root.iter("span", "small", "em", "i", "b", "div"):
        if (named := part.get("class")) is None:
            continue
        classes = named.split()
        if not _EDITING.isdisjoint(classes) or (
            any(map(classes.__contains__, _UNSEEN)) and _is_beside_text_of_link(part)
        ):
            part.tag = GONE


def _is_beside_text_of_link(part: etree._Element) -> bool:
    """Return whether a link around an element has text of its own, before it or behind it."""
    around = part.getparent()
    if around is None or around.tag != "a":
        return False
    before = part.getprevious()
    return any((text or "").strip() for text in (around.text, part.tail, *(() if before is None else (before.tail,))))


def _drop_backslashes(line_ends: Iterable[etree._Element]) -> None:
    """Drop lines with a backslash alone, which old boards leave of their markup."""
    found = []
    for line_end in line_ends:
        before, around, following = line_end.getprevious(), line_end.getparent(), line_end.getnext()
        if (line_end.tail or "").strip() == "\\" and (following is None or following.tag == "br"):
            found.append((line_end, "tail"))
        if before is None and around is not None and (around.text or "").strip() == "\\":
            found.append((around, "text"))
    for element, place in found if len(found) > 1 else ():  # one may be meant
        setattr(element, place, None)
