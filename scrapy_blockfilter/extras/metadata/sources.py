"""The sources of each field in one ordered list. The first source with a value counts.

Statements for programs come before visible text: JSON-LD, microdata, OpenGraph, other METAs and LINKs, then
headings and bylines. A canonical address and a declared language have elements of their own, which come first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial

from scrapy_blockfilter.extras.metadata.bylines import names_in_byline
from scrapy_blockfilter.extras.metadata.dates import date_in_address, date_in_text, iso_date
from scrapy_blockfilter.extras.metadata.head import Head
from scrapy_blockfilter.extras.metadata.languages import detected_language, language_code
from scrapy_blockfilter.extras.metadata.main_item import MAX_AUTHORS, MainItem
from scrapy_blockfilter.extras.metadata.shown import Shown
from scrapy_blockfilter.extras.metadata.values import address, plain_text

# Text between the title and the name of the site: "Harbour reopens | The Gazette".
_DIVIDERS = "|-–—·•:»«"


class Facts:
    """All that is known of a page, by source."""

    def __init__(self, head: Head, json_ld: MainItem, microdata: MainItem, shown: Shown) -> None:
        self.head = head
        self.json_ld = json_ld
        self.microdata = microdata
        self.shown = shown

    @cached_property
    def text(self) -> str:
        return self.shown.text()

    @cached_property
    def site_name(self) -> str:
        return next((value for _, value in candidates(self, "site_name")), "")

    @cached_property
    def language(self) -> str:
        return next((value for _, value in candidates(self, "language")), "")

    @cached_property
    def shared_days(self) -> frozenset[str]:
        """The days of lines that the site repeats, in a weather box or a footer: such a day is no page's date."""
        return frozenset(date_in_text(line, self.language) for line in self.shown.shared)

    def own_days(self, written: Iterable[str]) -> Iterator[str]:
        """Yield the dates, as ISO 8601, whose day the site does not repeat."""
        return (day for day in written if day and day[:10] not in self.shared_days)

    def is_visible(self, text: str) -> bool:
        """Return whether a text is in what is kept or in a byline, rather than in teasers and comments."""
        return bool(text) and (any(text in line for line in self.shown.bylines) or text in self._folded)

    @cached_property
    def _folded(self) -> str:
        return " ".join(self.text.split())


Find = Callable[[Facts], Iterable[str]]


def _of_json_ld(name: str, facts: Facts) -> Iterable[str]:
    return facts.json_ld.values(name)


def _of_microdata(name: str, facts: Facts) -> Iterable[str]:
    return facts.microdata.values(name)


def _of_opengraph(names: Sequence[str], facts: Facts) -> Iterable[str]:
    return (value for name in names for value in facts.head.opengraph.get(name, ()))


def _of_meta(names: Sequence[str], facts: Facts) -> Iterable[str]:
    return (value for name in names for value in facts.head.meta.get(name, ()))


def _of_links(relation: str, facts: Facts) -> Iterable[str]:
    return facts.head.links.get(relation, ())


def _times(facts: Facts) -> Iterable[str]:
    marked = [written for written, _, is_published in facts.head.times if is_published]
    visible = (written for written, text, _ in facts.head.times if facts.is_visible(text))
    return [*marked, *facts.own_days(map(iso_date, visible))]


def _linked_authors(facts: Facts) -> Iterable[str]:
    return (name for name in facts.head.authors if facts.is_visible(name))


def _byline_authors(facts: Facts) -> Iterable[str]:
    return (name for line in facts.shown.bylines for name in names_in_byline(line))


def _byline_dates(facts: Facts) -> Iterable[str]:
    return facts.own_days(date_in_text(line, facts.language) for line in facts.shown.bylines)


def _addressed_date(facts: Facts) -> Iterable[str]:
    return (date_in_address(facts.shown.url),)


def _heading(facts: Facts) -> Iterable[str]:
    return facts.shown.headings


def _title(facts: Facts) -> Iterable[str]:
    return (facts.head.title,)


def _declared_language(facts: Facts) -> Iterable[str]:
    return (facts.head.language,)


def _detected_language(facts: Facts) -> Iterable[str]:
    return (detected_language(facts.text),)


def _site_language(facts: Facts) -> Iterable[str]:
    return (facts.shown.language,)


def _page_address(facts: Facts) -> Iterable[str]:
    return (facts.shown.url,)


