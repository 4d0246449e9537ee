"""Turn code that a page shows without a PRE into a PRE, drop what stands beside its lines, and name its language.

Such code is lines in a table, a list or boxes, or text that keeps its spaces. Numbers of lines, labels and buttons go.
Sites name the language in a class or attribute of the code's element or of one around it, or in a label. A fence is
followed by a plain name or by nothing, as a backtick or a line break there would end the fence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import cache
from importlib.resources import files
from itertools import chain, islice

from lxml import etree

from scrapy_blockfilter.html.code_lines import (
    GUTTERS,
    LEVELS,
    NUMBERS,
    around_line,
    code_in,
    is_in_pre,
    may_be_code,
    names_code,
    pre_before,
)
from scrapy_blockfilter.html.listings import OTHERS, boxes_in, listing_text
from scrapy_blockfilter.html.nearby import few_nodes, text_of
from scrapy_blockfilter.html.tags import CELLS, HEADINGS
from scrapy_blockfilter.render.addresses import CONTROL

GONE = "GONE"  # the parser writes names in lower case
ByTag = Mapping[object, Sequence[etree._Element]]

_KEEPS_SPACES = re.compile(r"\bwhite-space\s*:\s*pre\s*(?:;|!|\Z)")
# Elements whose class may name code: lists of lines, and lines.
_NAMED = ("ol", "ul", "li", "div", "p", "td", "th")
_KEEPING = ("code", "samp", "kbd", "div", "p", "span", "td")
# Elements that may be a listing whose lines end with a BR, and white space in them.
_BROKEN, _SPACES = ("code", "samp", "tt", "div"), re.compile(r"[ \t\r\n]+")
_OF_TEX = re.compile(r"(?:^|\s)(?:lstlisting|verbatim|fancyvrb)(?:$|\s)")  # DIVs of TeX4ht
_INLINE = frozenset({"a", "b", "br", "code", "em", "font", "i", "kbd", "mark", "samp", "small", "span", "strong", "u"})
# Names that numbers of lines share with other things: they count within code.
_GUTTERS_OF_CODE = frozenset({"lnt", "ln"})
_NOT_SELECTED = re.compile(r"\buser-select\s*:\s*none\b")
_NAME = re.compile(r"[\w+#.-]{1,40}")
_CLASS = re.compile(
    rf"\A(?:ltx_lst_language_|(?:language|lang|src|(?:\w{{1,9}}-)?highlight-lang|highlight(?:-source|-text)?)-)({_NAME.pattern})\Z"
)
_BRUSH = re.compile(rf"brush:\s*({_NAME.pattern})")
# Classes of highlighters; another class beside them names the language, and beside those of code if it is a known name.
_HIGHLIGHTERS, _OF_CODE = frozenset({"hljs", "sourceCode"}), frozenset({"code", "highlight", "programlisting"})
# Elements around code among which one may name the language: a FIGURE, or one that holds little else. A table with a
# cell for the numbers of lines may stand in between, as such boxes by now.
_OUTER = 7
_NO_LANGUAGE = frozenset({"default", "none", "text", "plain", "plaintext", "source"})
# Names of languages; texts of buttons that copy, and headings of tables of contents, a line each.
_NAMES, _COPYING, _CONTENTS = files(__package__).joinpath("words.txt").read_text(encoding="utf-8").split("\n\n")
_LABELS = _NO_LANGUAGE | set(_NAMES.split())
_COPY, CONTENTS = frozenset(_COPYING.split("\n")), frozenset(_CONTENTS.splitlines())
_BUTTON = re.compile(r"(?:^|[\s_-])(?:copy|clipboard)")
# Elements that are content beside code.
_CONTENT = HEADINGS | CELLS | {"p", "li", "dt", "dd", "pre", "img", "input", "select", "textarea", "iframe", "video"}
# Nodes of a label with its buttons, its siblings, and the elements around code that may hold one.
_NODES, _SIBLINGS, _AROUND = 16, 4, 5
_LONGEST = 30  # characters of a label


def may_have_listings(found: ByTag) -> bool:
    """Return whether any of the elements of a tree may be a listing that is no PRE."""
    return (
        any(map(may_be_code, _without_pre(found)))
        or any(map(_keeps_spaces, (element for tag in _KEEPING for element in found.get(tag, ()))))
        or any(len(code) and boxes_in(code) for code in found.get("code", ()))
        or any(_OF_TEX.search(part.get("class", "")) for part in found.get("div", ()))
        or any(map(_is_broken, (code for tag in _BROKEN[:3] for code in found.get(tag, ()))))
    )


def plain_listings(root: etree._Element, found: ByTag) -> bool:
    """Change a tree so that each listing is a PRE with its lines, and return whether any were others."""
    has_others = False
    seen: set[etree._Element] = set()
    for listing in _without_pre(found):
        if listing not in seen and may_be_code(listing):
            seen.update(nodes := list(listing.iter()))
            if (text := code_in(listing, nodes)) is not None:
                _replace(listing, text)
                has_others = True
    for element in list(root.iter(*_BROKEN)):
        if _is_broken(element) and "\n" in (text := _broken_lines(element).strip("\n")):
            _replace(element, text)
            has_others = True
    for element in root.iter(*_KEEPING):
        if _keeps_spaces(element) and _has_lines(element) and not is_in_pre(element):
            element.tag, has_others = "pre", True
    for element in root.iter("code"):
        if len(element) and element not in seen and boxes_in(element) and not is_in_pre(element):
            seen.update(nodes := list(element.iter()))
            if all(node.tag not in OTHERS for node in nodes):
                element.tag, has_others = "pre", True
    return has_others


def _without_pre(found: ByTag) -> list[etree._Element]:
    """Return the elements that may be a listing: tables, and what is around elements whose class names code."""
    named = (part for tag in _NAMED for part in found.get(tag, ()) if names_code(part))
    return list(dict.fromkeys(chain(found.get("table", ()), chain.from_iterable(map(around_line, named)))))


def _keeps_spaces(element: etree._Element) -> bool:
    style = element.get("style")
    return style is not None and _KEEPS_SPACES.search(style) is not None


def _is_broken(code: etree._Element) -> bool:
    """Return whether code is all that is in the element around it or a DIV of TeX, and has lines that end with a BR."""
    if code.tag == "div":
        return _OF_TEX.search(code.get("class", "")) is not None and all(part.tag in _INLINE for part in code)
    around = code.getparent()
    is_alone = code.getprevious() is None and code.getnext() is None  # to count the children takes each of them
    if around is None or not is_alone or code.find("br") is None or is_in_pre(code):
        return False
    return not (around.text or "").strip() and not (code.tail or "").strip()


def _broken_lines(code: etree._Element) -> str:
    """Return lines that end with a BR: white space folds, and spaces that do not break are the indentation."""
    for node in code.iter(etree.Element):
        node.text = node.text and CONTROL.sub("", _SPACES.sub(" ", node.text))
        node.tail = node.tail and CONTROL.sub("", _SPACES.sub(" ", node.tail))
    return "\n".join(line.strip(" ").replace("\xa0", " ").rstrip() for line in listing_text(code).split("\n"))


def _replace(listing: etree._Element, text: str) -> None:
    classes = listing.get("class", "")
    if (before := pre_before(listing)) is not None:
        before.tag, classes = GONE, before.get("class", classes)
    is_cell = listing.tag in CELLS
    listing.clear(keep_tail=True)
    code = etree.SubElement(listing, "pre") if is_cell else listing
    code.tag, code.text = "pre", CONTROL.sub("", text)
    for element in {listing, code} if classes else ():
        element.set("class", classes)


def _has_lines(element: etree._Element) -> bool:
    """Return whether an element has lines of text, or boxes for lines, and nothing else that a page shows as a box."""
    if all(child.tag == "div" for child in element) and len(element) > 1:
        return True
    if any(child.tag not in _INLINE for child in element):
        return False
    texts = [element.text, *(text for child in element for text in (child.text, child.tail))]
    return any("\n" in text.strip() for text in texts if text)


def drop_gutters(root: etree._Element) -> None:
    """Mark the numbers of lines as gone."""
    around = [(code, *islice(code.iterancestors(), LEVELS)) for code in root.iter("pre")]
    near = set(chain.from_iterable(parts[:3] for parts in around))
    cells = {part for parts in around for part in parts if part.tag in CELLS}
    near.update(part for cell in cells for part in islice(cell.itersiblings(etree.Element, preceding=True), 1))
    gutters = set(filter(is_gutter, near))
    others = filter(is_gutter, root.iter("span", "i", "a", "td", "div"))
    gutters.update(part for part in others if not len(part) or is_in_pre(part))
    if gutters:
        for part in list(_with_numbers_alone(root, gutters)):
            part.tag = GONE


def is_gutter(element: etree._Element) -> bool:
    """Return whether an element stands for the numbers of lines, by its attributes."""
    classes = element.get("class")
    names = classes.lower().split() if classes else ()
    if not GUTTERS.isdisjoint(names):
        return True
    is_like_one = (
        not _GUTTERS_OF_CODE.isdisjoint(names)
        or element.get("data-line-number") is not None
        or _NOT_SELECTED.search(element.get("style", "")) is not None
    )
    return is_like_one and any(around.tag in ("pre", "code") for around in islice(element.iterancestors(), LEVELS))


def _with_numbers_alone(root: etree._Element, parts: Set[etree._Element]) -> Iterator[etree._Element]:
    """Yield those of some parts of a tree that have no other text than numbers, in one walk for all."""
    opened: list[etree._Element] = []
    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if event == "start" and element in parts:
            opened.append(element)
        elif opened and opened[-1] is element:
            yield opened.pop()
        if opened and not NUMBERS.fullmatch((element.text if event == "start" else element.tail) or ""):
            opened.clear()


def language(code: etree._Element, of_element: Callable[[etree._Element], str]) -> str:
    """Return the language of a PRE, "" if it has none, given a cached :func:`language_of`."""
    around = list(islice(code.iterancestors(), _OUTER))
    wide = next((place for place, parent in enumerate(around) if list(islice(parent, 2, 3))), _OUTER)
    outer = [parent for place, parent in enumerate(around) if place < max(2, wide) or parent.tag == "figure"]
    inner = code[0] if len(code) == 1 and code[0].tag == "code" else code
    return next(filter(None, map(of_element, (inner, code, *outer))), "")


def language_of(element: etree._Element) -> str:
    """Return the language that the attributes of an element name, or ""."""
    classes = element.get("class", "")
    names = classes.split()
    found = [value.split(" ")[0] for name, value in element.items() if name.endswith(("-lang", "-language"))]
    found += [match[1] for match in map(_CLASS.match, names) if match]
    found += _BRUSH.findall(f"{classes} {element.get('data-syntaxhighlighter-params', '')}")
    if element.tag == "figure" and names[:1] == ["highlight"]:
        found += names[1:2]
    if not _HIGHLIGHTERS.isdisjoint(names):
        found += [name for name in names if name not in _HIGHLIGHTERS and not _CLASS.match(name)]
    if not _OF_CODE.isdisjoint(names) or (element.tag in ("pre", "code") and len(names) < 3):
        found += filter(_LABELS.__contains__, names)
    return next((name for name in found if _NAME.fullmatch(name) and name not in _NO_LANGUAGE), "")


def is_label(line: str) -> bool:
    """Return whether a line of text may be the label or a button of a listing."""
    return len(line) <= _LONGEST and ((said := line.strip().casefold()) in _COPY or said in _LABELS)


def is_button(element: etree._Element) -> bool:
    """Return whether an element may be a button of a listing."""
    classes = element.get("class", "").lower()
    is_like_one = "copy" in classes or "clipboard" in classes  # most classes are told apart by this, which is quicker
    return element.tag == "button" or (is_like_one and _BUTTON.search(classes) is not None)


def drop_labels(root: etree._Element) -> None:
    """Mark buttons in and beside listings, and labels above them, as gone. A label may name the language."""
    for button in root.iter("button"):
        if is_in_pre(button):
            button.tag = GONE
    of_element = cache(language_of)
    for listing in root.iter("pre"):
        if any(around.tag == GONE for around in islice(listing.iterancestors(), _AROUND)):
            continue
        codes = list(listing.iterchildren("code"))
        code = codes[0] if len(codes) == 1 else listing
        names: list[str] = []
        for is_before in (True, False):
            for element in _beside(code, is_before=is_before):
                if not _drops(element, names, is_label=is_before):
                    break
        if names and not language(listing, of_element) and _NAME.fullmatch(names[0]):
            listing.set("data-lang", names[0])


def _beside(code: etree._Element, *, is_before: bool) -> Iterator[etree._Element]:
    """Yield the elements before or behind a listing, up to the next text that is in none of them, the nearest first."""
    for _ in range(_AROUND):
        around = code.getparent()
        siblings = list(islice(code.itersiblings(preceding=is_before), _SIBLINGS))
        near = code
        for sibling in siblings:
            if ((sibling if is_before else near).tail or "").strip():
                return
            near = sibling
            if isinstance(sibling.tag, str):
                yield sibling
        rest = around.text if around is not None and is_before else near.tail
        if around is None or around.tag == "body" or len(siblings) == _SIBLINGS or (rest or "").strip():
            return
        code = around


def _drops(element: etree._Element, names: list[str], *, is_label: bool) -> bool:
    """Mark the labels and buttons in an element as gone, add languages to ``names``, and return if nothing is left."""
    if element.tag == GONE:
        return True
    nodes = few_nodes(element, _NODES)
    if not nodes or any(node.tag in _CONTENT for node in nodes):
        return False
    said = " ".join(text_of(nodes).split()).casefold()
    acts = is_button(element)
    if not said:
        return True
    if said in _COPY or (is_label and said in _LABELS) or (acts and len(said) <= _LONGEST):
        element.tag = GONE
        if said in _LABELS and said not in _NO_LANGUAGE and not acts:
            names.append(said)
        return True
    texts = [element.text, *(child.tail for child in element)]
    left = [not _drops(child, names, is_label=is_label) for child in element if isinstance(child.tag, str)]
    return not any(left) and not any((text or "").strip() for text in texts)
