"""The pages of a site as retrieval sees them: terms of all text and of what cleaning leaves, blocks, and queries.

A query is a known item: words of a page's own TITLE, or of its meta description, that under 30 % of the site's have.
The page is the answer. TITLE and H1 are left out of all indexes, and what HEAD says is in none. Breadcrumbs, menus and
links to share often repeat a TITLE, and give the answer away. So titles are looked for a second time, in indexes
without the text chunks that have no other words than TITLE and H1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from lxml import etree

from benchmarks.corpus import Site
from benchmarks.unshipped import model_of
from scrapy_blockfilter import Options
from scrapy_blockfilter.consensus.method import Consensus
from scrapy_blockfilter.consensus.weights import load_network
from scrapy_blockfilter.html import Page, UnfitPage
from scrapy_blockfilter.html.caches import PageCaches
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.options.segmenter import CHUNKS, PLUGINS, Segmenter, segmenter_kind

TITLE, ALONE, DESCRIPTION = QUERY_SETS = ("title", "title, repeated nowhere", "description")
STATES = ("all text", "cleaned")
PAGE = "page"
# Characters of a block of fixed length: the 200 words that the survey's FixedPS has.
FIXED_CHARACTERS = 1_200
# A word of more of a site's titles tells its site rather than its page.
_MOST_TITLES = 0.3
_TITLES = frozenset({"title", "h1"})
_DESCRIPTION = etree.XPath("//meta[@name='description' or @name='Description' or @property='og:description']/@content")


class Text(NamedTuple):
    """The terms of a page in order.

    Attributes:
        blocks: for each unit but the page, the number of the block of each term, from 0.
    """

    terms: npt.NDArray[np.uint32]
    blocks: dict[str, npt.NDArray[np.int64]]


class SitePages(NamedTuple):
    """A site's pages.

    Attributes:
        texts: for each query set and state, the text of each page.
        queries: for each query set, number of a page -> terms.
    """

    name: str
    set_name: str
    texts: dict[tuple[str, str], list[Text]]
    queries: dict[str, dict[int, tuple[int, ...]]]


def units() -> list[str]:
    """Return the units: pages, and blocks of every segmenter that can work on pages without boxes."""
    return [PAGE, *(name for name in PLUGINS.names() if name not in NEED_BOXES)]


# Segmenters by what a browser shows. Pages of a corpus have no boxes, and are divided by the DOM instead.
NEED_BOXES = ("vips", "combined")


def read_site(site: Site, learnt: int) -> SitePages:
    """Learn a site, clean all its pages, and return their terms and queries."""
    pages = site.pages()
    model = model_of(pages[:learnt], Consensus(load_network()), Options(pages=learnt))
    known = PageCaches()
    texts: dict[tuple[str, str], list[Text]] = {(name, state): [] for name in QUERY_SETS for state in STATES}
    said: dict[str, list[list[int]]] = {TITLE: [], DESCRIPTION: []}
    for page in pages:
        try:
            segmented = Reader(Options()).read(page.html)
            cleaned = model.clean(page.html).html if model else page.html
            left = segmented if cleaned == page.html else Reader(Options()).read(cleaned)
        except UnfitPage:
            continue
        language = segmented.language
        titles = [chunk.text for chunk in segmented.chunks.blocks if chunk.tag == "title"]
        for name, words in ((TITLE, titles), (DESCRIPTION, _descriptions(page.html))):
            said[name].append(known.terms.terms(words[0], language) if words else [])
        headline = set(known.terms.terms(" ".join([*titles[:1], *_headlines(segmented)]), language))
        for state, shown in zip(STATES, (segmented, left), strict=True):
            texts[TITLE, state].append(_text(shown, language))
            texts[DESCRIPTION, state] = texts[TITLE, state]
            texts[ALONE, state].append(_text(shown, language, headline))
    queries = {name: _queries(of_pages) for name, of_pages in said.items()}
    return SitePages(site.name, site.set_name, texts, {**queries, ALONE: queries[TITLE]})


def _headlines(page: Page) -> list[str]:
    nearest = page.nearest(_TITLES)
    return [chunk.text for chunk in page.chunks.blocks if nearest[chunk.node] >= 0]


def _descriptions(html: str) -> list[str]:
    root = etree.fromstring(html.encode("utf-8", "replace"), etree.HTMLParser(encoding="utf-8"))
    return [] if root is None else [str(text) for text in _DESCRIPTION(root) if text.strip()]


def _queries(of_pages: Sequence[Sequence[int]]) -> dict[int, tuple[int, ...]]:
    """Return the words that are of few pages; none for a page if another has the same ones."""
    having = Counter(term for terms in of_pages for term in set(terms))
    most = _MOST_TITLES * len(of_pages)
    found = [tuple(sorted({term for term in terms if having[term] < most})) for terms in of_pages]
    same = Counter(found)
    return {number: query for number, query in enumerate(found) if query and same[query] == 1}


def _text(page: Page, language: str, repeated: Collection[int] | None = None) -> Text:
    """Return the terms of a page.

    Args:
        repeated: leave out chunks that have no other terms than these.
    """
    headline = page.nearest(_TITLES)
    chunks = page.chunks.blocks
    assert page.known is not None
    terms = page.known.terms.terms_of_each([chunk.text for chunk in chunks], language)
    is_counted = [
        headline[chunk.node] < 0 and (repeated is None or any(term not in repeated for term in own))
        for chunk, own in zip(chunks, terms, strict=True)
    ]
    lengths = np.array([len(own) * counts for own, counts in zip(terms, is_counted, strict=True)], np.int64)
    counted = [term for own, counts in zip(terms, is_counted, strict=True) if counts for term in own]
    blocks = {}
    for unit in units()[1:]:
        numbers: Iterable[int] = range(len(chunks))
        if unit != CHUNKS and chunks:
            joined = segmenter_kind(unit).divide(page, Segmenter(unit, FIXED_CHARACTERS))
            numbers = joined.of_chunks(range(len(joined.blocks)))
        # Only blocks with counted terms are indexed.
        spread = np.repeat(np.fromiter(numbers, np.int64, len(chunks)), lengths)
        blocks[unit] = np.unique(spread, return_inverse=True)[1]
    return Text(np.array(counted, np.uint32), blocks)
