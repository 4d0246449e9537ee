"""Say which language a listing of code is in, and drop the label that says so above it, with the buttons beside it.

Sites name the language of code in a class or attribute of its element or of one around it. A fence is followed by a
plain name or by nothing, as a backtick or a line break there would end the fence, and the code would become markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from lxml import etree

from scrapy_blockfilter.html.listings import is_in_pre
from scrapy_blockfilter.html.nearby import few_nodes, text_of
from scrapy_blockfilter.html.tags import HEADINGS
from scrapy_blockfilter.render.code import GONE

_NAME = re.compile(r"[\w+#.-]{1,40}")
_CLASS = re.compile(rf"\A(?:language|lang|highlight-source|highlight-text|highlight)-({_NAME.pattern})\Z")
_BRUSH = re.compile(rf"brush:\s*({_NAME.pattern})")
# Classes of highlighters; another class beside them names the language.
_HIGHLIGHTERS = frozenset({"hljs", "sourceCode"})
# Hexo names the language on a FIGURE, with a table in between, which has a cell for the numbers of lines.
_FIGURE = 6
_NO_LANGUAGE = frozenset({"default", "none", "text", "plain", "plaintext", "source"})
_NAMES = (
    "apache asm assembly awk bash bat batch c c# c++ clojure cmake cmd console cpp csharp css csv cypher dart "
    "diff docker dockerfile elixir elm erlang f# fish fortran fsharp go golang gradle graphql groovy haskell hcl "
    "html http ini java javascript js json json5 jsonc jsx julia kotlin latex less lua makefile markdown matlab "
    "md mdx nginx nim nix objective-c ocaml pascal perl php powershell prolog protobuf ps1 py python r ruby rust "
    "sass scala scss sh shell solidity sql svelte swift terminal terraform tex toml ts tsx typescript vb vim vue "
    "xml yaml yml zig zsh"
)
_LABELS = _NO_LANGUAGE | set(_NAMES.split())
_COPY = frozenset(
    [
        *("copy", "copy code", "copy to clipboard", "copied", "copied!", "kopieren", "copier", "copiar", "copia"),
        *("kopiëren", "kopiuj", "копировать", "コピー", "复制", "複製", "복사"),
    ]
)
_BUTTON = re.compile(r"(?:^|[\s_-])(?:copy|clipboard)", re.IGNORECASE)
# Elements that are content beside code.
_OTHERS = HEADINGS | {"p", "li", "dt", "dd", "td", "th", "pre", "img", "input", "select", "textarea", "iframe", "video"}
# Nodes of a label with its buttons, its siblings, and the elements around code that may hold one.
_NODES, _SIBLINGS, _LEVELS = 16, 4, 5
_LONGEST = 30  # characters of a label


def language(code: etree._Element, known: dict[etree._Element, str]) -> str:
    """Return the language of a PRE, "" if it has none. ``known`` keeps those of elements."""
    around = [parent for _, parent in zip(range(_FIGURE), code.iterancestors(), strict=False)]
    figures = [parent for parent in around[2:] if parent.tag == "figure"]
    inner = code[0] if len(code) == 1 and code[0].tag == "code" else code
    for element in (inner, code, *around[:2], *figures):
        if element not in known:
            known[element] = _language_of(element)
        if known[element]:
            return known[element]
    return ""


def _language_of(element: etree._Element) -> str:
    classes = element.get("class", "")
    names = classes.split()
    found = [(element.get("data-lang") or element.get("data-language") or "").split(" ")[0]]
    found += [match[1] for match in map(_CLASS.match, names) if match]
    found += _BRUSH.findall(classes)
    if element.tag == "figure" and names[:1] == ["highlight"]:
        found += names[1:2]
    if not _HIGHLIGHTERS.isdisjoint(names):
        found += [name for name in names if name not in _HIGHLIGHTERS and not _CLASS.match(name)]
    return next((name for name in found if _NAME.fullmatch(name) and name not in _NO_LANGUAGE), "")


def is_label(line: str) -> bool:
    """Return whether a line of text may be the label or a button of a listing."""
    return len(line) <= _LONGEST and ((said := line.strip().casefold()) in _COPY or said in _LABELS)


def drop_labels(root: etree._Element) -> None:
    """Mark buttons in and beside listings, and labels above them, as gone. A label may name the language."""
    for button in root.iter("button"):
        if is_in_pre(button):
            button.tag = GONE
    known: dict[etree._Element, str] = {}
    for listing in root.iter("pre"):
        if any(around.tag == GONE for around in islice(listing.iterancestors(), _LEVELS)):
            continue
        codes = list(listing.iterchildren("code"))
        code = codes[0] if len(codes) == 1 else listing
        names: list[str] = []
        for is_before in (True, False):
            for element in _beside(code, is_before=is_before):
                if not _drops(element, names, is_label=is_before):
                    break
        if names and not language(listing, known) and _NAME.fullmatch(names[0]):
            listing.set("data-lang", names[0])


def _beside(code: etree._Element, *, is_before: bool) -> Iterator[etree._Element]:
    """Yield the elements before or behind a listing, up to the next text that is in none of them, the nearest first."""
    for _ in range(_LEVELS):
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
    if not nodes or any(node.tag in _OTHERS for node in nodes):
        return False
    said = " ".join(text_of(nodes).split()).casefold()
    is_button = element.tag == "button" or _BUTTON.search(element.get("class", "")) is not None
    if not said:
        return True
    if said in _COPY or (is_label and said in _LABELS) or (is_button and len(said) <= _LONGEST):
        element.tag = GONE
        if said in _LABELS and said not in _NO_LANGUAGE and not is_button:
            names.append(said)
        return True
    texts = [element.text, *(child.tail for child in element)]
    left = [not _drops(child, names, is_label=is_label) for child in element if isinstance(child.tag, str)]
    return not any(left) and not any((text or "").strip() for text in texts)
