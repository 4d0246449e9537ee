r"""Write MathML on one line: as words, ``(a+b)/c_1^2``, or as LaTeX, ``\frac{a+b}{c_{1}^{2}}``."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from lxml import etree

# Maximum length (characters without white space). A longer formula becomes plain text, because every level rewrites its
# children's text.
_MOST = 4_000
# Characters that all elements of a formula write, signs and attributes included. Every level rewrites its children's
# text, so fifty levels of the longest formula fit. Real formulas have some ten levels.
_MOST_WRITTEN = 50 * _MOST
_INVISIBLE = re.compile("[\u2061-\u2064\u200b]")
_SIMPLE = re.compile(r"[\w.]+|.|\([^()]*\)|\[[^\[\]]*\]")
_SPACED = frozenset("=<>≤≥≠≈≡∈→⇒⇔∝∼+-−±")
_RELATIONS = frozenset("=<>≤≥≠≈≡∈→⇒⇔∝∼")
_NOTES = frozenset({"annotation", "annotation-xml"})
_COMMANDS = {"<": r"\lt ", ">": r"\gt ", "&": r"\& ", "%": r"\%", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}"}
_ROW_END = r" \\ "
_SPECIAL = re.compile(r"[<>&%#_{}]")

_Write = Callable[[Sequence[str]], str]


def _in_brackets(text: str) -> str:
    return text if _SIMPLE.fullmatch(text) else f"({text})"


def _row(parts: Sequence[str]) -> str:
    """Return the parts of a formula as words, apart behind a power or an index."""
    return "".join(
        [
            f" {part}" if part[:1].isalnum() and not _SIMPLE.fullmatch(before) and before[-1:].isalnum() else part
            for before, part in zip(("", *parts), parts, strict=False)
        ]
    )


def _joined(form: str, *, bracketed: bool) -> _Write:
    """Return a function that fills a form with the parts of an element. Parts that do not fit the form are joined."""
    places = form.count("%s")

    def write(parts: Sequence[str]) -> str:
        if len(parts) != places:
            return "".join(parts)
        return form % (tuple(map(_in_brackets, parts)) if bracketed else tuple(parts))

    return write


_WORDS: dict[str, _Write] = {
    "mfrac": _joined("%s/%s", bracketed=True),
    "msqrt": lambda parts: f"√{_in_brackets(''.join(parts))}",
    "mroot": lambda parts: f"√[{parts[-1]}]({''.join(parts[:-1])})" if parts else "",
    "mtable": "; ".join,
    "mtr": ", ".join,
    **{tag: _joined("%s^%s", bracketed=True) for tag in ("msup", "mover")},
    **{tag: _joined("%s_%s", bracketed=True) for tag in ("msub", "munder")},
    **{tag: _joined("%s_%s^%s", bracketed=True) for tag in ("msubsup", "munderover")},
}
_LATEX: dict[str, _Write] = {
    "mfrac": _joined(r"\frac{%s}{%s}", bracketed=False),
    "msqrt": lambda parts: rf"\sqrt{{{''.join(parts)}}}",
    "mroot": lambda parts: rf"\sqrt[{parts[-1]}]{{{''.join(parts[:-1])}}}" if parts else "",
    "mtable": lambda parts: rf"\begin{{matrix}} {_ROW_END.join(parts)} \end{{matrix}}",
    "mtr": " & ".join,
    "mover": lambda parts: rf"\overset{{{parts[1]}}}{{{parts[0]}}}" if len(parts) == 2 else "".join(parts),
    "msup": _joined("%s^{%s}", bracketed=False),
    **{tag: _joined("%s_{%s}", bracketed=False) for tag in ("msub", "munder")},
    **{tag: _joined("%s_{%s}^{%s}", bracketed=False) for tag in ("msubsup", "munderover")},
}


def words_of(math: etree._Element) -> str:
    """Return a formula as words."""
    return _written(math, _WORDS)


def latex_of(math: etree._Element) -> str:
    """Return a formula as LaTeX."""
    return _written(math, _LATEX)


def _written(math: etree._Element, ways: dict[str, _Write]) -> str:
    if sum(len(word) for text in math.itertext() for word in text.split()) > _MOST:
        return ""
    # From the end to the start, so that the parts of an element are written before it.
    written: dict[etree._Element, str] = {}
    left = _MOST_WRITTEN
    for element in reversed(list(math.iter(etree.Element))):
        tag = str(element.tag)
        if not len(element):
            text = "" if tag in _NOTES else _leaf(element, tag, is_latex=ways is _LATEX)
        else:
            parts = [written.pop(part) for part in element.iterchildren(etree.Element) if part.tag not in _NOTES]
            if tag == "mfenced":
                text = f"{element.get('open', '(')}{', '.join(parts)}{element.get('close', ')')}"
            else:
                text = ways.get(tag, _row if ways is _WORDS else "".join)(parts)
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
