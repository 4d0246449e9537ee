"""Set apart the texts of inline elements that a page shows as boxes side by side, without white space in its HTML.

Labels, buttons and options are boxes. Classes and styles make others, and links or prices that touch are two: no page
links the parts of a word. Letters with elements of their own stay together.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice, pairwise

from lxml import etree

from scrapy_blockfilter.html.nearby import few_nodes, text_of
from scrapy_blockfilter.html.tags import is_structural
from scrapy_blockfilter.render.addresses import CONTROL
from scrapy_blockfilter.text.dates_and_prices import LONGEST, PRICED, meaning_of_figures
from scrapy_blockfilter.text.normal_form import lettered

_BOXES = frozenset({"label", "button", "kbd", "option"})
_WHOLE = _BOXES | {"time"}  # with no part of a word or number in another element
INLINE = (
    *("a", "span", "label", "button", "option", "b", "strong", "small", "em", "i", "time", "data", "mark", "cite"),
    *("del", "ins", "kbd", "s", "strike", "u"),
)
_STRUCK = frozenset({"del", "s", "strike"})
_FOR_EARS = re.compile(r"(?:^|\s)(?:sr-only|visually-?hidden|screen-reader-(?:only|text))(?=$|\s)")
_NOTE = re.compile(r"[A-Z]?\d{1,3}|[ivxl]{1,7}|\[\w{1,4}\]")  # the mark of one, linked to where it is noted
_PARAGRAPH = re.compile(r"[\[(]?(?:\d{1,3}[a-z]?|[a-z])[)\].]")  # the number of one
_ICON = re.compile(r"(?:^|[\s_-])(?:icons?|ico|fa[brs]?|bi|mdi|glyphicon)(?=$|[\s_-])")
_CAMEL_CASE = re.compile(r"(?<=[a-z])(?=[A-Z])")
# Classes of boxes, of elements with a distance to others, and of elements whose children are boxes.
_NAMED = re.compile(
    r"(?:^|[\s:_-])(?:badge|btn|button|tag|chip|pill|label|col|cell|box|tab|item|value|block|flex|grid)s?(?=$|[\s_-])"
)
_DISTANT = re.compile(r"(?:^|[\s:])[mp][trblxyse]?-(?:\d|auto|px|\[)")
_FLEX = re.compile(r"(?:^|[\s:])(?:d-|inline-)?(?:flex|grid)(?=$|\s)")
_ROW = re.compile(
    r"(?:^|[\s:_-])(?:flex|grid|row|[hv]?stack|columns|group|inline|wrap|breadcrumbs?|tags|chips|badges|pills|tabs|buttons"
    r"|labels|toolbar)(?=$|\s)|(?:^|[\s:])(?:gap|space)-"
)
_ROLES = frozenset({"button", "cell", "listitem", "menuitem", "option", "tab"})
_SHOWN_AS_BOX = re.compile(r"\bdisplay\s*:\s*(?:inline-)?(?:block|flex|grid|table)\b")
_SHOWN_AS_ROW = re.compile(r"\bdisplay\s*:\s*(?:inline-)?(?:flex|grid)\b")
_HAS_EDGES = re.compile(r"(?i)\b(?:margin|padding)(?:-[a-z]{1,20})?\s*:[^;]{0,40}[1-9]|\bfloat\s*:\s*(?:left|right)")
# Nodes of a box, its siblings and ancestors, elements in the one around it, and marks of a letter that are looked at.
_NODES, _NEAR, _LEVELS, _BESIDE, _MARKS = 30, 4, 5, 9, 9
_EMPTY = frozenset({"img", "svg", "i", "span", "input", etree.Comment})
_CODE = frozenset({"pre", "code", "samp", "kbd"})
_LABEL, _HOUR = re.compile(r"[^\W\d]{2}:\Z"), re.compile(r"\d{1,2}:\d\d(?!\d)")
# Signs behind a number that ends, a number with parts, and one that may be the hundredths of another.
_UNITS, _IN_PARTS, _CENTS = "%°′″", re.compile(r"\d[.,:/]\d"), re.compile(r"\d\d(?![\d.,-])")
# Scripts without spaces between words, and Thai with its neighbours.
_SPACELESS = re.compile("[\u0e00-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")


class Looked:
    """Remembers elements around others: whether they are code, and what :func:`_arranges` says of them."""

    def __init__(self) -> None:
        self.is_code, self.arranges, self.is_row_of_many = cache(_is_code), cache(_arranges), cache(_is_row_of_many)


def set_apart(root: etree._Element) -> bool:
    """Put a space between the texts of boxes that touch, and return whether any do."""
    has_touching = False
    looked = Looked()
    for element in root.iter(*INLINE, "svg"):
        for before, place, text in touching(element, looked):
            setattr(before, place, text)
            has_touching = True
    return has_touching


def parted(elements: Iterable[etree._Element]) -> dict[tuple[etree._Element, str], str]:
    """Return the texts that :func:`set_apart` would set: an element, "text" or "tail", and the text with a space."""
    texts: dict[tuple[etree._Element, str], str] = {}
    looked = Looked()
    for element in elements:
        for before, place, text in touching(element, looked) if element.tag in INLINE else ():
            following = _next(before) if text == " " else None
            if following is None:
                texts[before, place] = text
            elif (first := next((inner for inner in few_nodes(following, _NODES) if inner.text), None)) is not None:
                texts[first, "text"] = f" {first.text}"
    return texts


def touching(element: etree._Element, looked: Looked) -> Iterator[tuple[etree._Element, str, str]]:
    """Yield the texts at an inline element's edges that need a space: an element, "text" or "tail", and a value."""
    around = element.getparent()
    if around is None:
        return
    tail, before = element.tail or "", _before(element)
    text = _text_behind(before, around)
    following = None if tail else _next(element)
    is_before, is_behind = _ends(text), _begins(tail)
    if element.tag == "svg" or (is_before and is_behind and _is_icon(element)):
        if is_before and is_behind and not (_is_spaceless(text, tail) or looked.is_code(around)):
            yield element, "tail", CONTROL.sub("", f" {tail}")
        return
    if (following is None and not (is_before or is_behind)) or looked.is_code(around):
        return
    if following is not None and _are_boxes(element, following, looked):
        yield element, "tail", " "
    if not (is_before or is_behind):
        return
    is_box = element.tag in _BOXES or looked.arranges(around)[1] or bool(_FOR_EARS.search(_names_of(element)))
    said = _said(element)
    is_note = not text.strip() and element.get("href", "")[:1] == "#" and _NOTE.fullmatch(said) is not None
    if is_behind and (is_note or (len(said) > 1 and (_ends(said) if is_box else _are_value_and_more(said, tail)))):
        yield element, "tail", CONTROL.sub("", f" {tail}")
    if is_before and _begins(said) and (is_box or _are_value_and_more(text, said)):
        yield *((around, "text") if before is None else (before, "tail")), CONTROL.sub("", f"{text} ")


