"""Elements with raw text, which libxml2 would escape on writing: ``<iframe>a & b</iframe>``.

108 of 2,073 real pages have markup in an IFRAME.
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
    """Replace raw text by marks, and return a function that puts the text back into the written page.

    No end tag closes PLAINTEXT, nor some scripts that only the end of the page closed. The function drops end tags and
    comments after their text, as a browser would read them as part of it.

    Args:
        elements: the ``RAW`` elements of the page, in document order.
        source: HTML of the page. The marks are made from its hash, as no page contains its own hash.
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
    """Return whether a script holds an unclosed comment with a script inside, whose end tag would end only that one."""
    comment = script.rfind("<!--")
    return comment > script.rfind("-->") and "<script" in script[comment:].lower()
