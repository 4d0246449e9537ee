"""Spell out markup that has a meaning in words, and strip marks that are on a page for the eyes alone.

Text and Markdown are written from a tree that is spelled out. ``x<sup>2</sup>`` would read as x2 without its sign, a
ruby would run into its base, and a formula of MathML or of an image would be lost. Signs of permanent links, numbers of
lines beside code, images that only take up space, and a heading of contents whose list is stripped would be dirt.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice

from lxml import etree

from scrapy_blockfilter.html.nearby import few_nodes, text_of
from scrapy_blockfilter.html.permalinks import is_permalink
from scrapy_blockfilter.html.tags import HEADINGS, STRUCTURAL
from scrapy_blockfilter.render.addresses import CONTROL, address_of
from scrapy_blockfilter.render.code import CONTENTS, GONE, ByTag, drop_gutters, drop_labels, plain_listings
from scrapy_blockfilter.render.formulas import Formula, formula_of, name_formulas, second_forms
from scrapy_blockfilter.render.images import is_spacer
from scrapy_blockfilter.render.side_by_side import is_in_sentence, set_apart
from scrapy_blockfilter.text.dates_and_prices import PRICED, meaning_of_figures
from scrapy_blockfilter.text.normal_form import lettered

# Classes of text for screen readers, which says what a link does; of links to edit a section of a wiki.
_UNSEEN = frozenset({"sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text"})
_EDITING = frozenset({"mw-editsection", "editsection", "mw-cite-backlink"})
_CODE, _RAISED, _FORMULAS = frozenset({"pre", "code"}), frozenset({"sup", "sub"}), frozenset({"script", "math", "img"})
_PARTS = ("span", "small", "em", "i", "b", "div")
# A page has one heading of contents; each that is looked at costs a pass over the page.
_MOST_CONTENTS = 5
_NEXT_TEXT = etree.XPath("(following::text()[normalize-space() and not(parent::script or parent::style)])[1]")
# Signs behind a note that lead back to where it is noted.
_BACK = re.compile(r"[↩↑⤴^]\ufe0e?")
# Raised letters that are no power: ends of ordinal numbers and of shortened words.
_ORDINAL = frozenset(
    ["st", "nd", "rd", "th", "d", "e", "er", "re", "ère", "ème", "eme", "ième", "nde", "o", "os", "a", "º", "ª"]
)
_OF_ROMAN, _ROMAN = _ORDINAL - {"a", "d", "o"}, re.compile(r"\b[IVXLCDM]+\Z")  # those are powers of variables, too
_ENDING = frozenset(["me", "mme", "mlle", "lle", "o", "os", "te", "ve", "gr", "tm", "sm", "md", "mc", "r", "c"])
_NUMBER = re.compile(r"\w{1,4}")
# Names of notes in addresses, and the end of a text that a number of one touches. A comma may be in a list of numbers.
_OF_NOTE, _TOUCHED = re.compile(r"(?i)#[^#]{0,30}(?:note|fn|ftn|edn)"), re.compile(r"(?:[\w.!?”’»)]|[^\W\d][,;:])\Z")
_CJK = "\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3"
_SIGNS = frozenset("*†‡§™®℠©°′″")
# A word behind which a raised number is a note. Units and variables are shorter, and those of Chinese are metres.
_LONG_WORD = re.compile(rf"(?:[^\W\d_{_CJK}]{{4}}|[{_CJK}](?<![米里]))\Z")
_BEFORE = frozenset(")]}|.,;:!?\"'”’»…%°")
_STOPS = frozenset(".,;:!?\"'”’»…")
_QUOTES = frozenset("\"'“„”‘‚’«»‹›「『")
_MOST_PARTS = 6  # elements in a SUP that gets a sign
_PLAIN = re.compile(r"[-−+]?\w+[-−+]?|[-−+*†‡′″°]{1,3}|\([^()]*\)")
_LONGEST = 40  # characters of a SUP that gets a sign, and of a price with raised cents
_NOTES = re.compile(r"\d+(?:\s?[,–-]\s?\d+)*")  # numbers of them
_EMOJI = re.compile("[\u2600-\u27bf\u2b50\u200d\ufe0f\U0001f000-\U0001faff]{1,12}")
# A number or sign before a sentence, an address or a note. Symbols of elements, behind the number of one, are shorter.
_MARK, _WORD = re.compile(r"\d{1,3}|[a-z*†‡§¶]"), re.compile(r"[^\W\d_]{3}")
_FRACTION = re.compile(r"\d{1,3}\s?[/⁄∕]\s?\d{1,4}")
# Classes of the cents of a price; cents and the whole part, each perhaps with the decimal mark; levels to the currency.
_OF_CENTS = re.compile(r"(?i)cents\b|centimes\b|fraction|decimals?\b")
_CENTS, _WHOLE, _LEVELS = re.compile(r"[.,]?\d\d(?!\d)\D*"), re.compile(r"\d[\d.,' \xa0]{0,20}\Z"), 3
_NO_FIGURE = re.compile(r"\s?[^\d\s]{1,5}(?!\d)")  # behind cents, perhaps the currency


def spell_text(root: etree._Element) -> bool:
    """Spell out the tree of a clean page for its text, and return whether the text is another one than before."""
    formulas, has_changed = spelled_out(root)
    for element, formula in formulas.items():
        element.clear(keep_tail=True)
        element.tag = "div" if formula.is_apart else "span"
        element.text = CONTROL.sub("", formula.words)
    has_changed |= _bracket_notes(root.iter("a"))
    return strip_gone(root) or has_changed


def spelled_out(root: etree._Element) -> tuple[dict[etree._Element, Formula], bool]:
    """Spell out a tree, and mark elements that go as :data:`GONE`. Return formulas, and whether the text is changed."""
    nodes = list(root.iter())  # lxml lets go of an element by climbing to one that is held: a list frees its last first
    found = by_tag(nodes)
    changes = [plain_listings(root, found)]
    if any(changes) or not _CODE.isdisjoint(found):
        drop_gutters(root)
        drop_labels(root)
        changes.append(next(root.iter(GONE), None) is not None)
    changes.append(name_formulas((*found["span"], *found["div"])))
    if any(changes):
        found = by_tag(root.iter())
    formulas = {} if _FORMULAS.isdisjoint(found) else _formulas(root)
    for link in filter(leads_back, found["a"]):
        link.tag = GONE
        changes.append(has_text(link))
    raised = [] if _RAISED.isdisjoint(found) else list(root.iter(*_RAISED))
    if raised:
        changes.append(_bracket_notes(link for link in root.iter("a") if not address_of(link.get("href"), "")))
    for image in found["img"]:
        if image in formulas:
            continue
        if not image.get("alt", "").strip() and is_spacer(image):
            image.tag = GONE
        elif (sign := emoji_of(image)) and (_text_before(image).strip() or (image.tail or "").strip()):
            image.clear(keep_tail=True)
            image.tag, image.text = "span", sign
            changes.append(True)
    changes += map(_spell_raised, raised)
    changes += [_put_around(part, mark, "") for part in parts_of_cents(found) if (mark := mark_of_cents(part))]
    quotations = [part for part in found["q"] if not _is_quoted(part)]
    changes += [_put_around(part, '"', '"') for part in quotations]
    with_brackets = {bracket.getparent() for bracket in found["rp"]}
    changes += [
        _put_around(reading, "(", ")")
        for reading in found["rt"]
        if (around := reading.getparent()) not in with_brackets and has_text(reading)
        if around is not None and around.tag != "rp"  # one without an end tag
    ]
    small = small_parts(found)
    for part in small:
        part.tag = GONE
    in_line = [part for tag, parts in found.items() if "-" in str(tag) for part in parts if is_in_sentence(part)]
    for part in in_line:
        part.tag = "span"
    changes += set_apart(root), _drop_backslashes(found["br"]), _put_in_order(found["thead"], found["tfoot"])
    return formulas, any((*changes, formulas, found["rt"], found["rp"], small, in_line))


def by_tag(nodes: Iterable[etree._Element]) -> Mapping[object, list[etree._Element]]:
    """Return elements by their tag; a tag that is looked up is added."""
    found: dict[object, list[etree._Element]] = defaultdict(list)
    for node in nodes:
        found[node.tag].append(node)
    return found


def strip_gone(root: etree._Element, *others: str) -> bool:
    """Strip marked elements, others by tag, and headings of an empty table of contents. Return whether any goes."""
    etree.strip_elements(root, GONE, *others, with_tail=False)
    headings = (found for found in root.iter(*HEADINGS) if _short_text(found).casefold().rstrip(": ") in CONTENTS)
    has_headings = False
    for heading in list(islice(headings, _MOST_CONTENTS)):
        following = _next_heading(heading)
        if following is not None and following <= str(heading.tag):
            heading.tag, has_headings = GONE, True
    if has_headings:
        etree.strip_elements(root, GONE, with_tail=False)
    return has_headings


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
    for element in list(root.iter(*_FORMULAS)):
        if element.tag == GONE or element in parts:
            continue
        if element.tag == "math":
            parts.update(element.iter(*_FORMULAS))
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


def leads_back(link: etree._Element) -> bool:
    """Return whether a link leads to its own place, or from a note to where it is noted."""
    href = link.get("href", "")
    return "#" in href and (
        is_permalink(link) or (href.startswith("#") and _BACK.fullmatch((link.text or "").strip()) is not None)
    )


def has_text(element: etree._Element) -> bool:
    return any(map(str.strip, element.itertext()))


def _spell_raised(element: etree._Element) -> bool:
    """Put a sign before a SUP or SUB, or brackets around the number of a note. Return whether it gets any."""
    if (mark := mark_of_cents(element)) is not None:
        return _put_around(element, mark, "")
    said, twin = _short_text(element), element.getnext()
    is_twice = said and twin is not None and twin.tag == "span" and not element.tail and _short_text(twin) == said
    if is_twice and twin is not None and not _text_before(element, 0).strip():
        element.tag, twin.text = GONE, " "  # a note within the text, behind its mark
        return True
    before = lettered(_text_before(element))
    if element.tag == "sup" and not before[-1:].strip() and _MARK.fullmatch(said) and _WORD.match(element.tail or ""):
        return _put_around(element, "", " ")
    if not said or not (before[-1:].isalnum() or before[-1:] in _BEFORE) or _is_linked(element):
        return False
    if element.tag == "sup":
        endings = _ORDINAL if before[-1].isdecimal() else (_ENDING | _OF_ROMAN) if _ROMAN.search(before) else _ENDING
        if said in _SIGNS or said.lower() in endings:
            return False
        if _NOTES.fullmatch(said.strip("()")) and (before[-1] in _STOPS or _LONG_WORD.search(before)):
            return _put_around(element, *("" if said[0] == "(" else bracket for bracket in "[]"))
        if before[-1].isdecimal() and _begins_fraction(element, said):
            return _put_around(element, " ", "")
    if before[-1] in _STOPS or (said[0] == "[" and said[-1] == "]"):
        return False
    sign = "^" if element.tag == "sup" else "_"
    return _put_around(element, *((sign, "") if _PLAIN.fullmatch(said) else (f"{sign}(", ")")))


def _begins_fraction(element: etree._Element, said: str) -> bool:
    """Return whether a SUP is a fraction, or its upper number with a SUB behind it."""
    lower, whole = element.getnext(), said
    if lower is not None and lower.tag == "sub":
        whole += (element.tail or "").strip() + _short_text(lower)
    return any(map(_FRACTION.fullmatch, (said, whole)))


def emoji_of(image: etree._Element) -> str:
    """Return the ALT of an image if it has emoji alone, else ""."""
    alt = image.get("alt", "").strip()
    return alt if _EMOJI.fullmatch(alt) else ""


def parts_of_cents(found: ByTag) -> Iterator[etree._Element]:
    """Yield the elements that may hold the cents of a price, by their tag or class, but for raised ones."""
    yield from found.get("small", ())
    for part in chain.from_iterable(found.get(tag, ()) for tag in _PARTS if tag != "small"):
        if _OF_CENTS.search(part.get("class", "")):
            yield part


def may_lack_a_mark(element: etree._Element) -> bool:
    """Return whether an element may hold cents without a decimal mark, whatever is around it."""
    said = _short_text(element)
    return said[:1].isdigit() and _CENTS.fullmatch(said) is not None


def mark_of_cents(element: etree._Element) -> str | None:
    """Return the decimal mark that the cents of a price lack, "" if they have it, None for any other text.

    A browser shows cents smaller or higher. Without a mark, or with the sign of a power, they make another number.
    """
    said, before = _short_text(element), _text_before(element)
    if before in (".", ",") and (mark := element.getprevious()) is not None:
        before = _text_before(mark) + before
    whole = _WHOLE.search(before)
    if whole is None or not said:
        return None
    if not said[0].isdigit() and meaning_of_figures(whole[0] + said) & PRICED:
        return ""  # the currency, perhaps with cents behind it
    if not _CENTS.fullmatch(said):
        return None
    behind = _NO_FIGURE.match(element.tail or "")
    beside = f"{before.split()[-1]}.{said}{behind[0] if behind else ''}" if whole[0] != "10" else ""  # or a power
    shown = chain(map(_short_text, islice(element.iterancestors(), _LEVELS)), (beside,))
    if not any(meaning_of_figures(text) & PRICED for text in shown):
        return None
    if said[0] in ".," or before[-1] in ".,":
        return ""
    return "," if "." in whole[0] else "."


def _bracket_notes(links: Iterable[etree._Element]) -> bool:
    """Put brackets around the raised numbers of links, which nothing else sets apart. Return whether there are any."""
    noted = [_put_around(note, "[", "]") for note in map(number_of_note, links) if note is not None]
    return any(noted)


def number_of_note(link: etree._Element) -> etree._Element | None:
    """Return the SUP of a link, or the link, if it has only a number or letter, without brackets: that of a note."""
    around, raised = link.getparent(), link.find("sup")
    if around is not None and around.tag == "sup":
        raised = raised if "[" in (around.text or "") else link
    elif _OF_NOTE.search(link.get("href", "")) and _TOUCHED.search(_text_before(link)):
        raised = link if _short_text(link).isdecimal() else raised
    is_note = raised is not None and _NUMBER.fullmatch(said := _short_text(link)) and said == _short_text(raised)
    return raised if is_note else None


def _is_linked(element: etree._Element) -> bool:
    """Return whether an element has a link, or is all that a link has."""
    around = element.getparent()
    is_all = around is not None and around.tag == "a" and _short_text(around) == _short_text(element)
    return is_all or element.find("a") is not None


def _short_text(element: etree._Element) -> str:
    """Return the text of an element with few others in it, else ""."""
    said = text_of(few_nodes(element, _MOST_PARTS)).strip()
    return said if len(said) <= _LONGEST else ""


def _text_before(element: etree._Element, levels: int = _LEVELS) -> str:
    """Return the end of the text before an element, or before the SPANs that it begins."""
    for previous in element.itersiblings(preceding=True):
        is_apart = previous.tag in STRUCTURAL or not isinstance(previous.tag, str)
        if said := previous.tail or ("" if is_apart else text_of(few_nodes(previous, _MOST_PARTS))):
            return said[-_LONGEST:]
        if isinstance(previous.tag, str):
            return ""
    around = element.getparent()
    if around is None or around.text or around.tag != "span" or not levels:
        return ("" if around is None else around.text or "")[-_LONGEST:]
    return _text_before(around, levels - 1)


def _is_quoted(quotation: etree._Element) -> bool:
    """Return whether a Q has quotation marks of the page, at its start or before it."""
    return (quotation.text or "").lstrip()[:1] in _QUOTES or _text_before(quotation)[-1:] in _QUOTES


def _put_around(element: etree._Element, before: str, behind: str) -> bool:
    """Put signs around the text of an element, without the control characters that lxml refuses: whether any are."""
    element.text = before + CONTROL.sub("", element.text or "") + ("" if len(element) else behind)
    if len(element):
        element[-1].tail = CONTROL.sub("", element[-1].tail or "") + behind
    return before + behind != ""


def small_parts(found: ByTag) -> list[etree._Element]:
    """Return the elements for screen readers beside text of a link, and those with links to edit a section."""
    parts = (part for tag in _PARTS for part in found.get(tag, ()))
    named = ((part, classes.split()) for part in parts if (classes := part.get("class")))
    return [
        part
        for part, names in named
        if not _EDITING.isdisjoint(names) or (not _UNSEEN.isdisjoint(names) and _is_beside_text_of_link(part))
    ]


def _is_beside_text_of_link(part: etree._Element) -> bool:
    """Return whether a link around an element has text of its own, before it or behind it."""
    around = part.getparent()
    if around is None or around.tag != "a":
        return False
    before = part.getprevious()
    return any((text or "").strip() for text in (around.text, part.tail, *(() if before is None else (before.tail,))))


def _drop_backslashes(line_ends: Iterable[etree._Element]) -> bool:
    """Drop lines with a backslash alone, which old boards leave of their markup, and return whether there are any."""
    found = []
    for line_end in line_ends:
        before, around, following = line_end.getprevious(), line_end.getparent(), line_end.getnext()
        if (line_end.tail or "").strip() == "\\" and (following is None or following.tag == "br"):
            found.append((line_end, "tail"))
        if before is None and around is not None and (around.text or "").strip() == "\\":
            found.append((around, "text"))
    for element, place in found if len(found) > 1 else ():  # one may be meant
        setattr(element, place, None)
    return len(found) > 1


def is_behind_rows(head: etree._Element) -> bool:
    return next(head.itersiblings("tr", "tbody", preceding=True), None) is not None


def _put_in_order(heads: Sequence[etree._Element], feet: Sequence[etree._Element]) -> bool:
    """Put the first THEAD and TFOOT of each table around its rows, as browsers do, and return whether any moves."""
    is_moved = False
    for parts, is_foot in ((heads, False), (feet, True)):
        for table, part in {part.getparent(): part for part in reversed(parts)}.items():
            has_rows = next(part.itersiblings("tr", "tbody"), None) is not None if is_foot else is_behind_rows(part)
            if table is not None and has_rows:
                put = table.append if is_foot else next(table.iterchildren("tr", "tbody")).addprevious
                put(part)
                is_moved = True
    return is_moved