def touches_text(element: etree._Element) -> bool:
    """Return whether there is text right before or behind an element."""
    around = element.getparent()
    before = "" if around is None else _text_behind(element.getprevious(), around)
    return any(map(str.strip, (before, element.tail or "")))


def is_in_sentence(element: etree._Element) -> bool:
    """Return whether a custom element holds words, or nothing, in text that goes on: a space or sign is in between."""
    around, before, said = element.getparent(), element.getprevious(), _said(element)
    # What stands for a part that is stripped has no attributes.
    is_part = said[-1] not in ".!?" if said else not len(element) and element.keys() != []
    if around is None or not is_part or any(is_structural(str(node.tag)) for node in element.iterdescendants()):
        return False
    text, tail = _text_behind(before, around), element.tail or ""
    ends = is_structural(str(around.tag))  # or the text of the element around touches another
    touches = (not text and not (ends and before is None)) or (not tail and not (ends and element.getnext() is None))
    texts = [part for part in (text, said, tail) if part.strip()]
    is_apart = not any(_ends(one) and _begins(other) for one, other in pairwise(texts))
    return is_apart and not touches and len(texts) > 1


def _text_behind(before: etree._Element | None, around: etree._Element) -> str:
    """Return the text behind an element, or at the start of the one around."""
    return (around.text if before is None else before.tail) or ""


