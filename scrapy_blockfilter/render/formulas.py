r"""Write formulas as words, ``(a+b)/c_1^2``, and as GitHub, Pandoc and Jupyter read them: ``$\frac{a+b}{c_{1}^{2}}$``.

Pages hold formulas as LaTeX between ``\(`` and ``\)``, ``\[`` and ``\]`` or dollars, in scripts of MathJax, and as
notes of MathML. LaTeX that a reader without formulas would take for markup, such as ``<b>`` or a link, stays escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from lxml import etree

from scrapy_blockfilter.render.addresses import CONTROL
from scrapy_blockfilter.render.markdown_inline import Raw

_SIGN = re.compile(r"(?<!\\)(?:\\[()\[\]]|\$\$?)")
_CLOSING = {r"\(": r"\)", r"\[": r"\]", "$$": "$$", "$": "$"}
_IN_LINE = frozenset({r"\(", "$"})
# Characters: longer texts are no formulas, and longer MathML becomes plain text.
_MOST = 4_000
# Signs of LaTeX: text between single dollars is a formula only with one of them, and prices have none.
_LATEX = re.compile(r"\\[a-zA-Z]|[_^]")
# Signs that could act as HTML or as a link of Markdown, and do not before a space, which LaTeX does not show.
_BEFORE_SPACE = re.compile(r"[<&](?=[a-zA-Z/!?#])|\](?=[(\[:])")
# Others, and those that would end a formula.
_ACTIVE = re.compile(r"[`$]|\\\Z|[\x00-\x08\x0b-\x1f]|://|\bwww\.")
_TEX = "application/x-tex"
_FORMULA_CLASSES = frozenset({"tex", "latex", "math", "formula", "equation", "mathimage", "texrender", "math-display"})
_FORMULA_SOURCES = ("latex", "/math/render", "mathtex", "mimetex", "tex.cgi")
# Attributes of a SPAN or DIV that have the LaTeX of what it shows.
_LATEX_IN = ("data-math", "data-tex", "data-latex")
_NAMING_LATEX = frozenset(_LATEX_IN)
# MathJax puts its MathML into one of these, behind what it shows; its preview and its picture before the SCRIPT.
_ASSISTIVE, _MOST_BEFORE = "mjx-assistive-mml", 2
# Classes of elements that show a formula again, for the eyes, after its MathML.
_SECOND_FORMS = frozenset({"katex-html", "mwe-math-fallback-image-inline", "mwe-math-fallback-image-display"})
# Characters that all elements of a formula write, signs and attributes included. Every level rewrites its children's
# text, so fifty levels of the longest formula fit. Real formulas have some ten levels.
_MOST_WRITTEN = 50 * _MOST
_INVISIBLE = re.compile("[\u2061-\u2064\u200b]")
_SIMPLE = re.compile(r"[\w.]+|.|\([^()]*\)|\[[^\[\]]*\]")
_RELATIONS = frozenset("=<>≤≥≠≈≡∈→⇒⇔∝∼")
_SPACED = _RELATIONS | set("+-−±")
_NOTES = frozenset({"annotation", "annotation-xml"})
_COMMANDS = {"<": r"\lt ", ">": r"\gt ", "&": r"\& ", "%": r"\%", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}"}
_ROW_END = r" \\ "
_SPECIAL = re.compile(r"[<>&%#_{}]")
# Elements with a fixed number of parts, as words and as LaTeX.
_FORMS = {
    "mfrac": ("%s/%s", r"\frac{%s}{%s}"),
    "msup": ("%s^%s", "%s^{%s}"),
    "mover": ("%s^%s", r"\overset{%s}{%s}"),
    **dict.fromkeys(("msub", "munder"), ("%s_%s", "%s_{%s}")),
    **dict.fromkeys(("msubsup", "munderover"), ("%s_%s^%s", "%s_{%s}^{%s}")),
}


class Formula(NamedTuple):
    """A formula as words, and as Markdown: "" if it could act as something else."""

    words: str
    markdown: str
    is_apart: bool = False


def formula_of(element: etree._Element) -> Formula | None:
    """Return the formula that a SCRIPT, a MATH or an IMG stands for, if any."""
    if element.tag == "script":
        kind, _, mode = element.get("type", "").partition(";")
        latex = element.text or "" if kind.strip().lower() == "math/tex" else ""
        words, is_apart = latex, "display" in mode
    elif element.tag == "img":
        latex = element.get("alt", "").strip("$ \n") if _shows_formula(element) else ""
        words, is_apart = latex, False
    else:
        notes = (note.text or "" for note in element.iter("annotation") if note.get("encoding") == _TEX)
        noted = next(notes, element.get("alttext", ""))
        latex = noted if noted.strip() else _written(element, is_latex=True)
        words = _written(element, is_latex=False) or noted or " ".join("".join(element.itertext()).split())
        is_apart = element.get("display") == "block"
    if not words.strip():
        return None
    is_latex = element.tag != "img" or _LATEX.search(latex)
    return Formula(" ".join(words.split()), _formula(latex, in_line=not is_apart) if is_latex else "", is_apart)


def _shows_formula(image: etree._Element) -> bool:
    classes = image.get("class", "").lower().split()
    source = image.get("src", "").lower()  # an image written in its address has thousands of characters
    return not _FORMULA_CLASSES.isdisjoint(classes) or any(name in source for name in _FORMULA_SOURCES)


def names_formula(element: etree._Element) -> bool:
    """Return whether an element may name its LaTeX in an attribute."""
    return not _NAMING_LATEX.isdisjoint(element.keys())


def name_formulas(elements: Iterable[etree._Element]) -> bool:
    """Turn elements that name their LaTeX in an attribute, as output of KaTeX, into a MATH: whether there are any."""
    has_named = False
    for element in filter(names_formula, elements):
        latex = next((found for name in _LATEX_IN if (found := element.get(name)) and _LATEX.search(found)), "")
        if latex:
            is_apart = element.tag == "div" or "display" in element.get("class", "")
            element.clear(keep_tail=True)
            element.tag, has_named = "math", True
            element.set("alttext", CONTROL.sub("", latex))
            if is_apart:
                element.set("display", "block")
    return has_named


def second_forms(formula: etree._Element, around: etree._Element) -> Iterator[etree._Element]:
    """Yield what shows a formula again, for the eyes: behind the element around it, or before it or its script."""
    beside = next(around.itersiblings("*"), None)  # no comment
    if beside is not None and not _SECOND_FORMS.isdisjoint(beside.get("class", "").split()):
        yield beside
    is_assistive = around.tag == _ASSISTIVE
    if is_assistive or formula.tag == "script":
        for shown in islice((around if is_assistive else formula).itersiblings("*", preceding=True), _MOST_BEFORE):
            if not (str(shown.tag).startswith("mjx-") or shown.get("class", "").startswith("MathJax")):
                break
            yield shown


def with_formulas(text: str) -> Iterator[str]:
    """Yield a text with its formulas as Markdown. A sign opens a formula only if the next sign closes it."""
    opened: re.Match[str] | None = None
    reached = 0
    for sign in _SIGN.finditer(text):
        if opened and sign[0] == _CLOSING.get(opened[0]) and (formula := _between(text, opened, sign)):
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
    latex = _BEFORE_SPACE.sub(r"\g<0> ", " ".join(latex.split()))
    if not latex or len(latex) > _MOST or _ACTIVE.search(latex):
        return ""
    return f"${latex}$" if in_line else f"$${latex}$$"


def _in_brackets(text: str) -> str:
    return text if _SIMPLE.fullmatch(text) else f"({text})"


def _row(parts: Sequence[str]) -> str:
    """Return the parts of a formula as words, apart behind a power or an index."""
    spaced = (
        f" {part}" if part[:1].isalnum() and not _SIMPLE.fullmatch(before) and before[-1:].isalnum() else part
        for before, part in pairwise(("", *parts))
    )
    return "".join(spaced)


def _element(tag: str, parts: Sequence[str], *, is_latex: bool) -> str:
    """Write an element that has parts. Parts that do not fit its form are joined."""
    joined = "".join(parts)
    if tag in _FORMS:
        in_words, in_latex = _FORMS[tag]
        if len(parts) != in_words.count("%s"):
            return joined
        if not is_latex:
            return in_words % tuple(map(_in_brackets, parts))
        return in_latex % tuple(parts if tag != "mover" else reversed(parts))
    if tag == "msqrt":
        return rf"\sqrt{{{joined}}}" if is_latex else f"√{_in_brackets(joined)}"
    if tag == "mroot" and parts:
        base, degree = "".join(parts[:-1]), parts[-1]
        return rf"\sqrt[{degree}]{{{base}}}" if is_latex else f"√[{degree}]({base})"
    if tag == "mtable":
        return rf"\begin{{matrix}} {_ROW_END.join(parts)} \end{{matrix}}" if is_latex else "; ".join(parts)
    if tag == "mtr":
        return (" & " if is_latex else ", ").join(parts)
    return joined if is_latex else _row(parts)


def _written(math: etree._Element, *, is_latex: bool) -> str:
    if sum(len(word) for text in math.itertext() for word in text.split()) > _MOST:
        return ""
    # From the end to the start, so that the parts of an element are written before it.
    written: dict[etree._Element, str] = {}
    left = _MOST_WRITTEN
    for element in reversed(list(math.iter(etree.Element))):
        tag = str(element.tag)
        if not len(element):
            text = "" if tag in _NOTES else _leaf(element, tag, is_latex=is_latex)
        else:
            parts = [written.pop(part) for part in element.iterchildren(etree.Element) if part.tag not in _NOTES]
            if tag == "mfenced":
                text = f"{element.get('open', '(')}{', '.join(parts)}{element.get('close', ')')}"
            else:
                text = _element(tag, parts, is_latex=is_latex)
        written[element] = text
        left -= len(text)
        if left < 0:
            return ""
    return " ".join(written[math].split())


def _leaf(element: etree._Element, tag: str, *, is_latex: bool) -> str:
    text = _INVISIBLE.sub("", " ".join((element.text or "").split()))
    if tag == "mspace":
        return " "
    if tag == "mo" and (text in _RELATIONS or (text in _SPACED and element.getprevious() is not None)):
        return f" {_COMMANDS[text].strip() if is_latex and text in _COMMANDS else text} "
    if not is_latex:
        return f" {text} " if tag == "mtext" else text
    text = _SPECIAL.sub(lambda sign: _COMMANDS[sign[0]], text.replace("\\", ""))
    if tag == "mtext":
        return rf"\text{{ {text} }}"
    return rf"\mathrm{{{text}}}" if tag == "mi" and len(text) > 1 and text.isalpha() else text
