"""Write the text of a paragraph as Markdown: escapes, code, links, images, and emphasis that CommonMark reads as such.

Emphasis depends on the text beside it: CommonMark takes asterisks for marks only if the text inside begins and ends
with a letter, or a space or a sign is outside. Text without spaces often breaks that rule by a full stop or a quotation
mark. Such signs are put outside of the marks. Bare HTML tags are the last resort.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

_SPACES = " \t\n\r\f"
_GAPS = re.compile(r"[ \t\n\r\f]{2,}|[\t\n\r\f]")
_SPECIAL = re.compile(r"[\\`*_\[\]~]|<(?=[A-Za-z/!?])|&(?=#?[A-Za-z0-9]+;)")
# Signs that would begin another block at the start of a line. Rows of dashes below bars would make a table.
_LINE_START = re.compile(r"^(?:(\d{1,9})(?=[.)](?:\s|$))|(?=[#>=|]|[-+](?:[\s|:-]|$)|:-))", re.MULTILINE)
BACKTICKS = re.compile("`+")
# Addresses with other brackets would end early.
_SOUND_TARGET = re.compile(r"[^()]*(?:\([^()]*\)[^()]*){0,3}")
_TARGET_ESCAPES = str.maketrans({"\\": "%5C", "`": "%60"})
_ENTITY = re.compile(r"&(?=#?[A-Za-z0-9]+;)")

LINK, STRONG, EMPHASIS, DELETED = "link", "strong", "em", "del"
_WIDTH = {STRONG: 2, EMPHASIS: 1}


class Raw(str):
    """Markdown that is written as it is, between texts of the page, which are escaped."""

    __slots__ = ()


BREAK = Raw("\n")
_HARD_BREAK = "  \n"


@dataclass(eq=False, slots=True)
class Mark:
    """The start or end of emphasis or of a link."""

    kind: str
    is_start: bool
    target: str = ""  # the address that a link leads to, of its start
    written: str = ""  # the Markdown of the mark, "" until it is known to have something inside
    outside: str = ""  # signs of the text inside that are put outside of the mark


Piece = str | Mark


def escaped(text: str) -> str:
    """Return text of a page so that Markdown reads it as text, within a line."""
    return _SPECIAL.sub(lambda special: f"\\{special[0]}", text)  # quicker than a template, as most Pythons expand it


def image(alt: str, target: str) -> Raw:
    return Raw(f"![{escaped(' '.join(alt.split()))}]({_target(target)})")


def code(text: str) -> list[Piece]:
    """Return code within a line, with the white space at its ends outside."""
    inside = _GAPS.sub(" ", text.strip(_SPACES))
    if not inside:
        return [" "] if text else []
    marks = backticks_around(inside)
    apart = " " if "`" in (inside[0], inside[-1]) else ""
    written = Raw(f"{marks}{apart}{inside}{apart}{marks}")
    return [" " if text[0] in _SPACES else "", written, " " if text[-1] in _SPACES else ""]


def backticks_around(text: str, least: int = 1) -> str:
    """Return more backticks than are in a row in a text: they mark it as code."""
    return "`" * max(least, 1 + max(map(len, BACKTICKS.findall(text)), default=0))


def paragraph(pieces: Sequence[Piece]) -> str:
    """Return the lines of a paragraph, which begin no other block."""
    written = line(pieces, _HARD_BREAK)
    if written[:1].isalpha() and "\n" not in written:
        return written
    return _LINE_START.sub(r"\1\\", written)


def line(pieces: Sequence[Piece], line_break: str = " ") -> str:
    """Return pieces as Markdown, on one line unless ``line_break`` ends it."""
    if len(pieces) == 1 and type(pieces[0]) is str:  # as most paragraphs
        return escaped(_GAPS.sub(" ", pieces[0].strip()))
    tokens = _without_gaps(pieces, line_break)
    _write_marks(tokens)
    written: list[str] = []
    text = ""
    for token in tokens:
        if type(token) is str:
            text += token
            continue
        if isinstance(token, Mark):
            if token.is_start:
                text += token.outside
            mark, behind = token.written, "" if token.is_start else token.outside
        else:
            mark, behind = token, ""
        if text:
            written.append(escaped(text))
            if mark == "[" and text[-1] == "!":
                written[-1] = f"{written[-1][:-1]}\\!"  # or the link would be an image
        written.append(mark)
        text = behind
    written.append(escaped(text))
    return "".join(written)


def _without_gaps(pieces: Sequence[Piece], line_break: str) -> list[Piece]:
    """Collapse white space, put it outside of marks, leave out marks with nothing inside, and join equal marks."""
    tokens: list[Piece] = []
    texts: list[str] = []
    starts: list[Mark] = []  # those with nothing inside so far
    gap = ""

    def end_text() -> None:
        if texts:
            tokens.append("".join(texts))
            texts.clear()

    for piece in pieces:
        if isinstance(piece, Mark):
            if piece.is_start:
                starts.append(piece)
            elif starts:
                starts.pop()
            else:
                end_text()
                tokens.append(piece)
            continue
        if piece is BREAK:
            gap = line_break
            continue
        inside, behind = piece, ""
        if is_text := type(piece) is str:
            inside = piece.strip()
            before, _, behind = piece.partition(inside) if inside else (piece, "", "")
            gap = gap or before  # one is enough
        if not inside:
            continue
        if gap and (tokens or texts):
            if gap == _HARD_BREAK:
                end_text()
                tokens.append(Raw(gap))
            else:
                texts.append(_GAPS.sub(" ", gap))
        for start in starts:
            end_text()
            last = tokens[-1] if tokens else ""
            touches = isinstance(last, Mark) and not last.is_start and last.kind == start.kind != LINK
            if is_text and touches:
                tokens.pop()
                if type(said := tokens[-1]) is str:  # it goes on
                    texts.append(said)
                    tokens.pop()
            else:
                tokens.append(start)
        starts.clear()
        if is_text:
            texts.append(_GAPS.sub(" ", inside))
        else:
            end_text()
            tokens.append(piece)
        gap = behind
    end_text()
    return tokens


def _write_marks(tokens: list[Piece]) -> None:
    """Choose how each pair of marks is written, the outer before the inner."""
    pairs: list[tuple[int, int, Mark, Mark]] = []
    opened: list[tuple[int, Mark]] = []
    for place, token in enumerate(tokens):
        if isinstance(token, Mark):
            if token.is_start:
                opened.append((place, token))
            else:
                start, first = opened.pop()
                pairs.append((start, place, first, token))
    for start, end, first, last in sorted(pairs, key=lambda pair: pair[0]):
        if first.kind == LINK:
            first.written, last.written = "[", f"]({_target(first.target)})"
        else:
            sign = _sign(tokens, start, end, first, last)
            first.written, last.written = (sign, sign) if sign else (f"<{first.kind}>", f"</{first.kind}>")


def _sign(tokens: list[Piece], start: int, end: int, first: Mark, last: Mark) -> str:
    """Return the sign that marks emphasis where it stands, "" if none does."""
    before = tokens[start - 1] if start else " "
    after = tokens[end + 1] if end + 1 < len(tokens) else " "
    begins = _is_letter(_first(tokens[start + 1])) or _parts(_last(before))
    ends = _is_letter(_last(tokens[end - 1])) or _parts(_first(after))
    if not (begins and ends):
        begins, ends = _moves_signs(tokens, start + 1, first) or begins, _moves_signs(tokens, end - 1, last) or ends
    if not (begins and ends):
        return ""
    touching = {_last(token) for token in (before, after) if isinstance(token, Mark) and token.written}
    if first.kind == DELETED:
        return "" if "~" in touching else "~~"
    is_around = isinstance(before, Mark) and before.is_start and isinstance(after, Mark) and not after.is_start
    if "*" not in touching or (is_around and touching == {"*"}):
        return "*" * _WIDTH[first.kind]
    if "_" not in touching and _parts(_last(before)) and _parts(_first(after)):
        return "_" * _WIDTH[first.kind]
    return ""


def _moves_signs(tokens: list[Piece], place: int, mark: Mark) -> bool:
    """Put signs inside of a mark, up to the first letter of its text, outside. Return whether there is a letter."""
    text = tokens[place]
    if type(text) is not str:
        return False
    letters = [number for number, character in enumerate(text) if _is_letter(character)]
    if letters and mark.is_start:
        mark.outside, tokens[place] = text[: letters[0]], text[letters[0] :]
    elif letters:
        mark.outside, tokens[place] = text[letters[-1] + 1 :], text[: letters[-1] + 1]
    return bool(letters)


def _first(token: Piece) -> str:
    return (token.written or "*")[0] if isinstance(token, Mark) else token[0]


def _last(token: Piece) -> str:
    return (token.outside or token.written or "*")[-1] if isinstance(token, Mark) else token[-1]


def _is_letter(character: str) -> bool:
    """Return whether a character is neither space nor punctuation nor symbol, as CommonMark has them."""
    return not character.isspace() and unicodedata.category(character)[0] not in "PSZ"


def _parts(character: str) -> bool:
    """Return whether a character parts words in all versions of CommonMark. Older ones take symbols for letters."""
    return character.isspace() or unicodedata.category(character)[0] in "PZ" or character in "$+<=>^`|~"


def _target(address: str) -> str:
    address = _ENTITY.sub("&amp;", address.translate(_TARGET_ESCAPES))
    if _SOUND_TARGET.fullmatch(address):
        return address
    return address.replace("(", "%28").replace(")", "%29")
