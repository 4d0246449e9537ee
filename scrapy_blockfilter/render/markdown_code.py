"""Name the language of preformatted code, for the fence that Markdown puts around it.

Sites name it in a class or attribute of the element or of one around it. Whatever they write there, a fence is followed
by a plain name or by nothing: a backtick or a line break behind it would end the fence, and text inside would act.
"""

from __future__ import annotations

import re

from lxml import etree

_NAME = re.compile(r"[\w+#.-]{1,40}")
_CLASS = re.compile(rf"\A(?:language|lang|highlight-source|highlight-text|highlight)-({_NAME.pattern})\Z")
_BRUSH = re.compile(rf"brush:\s*({_NAME.pattern})")
# Classes of highlighters; another class beside them names the language.
_HIGHLIGHTERS = frozenset({"hljs", "sourceCode"})
# Hexo names the language on a FIGURE, with a table in between, which has a cell for the numbers of lines.
_FIGURE = 6
_NO_LANGUAGE = frozenset({"default", "none", "text", "plain", "plaintext", "source"})


def name_languages(root: etree._Element) -> None:
    """Reduce the attributes of all code to at most one class for each PRE, which names its language."""
    known: dict[etree._Element, str] = {}  # names may be long, and an element around many PREs is read once
    named = [(code, _language(code, known)) for code in root.iter("pre")]
    for element in root.iter("pre", "code"):
        element.attrib.clear()
    for code, language in named:
        if language:
            _inner(code).set("class", f"language-{language}")


def _inner(code: etree._Element) -> etree._Element:
    return code[0] if len(code) == 1 and code[0].tag == "code" else code


def _language(code: etree._Element, known: dict[etree._Element, str]) -> str:
    around = [parent for _, parent in zip(range(_FIGURE), code.iterancestors(), strict=False)]
    figures = [parent for parent in around[2:] if parent.tag == "figure"]
    for element in (_inner(code), code, *around[:2], *figures):
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
