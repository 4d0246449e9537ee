"""The pages of responses in progress: each is parsed and read once, and judged once, for learning and all its items.

A page is read from the tree that the response's selector holds, if no callback has changed it. The tree is looked at
before its callback runs, and compared when an item has the text of its response. A response is parsed for that only if
its callback will select from the tree anyway, as it did from an earlier response.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field
from weakref import WeakKeyDictionary, ref

from scrapy import Request
from scrapy.http import HtmlResponse, Response

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.html.tree_fingerprint import SharedTree, fingerprint, has_changed, shares_trees
from scrapy_blockfilter.model import Cleaned, SiteModel
from scrapy_blockfilter.model.page_state import Answers

# Characters of HTML whose pages are kept, the newest: 50 pages of mean length. At nine bytes for each, this is 36 MB.
MAX_CHARACTERS = 4_000_000
# Responses of a callback that are parsed for it, before one is left to it to see whether it still selects.
_PARSED_FOR_CALLBACK = 50


@dataclass(eq=False, repr=False)
class SourcePage:
    """HTML of a whole page or a fragment, which is read once, and judged once by a model."""

    reader: Reader
    source: str
    _: KW_ONLY
    whole: bool
    is_guarded: bool = True
    known: Page | None = None  # the page, once it is read
    find_tree: Callable[[], SharedTree | None] = lambda: None
    page_hash: int | None = None  # by which it is learnt from, None for a page that must not be
    _cleaned: Cleaned | None = field(default=None, init=False)
    _model: SiteModel | None = field(default=None, init=False)
    _failure: str = field(default="", init=False)

    def page(self) -> Page:
        """Return the page, whose tree no callback has changed; raise UnfitPage beyond the limits."""
        if self.known is None or has_changed(self.known):
            self.known = self.reader.read(self.source, self.find_tree(), whole=self.whole)
            self._cleaned = None
        return self.known

    def judged(self, model: SiteModel, url: str, answers: Answers | None = None) -> Cleaned:
        """Return the page as a model judges it. The model's first error on it is raised, and then RuntimeError."""
        if self._failure and self._model is model:
            raise RuntimeError(f"the page was not judged again, as judging it had failed: {self._failure}")
        if self._cleaned is None or self._model is not model:
            if self._cleaned is not None or self._failure:  # judging changes a page
                self.known = None
            page = self.known or self.page()
            self._model, self._failure = model, ""
            try:
                self._cleaned = model.clean_page(self.source, page, url, answers, is_guarded=self.is_guarded)
            except Exception as error:
                self._failure = repr(error)  # in words: its traceback would hold the response
                raise
            if page.segmenter is not None:  # selectors may have taken joined blocks apart
                cleaned, self.known, self._cleaned = self._cleaned, None, None
                return cleaned
        return self._cleaned


class ResponseCache:
    """The pages of responses, and their trees as they were before their callbacks.

    Pages stay as long as their responses do, within a bound: held items wait for minutes.
    """

    def __init__(self, reader: Reader, most: int = MAX_CHARACTERS) -> None:
        self._reader = reader
        self._most = most
        self._pages: WeakKeyDictionary[HtmlResponse, SourcePage] = WeakKeyDictionary()
        self._seen: WeakKeyDictionary[Response, SharedTree | None] = WeakKeyDictionary()
        self._parsed_for: dict[str, int] = {}  # callbacks that select, with the responses still to be parsed for them
        self._changing: set[str] = set()  # callbacks that change their trees

    def look(self, request: Request, response: HtmlResponse) -> None:
        """Look at the tree of a response before its callback runs, if that is likely to select from it."""
        callback = _callback(request)
        left = self._parsed_for.get(callback, 0)
        if not (left and shares_trees()) or callback in self._changing:
            return
        self._parsed_for[callback] = left - 1
        if is_parsed(response):  # another middleware may have changed the tree
            return
        with suppress(ValueError):
            self._seen[response] = self._reader.tree_of(response)

    def tree_of(self, response: HtmlResponse) -> SharedTree | None:
        """Return the tree of a response if its text parses to that tree."""
        callback = _callback(response.request)
        if response not in self._seen:
            if is_parsed(response):
                self._parsed_for[callback] = _PARSED_FOR_CALLBACK
            return None
        seen = self._seen[response]
        if seen is not None and fingerprint(seen.root) != seen.fingerprint:
            self._changing.add(callback)
            return None
        return seen

    def read(self, response: HtmlResponse) -> Page:
        """Read the page of a response before its callback runs; raise UnfitPage if it is outside the limits."""
        may_differ = is_parsed(response)  # another middleware may have changed the tree
        page = self._reader.read(response.text, self._reader.tree_of(response), whole=True)
        if not may_differ:
            self._keep(response, page)
        return page

    def of(self, response: HtmlResponse) -> SourcePage:
        """Return the page of a response, which is read when it is needed."""
        return self._pages.get(response) or self._keep(response)

    def _keep(self, response: HtmlResponse, page: Page | None = None) -> SourcePage:
        """Add a page. The oldest ones are dropped if there are too many, but not the newest: it may have many items."""
        alive = ref(response)  # as the page must not hold its response

        def find_tree() -> SharedTree | None:
            return self.tree_of(found) if (found := alive()) is not None else None

        cached = SourcePage(self._reader, response.text, whole=True, known=page, find_tree=find_tree)
        self._pages.pop(response, None)
        self._pages[response] = cached
        while len(self._pages) > 1 and sum(len(kept.source) for kept in self._pages.values()) > self._most:
            del self._pages[next(iter(self._pages))]
        return cached


def _callback(request: Request | None) -> str:
    callback: object = request.callback if request is not None else None
    return str(getattr(callback, "__qualname__", type(callback)))


def is_parsed(response: HtmlResponse) -> bool:
    """Return whether a response has made its selector; Scrapy has no public way to ask."""
    return getattr(response, "_cached_selector", None) is not None
