"""The pages of responses in progress: each is parsed and read once, and judged once, for learning and all its items."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from scrapy import Request
from scrapy.http import HtmlResponse

from scrapy_blockfilter.crawl.spider_trees import SpiderTrees, is_parsed
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.html.tree_fingerprint import SharedTree, has_changed
from scrapy_blockfilter.model import Cleaned, SiteModel

# Characters of HTML whose pages are kept, the newest. A page takes nine bytes per character, so this is 36 MB; it is
# 50 pages of the mean length.
MAX_CHARACTERS = 4_000_000


class CachedPage:
    """HTML that is read once, and judged once by a model.

    Args:
        whole: whether the HTML is a page rather than a fragment of one.
        page: the page, if it was read before.
    """

    def __init__(self, reader: Reader, source: str, *, whole: bool, page: Page | None = None) -> None:
        self.source = source
        self.whole = whole
        self._reader = reader
        self._page = page
        self._cleaned: Cleaned | None = None
        self._model: SiteModel | None = None

    @property
    def is_read(self) -> bool:
        """Whether there is a page, whose tree no callback has changed."""
        return self._page is not None and not has_changed(self._page)

    def page(self, tree: SharedTree | None = None) -> Page:
        """Return the page.

        Args:
            tree: the tree of the HTML, if there is one.

        Raises:
            UnfitPage: the page is outside the limits.
        """
        if self._page is None or has_changed(self._page):
            self._page = self._reader.read(self.source, tree, whole=self.whole)
            self._cleaned = None
        return self._page

    def judged(self, model: SiteModel, url: str) -> Cleaned:
        """Return the page as a model judges it."""
        if self._cleaned is None or self._model is not model:
            if self._cleaned is not None:  # judging changes a page
                self._page = None
            page = self._page or self.page()
            self._model, self._cleaned = model, model.clean_page(self.source, page, url)
            if page.segmenter is not None:  # selectors may have taken joined blocks apart
                cleaned, self._page, self._cleaned = self._cleaned, None, None
                return cleaned
        return self._cleaned


class ResponseCache:
    """The pages of responses. They stay as long as their responses do, within a bound: held items wait for minutes."""

    def __init__(self, reader: Reader, most: int = MAX_CHARACTERS) -> None:
        self._reader = reader
        self._most = most
        self._trees = SpiderTrees(reader)
        self._pages: WeakKeyDictionary[HtmlResponse, CachedPage] = WeakKeyDictionary()

    def look(self, request: Request, response: HtmlResponse) -> None:
        """Look at the tree of a response before its callback runs, for the items of a page that is not read now."""
        self._trees.look(request, response)

    def read(self, response: HtmlResponse) -> Page:
        """Read the page of a response before its callback runs.

        Raises:
            UnfitPage: the page is outside the limits.
        """
        may_differ = is_parsed(response)  # another middleware may have changed the tree
        page = self._reader.read(response.text, self._reader.tree_of(response), whole=True)
        if not may_differ:
            self._keep(response, CachedPage(self._reader, response.text, whole=True, page=page))
        return page

    def of(self, response: HtmlResponse) -> tuple[CachedPage, SharedTree | None]:
        """Return the page of a response, and the tree to read it from if it is still to be read."""
        cached = self._pages.get(response)
        if cached is None:
            cached = self._keep(response, CachedPage(self._reader, response.text, whole=True))
        return cached, None if cached.is_read else self._trees.tree_of(response)

    def _keep(self, response: HtmlResponse, cached: CachedPage) -> CachedPage:
        """Add a page. The oldest ones are dropped if there are too many."""
        self._pages[response] = cached
        characters = 0
        for kept in reversed(list(self._pages)):
            characters += len(kept.text)
            if characters > self._most:
                del self._pages[kept]
        return cached
