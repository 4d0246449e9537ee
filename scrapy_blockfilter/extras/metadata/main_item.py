"""Choose the item of structured data that a page is about, and read its fields.

JSON-LD and microdata use the same vocabulary, schema.org, so one reader serves both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urldefrag

from scrapy_blockfilter.extras.metadata.dates import iso_date
from scrapy_blockfilter.extras.metadata.values import address, plain_text

Item = Mapping[str, Any]

# Types that name what a page is about, those that say most first: texts, things, pages. A type is of the first group
# that has one of its endings.
_TYPES = (
    ("Article", "Posting", "Report"),
    ("Product", "Recipe", "Event", "VideoObject", "Book", "Movie", "Course", "Dataset", "HowTo", "SoftwareApplication"),
    ("Page", "CreativeWork"),
)
# Items of a page that are looked at; graphs have some tens.
_MAX_ITEMS = 500
# Authors that are taken; papers have hundreds.
MAX_AUTHORS = 20

_TITLE = ("headline", "name", "title")
_DATES = {"published": ("datePublished", "uploadDate", "dateCreated", "datePosted"), "modified": ("dateModified",)}


class MainItem:
    """The item that a page is about.

    Args:
        items: of JSON-LD or of microdata.
        page: address of the page.
    """

    def __init__(self, items: Sequence[Item], page: str) -> None:
        self._page = page
        self._items = list(inner_items(items))
        self._by_id = named_items(self._items)
        self._item = self._chosen()

    def values(self, field: str) -> list[str]:
        """Return the values of a field, the first being the one that counts; of authors, all."""
        if field == "authors":
            return self._names("author") or self._names("creator")
        if field == "site_name":
            return self._names("publisher") or self._names_of_site()
        if field in _DATES:
            return [day for name in _DATES[field] if (day := iso_date(plain_text(self._first(name))))]
        if field == "image":
            found = (self._address_of(self._first(name)) for name in ("image", "thumbnailUrl"))
        elif field == "url":
            found = (self._address_of(self._first(name)) for name in ("url", "mainEntityOfPage"))
        elif field == "title":
            found = (plain_text(self._first(name)) for name in _TITLE)
        elif field == "language":
            found = (plain_text(language) for language in self._languages())
        else:
            found = (plain_text(self._first(name)) for name in (field,))
        return [value for value in found if value]

    def _chosen(self) -> Item:
        """Return the item of the most telling type, empty if several differ and none has the address of the page."""
        for endings in _TYPES:
            of_type = [item for item in self._items if any(name.endswith(endings) for name in types_of(item))]
            own = [item for item in of_type if self._is_of_page(item)]
            titles = {plain_text(next((item[name] for name in _TITLE if name in item), "")) for item in of_type}
            if own or len(titles) == 1:
                return (own or of_type)[0]
        return {}

    def _is_of_page(self, item: Item) -> bool:
        named = (self._address_of(one(item.get(name))) for name in ("url", "mainEntityOfPage", "@id"))
        return bool(self._page) and any(_bare(url) == _bare(self._page) for url in named if url)

    def _first(self, name: str) -> Any:
        return resolved(one(self._item.get(name)), self._by_id)

    def _names(self, name: str) -> list[str]:
        """Return names of people or organisations, which are text or items; addresses are none."""
        value = self._item.get(name)
        names = []
        for person in (value if isinstance(value, list) else [value])[:MAX_AUTHORS]:
            person = resolved(person, self._by_id)
            written = plain_text(one(person.get("name")) if isinstance(person, dict) else person)
            if written and "://" not in written and written not in names:
                names.append(written)
        return names

    def _names_of_site(self) -> list[str]:
        sites = (item for item in self._items if "WebSite" in types_of(item))
        return [name for item in sites if (name := plain_text(one(item.get("name"))))]

    def _languages(self) -> Iterator[Any]:
        value = self._first("inLanguage")
        yield from (value.get("alternateName"), value.get("name")) if isinstance(value, dict) else (value,)

    def _address_of(self, value: Any) -> str:
        value = resolved(value, self._by_id)
        if isinstance(value, dict):
            value = next((value[name] for name in ("url", "contentUrl", "@id") if value.get(name)), "")
        return address(one(value), self._page)


def inner_items(items: Sequence[Item], names: Sequence[str] = ("@graph", "mainEntity")) -> Iterator[Item]:
    """Yield items and those within them: of their graphs, what pages say that they are about, or what else is named."""
    waiting: list[Any] = list(reversed(items))
    for _ in range(_MAX_ITEMS):
        if not waiting:
            return
        item = waiting.pop()
        if not isinstance(item, dict):
            continue
        yield item
        inner: list[Any] = []
        for name in names:
            value = item.get(name)
            inner += value if isinstance(value, list) else [value]
        waiting += reversed(inner[:_MAX_ITEMS])


def named_items(items: Sequence[Item]) -> dict[str, Item]:
    """Return the items that others may refer to, by identifier."""
    return {name: item for item in items if (name := _identifier(item)) and len(item) > 1}


def resolved(value: Any, by_id: Mapping[str, Item]) -> Any:
    """Return the item that a reference to it stands for; any other value as it is."""
    if isinstance(value, dict) and len(value) == 1 and (name := _identifier(value)):
        return by_id.get(name, value)
    return value


def one(value: Any) -> Any:
    """Return a value, the first of several."""
    return (value[0] if value else None) if isinstance(value, list) else value


def types_of(item: Item) -> list[str]:
    value = item.get("@type")
    names = value if isinstance(value, list) else [value]
    return [name.rpartition("/")[2] for name in names if isinstance(name, str)]


def _identifier(item: Item) -> str:
    value = item.get("@id")
    return value if isinstance(value, str) else ""


def _bare(url: str) -> str:
    """Return an address without what differs between names of one page: its scheme, fragment and last slash."""
    return urldefrag(url)[0].partition("://")[2].rstrip("/")