def _before(element: etree._Element) -> etree._Element | None:
    """Return the element before another, passing over empty elements without a text behind them."""
    before = element.getprevious()
    for _ in range(_NEAR):
        if before is None or before.tail or len(before) or before.text:
            break
        before = before.getprevious()
    return before


def _next(element: etree._Element) -> etree._Element | None:
    """Return the inline element behind another, with nothing but drawings, controls and comments in between."""
    for following in islice(element.itersiblings(), _NEAR):
        if following.tag in INLINE and (len(following) or following.text):
            return following
        if following.tail or following.tag not in _EMPTY:
            break
    return None


def _are_boxes(one: etree._Element, other: etree._Element, looked: Looked) -> bool:
    said = _said(one), _said(other)
    if _begins(said[1]) and _are_value_and_more(*said):
        return True
    if not (_ends(said[0]) and _begins(said[1])):
        return False
    around = one.getparent()
    is_row = around is not None and looked.arranges(around)[0]
    named = [_NAMED.search(_names_of(element)) is not None for element in (one, other)]
    if all(named) or not _WHOLE.isdisjoint({one.tag, other.tag}) or _LABEL.search(said[0]) or _are_two_numbers(*said):
        return True
    if around is not None and looked.is_row_of_many(around) and not "".join(said).isdigit():
        return len(said[0]) > 1 or (len(said[1]) > 1 and not said[1][0].islower())
    if all(element.tag == "a" and element.get("href") for element in (one, other)):
        return is_row or not _is_spaceless(*said)
    if _differ_by_class(one, other, *said):
        return True
    if one.tag in _STRUCK and other.tag == "ins" and around is not None:  # of words, not of letters
        return not (_last(_text_behind(_before(one), around)).isalnum() or _is_spaceless(*said))
    if 1 in map(len, said):  # letters of a word, or a first letter that is drawn large
        return is_row and not said[1][0].islower() and not any(map(str.isdigit, said))
    return is_row or any(named) or _begins_anew(*said) or any(map(_has_edges, (one, other)))


def _is_row_of_many(element: etree._Element) -> bool:
    """Return whether an element and two beside it have the same inline elements, and no text but theirs."""
    near = (*islice(element.itersiblings(preceding=True), _NEAR), *islice(element.itersiblings(), _NEAR))
    shape = _shape(element)
    return len(shape) > 2 and list(map(_shape, near)).count(shape) > 1


def _shape(element: etree._Element) -> list[object]:
    """Return the tags of an element and of the inline elements in it, none if it has other text or elements."""
    parts = [*islice(element, _BESIDE)]
    texts = (element.text, *(part.tail for part in parts))
    is_other = any(part.tag not in INLINE for part in parts) or any(text and not text.isspace() for text in texts)
    return [] if is_other else [part.tag for part in (element, *parts)]


def _are_two_numbers(one: str, other: str) -> bool:
    """Return whether a number ends and another one begins: each has parts or words of its own."""
    if not other[0].isdigit() or one[-1] in _UNITS:
        return other[0].isdigit()
    have_words = all(" " in text and any(map(str.isalpha, text)) for text in (one, other))
    is_new = (have_words and not _CENTS.match(other)) or all(map(_IN_PARTS.search, (one.split()[-1], other.split()[0])))
    return one[-1].isdigit() and is_new


def _begins_anew(one: str, other: str) -> bool:
    """Return whether texts change from small letters to a capital or digit, as no word does but a name in two parts."""
    first, last = other[0], one[-1]
    is_edge = (last.islower() and (first.isupper() or first.isdigit())) or (last.isdigit() and first.isupper())
    return is_edge and any(" " in text for text in (one, other))


