"""Write cleaned HTML as Markdown (CommonMark with GitHub's tables).

The tree of the page is read once, and the text between two blocks is gathered and written. Markup without a form in
Markdown leaves its text. Addresses, ALT, numbers of items and names of languages are the only attributes that are
written, so nothing acts in a viewer.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import islice

from lxml import etree

from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.tags import CELLS, HEADINGS, LISTS, STRUCTURAL
from scrapy_blockfilter.render import markdown_inline as inline
from scrapy_blockfilter.render.addresses import CONTROL, address_of
from scrapy_blockfilter.render.code import language_of
from scrapy_blockfilter.render.formulas import Formula, with_formulas
from scrapy_blockfilter.render.images import written_address
from scrapy_blockfilter.render.markdown_lines import Lines
from scrapy_blockfilter.render.markdown_source import content_of, fence
from scrapy_blockfilter.render.markdown_tables import plain_tables
from scrapy_blockfilter.render.text import UNSEEN

_EMPHASIS = {
    **dict.fromkeys(("b", "strong"), inline.STRONG),
    **dict.fromkeys(("i", "em"), inline.EMPHASIS),
    **dict.fromkeys(("s", "strike", "del"), inline.DELETED),
}
_CODE = frozenset({"code", "kbd", "samp", "tt"})
_ITEM_LISTS = LISTS - {"dl"}
# Numbers of list items. CommonMark takes nine digits; no page has so many items that another digit is needed.
_NUMBER = re.compile("[0-9]{1,8}")
_RULE = re.compile(r"\\?([-_=])(?:\\?\1){4,}")  # drawn by signs
_HEADING_SIGN = re.compile(r"(?:^|(?<= ))#(?=#*$)")


def render_markdown(html: str, url: str = "", tell: Callable[[str], object] = lambda reason: None) -> str:
    """Write HTML as Markdown, without its TITLE.

    Args:
        html: cleaned HTML of a page within limits.
        url: base address of links and images. "" or the address of a file leaves them unchanged.
        tell: called with the reason for each thing that is written in a simpler form because of its size.
    """
    try:
        root, formulas = content_of(html)
    except UnfitPage:  # no element is left of it
        return ""
    plain_tables(root, tell)
    return _Writer(url, formulas).write(root)


class _Writer:
    """Writes a tree. Its state is the text since the last block, and the lists and quotations that are open."""

    def __init__(self, url: str, formulas: dict[etree._Element, Formula]) -> None:
        self._url = url
        self._formulas = formulas
        self._language_of = cache(language_of)
        # The text that is not written yet, and code at its end.
        self._pieces: list[inline.Piece] = []
        self._code: list[str] = []
        self._in_code: etree._Element | None = None
        self._marks: dict[str, tuple[etree._Element, inline.Mark]] = {}  # open ones, the outer before the inner
        # The heading, table and lists around the text.
        self._level = 0  # of the heading that is open
        self._in_cell = False
        self._rows: list[list[str]] = []
        self._lines = Lines()

    def write(self, root: etree._Element) -> str:
        walk = etree.iterwalk(root, events=("start", "end"))
        for event, element in walk:
            tag, is_start = str(element.tag), event == "start"
            step = (_BEGIN if is_start else _END).get(tag)
            if step is None and "-" in tag:  # as is_structural has it
                step = _Writer._break
            if step is not None and step(self, element):
                walk.skip_subtree()
                continue
            text = element.text if is_start else element.tail if element is not root else None
            if text and (text := text.replace("\xad", "")):
                self._add_text(text)
        self._flush()
        return str(self._lines)

    def _add_text(self, text: str) -> None:
        if self._in_code is not None:
            self._code.append(text)
            return
        if self._code:
            self._end_code()
        elif not self._pieces and text.isspace():
            return
        if ("$" in text or "\\" in text) and inline.LINK not in self._marks:  # brackets of a formula could end a link
            self._pieces.extend(with_formulas(text))
        else:
            self._pieces.append(text)

    def _add(self, piece: inline.Piece) -> None:
        self._end_code()
        self._pieces.append(piece)

    def _end_code(self) -> None:
        """Write code only when something else follows: backticks of two that touch would be read as one mark."""
        if self._code:
            self._pieces.extend(inline.code("".join(self._code)))
            self._code.clear()

    def _begin_code(self, element: etree._Element) -> None:
        if self._in_code is None:
            self._in_code = element

    def _finish_code(self, element: etree._Element) -> None:
        if self._in_code is element:
            self._in_code = None

    def _begin_emphasis(self, element: etree._Element) -> None:
        if self._in_code is None:
            self._begin_mark(element, inline.Mark(_EMPHASIS[str(element.tag)], is_start=True))

    def _begin_link(self, element: etree._Element) -> None:
        if target := address_of(element.get("href"), self._url):
            self._begin_mark(element, inline.Mark(inline.LINK, is_start=True, target=target))

    def _begin_mark(self, element: etree._Element, mark: inline.Mark) -> None:
        if mark.kind not in self._marks:
            self._marks[mark.kind] = element, mark
            self._add(mark)

    def _finish_mark(self, element: etree._Element) -> None:
        kind = _EMPHASIS.get(str(element.tag), inline.LINK)
        if kind in self._marks and self._marks[kind][0] is element:
            del self._marks[kind]
            self._add(inline.Mark(kind, is_start=False))

    def _break_line(self, element: etree._Element) -> None:
        if self._in_code is not None:
            self._code.append(" ")
        elif self._is_flat():
            self._add(" ")
        elif self._ends_with_break():
            self._flush()
        else:
            self._add(inline.BREAK)

    def _ends_with_break(self) -> bool:
        for piece in reversed(self._pieces):
            if piece is inline.BREAK or isinstance(piece, inline.Mark) or piece.strip():
                return piece is inline.BREAK and not self._code
        return False

    def _add_check(self, element: etree._Element) -> None:
        """Write the box of a task, which nobody can check. Others choose among things."""
        is_task = element.get("type") == "checkbox" and element.get("disabled") is not None
        if is_task and not self._pieces and any(around.tag == "li" for around in islice(element.iterancestors(), 3)):
            self._add(inline.Raw("[ ]" if element.get("checked") is None else "[x]"))
            self._add(" ")

    def _add_image(self, element: etree._Element) -> None:
        if element in self._formulas:
            self._add_formula(element)
        elif target := address_of(written_address(element) or None, self._url):
            self._add(inline.image(CONTROL.sub("", element.get("alt", "").replace("\xad", "")), target))

    def _add_formula(self, element: etree._Element) -> bool:
        formula = self._formulas[element]
        if formula.markdown:
            self._add(inline.Raw(formula.markdown))
        else:
            self._add_text(formula.words)
        return True

    def _is_flat(self) -> bool:
        """Return whether blocks are parts of one line here: within a heading or a cell."""
        return self._in_cell or self._level > 0

    def _break(self, element: etree._Element | None = None) -> None:
        if self._is_flat():
            self._add_text(" ")
        else:
            self._flush()

    def _flush(self) -> None:
        """Write the text since the last block as a paragraph or heading."""
        if not (self._pieces or self._code):
            return
        text = self._taken(inline.line if self._level else inline.paragraph)
        if UNSEEN.fullmatch(text.strip("*~")):  # with marks of emphasis
            return
        if self._level:
            self._lines.put([f"{'#' * self._level} " + _HEADING_SIGN.sub(r"\\#", text)])
        elif _RULE.fullmatch(text):
            self._lines.put_rule()
        else:
            self._lines.put(text.split("\n"), "paragraph")

    def _taken(self, write: Callable[[list[inline.Piece]], str]) -> str:
        """Return the text since the last block, with the ends of open marks. A link without text so far stays open."""
        self._end_code()
        pieces, self._pieces = self._pieces, []
        text = write([*pieces, *(inline.Mark(kind, is_start=False) for kind in reversed(self._marks))])
        link = self._marks.get(inline.LINK)
        self._marks.clear()
        if link and not link[1].written:
            self._begin_mark(*link)
        return text

    def _begin_quotation(self, element: etree._Element) -> None:
        self._break()
        marker = "" if self._is_flat() else "> "
        self._lines.open(marker, marker)

    def _begin_list(self, element: etree._Element) -> None:
        self._break()
        counts_up = element.tag == "ol" and element.get("reversed") is None  # as Markdown does
        self._lines.open_list(_number(element, "start", 1) if counts_up else None, is_in_list=_is_in_list(element))

    def _end_list(self, element: etree._Element) -> None:
        self._break()
        self._lines.close_list()

    def _begin_item(self, element: etree._Element) -> None:
        self._break()
        if self._in_cell:
            self._pieces += inline.Raw("*"), " "
        if self._is_flat() or not _is_in_list(element):
            self._lines.open()
        else:
            self._lines.open_item(_number(element, "value"))

    def _end_item(self, element: etree._Element) -> None:
        self._break()
        self._lines.close()

    def _begin_heading(self, element: etree._Element) -> None:
        self._flush()
        self._level = int(str(element.tag)[1])

    def _end_heading(self, element: etree._Element) -> None:
        self._flush()
        self._level = 0

    def _add_fence(self, element: etree._Element) -> bool:
        self._flush()
        if lines := fence(element, self._language_of):
            self._lines.put(lines)
        return True

    def _add_rule(self, element: etree._Element) -> None:
        self._break()
        if not self._is_flat():
            self._lines.put_rule()

    def _begin_table(self, element: etree._Element) -> None:
        self._flush()
        self._rows = []

    def _begin_row(self, element: etree._Element) -> None:
        self._flush()
        self._rows.append([])

    def _begin_cell(self, element: etree._Element) -> None:
        self._flush()
        self._in_cell = True

    def _end_cell(self, element: etree._Element) -> None:
        self._rows[-1].append(self._taken(inline.line).replace("|", r"\|"))
        self._in_cell = False

    def _end_table(self, element: etree._Element) -> None:
        self._flush()
        if rows := list(filter(any, self._rows)):  # rows without text draw lines
            written = [f"| {' | '.join(row)} |" for row in rows]
            self._lines.put([written[0], f"|{' --- |' * len(rows[0])}", *written[1:]])


def _number(element: etree._Element, name: str, default: int | None = None) -> int | None:
    written = element.get(name, "")
    return int(written) if _NUMBER.fullmatch(written) else default


def _is_in_list(element: etree._Element) -> bool:
    around = element.getparent()
    if around is not None and around.tag in ("a", "div"):  # as many pages have it
        around = around.getparent()
    return around is not None and around.tag in _ITEM_LISTS


_Step = Callable[[_Writer, etree._Element], "bool | None"]
# Steps at the start tag of an element. A step returns True if it has written all of the element.
_BEGIN: dict[object, _Step] = {
    **dict.fromkeys(STRUCTURAL, _Writer._break),
    **dict.fromkeys(HEADINGS, _Writer._begin_heading),
    **dict.fromkeys(_EMPHASIS, _Writer._begin_emphasis),
    **dict.fromkeys(_CODE, _Writer._begin_code),
    **dict.fromkeys(_ITEM_LISTS, _Writer._begin_list),
    **dict.fromkeys(CELLS, _Writer._begin_cell),
    **dict.fromkeys(("script", "math"), _Writer._add_formula),
    "a": _Writer._begin_link,
    "blockquote": _Writer._begin_quotation,
    "br": _Writer._break_line,
    "hr": _Writer._add_rule,
    "img": _Writer._add_image,
    "input": _Writer._add_check,
    "li": _Writer._begin_item,
    "option": lambda writer, element: writer._add_text(" "),
    "pre": _Writer._add_fence,
    "table": _Writer._begin_table,
    "tr": _Writer._begin_row,
}
_END: dict[object, _Step] = {
    **dict.fromkeys(STRUCTURAL, _Writer._break),
    **dict.fromkeys(HEADINGS, _Writer._end_heading),
    **dict.fromkeys((*_EMPHASIS, "a"), _Writer._finish_mark),
    **dict.fromkeys(_CODE, _Writer._finish_code),
    **dict.fromkeys(_ITEM_LISTS, _Writer._end_list),
    **dict.fromkeys(CELLS, _Writer._end_cell),
    "blockquote": _Writer._end_item,
    "li": _Writer._end_item,
    "table": _Writer._end_table,
}
