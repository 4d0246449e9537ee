"""Lay out blocks as lines of Markdown, with markers and indentation of lists and quotations, and empty lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scrapy_blockfilter.text.dates_and_prices import with_plain_digits

# Characters before the lines of nested lists and quotations. Deeper levels are not marked: with 2,000 levels, marks
# would make the Markdown far larger than its page.
_WIDEST = 32
# Signs and numbers that begin the text of an item, by the end of its marker. A dash before a number may be a minus.
_SIGN = re.compile(r"[•∙◦▪‣⁃·●■▢▸►]\s*|\\?[-–]\s+(?=[^\W\d]|[*\[(\"“„«])")
_NUMBER = re.compile(r"\(?(\d{1,9}|[A-Za-z]{1,5})(?:\\?[.)]\s+|、\s*)")
_OWN_MARKS = {"- ": _SIGN, "* ": _SIGN, ". ": _NUMBER, ") ": _NUMBER}


def without_own_mark(text: str, lead: str) -> str:
    """Return the text of an item without a sign or number of its own that says the same as the end of the lead."""
    pattern = _OWN_MARKS.get(lead[-2:])
    own = pattern.match(f"{with_plain_digits(text)} ") if pattern else None
    is_other = own is None or (own.re is _NUMBER and not f" {lead[:-2]}".endswith(f" {own[1]}"))
    return text if own is None or is_other else text[own.end() :]


def is_number_of(text: str, lead: str) -> bool:
    """Return whether a text is the bare number of an item, given the lead of its lines."""
    return text.isdecimal() and f" {lead}".endswith((f" {text}. ", f" {text}) "))


@dataclass(slots=True)
class _List:
    """A list that is open."""

    sign: str
    number: int | None  # of the next item; None for a list without numbers
    width: int = 0  # characters of the last item's marker, 0 before the first item


class _Around(NamedTuple):
    """Properties of the lines before a list, item or quotation, for the lines after it."""

    prefix: str
    lead: str
    is_loose: bool
    lines: int
    gap: str | None
    is_item: bool


class Lines:
    """The lines of a page so far, and the lists and quotations that are open."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._lists: list[_List] = []
        self._around: list[_Around] = []
        # The prefix of the next line, and the empty line that comes before it. The lead has the markers of new items.
        self._prefix = self._lead = ""
        self._gap: str | None = None
        self._held: Sequence[str] = ()  # the number of an item, in a block of its own
        self._is_loose = False  # whether the item that is open has empty lines
        self._last = ""  # what the last line is of: "paragraph", "item" or something else
        self._ended: _List | None = None  # the list that has just ended

    def __str__(self) -> str:
        return "\n".join(self._lines)

    def put(self, lines: Sequence[str], last: str = "") -> None:
        """Write the lines of a block. An item that has its mark in a block of its own gets it once."""
        if self._lead != self._prefix:
            first = without_own_mark(lines[0], self._lead)
            lines = [first, *lines[1:]] if first else lines[1:]
            if not self._held and len(lines) == 1 and is_number_of(lines[0], self._lead):
                self._held = lines
                return
        self._held = ()
        if not lines:
            return
        if self._gap is not None:
            self._lines.append(self._gap)
            self._is_loose |= self._lead == self._prefix
        self._lines.append(self._lead + lines[0])
        self._lead, self._gap = self._prefix, self._prefix.rstrip()
        self._lines.extend(self._prefix + line if line else self._gap for line in lines[1:])
        self._last, self._ended = last, None

    def _put_held(self) -> None:
        if self._held:
            self.put(self._held, "paragraph")

    def put_rule(self) -> None:
        self.put(["---" if self._lead == self._prefix else "___"])  # "- ---" would be a rule as a whole

    def open(self, marker: str = "", indentation: str = "", *, is_item: bool = False) -> None:
        """Begin an item or quotation: the marker comes before its first line, the indentation before the others."""
        self._put_held()
        around = _Around(self._prefix, self._lead, self._is_loose, len(self._lines), self._gap, is_item)
        self._around.append(around)
        self._is_loose = False
        if len(self._prefix) + len(indentation) <= _WIDEST:
            self._lead += marker
            self._prefix += indentation

    def close(self) -> bool:
        """End the item or quotation that was opened last. Return whether it has a line; without, it leaves no trace."""
        self._put_held()
        around = self._around.pop()
        self._prefix = around.prefix
        if len(self._lines) == around.lines:
            self._lead, self._gap, self._is_loose = around.lead, around.gap, around.is_loose
            return False
        self._lead, self._gap = self._prefix, self._prefix.rstrip()
        self._last = "item" if around.is_item and not self._is_loose else ""
        self._is_loose |= around.is_loose
        return True

    def open_list(self, number: int | None, *, is_in_list: bool) -> None:
        """Begin a list, with the number of its first item unless it has no numbers.

        Two lists that follow each other get other signs, or they would be joined, but for a list whose numbers go on.
        A list directly in another list belongs to the item before.
        """
        outer = " " * (self._lists[-1].width if self._lists and is_in_list else 0)
        self.open(outer, outer, is_item=bool(outer))
        first, second = ("-", "*") if number is None else (".", ")")
        if self._ended is not None and number is not None and self._ended.number == number:
            first = self._ended.sign
        elif self._ended is not None and self._ended.sign == first:
            first = second
        self._lists.append(_List(first, number))

    def close_list(self) -> None:
        ended = self._lists.pop()
        if self.close():
            self._ended = ended

    def open_item(self, value: int | None) -> None:
        """Begin an item of the list that was opened last; ``value`` is the number that the page gives it."""
        of_list = self._lists[-1]
        marker = f"{of_list.sign} "
        if of_list.number is not None:
            number = of_list.number if value is None else value
            marker = f"{number}{marker}"
            of_list.number = number + 1
        can_touch = self._can_touch(marker, is_first=not of_list.width)
        of_list.width = len(marker)
        self.open(marker, " " * len(marker), is_item=True)
        if can_touch:
            self._gap = None

    def _can_touch(self, marker: str, *, is_first: bool) -> bool:
        """Return whether no empty line is needed before an item."""
        if len(self._prefix) + len(marker) > _WIDEST:
            return False
        if not is_first:
            return self._last == "item"
        if marker not in ("- ", "* ", "1. ", "1) "):  # other numbers begin no list right after a paragraph
            return False
        if self._last == "item":
            return self._around[-1].is_item
        item = self._around[-2] if len(self._around) > 1 else None
        return self._last == "paragraph" and item is not None and item.is_item and len(self._lines) > item.lines
