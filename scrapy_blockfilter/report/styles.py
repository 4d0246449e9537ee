"""Style sheets of a page as its frame may have them: they say how it looks, and ask for nothing.

What is left out here would be refused by the frame's content security policy as well; left out, it is not even tried.
"""

from __future__ import annotations

import re

# Characters of a page's style sheets that are shown. Laying a page out takes a browser longer with every rule.
MAX_STYLES = 400_000
# What a letter can be written as, so that url( is not seen at first sight: \75 rl(.
_CODE_POINT = re.compile(r"\\([0-9a-fA-F]{1,6})[ \t\r\n\f]?")
_LETTER = re.compile(r"\\([g-zG-Z])")
_LOADING = re.compile(r"(?i)(url|src|image|image-set|cross-fade|element|expression)(?=\()")
_IMPORT = re.compile(r"(?i)@(?=import|charset|namespace|font-face)")
# In a frame as high as its page a height in parts of the window would make the page higher, and that the frame.
_OF_WINDOW = re.compile(r"(?i)(?<![\w.])(\d{0,5}\.?\d{1,5})[dls]?vh\b")
_WINDOW = 8  # pixels that a hundredth of the window's height is taken for


def harmless(css: str) -> str:
    """A style sheet, or declarations of a STYLE attribute, that loads nothing.

    >>> harmless(r"@import 'a.css'; p { background: u\\72l(a.png); min-height: 50vh }")
    "@-import 'a.css'; p { background: -url(a.png); min-height: calc(50 * 8px) }"
    """
    css = _LETTER.sub(r"\1", _CODE_POINT.sub(_letter, css))
    css = _IMPORT.sub("@-", _LOADING.sub(r"-\1", css))
    return _OF_WINDOW.sub(rf"calc(\1 * {_WINDOW}px)", css)


def _letter(found: re.Match[str]) -> str:
    """A letter for the number of one; what else is escaped, such as a sign of an icon font, stays so."""
    letter = chr(number) if (number := int(found[1], 16)) < 128 else ""
    return letter if letter.isalpha() else found[0]