def _structured(name: str) -> tuple[tuple[str, Find], ...]:
    return ("json_ld", partial(_of_json_ld, name)), ("microdata", partial(_of_microdata, name))


def _opengraph(*names: str) -> tuple[str, Find]:
    return "opengraph", partial(_of_opengraph, names)


def _meta(*names: str) -> tuple[str, Find]:
    return "meta", partial(_of_meta, names)


SOURCES: dict[str, tuple[tuple[str, Find], ...]] = {
    "title": (
        *_structured("title"),
        _opengraph("og:title"),
        _meta("twitter:title", "dc.title", "dcterms.title", "citation_title", "parsely-title", "sailthru.title"),
        ("h1", _heading),
        ("title", _title),
    ),
    "authors": (
        *_structured("authors"),
        _opengraph("article:author", "book:author"),
        _meta("author", "dc.creator", "dcterms.creator", "citation_author", "parsely-author", "sailthru.author", "byl"),
        ("rel=author", _linked_authors),
        ("byline", _byline_authors),
    ),
    "published": (
        *_structured("published"),
        _opengraph("article:published_time", "article:published", "og:published_time", "og:pubdate"),
        _meta(
            *("date", "pubdate", "publishdate", "publish-date", "publish_date", "datepublished", "dc.date"),
            *("dc.date.issued", "dcterms.date", "dcterms.issued", "dcterms.created", "citation_publication_date"),
            *("citation_date", "parsely-pub-date", "sailthru.date"),
        ),
        ("time", _times),
        ("byline", _byline_dates),
        ("address", _addressed_date),
    ),
    "modified": (
        *_structured("modified"),
        _opengraph("article:modified_time", "og:updated_time"),
        _meta("last-modified", "lastmod", "datemodified", "dc.date.modified", "dcterms.modified"),
    ),
    "language": (
        ("lang", _declared_language),
        *_structured("language"),
        _opengraph("og:locale"),
        _meta("content-language", "language", "dc.language", "dcterms.language"),
        ("detected", _detected_language),
        ("site", _site_language),
    ),
    "site_name": (
        _opengraph("og:site_name"),
        *_structured("site_name"),
        _meta("application-name", "dc.publisher", "dcterms.publisher"),
    ),
    "url": (
        ("canonical", partial(_of_links, "canonical")),
        *_structured("url"),
        _opengraph("og:url"),
        ("address", _page_address),
    ),
    "description": (
        *_structured("description"),
        _opengraph("og:description"),
        _meta("description", "twitter:description", "dc.description", "dcterms.description"),
    ),
    "image": (
        *_structured("image"),
        _opengraph("og:image", "og:image:secure_url", "og:image:url"),
        _meta("twitter:image", "twitter:image:src", "thumbnail", "sailthru.image.full"),
        ("image_src", partial(_of_links, "image_src")),
    ),
}
"""Field -> names of its sources with how to find their values, in the order in which they count."""


def candidates(facts: Facts, name: str) -> Iterator[tuple[str, str]]:
    """Yield the values that the sources have for a field, with the names of the sources, in order."""
    for source, find in SOURCES[name]:
        seen = set()
        for written in find(facts):
            value = _normal(facts, name, source, written)
            if value and value not in seen:
                seen.add(value)
                yield source, value
                if len(seen) == (MAX_AUTHORS if name == "authors" else 1):
                    break


def _normal(facts: Facts, name: str, source: str, written: str) -> str:
    """Return a value in the form of its field, "" if it is not one."""
    if name in ("published", "modified"):
        return iso_date(written)
    if name in ("url", "image"):
        return address(written, facts.shown.base)
    if name == "language":
        return language_code(written)
    value = plain_text(written)
    if name == "authors" and "://" in value:  # as OpenGraph has them
        return ""
    if name == "title" and source in ("opengraph", "meta", "title"):
        return _without_site(value, facts.site_name)
    return value


def _without_site(title: str, site_name: str) -> str:
    """Return a title without the name of its site at one end.

    >>> _without_site("Harbour reopens | The Gazette", "The Gazette")
    'Harbour reopens'
    """
    for before, after in ((title.removesuffix(site_name), -1), (title.removeprefix(site_name), 0)):
        kept = before.strip()
        if site_name and before != title and kept and kept[after] in _DIVIDERS:
            return kept.strip(_DIVIDERS + " ") or title
    return title
