"""The sources of each field in one ordered list. The first source with a value counts.

Statements for programs come before visible text: JSON-LD, microdata, OpenGraph, other METAs and LINKs, then
headings and bylines. A canonical address and a declared language have elements of their own, which come first. A
language that no page declares is guessed by py3langid from the extra ``metadata``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property, partial
from itertools import islice
from typing import Any
from urllib.parse import urldefrag

from scrapy_blockfilter.extras.metadata.bylines import listed_names, names_in_byline
from scrapy_blockfilter.extras.metadata.dates import date_in_address, date_in_text, iso_date
from scrapy_blockfilter.extras.metadata.shown import MAX_DATED, Shown
from scrapy_blockfilter.extras.metadata.statements import (
    JSON_LD,
    LINK,
    META,
    MICRODATA,
    OPENGRAPH,
    Statements,
    plain_text,
)
from scrapy_blockfilter.extras.metadata.subjects import Subject
from scrapy_blockfilter.extras.metadata.things import address, is_a, named, values_of
from scrapy_blockfilter.plugins import is_installed
from scrapy_blockfilter.text.normal_form import stream_safe

# Authors that are taken; papers have hundreds.
MAX_AUTHORS = 20
# Text between the title and the name of the site: "Harbour reopens | The Gazette".
_DIVIDERS = "|｜-–—~·•:/»«›‹><→←"
# Ends of types that name what a page is about, those that say most first: texts, things, pages. The first group counts.
_MAIN = (
    ("Article", "Posting", "Report"),
    ("Product", "Recipe", "Event", "VideoObject", "Book", "Movie", "Course", "Dataset", "HowTo", "SoftwareApplication"),
    ("Page", "CreativeWork"),
)
# Fewer characters say too little of their language, but for scripts with a sign a word. More do not change the guess.
_LEAST_GUESSED, _MOST_GUESSED = 60, 5_000
_LANGUAGE_TAG = re.compile(r"\A([a-z]{2,3})(?:[-_][a-z0-9]{1,8}){0,5}\Z")
# Not languages: undetermined, several, none; "x-default" has no subtag of two letters.
_NO_LANGUAGE = frozenset({"und", "mul", "zxx", "xx"})
_TITLES = ("headline", "name", "title")
_CREATORS = ("author", "dc.creator", "dcterms.creator", "citation_author", "parsely-author", "sailthru.author", "byl")


class Facts:
    """All that is known of a page, by source."""

    def __init__(self, statements: Statements, shown: Shown) -> None:
        self.statements = statements
        self.shown = shown
        # What each source says of the page.
        self.subjects = {source: Subject("") for source in (OPENGRAPH, META, LINK)}
        self.subjects.update({subject.source: subject for subject in statements.subjects})
        links = (address(link, shown.base) for link in values_of(self.subjects[LINK], ("canonical",)))
        page = next(filter(None, links), shown.base)
        for source in (JSON_LD, MICRODATA):
            self.subjects[source] = main_subject(statements.of(source), page)

    @cached_property
    def text(self) -> str:
        return self.shown.text()

    @cached_property
    def site_name(self) -> str:
        return next(candidates(self, "site_name"), ("", ""))[1]

    @cached_property
    def language(self) -> str:
        return next(candidates(self, "language"), ("", ""))[1]

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


def main_subject(subjects: Sequence[Subject], page: str) -> Subject:
    """Return the subject of the most telling type; none if several differ and none has the address of the page."""
    for endings in _MAIN:
        of_type = [subject for subject in subjects if is_a(subject, endings)]
        own = [subject for subject in of_type if page and _is_of_page(subject, page)]
        titles = {next(map(plain_text, values_of(subject, _TITLES)), "") for subject in of_type}
        if own or len(titles) == 1:
            return (own or of_type)[0]
    return Subject("")


def _is_of_page(subject: Subject, page: str) -> bool:
    written = values_of(subject, ("url", "mainEntityOfPage", "mainEntityOfPage.@id", "@id"))
    return any(_bare(url) == _bare(page) for value in written if (url := address(value, page)))


def _bare(url: str) -> str:
    """Return an address without what differs between names of one page: its scheme, fragment and last slash."""
    return urldefrag(url)[0].partition("://")[2].rstrip("/")


Find = Callable[[Facts], Iterable[Any]]


def _values(source: str, paths: Sequence[str], facts: Facts) -> Iterable[Any]:
    return values_of(facts.subjects[source], paths)


def _names(source: str, properties: Sequence[str], facts: Facts) -> list[str]:
    """Return names of people or organisations, without addresses: of the first property that has some, or a list."""
    subject = facts.subjects[source]
    for name in properties:
        stated = [(path, plain_text(value)) for path, value in subject.statements if path in named(name)]
        is_list = name != "publisher"
        every = [one for path, text in stated for one in (listed_names(text) if is_list and path == name else [text])]
        if names := [text for text in every if text and "://" not in text] or _parted_names(subject, name):
            return names
    return []


def _parted_names(subject: Subject, name: str) -> list[str]:
    """Return names of people that are stated in two parts."""
    given, family = (list(values_of(subject, (f"{name}.{part}Name",))) for part in ("given", "family"))
    both = zip(given, family, strict=True) if len(given) == len(family) else ()
    return [f"{first} {last}" for parts in both for first, last in [map(plain_text, parts)] if first and last]


def _item_titles(source: str, facts: Facts) -> Iterable[Any]:
    """Return the titles of the page's item, first one that is its headline, too: others may be taglines."""
    titles = list(_values(source, _TITLES, facts))
    return sorted(titles, key=lambda title: plain_text(title) not in facts.shown.headings)


