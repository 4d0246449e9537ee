"""Read the statements of a page on itself, for programs: JSON-LD, microdata, OpenGraph, other METAs, TITLE, TIME.

Reading is lenient, as templates make slips, and bounded, as strangers write pages: nothing here raises, and no page
chooses its cost. Values are as the page has them, but for their length.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lxml import etree

from scrapy_blockfilter.extras.metadata.microdata import read_microdata
from scrapy_blockfilter.extras.metadata.subjects import Subject, Value, subjects_of
from scrapy_blockfilter.html.json_ld import Budget, items_of, unescaped, without_control
from scrapy_blockfilter.html.nearby import few_nodes, text_of

# Characters of a line, such as a description; longer ones are cut. Browsers take addresses of up to about the second.
MAX_TEXT, MAX_ADDRESS = 1_000, 2_000
JSON_LD, MICRODATA, OPENGRAPH, META, LINK = "json_ld", "microdata", "opengraph", "meta", "link"
# Elements of a kind that are read; real pages have fewer than 100 METAs.
_MAX_ELEMENTS = 500
# Nodes of a TITLE, a TIME or a link to an author; real ones have two to ten.
_MAX_NODES = 50
# Properties of OpenGraph begin with these: its own, and those of the kinds of things it describes.
_OF_OPENGRAPH = ("og:", "article:", "book:", "music:", "product:", "profile:", "video:")
_STATING = ("meta", "link", "title", "time", "a")


class Time(NamedTuple):
    """A TIME: its ``datetime``, its text, and whether it is marked as the date of publication, or of a change."""

    written: str
    text: str
    is_published: bool
    is_changed: bool


@dataclass
class Statements:
    """The statements of a page, or of a fragment, on itself."""

    json_ld: list[dict[str, Any]] = field(default_factory=list)  # the items
    microdata: list[dict[str, Any]] = field(default_factory=list)  # the items, in the form of JSON-LD
    subjects: list[Subject] = field(default_factory=list)  # all items, then METAs and LINKs by name, in lower case
    title: str = ""  # the first TITLE
    language: str = ""  # as the root declares it
    times: list[Time] = field(default_factory=list)
    authors: list[str] = field(default_factory=list)  # texts of links to an author
    unreadable: int = 0  # SCRIPTs with JSON-LD that cannot be read
    is_cut: bool = False  # whether structured data are beyond the limits

    def of(self, source: str) -> list[Subject]:
        """Return the subjects of a source. All METAs are one subject, and so are all LINKs."""
        return [subject for subject in self.subjects if subject.source == source]


def read_statements(root: etree._Element | None) -> Statements:
    """Return what the tree of a page, or of a fragment, states; of None, nothing."""
    found = Statements()
    if root is None:
        return found
    found.language = root.get("lang") or root.get("xml:lang") or ""
    named: dict[str, list[tuple[str, Value]]] = {OPENGRAPH: [], META: [], LINK: []}
    for element in _stating(root):
        if element.tag == "meta":
            for source, name, value in _values_of_meta(element):
                named[source].append((name, value))
        elif element.tag == "link":
            named[LINK] += [(name, element.get("href", "")) for name in element.get("rel", "").lower().split()[:3]]
        else:
            _add_shown(found, element)
    budget, references = Budget(), Budget()
    found.json_ld, found.unreadable = items_of(root, budget)
    found.microdata = read_microdata(root, budget)
    of_items = subjects_of({JSON_LD: found.json_ld, MICRODATA: found.microdata}, references)
    found.subjects = [*of_items, *(Subject(source, (), values) for source, values in named.items())]
    found.is_cut = budget.is_cut or references.is_cut
    return found


def _stating(root: etree._Element) -> Iterator[etree._Element]:
    """Yield META, LINK, TITLE and TIME, and links to an author: not too many of each."""
    counts: dict[object, int] = {}
    for element in root.iter(*_STATING):
        tag = element.tag
        if tag == "a" and "author" not in element.get("rel", "").lower().split():
            continue
        counts[tag] = counts.get(tag, 0) + 1
        if counts[tag] <= _MAX_ELEMENTS:
            yield element


def plain_text(written: object, most: int = MAX_TEXT) -> str:
    """Return a value as a line of at most ``most`` characters, without soft hyphens; "" for what is no text.

    >>> plain_text(" Salt &amp; \\n pep&shy;per "), plain_text(None)
    ('Salt & pepper', '')
    """
    if isinstance(written, int) and not isinstance(written, bool):
        written = str(written) if abs(written) < 10**18 else ""
    if not isinstance(written, str):
        return ""
    return " ".join(without_control(unescaped(written[: 2 * most]).replace("\xad", "")).split())[:most].rstrip()


def _values_of_meta(element: etree._Element) -> Iterator[tuple[str, str, str]]:
    # One character more, so that a longer address is known as such.
    if value := plain_text(element.get("content"), MAX_ADDRESS + 1):
        written = {(element.get(of) or "").strip().lower() for of in ("property", "name", "itemprop", "http-equiv")}
        for name in sorted(without_control(name[:MAX_TEXT]) for name in written - {""}):
            yield OPENGRAPH if name.startswith(_OF_OPENGRAPH) else META, name, value


def _add_shown(found: Statements, element: etree._Element) -> None:
    """Add a TITLE, a TIME, or a link to an author, which have a text."""
    text = plain_text(text_of(few_nodes(element, _MAX_NODES)))
    if element.tag == "title":
        around = element.getparent()
        is_of_page = around is None or around.tag != "svg"
        found.title = found.title or (text if is_of_page else "")
    elif element.tag == "time":
        is_published = element.get("pubdate") is not None or element.get("itemprop") == "datePublished"
        names = {element.get("itemprop"), *element.get("class", "").lower().split()}
        is_changed = not names.isdisjoint(("updated", "modified", "dateModified")) and "published" not in names
        found.times.append(Time(element.get("datetime", "")[:MAX_TEXT], text, is_published, is_changed))
    elif text:
        found.authors.append(text)
