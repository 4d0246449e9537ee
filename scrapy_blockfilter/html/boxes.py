"""Take off the attribute ``data-bf``, by which a page script writes the boxes of a page's elements in a browser.

The attribute is no part of the page, and is taken off before anything else looks at the page.
"""

from __future__ import annotations

import re
from typing import AnyStr

from lxml import etree

ATTRIBUTE = "data-bf"
_VALUE = r"-?[0-9]{1,7} -?[0-9]{1,7} [0-9]{1,7} [0-9]{1,7}(?: [abcfilmptw][0-9a-f,-]*)*"
_IS_VALUE = re.compile(_VALUE)
WRITTEN = re.compile(rf'\s{ATTRIBUTE}="{_VALUE}"(?=[\s/>])')
_WRITTEN_BYTES = re.compile(WRITTEN.pattern.encode())
# Every value stands behind this mark, and hardly any other text of a page does.
_MARK = f'{ATTRIBUTE}="'


def has_boxes(text: str) -> bool:
    """Return whether HTML may have the attribute."""
    return _MARK in text


def without_boxes(text: AnyStr) -> AnyStr:
    """Return HTML without the attribute. Bytes are in an encoding that contains ASCII.

    >>> without_boxes('<p class="a" data-bf="0 8 640 20 l">b</p>'), without_boxes('<p data-bf="mine">')
    ('<p class="a">b</p>', '<p data-bf="mine">')
    """
    if isinstance(text, bytes):
        return _WRITTEN_BYTES.sub(b"", text) if _MARK.encode() in text else text
    return WRITTEN.sub("", text) if _MARK in text else text


def take_boxes(root: etree._Element) -> dict[int, str]:
    """Take the attribute off all elements of a tree. Return its values by the element's place in document order."""
    values = {}
    for ordinal, element in enumerate(root.iter()):
        # A processing instruction has no attributes, but seems to.
        value = element.get(ATTRIBUTE) if isinstance(element.tag, str) else None
        if value is not None and _IS_VALUE.fullmatch(value):
            values[ordinal] = value
            del element.attrib[ATTRIBUTE]
    return values
