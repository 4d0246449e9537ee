r"""Write formulas as GitHub, Pandoc and Jupyter read them: ``$x_1$`` in a line, ``$$x_1$$`` apart, without escapes.

Pages hold formulas as LaTeX between ``\(`` and ``\)``, ``\[`` and ``\]`` or dollars, in scripts of MathJax, and as
notes of MathML. LaTeX that a reader without formulas would take for markup, such as ``<b>`` or a link, stays escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from scrapy_blockfilter.render.markdown_inline import Raw

_SIGN = re.compile(r"(?<!\\)(?:\\[()\[\]]|\$\$?)")
_CLOSING = {r"\(": r"\)", r"\[": r"\]", "$$": "$$", "$": "$"}
_IN_LINE = frozenset({r"\(", "$"})
# Longer ones are no formulas.
_MOST = 4_000
# What is between single dollars is a formula only with one of these. Prices have none.
_LATEX = re.compile(r"\\[a-zA-Z]|[_^]")
# What could act as Markdown or HTML, and what would end a formula.
_ACTIVE = re.compile(r"<[a-zA-Z/!?]|[`$]|&[a-zA-Z#]|\][(\[:]|\\\Z|[\x00-\x08\x0b-\x1f]|://|\bwww\.")
_TEX = "application/x-tex"
# What shows a formula again, for the eyes, after its MathML.
_SECOND_FORMS = frozenset({"katex-html", "mwe-math-fallback-image-inline", "mwe-math-fallback-image-display"})


def formula_of(element: etree._Element) -> str:
    """Return the formula of a SCRIPT or MATH as Markdown, "" if it has none."""
    if element.tag == "script":
        kind, _, mode = element.get("type", "").partition(";")
        return _formula(element.text or "", in_line="display" not in mode) if kind.strip().lower() == "math/tex" else ""
    notes = (note.text or "" for note in element.iter("annotation") if note.get("encoding") == _TEX)
    return _formula(next(notes, element.get("alttext", "")), in_line=element.get("display") != "block")


def second_form(element: etree._Element) -> etree._Element | None:
    """Return the element that shows the formula of a MATH or SCRIPT again, if there is one."""
    around = element.getparent()
    beside = around.getnext() if around is not None else None
    return beside if beside is not None and not _SECOND_FORMS.isdisjoint(beside.get("class", "").split()) else None


def with_formulas(text: str) -> Iterator[str]:
    """Yield a text with its formulas as Markdown. A sign that the next one does not close opens none: linear time."""
    opened: re.Match[str] | None = None
    reached = 0
    for sign in _SIGN.finditer(text):
        if opened and sign[0] == _CLOSING.get(opened[0]):
            formula = _between(text, opened, sign)
            if formula:
                yield text[reached : opened.start()]
                yield Raw(formula)
                opened, reached = None, sign.end()
                continue
        opened = sign if sign[0] in _CLOSING else None
    yield text[reached:]


def _between(text: str, opened: re.Match[str], closed: re.Match[str]) -> str:
    content = text[opened.end() : closed.start()]
    if opened[0] == "$":
        around = (text[opened.start() - 1 : opened.start()], text[closed.end() : closed.end() + 1])
        if content != content.strip() or not _LATEX.search(content) or any(map(str.isalnum, around)):
            return ""
    return _formula(content, in_line=opened[0] in _IN_LINE)


def _formula(latex: str, *, in_line: bool) -> str:
    """Return LaTeX on one line between its signs, "" if it could act as something else."""
    latex = " ".join(latex.split()) if len(latex) <= _MOST else ""
    if not latex or _ACTIVE.search(latex):
        return ""
    return f"${latex}$" if in_line else f"$${latex}$$"
