"""Find permanent links: they lead to their own place, by a sign such as ¶ or words, and are no part of a heading."""

from __future__ import annotations

import re
from itertools import islice

from lxml import etree

from scrapy_blockfilter.html.nearby import few_nodes, text_of
from scrapy_blockfilter.html.tags import HEADINGS

# Signs of a link to its own place, with zero-width spaces and joiners.
_SIGN = "[¶§#🔗⚓∞◆\u200b\u200c\u200d\u2060\ufeff\ufe0f\\s]"
_SIGNS = re.compile(f"{_SIGN}*")
_AT_AN_END = re.compile(rf"\A{_SIGN}|{_SIGN}\Z")
_CLASSES = "headerlink hash-link header-anchor heading-anchor anchorjs-link permalink anchor"
_LINKS = frozenset(_CLASSES.split())
_NUMBERED = re.compile(r"[-~_]\d{1,9}\Z")  # behind a name that several places of a page share
_TITLED = HEADINGS | {"dt", "caption", "figcaption", "summary", "legend"}
# Ancestors of a link among which its heading is looked for: SPANs come between.
_NEAR = 3
# Nodes of a link that is only a sign, and starts and ends of elements in a heading that are looked through for links.
# Links and headings within each other would otherwise take quadratic time. The most on 4,000 real pages were 5 and 16.
_MOST_NODES = 20
_MOST_IN_HEADING = 100


def is_permalink(link: etree._Element) -> bool:
    """Return whether an A leads to its own place: by a sign, or by words beside the text of a heading."""
    return _said_by(link) is not None


def without_permalinks(text: str, heading: etree._Element) -> str:
    """Return the text of a heading without the permanent links at its ends.

    Args:
        heading: the element. A sign in a link goes; the sign of "C#" is in none and stays.
    """
    if not _AT_AN_END.search(text) and all(node.tag != "a" for node in islice(heading.iter(), _MOST_IN_HEADING)):
        return text
    has_begun = False
    walk = etree.iterwalk(heading, events=("start", "end", "comment", "pi"))
    for event, element in islice(walk, _MOST_IN_HEADING):
        is_start = event == "start"
        said = _said_by(element) if is_start and element.tag == "a" else None
        if said is not None:
            text = text.removesuffix(said).rstrip() if has_begun else text.removeprefix(said).lstrip()
        own = element.text if is_start else element.tail if element is not heading else ""
        has_begun = has_begun or bool(own and own.strip())
    return text


def _said_by(link: etree._Element) -> str | None:
    """Return the text of an A that is a permanent link, with single spaces; None if it is no such link."""
    href = link.get("href", "")
    if "#" not in href:
        return None
    title = title_around(link)
    is_named = not _LINKS.isdisjoint(link.get("class", "").split())
    if not (is_named or title is not None or _titles_beside(link)):
        return None
    nodes = few_nodes(link, _MOST_NODES)
    if not nodes or any(node.tag == "img" for node in nodes):
        return None
    text = " ".join(text_of(nodes).split())
    if _SIGNS.fullmatch(text):
        return text
    name = href.rpartition("#")[2]
    if title is None:
        return text if any(name == beside.get("id") for beside in _titles_beside(link)) else None
    leads_here = is_named or _leads_to(link, title, name)
    is_its_name = _NUMBERED.sub("", name).endswith(text.lstrip("-") or text)  # as names of methods, and options, are
    return text if leads_here and not is_its_name and _has_other_text(title, text) else None


def title_around(link: etree._Element) -> etree._Element | None:
    return next((around for around in islice(link.iterancestors(), _NEAR) if around.tag in _TITLED), None)


def _titles_beside(link: etree._Element) -> list[etree._Element]:
    return [beside for beside in (link.getprevious(), link.getnext()) if beside is not None and beside.tag in HEADINGS]


def _leads_to(link: etree._Element, title: etree._Element, name: str) -> bool:
    """Return whether a name is that of a title, of the link in it, or of an element right around the title."""
    named = (link, title, *islice(title.iterancestors(), _NEAR))
    return name != "" and any(name in (element.get("id"), element.get("name")) for element in named)


def _has_other_text(title: etree._Element, text: str) -> bool:
    return len(" ".join(text_of(few_nodes(title, _MOST_IN_HEADING)).split())) > len(text)
