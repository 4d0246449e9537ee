"""Read preformatted code: its text, and its language, for the fence that Markdown puts around it.

Sites name it in a class or attribute of the element or of one around it. Whatever they write there, a fence is followed
by a plain name or by nothing: a backtick or a line break behind it would end the fence, and text inside would act.
"""

from __future__ import annotations

import re

from lxml import etree

from scrapy_blockfilter.html.tags import CELLS, is_structural

_NAME = re.compile(r"[\w+#.-]{1,40}")
_CLASS = re.compile(rf"\A(?:language|lang|highlight-source|highlight-text|highlight)-({_NAME.pattern})\Z")
_BRUSH = re.compile(rf"brush:\s*({_NAME.pattern})")
# Classes of highlighters; another class beside them names the language.
_HIGHLIGHTERS = frozenset({"hljs", "sourceCode"})
# Hexo names the language on a FIGURE, with a table in between, which has a cell for the numbers of lines.
_FIGURE = 6
_NO_LANGUAGE = frozenset({"default", "none", "text", "plain", "plaintext", "source"})
_LINE_END = re.compile(r"\r\n?")
_BACKTICKS = re.compile("`{3,}")


def fence(code: etree._Element, languages: dict[etree._Element, str]) -> list[str]:
    """Return the lines of a PRE as a fence; none if it has no text.

    Args:
        languages: those read before. Names may be long, and an element around many PREs is read once.
    """
    text = _LINE_END.sub("\n", _text_of(code))
    if not text.strip():
        return []
    marks = "`" * max(3, 1 + max(map(len, _BACKTICKS.findall(text)), default=0))
    return [marks + _language(code, languages), *text.removeprefix("\n").removesuffix("\n").split("\n"), marks]


def _text_of(code: etree._Element) -> str:
    texts = [""]
    for event, element in etree.iterwalk(code, events=("start", "end")):
        tag = str(element.tag)
        divides = element is not code and is_structural(tag) and tag not in CELLS
        if (divides and texts[-1] and not texts[-1].endswith("\n")) or (tag == "br" and event == "start"):
            texts.append("\n")
        if text := element.text if event == "start" else element.tail if element is not code else "":
            texts.append(text)
    return "".join(texts)


def _language(code: etree._Element, known: dict[etree._Element, str]) -> str:
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