def _site_names(source: str, facts: Facts) -> Iterable[Any]:
    sites = (subject for subject in facts.statements.of(source) if "WebSite" in subject.types)
    return _names(source, ("publisher",), facts) or (name for site in sites for name in values_of(site, ("name",)))


def _times(facts: Facts) -> Iterable[str]:
    times = sorted(facts.statements.times, key=lambda time: time.is_changed)  # some sites mark all as changes
    marked = [time.written for time in times if time.is_published]
    seen = (time for time in times if time.written and facts.is_visible(time.text))
    return [*marked, *facts.own_days(iso_date(time.written) for time in seen)]


def _byline_dates(facts: Facts) -> Iterable[str]:
    """Return the days of lines near the heading, then those of TIMEs anywhere."""
    texts = islice(dict.fromkeys(time.text for time in facts.statements.times), MAX_DATED)
    return facts.own_days(date_in_text(line, facts.language) for line in (*facts.shown.dated, *texts))


def _stated(source: str, *paths: str) -> tuple[str, Find]:
    return source, partial(_values, source, paths)


def _item(*paths: str) -> tuple[tuple[str, Find], ...]:
    """Return JSON-LD and microdata as sources. They use one vocabulary, schema.org."""
    return _stated(JSON_LD, *paths), _stated(MICRODATA, *paths)


