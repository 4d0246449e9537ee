"""Style sheets of a page that are safe in its frame: they set its looks, and load nothing.

The frame's content security policy would refuse the rest as well; left out, it is not even tried.
"""

from __future__ import annotations

import re

# Characters of a page's style sheets that are shown. Browsers take longer to lay out a page with every rule.
MAX_STYLES = 400_000
# An escaped letter, which may hide a url(: \75 rl(.
_CODE_POINT = re.compile(r"\\([0-9a-fA-F]{1,6})[ \t\r\n\f]?")
_LETTER = re.compile(r"\\([g-zG-Z])")
_LOADING = re.compile(r"(?i)(url|src|image|image-set|cross-fade|element|expression)(?=\()")
_IMPORT = re.compile(r"(?i)@(?=import|charset|namespace|font-face)")
# Heights in parts of the window. The frame is as high as its page, so these would make both grow without end.
_OF_WINDOW = re.compile(r"(?i)(?<![\w.])(\d{0,5}\.?\d{1,5})[dls]?vh\b")
_WINDOW = 8  # pixels for a hundredth of the window's height


def harmless(css: str) -> str:
    """Return a style sheet, or the declarations of a STYLE attribute, so that it loads nothing.

    >>> harmless(r"@import 'a.css'; p { background: u\\72l(a.png); min-height: 50vh }")
    "@-import 'a.css'; p { background: -url(a.png); min-height: calc(50 * 8px) }"
    """
    css = _LETTER.sub(r"\1", _CODE_POINT.sub(_letter, css))
    css = _IMPORT.sub("@-", _LOADING.sub(r"-\1", css))
    return _OF_WINDOW.sub(rf"calc(\1 * {_WINDOW}px)", css)


def _letter(found: re.Match[str]) -> str:
    """Replace the code of a letter by the letter. Other escapes stay, such as signs of an icon font."""
    letter = chr(number) if (number := int(found[1], 16)) < 128 else ""
    return letter if letter.isalpha() else found[0]
