"""Share the work on a response between learning and its items: it is parsed and segmented once, and judged once.

Pages stay as long as their responses do, within a bound: responses of held items may wait for minutes.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from scrapy.http import HtmlResponse

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.shared_trees import has_changed
from scrapy_blockfilter.model import Cleaned, SiteModel

# Characters of HTML whose pages are kept, the newest. A page takes nine bytes per character, so this is 36 MB; it is
# 50 pages of the mean length.
MAX_CHARACTERS = 4_000_000


class SharedPage:
    """What was made of one page so far.

    Attributes:
        page: the segmented page.
        cleaned: the result of judging it, None before.
        model: what judged it.
    """

    def __init__(self) -> None:
        self.page: Page | None = None
        self.cleaned: Cleaned | None = None
        self.model: SiteModel | None = None

    def unchanged_page(self) -> Page | None:
        """Return the page, None if there is none, or if a callback has changed the tree that it shares."""
        if self.page is not None and has_changed(self.page):
            self.page = self.cleaned = self.model = None
        return self.page

    def segmented(self, page: Page) -> Page:
        """Take and return a page that nobody has judged."""
        self.page = page
        self.cleaned = self.model = None
        return page

    def judged(self, model: SiteModel, cleaned: Cleaned) -> Cleaned:
        """Take and return the result of a model."""
        self.model, self.cleaned = model, cleaned
        if self.page is not None and self.page.segmenter is not None:
            self.page = self.model = self.cleaned = None  # selectors may have taken joined blocks apart
        return cleaned


class ResponseCache:
    """The pages of responses in progress."""

    def __init__(self, most: int = MAX_CHARACTERS) -> None:
        self._most = most
        self._of: WeakKeyDictionary[HtmlResponse, SharedPage] = WeakKeyDictionary()

    def of(self, response: HtmlResponse) -> SharedPage:
        """Return what was made of a response. The oldest pages are dropped if there are too many."""
        shared = self._of.get(response)
        if shared is None:
            shared = self._of[response] = SharedPage()
            self._make_room()
        return shared

    def _make_room(self) -> None:
        characters = 0
        for response in reversed(list(self._of)):
            characters += len(response.text)
            if characters > self._most:
                del self._of[response]