SOURCES: dict[str, tuple[tuple[str, Find], ...]] = {
    "title": (
        *((source, partial(_item_titles, source)) for source in (JSON_LD, MICRODATA)),
        _stated(OPENGRAPH, "og:title"),
        _stated(
            META, "twitter:title", "dc.title", "dcterms.title", "citation_title", "parsely-title", "sailthru.title"
        ),
        ("h1", lambda facts: facts.shown.headings),
        ("title", lambda facts: (facts.statements.title,)),
    ),
    "authors": (
        *((source, partial(_names, source, ("author", "creator"))) for source in (JSON_LD, MICRODATA)),
        _stated(OPENGRAPH, "article:author", "book:author"),
        (META, partial(_names, META, _CREATORS)),
        ("rel=author", lambda facts: filter(facts.is_visible, facts.statements.authors)),
        ("byline", lambda facts: (name for line in facts.shown.bylines for name in names_in_byline(line))),
    ),
    "published": (
        *_item("datePublished", "uploadDate", "dateCreated", "datePosted"),
        _stated(OPENGRAPH, "article:published_time", "article:published", "og:published_time", "og:pubdate"),
        _stated(
            *(META, "date", "pubdate", "publishdate", "publish-date", "publish_date", "datepublished", "dc.date"),
            *("dc.date.issued", "dcterms.date", "dcterms.issued", "dcterms.created", "citation_publication_date"),
            *("citation_date", "parsely-pub-date", "sailthru.date"),
        ),
        ("time", _times),
        ("address", lambda facts: (date_in_address(facts.shown.url),)),
        ("byline", _byline_dates),
    ),
    "modified": (
        *_item("dateModified"),
        _stated(OPENGRAPH, "article:modified_time", "og:updated_time"),
        _stated(META, "last-modified", "lastmod", "datemodified", "dc.date.modified", "dcterms.modified"),
    ),
    "language": (
        ("lang", lambda facts: (facts.statements.language,)),
        *_item("inLanguage", "inLanguage.alternateName", "inLanguage.name"),
        _stated(OPENGRAPH, "og:locale"),
        _stated(META, "content-language", "language", "dc.language", "dcterms.language"),
        ("detected", lambda facts: (_detected_language(facts.text),)),
        ("site", lambda facts: (facts.shown.language,)),
    ),
    "site_name": (
        _stated(OPENGRAPH, "og:site_name"),
        *((source, partial(_site_names, source)) for source in (JSON_LD, MICRODATA)),
        _stated(META, "application-name", "dc.publisher", "dcterms.publisher"),
    ),
    "url": (
        ("canonical", partial(_values, LINK, ("canonical",))),
        *_item("url", "mainEntityOfPage", "mainEntityOfPage.url", "mainEntityOfPage.@id"),
        _stated(OPENGRAPH, "og:url"),
        ("address", lambda facts: (facts.shown.url,)),
    ),
    "description": (
        *_item("description"),
        _stated(OPENGRAPH, "og:description"),
        _stated(META, "description", "twitter:description", "dc.description", "dcterms.description"),
    ),
    "image": (
        *_item("image", "image.url", "image.contentUrl", "image.@id", "thumbnailUrl"),
        _stated(OPENGRAPH, "og:image", "og:image:secure_url", "og:image:url"),
        _stated(META, "twitter:image", "twitter:image:src", "thumbnail", "sailthru.image.full"),
        ("image_src", partial(_values, LINK, ("image_src",))),
    ),
}
"""Field -> names of its sources with how to find their values, in the order in which they count."""


def candidates(facts: Facts, name: str) -> Iterator[tuple[str, str]]:
    """Yield the values that the sources have for a field, with the names of the sources, in order."""
    most = MAX_AUTHORS if name == "authors" else 1
    for source, find in SOURCES[name]:
        seen: dict[str, None] = {}
        for written in find(facts):
            if value := _normal(facts, name, written):
                seen[value] = None
                if len(seen) == most:
                    break
        yield from ((source, value) for value in seen)


def _normal(facts: Facts, name: str, written: object) -> str:
    """Return a value in the form of its field, "" for an invalid value."""
    if name in ("url", "image"):
        return address(written, facts.shown.base)
    value = plain_text(written)
    if name in ("published", "modified"):
        return iso_date(value)
    if name == "language":
        return _language_code(value)
    if name == "authors" and "://" in value:  # as OpenGraph has them
        return ""
    return _without_site(value, facts.site_name) if name == "title" else value


def _without_site(title: str, site_name: str) -> str:
    """Return a title without the name of its site at one end.

    >>> _without_site("Harbour reopens | The Gazette", "the Gazette")
    'Harbour reopens'
    """
    size = len(site_name)
    for end, before, after in ((title[-size:], title[:-size], -1), (title[:size], title[size:], 0)):
        kept = before.strip()
        if site_name and kept and end.casefold() == site_name.casefold() and kept[after] in _DIVIDERS:
            return kept.strip(_DIVIDERS + " ") or title
    return title


def _language_code(written: str) -> str:
    """Return the code of a language without its region, or "".

    >>> _language_code("en_US"), _language_code("English"), _language_code("pt-BR, en")
    ('en', '', 'pt')
    """
    found = _LANGUAGE_TAG.match(re.split("[,;]", written[:100], maxsplit=1)[0].strip().lower())
    return "" if found is None or found[1] in _NO_LANGUAGE else found[1]


def _detected_language(text: str) -> str:
    """Return the code of the language of a text, "" for a short text or without a library for it."""
    text = text[:_MOST_GUESSED]
    detect = _detector()
    is_enough = sum(map(str.isalpha, text)) >= _LEAST_GUESSED or not text.isascii()
    return detect(stream_safe(text)) if detect is not None and is_enough and text.strip() else ""


@cache
def _detector() -> Callable[[str], str] | None:
    """Return the library's function, made once: its model takes a third of a second to load."""
    if not is_installed("py3langid"):
        return None
    import py3langid

    return lambda text: str(py3langid.classify(text)[0])
