"""Statements of elements about their page: META, LINK, TITLE, TIME, links to its author, SCRIPTs with JSON-LD."""

from __future__ import annotations

from dataclasses import dataclass, field

from lxml import etree

from scrapy_blockfilter.extras.metadata.values import MAX_ADDRESS, MAX_TEXT, plain_text, texts_within, without_control

# Elements of a kind that are read; real pages have fewer than 100 METAs.
MAX_ELEMENTS = 500
# Properties of OpenGraph begin with these: its own, and those of the kinds of things it describes.
OPENGRAPH = ("og:", "article:", "book:", "music:", "product:", "profile:", "video:")
# Steps into and out of the elements of a link or a time; real ones take two to ten.
_MAX_STEPS = 50

_OF_HEAD = etree.XPath(
    "descendant-or-self::*[self::meta or self::link[@rel] or self::title or self::time[@datetime]"
    " or self::script[contains(@type, 'json')] or self::a[contains(@rel, 'author')]]"
)


@dataclass
class Head:
    """Statements of elements about their page.

    Attributes:
        meta: values by the name in lower case, of any attribute that names a META.
        opengraph: values by property; those of OpenGraph are not in ``meta``.
        links: addresses by relation.
        title: the first TITLE.
        times: ``datetime``, text, and whether it is marked as the date of publication.
        authors: texts of links to an author.
        scripts: texts of the SCRIPTs with JSON-LD.
        language: what the root declares.
    """

    meta: dict[str, list[str]] = field(default_factory=dict)
    opengraph: dict[str, list[str]] = field(default_factory=dict)
    links: dict[str, list[str]] = field(default_factory=dict)
    title: str = ""
    times: list[tuple[str, str, bool]] = field(default_factory=list)
    authors: list[str] = field(default_factory=list)
    scripts: list[str] = field(default_factory=list)
    language: str = ""


def read_head(root: etree._Element) -> Head:
    """Return what the elements of a page, or of a fragment, say of it."""
    head = Head(language=root.get("lang") or root.get("xml:lang") or "")
    counts = dict.fromkeys(("meta", "link", "title", "time", "script", "a"), 0)
    for element in _OF_HEAD(root):
        tag = str(element.tag)
        counts[tag] += 1
        if counts[tag] <= MAX_ELEMENTS:
            _add(head, tag, element)
    return head


def _add(head: Head, tag: str, element: etree._Element) -> None:
    if tag == "meta":
        _add_meta(head, element)
    elif tag == "link":
        for relation in element.get("rel", "").lower().split()[:3]:
            head.links.setdefault(relation, []).append(element.get("href", ""))
    elif tag == "title":
        around = element.getparent()
        if not head.title and (around is None or around.tag != "svg"):
            head.title = _text(element)
    elif tag == "time":
        is_published = element.get("pubdate") is not None or element.get("itemprop") == "datePublished"
        head.times.append((element.get("datetime", "")[:MAX_TEXT], _text(element), is_published))
    elif tag == "script":
        if element.get("type", "").partition(";")[0].strip().lower() == "application/ld+json":
            head.scripts.append(element.text or "")
    elif "author" in element.get("rel", "").lower().split() and (name := _text(element)):
        head.authors.append(name)


def _add_meta(head: Head, element: etree._Element) -> None:
    value = plain_text(element.get("content"), MAX_ADDRESS + 1)  # one more, so that a longer address is known as such
    if not value:
        return
    written = {(element.get(of) or "").strip().lower() for of in ("property", "name", "itemprop", "http-equiv")}
    for name in sorted(written - {""}):
        name = without_control(name[:MAX_TEXT])
        values = head.opengraph if name.startswith(OPENGRAPH) else head.meta
        values.setdefault(name, []).append(value)


def _text(element: etree._Element) -> str:
    return plain_text("".join(texts_within(element, range(_MAX_STEPS))))
