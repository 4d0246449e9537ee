r"""Write formulas as GitHub, Pandoc and Jupyter read them: ``$x_1$`` in a line, ``$$x_1$$`` apart, without escapes.

Pages hold formulas as LaTeX between ``\(`` and ``\)``, ``\[`` and ``\]`` or dollars, in scripts of MathJax, and as
notes of MathML. LaTeX that a reader without formulas would take for markup, such as ``<b>`` or a link, stays escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from lxml import etree

from scrapy_blockfilter.html.raw import RAW
from scrapy_blockfilter.html.tags import CELLS

# Tags of formulas until all are found. Pages have no elements of these names: theirs are renamed before.
INLINE, DISPLAY = "bf-math", "bf-math-display"
# Around the number of a formula, where the writer finds it. Where a page has these characters, which are none, it gets
# another of its own formulas there.
_OPEN, _CLOSE = "\ufdd0", "\ufdd1"
_PLACE = re.compile(f"{_OPEN}([0-9]{{1,9}}){_CLOSE}")
_SIGN = re.compile(r"(?<!\\)(?:\\[()\[\]]|\$\$?)")
_CLOSING = {r"\(": r"\)", r"\[": r"\]", "$$": "$$", "$": "$"}
_TAGS = {r"\(": INLINE, r"\[": DISPLAY, "$$": DISPLAY, "$": INLINE}
# Longer ones are no formulas.
_MOST = 4_000
# What is between single dollars is a formula only with one of these. Prices have none.
_LATEX = re.compile(r"\\[a-zA-Z]|[_^]")
# What could act as Markdown or HTML, and what would end a formula.
_ACTIVE = re.compile(r"<[a-zA-Z/!?]|[`$]|&[a-zA-Z#]|\][(\[:]|\\\Z|[\x00-\x08\x0b-\x1f]|://|\bwww\.")
_NO_FORMULAS = RAW | {"pre", "code", "kbd", "samp", "tt", "textarea", "option", "select", INLINE, DISPLAY}
_WITH_SIGNS: Any = etree.XPath(r"//text()[contains(., '$') or contains(., '\(') or contains(., '\[')]")
_TEX = "application/x-tex"


class _Formula(NamedTuple):
    start: int
    end: int
    tag: str
    latex: str


def mark_formulas(root: etree._Element) -> None:
    """Put formulas of scripts and MathML in elements of their own, before these are removed."""
    for element in list(root.iter("script", "math", INLINE, DISPLAY)):
        if element.tag in (INLINE, DISPLAY):
            element.tag = "span"  # the page's own
        elif element.tag == "script":
            kind, _, mode = element.get("type", "").partition(";")
            if kind.strip().lower() == "math/tex":
                _become(element, element.text or "", is_display="display" in mode)
        else:
            _become(element, _note_of(element), is_display=element.get("display") == "block")


def take_formulas(root: etree._Element) -> list[str]:
    """Put numbers in the place of formulas, and return these as Markdown."""
    _mark_texts(root)
    formulas = []
    for number, element in enumerate(list(root.iter(INLINE, DISPLAY))):
        latex, signs = element.text or "", "$" if element.tag == INLINE else "$$"
        if any(part.tag in CELLS for part in element.iterancestors()):
            latex = latex.replace("|", r"\|")
        formulas.append(f"{signs}{latex}{signs}")
        element.tag, element.text = "span", f"{_OPEN}{number}{_CLOSE}"
    return formulas


def put_formulas(markdown: str, formulas: Sequence[str]) -> str:
    """Put formulas in the place of their numbers."""
    if not formulas:
        return markdown
    return _PLACE.sub(lambda place: formulas[int(place[1])] if int(place[1]) < len(formulas) else "", markdown)


def _mark_texts(root: etree._Element) -> None:
    """Put formulas that stand between signs in elements of their own."""
    if not _may_have_formulas(etree.tostring(root, encoding="unicode", method="text")):
        return  # saves looking at each text
    for text in _WITH_SIGNS(root):
        element = text.getparent()
        around = element.getparent() if text.is_tail else element
        if around is not None and not any(part.tag in _NO_FORMULAS for part in (around, *around.iterancestors())):
            _mark_text(element, str(text), is_tail=text.is_tail)


def _become(element: etree._Element, latex: str, *, is_display: bool) -> None:
    latex = _written(latex)
    if latex:
        around = element.getparent()
        beside = around.getnext() if around is not None else None
        if beside is not None and _is_second_form(beside):
            beside.tag = "script"  # to be removed with them
        tail = element.tail
        element.clear()
        element.tag, element.text, element.tail = DISPLAY if is_display else INLINE, latex, tail


def _is_second_form(element: etree._Element) -> bool:
    """Return whether an element shows the formula before it again, for the eyes."""
    names = element.get("class", "").split() if isinstance(element.tag, str) else ()
    return (
        "katex-html" in names or "mwe-math-fallback-image-inline" in names or "mwe-math-fallback-image-display" in names
    )


def _note_of(math: etree._Element) -> str:
    for note in math.iter("annotation"):
        if note.get("encoding") == _TEX:
            return note.text or ""
    return math.get("alttext", "")


def _may_have_formulas(text: str) -> bool:
    return r"\(" in text or r"\[" in text or "$$" in text or (text.count("$") > 1 and bool(_LATEX.search(text)))


def _mark_text(element: etree._Element, text: str, *, is_tail: bool) -> None:
    found = list(_formulas(text))
    if not found:
        return
    made = []
    for formula, end in zip(found, [*(after.start for after in found[1:]), len(text)], strict=True):
        made.append(element.makeelement(formula.tag))
        made[-1].text, made[-1].tail = formula.latex, text[formula.end : end]
    before = text[: found[0].start]
    if is_tail:
        element.tail = None
        for part in reversed(made):
            element.addnext(part)
        element.tail = before
    else:
        element.text = None
        for part in reversed(made):
            element.insert(0, part)
        element.text = before


def _formulas(text: str) -> Iterator[_Formula]:
    """Yield the formulas in a text. A sign that is not closed by the next one opens none, so this takes linear time."""
    opened: Any = None
    for sign in _SIGN.finditer(text):
        if opened is None or sign[0] != _CLOSING.get(opened[0]):
            opened = sign if sign[0] in _CLOSING else None
            continue
        content = text[opened.end() : sign.start()]
        latex = _written(content)
        is_one = opened[0] != "$" or (
            content == content.strip() and _LATEX.search(content) and _is_apart(text, opened, sign)
        )
        if latex and is_one:
            yield _Formula(opened.start(), sign.end(), _TAGS[opened[0]], latex)
            opened = None
        else:
            opened = sign if sign[0] in _CLOSING else None


def _is_apart(text: str, opened: Any, closed: Any) -> bool:
    before, after = text[opened.start() - 1 : opened.start()], text[closed.end() : closed.end() + 1]
    return not (before.isalnum() or after.isalnum())


def _written(latex: str) -> str:
    """Return LaTeX on one line, "" if it could act as something else."""
    latex = " ".join(latex.split()) if len(latex) <= _MOST else ""
    return "" if _ACTIVE.search(latex) else latex
