"""Elements whose text is read as it stands but that libxml2 writes escaped: ``<iframe>a & b</iframe>``.

Of 2,073 real pages 108 have markup in an IFRAME.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from lxml import etree

from scrapy_blockfilter.hashing import hash64

RAW = frozenset({"iframe", "noembed", "noframes", "xmp", "plaintext", "script"})
_ESCAPED = re.compile("[&<>]")
_COMMENT = "<!--(?:[^-]|-(?!->))*-->"


def hide_raw_text(elements: Iterable[etree._Element], source: str) -> Callable[[str], str]:
    """Put marks in the place of such text, and give what puts the text back into the page when it is written.

    Nothing can end PLAINTEXT, and some scripts that the end of the page has ended; so the end tags and comments behind
    their text, which would be more of it, are left out.

    Args:
        elements: the ``RAW`` ones of the page in document order.
        source: of the page, of whose hash the marks are made: no page holds its own.
    """
    hidden = []
    last_script = None
    for element in elements:
        if element.tag == "script":
            last_script = element
        elif element.tag == "plaintext" or _ESCAPED.search(element.text or ""):
            hidden.append(element)
    if last_script is not None and _is_unended(last_script.text or ""):
        hidden.append(last_script)
    hidden = [element for element in hidden if not len(element)]
    if not hidden:
        return str
    mark = f"raw{hash64(source.encode('utf-8', 'replace')):x}_"
    texts = [element.text or "" for element in hidden]
    for place, element in enumerate(hidden):
        element.text = f"{mark}{'end' * (element.tag in ('plaintext', 'script'))}{place}_"
    ends = re.compile(rf"({mark})end(\d+_)(?:</[^>]*>|{_COMMENT}|\s)*\Z")
    marks = re.compile(rf"{mark}(?:end)?(\d+)_")
    return lambda written: marks.sub(lambda found: texts[int(found[1])], ends.sub(r"\1\2", written))


def _is_unended(script: str) -> bool:
    """Whether there is a script in a comment in it that is not closed, which its end tag would end in its place."""
    comment = script.rfind("<!--")
    return comment > script.rfind("-->") and "<script" in script[comment:].lower()
