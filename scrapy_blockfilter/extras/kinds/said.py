"""Statements of a page about its kind: types of schema.org and OpenGraph, METAs, names of its BODY, and its address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt
from lxml import etree

Floats = npt.NDArray[np.float64]

# Types of schema.org that tell kinds apart, by the ending of their names.
_TYPES = {
    "article": ("article", "posting", "report"),
    "thread": ("forumposting", "qapage", "question", "answer", "comment"),
    "product": ("product", "offer", "aggregateoffer"),
    "listing": ("itemlist", "collectionpage", "searchresultspage", "offercatalog", "blog"),
    "list item": ("listitem",),
    "person": ("person", "profilepage"),
    "organisation": ("organization", "business", "store"),
    "site": ("website",),
    "page": ("webpage",),
    "reference": ("techarticle", "apireference", "softwaresourcecode", "definedterm", "dataset"),
    "recipe": ("recipe",),
    "event": ("event",),
    "service": ("service",),
    "job": ("jobposting",),
    "review": ("review", "aggregaterating"),
    "faq": ("faqpage",),
}
_OPENGRAPH = ("article", "website", "product", "profile", "object", "book")
# Beginnings of names of METAs and of relations of LINKs.
_METAS = {
    "published": ("article:published", "date", "dc.date", "pubdate", "parsely-pub", "sailthru.date"),
    "section": ("article:section", "article:tag", "article:author", "article:publisher"),
    "price": ("product:", "og:price", "og:availability"),
    "profile": ("profile:",),
    "author": ("author", "dc.creator", "byl"),
    "reading time": ("twitter:label", "twitter:data"),
    "citation": ("citation_",),
    "feed": ("alternate application/rss", "alternate application/atom"),
    "next or previous": ("next", "prev"),
    "contents": ("index", "contents", "toc", "up", "top", "genindex", "section"),
    "wordpress": ("edituri", "https://api.w.org"),
}
# Words of programs that say what they write.
_GENERATORS = {
    "boards": ("phpbb", "discourse", "vbulletin", "xenforo", "mybb", "smf", "flarum", "vanilla", "invision", "discuz"),
    "wikis": ("mediawiki", "moinmoin", "dokuwiki", "tiddlywiki", "trac", "foswiki", "xwiki"),
    "references": ("sphinx", "doxygen", "javadoc", "mkdocs", "docusaurus", "vitepress", "docbook", "asciidoctor"),
    "shops": ("woocommerce", "shopify", "magento", "prestashop", "opencart", "bigcommerce", "shopware", "haravan"),
    "blogs": ("wordpress", "blogger", "hugo", "jekyll", "ghost", "hexo", "movable", "pelican", "gatsby"),
}
# Words of class and ID of HTML, BODY and MAIN.
_BODIES = {
    "article": ("single", "post", "postid", "article", "story", "hentry", "blog", "news", "entry"),
    "page": ("page", "static", "pageid"),
    "product": ("product", "produkt", "item", "goods"),
    "listing": (
        "archive",
        "category",
        "tag",
        "collection",
        "search",
        "list",
        "shop",
        "tax",
        "paged",
        "catalog",
        "term",
    ),
    "home": ("home", "front", "frontpage", "homepage", "landing", "startpage"),
    "thread": ("viewtopic", "topic", "thread", "forum", "showthread", "bbpress", "discussion", "board", "question"),
    "reference": (
        "wiki",
        "mediawiki",
        "doc",
        "docs",
        "documentation",
        "reference",
        "manual",
        "api",
        "javadoc",
        "module",
    ),
    "profile": ("profile", "member", "user", "people", "person", "team", "player", "artist", "bio"),
    "event": ("event", "session", "service", "services", "job"),
    "shop": ("woocommerce", "cart", "store", "ecommerce"),
}
_COUNTED = ("time", "code", "textarea", "input", "button", "img", "iframe", "svg")
# Words of an address; each counts as a whole word or the start of a longer one.
_WORDS = {
    "article": ("blog", "news", "article", "post", "story", "archives"),
    "product": ("product", "produkt", "producto", "produit", "item", "p", "dp", "sku"),
    "listing": ("category", "categor", "collection", "tag", "search", "list", "archive", "browse", "shop", "page"),
    "thread": ("thread", "topic", "forum", "viewtopic", "showthread", "question", "issues", "bug", "board", "list"),
    "reference": ("doc", "docs", "reference", "manual", "api", "guide", "help", "wiki", "tutorial", "man", "lib"),
    "profile": ("user", "profile", "people", "author", "member", "person", "players", "team", "artist", "musician"),
    "other": ("event", "job", "service", "about", "contact", "session", "schedule"),
}
NAMES_OF_TYPES = tuple(f"schema: {name}" for name in (*_TYPES, "none"))
NAMES_OF_OPENGRAPH = tuple(f"og: {name}" for name in (*_OPENGRAPH, "none"))
NAMES_OF_ADDRESS = (
    *(f"address: {name}" for name in _WORDS),
    *("address: root", "address: parts", "address: day", "address: digits", "address: words", "address: query"),
    "address: none",
)
NAMES_OF_HEAD = (
    *(f"meta: {name}" for name in _METAS),
    *(f"generator: {name}" for name in (*_GENERATORS, "none")),
    *(f"body: {name}" for name in (*_BODIES, "words")),
    *(f"elements: {name}" for name in _COUNTED),
)
NAMES = (*NAMES_OF_HEAD, *NAMES_OF_TYPES, *NAMES_OF_OPENGRAPH, *NAMES_OF_ADDRESS)

# Elements, characters of a SCRIPT, and types that are read. Real pages have far fewer.
_MAX_ELEMENTS, _MAX_SCRIPT, _MAX_TYPES = 500, 200_000, 1_000
_MAX_ADDRESS = 1_000
# Elements that say something.
_SAYING = ("meta", "link", "script", "html", "body", "main")
_TYPED = etree.XPath("descendant-or-self::*[@itemtype]")
_TYPE = re.compile(r'"@type"\s{0,20}:\s{0,20}\[?\s{0,20}"([^"]{1,80})"')
_DAY = re.compile(r"/(?:19|20)\d\d[/-]\d{1,2}\b")
_PARTS = re.compile(r"[^\W\d_]+")
_INDEX = re.compile(r"/?(?:index|default|home)?(?:\.\w{1,5})?")


def said_by(root: etree._Element | None, url: str) -> Floats:
    """Return what a page says of its kind, with the names of ``NAMES``.

    Args:
        root: of its tree; None if there is none.
        url: its address, "" if unknown.
    """
    said = _Said()
    counts = dict.fromkeys((*_COUNTED, *_SAYING), 0)
    if root is not None:
        for element in root.iter(*counts):  # in one walk: each takes a tenth of a millisecond or more
            tag = str(element.tag)
            counts[tag] += 1
            if tag in _SAYING and counts[tag] <= _MAX_ELEMENTS:
                said.add(tag, element)
        for element in islice(_TYPED(root), _MAX_ELEMENTS):
            said.add_types(element)
    counted = np.log1p([counts[tag] for tag in _COUNTED])
    return np.array([*said.of_head(), *counted, *said.of_types(), *_of_address(url)], np.float64)


def is_root(url: str) -> bool:
    """Return whether an address is that of a site as a whole.

    >>> is_root("https://a.example/index.html"), is_root("https://a.example/?p=1"), is_root("https://a.example/b/")
    (True, False, False)
    """
    try:
        parts = urlsplit(url[:_MAX_ADDRESS])
    except ValueError:
        return False
    return bool(parts.netloc) and not parts.query and _INDEX.fullmatch(parts.path.lower()) is not None


class _Said:
    """Statements of elements about the page."""

    def __init__(self) -> None:
        self._types: list[str] = []
        self._opengraph = ""
        self._generator = ""
        self._metas: list[str] = []
        self._names: set[str] = set()

    def add_types(self, element: etree._Element) -> None:
        types = element.get("itemtype", "")[:_MAX_ADDRESS].split()[:3]
        self._types += (name.rpartition("/")[2].lower() for name in types)

    def add(self, tag: str, element: etree._Element) -> None:
        if tag == "meta":
            name = (element.get("property") or element.get("name") or "")[:_MAX_ADDRESS].strip().lower()
            self._metas.append(name)
            if name == "og:type":
                self._opengraph = self._opengraph or element.get("content", "").strip().lower()
            elif name == "generator":
                self._generator += element.get("content", "")[:_MAX_ADDRESS].lower()
        elif tag == "link":
            if relation := element.get("rel"):
                self._metas.append(f"{relation} {element.get('type', '')}"[:_MAX_ADDRESS].strip().lower())
        elif tag == "script":
            if element.get("type") == "application/ld+json":
                found = _types_in((element.text or "")[:_MAX_SCRIPT])
                self._types += (name.rpartition("/")[2].lower() for name in found)
        else:
            names = f"{element.get('class', '')} {element.get('id', '')}"
            self._names.update(_PARTS.findall(names[:_MAX_ADDRESS].lower()))

    def of_head(self) -> list[float]:
        generator = set(_PARTS.findall(self._generator))
        return [
            *(float(any(meta.startswith(starts) for meta in self._metas)) for starts in _METAS.values()),
            *(float(not generator.isdisjoint(names)) for names in _GENERATORS.values()),
            float(not generator),
            *(float(not self._names.isdisjoint(names)) for names in _BODIES.values()),
            float(np.log1p(len(self._names))),
        ]

    def of_types(self) -> list[float]:
        counts = [sum(name.endswith(endings) for name in self._types) for endings in _TYPES.values()]
        opengraph = [float(self._opengraph.startswith(name)) for name in _OPENGRAPH]
        return [*np.log1p(counts).tolist(), float(not self._types), *opengraph, float(not self._opengraph)]


def _types_in(script: str) -> Iterator[str]:
    return (found[1] for found in islice(_TYPE.finditer(script), _MAX_TYPES))


def _of_address(url: str) -> list[float]:
    try:
        parts = urlsplit(url[:_MAX_ADDRESS])
    except ValueError:
        url = ""
        parts = urlsplit("")
    path = parts.path.lower()
    words = _PARTS.findall(path)
    steps = [step for step in path.split("/") if step]
    return [
        *(float(any(word in names or word.removesuffix("s") in names for word in words)) for names in _WORDS.values()),
        float(is_root(url)),
        float(np.log1p(len(steps))),
        float(_DAY.search(path) is not None),
        float(np.log1p(sum(character.isdigit() for character in path))),
        float(np.log1p(len(_PARTS.findall(steps[-1])) if steps else 0)),
        float(bool(parts.query)),
        float(not url),
    ]