def _differ_by_class(element: etree._Element, following: etree._Element, one: str, other: str) -> bool:
    """Return whether elements of different classes fill their parent, and no word or number goes on in the second.

    Parts of a word that have classes of their own are mostly short, as are ends of numbers.
    """
    around = element.getparent()
    if around is None or element.get("class") == following.get("class"):
        return False
    if any(map(str.strip, filter(None, (around.text, *(part.tail for part in islice(around, _BESIDE)))))):
        return False
    if one[-1] == ":" or " " in one:
        one = one.rstrip(".,:;!?")
    if _PARAGRAPH.fullmatch(one) and other[0].isalpha():
        return True
    if not (_last(one).isalnum() and other[0].isalnum()) or (one[-1].isdigit() and other[0].isdigit()):
        return False
    if _is_spaceless(one, other):
        return False
    is_name = following.tag == "a" and other[0].isupper()  # behind the sign of its kind
    return is_name or all(len(word) > 2 or word.isdigit() for word in (one.split()[-1], other.split()[0]))


def _are_value_and_more(one: str, other: str) -> bool:
    """Return whether texts that touch are two prices, a price and a word, or a time of day and more."""
    if _is_spaceless(one, other):
        return False
    (*_, before), (behind, *_) = one.split() or [""], other.split() or [""]
    if min(len(before), len(behind)) > 1 and (_HOUR.match(behind) or _HOUR.fullmatch(before)):
        return True
    is_word = len(before) > 1 and lettered(before).isalpha()
    if _is_priced(" ".join(one.split()[-2:])) and not (is_word and _is_priced(one[: -len(before)])):
        return (len(behind) > 1 and lettered(behind[:2]).isalpha()) or _is_priced(" ".join(other.split()[:2]))
    return is_word and _is_priced(" ".join(other.split()[:2]))


def _is_spaceless(one: str, other: str) -> bool:
    """Return whether texts that touch are of scripts without spaces."""
    return _SPACELESS.match(one[-1:]) is not None and _SPACELESS.match(other) is not None


def _is_priced(text: str) -> bool:
    return bool(text and meaning_of_figures(text[-LONGEST:]) & PRICED)


def _is_icon(element: etree._Element) -> bool:
    """Return whether an element is empty, and has a class of drawings."""
    return not len(element) and not element.text and _ICON.search(_names_of(element)) is not None


def _has_edges(element: etree._Element) -> bool:
    style = element.get("style", "")
    shown = _SHOWN_AS_BOX.search(style) or _HAS_EDGES.search(style) or _DISTANT.search(element.get("class", ""))
    return shown is not None or element.get("role") in _ROLES


def _is_code(element: etree._Element) -> bool:
    return any(around.tag in _CODE for around in (element, *islice(element.iterancestors(), _LEVELS)))


def _arranges(element: etree._Element) -> tuple[bool, bool]:
    """Return whether an element shows elements in it as boxes, and text beside them, too."""
    names, style = _names_of(element), element.get("style", "")
    is_flex = _FLEX.search(names) is not None or _SHOWN_AS_ROW.search(style) is not None
    return is_flex or _ROW.search(names) is not None, is_flex


def _names_of(element: etree._Element) -> str:
    return _CAMEL_CASE.sub("-", element.get("class", "")).lower()


def _last(text: str) -> str:
    """Return the last letter or sign of a text, and a letter if it is a mark."""
    return lettered(text[-_MARKS:])[-1:]


def _ends(text: str) -> bool:
    """Return whether a space may stand behind a text. A sign that belongs to the next word stays with it."""
    last = text[-1:] if text.isascii() else _last(text)
    return last != "" and (last.isalnum() or last in ".!?:;,%°′″" or unicodedata.category(last) in ("Pe", "Pf", "So"))


def _begins(text: str) -> bool:
    """Return whether a space may stand before a text. A sign that belongs to the word before stays with it."""
    first = text[:1] if text.isascii() else lettered(text[:_MARKS])[:1]
    return first != "" and (first.isalnum() or first in "#@" or unicodedata.category(first) in ("Ps", "Pi", "So", "Sc"))


def _said(element: etree._Element) -> str:
    """Return the text of an element, "" if it has many others in it."""
    return text_of(few_nodes(element, _NODES)).strip()
