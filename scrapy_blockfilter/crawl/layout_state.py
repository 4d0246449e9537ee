"""What a crawl knows of one layout of a site."""

from __future__ import annotations

from scrapy_blockfilter.crawl.fitted_models import FittedTo
from scrapy_blockfilter.crawl.layouts import Layouts
from scrapy_blockfilter.crawl.peer_sync import Shared
from scrapy_blockfilter.crawl.site_pages import SitePages
from scrapy_blockfilter.crawl.suspects import Suspects
from scrapy_blockfilter.model import SiteModel


class LayoutState:
    """Pages and model of one layout of a site.

    Attributes:
        is_outdated: whether pages were added since the model was fitted.
        fitted_to: what it was fitted to, if it is kept in the store.

    The state of the first layout also knows the other layouts, and the pages of the site that may have lost content.
    """

    __slots__ = (
        *("fit_at", "fitted_to", "is_outdated", "is_unsaved", "layouts", "learnt", "model", "number", "pages"),
        *("provisional", "shared", "suspects"),
    )

    def __init__(self, pages: SitePages, fit_at: int, number: int) -> None:
        self.pages = pages
        self.learnt = len(pages)
        self.fit_at = fit_at
        self.number = number
        self.layouts = Layouts()
        self.model: SiteModel | None = None
        self.provisional: SiteModel | None = None
        self.is_unsaved = False
        self.is_outdated = False
        self.fitted_to: FittedTo | None = None
        self.suspects = Suspects()
        self.shared = Shared()

    def forget_provisional(self) -> None:
        """Drop the provisional model, and the decoded pages that the next fit may not need for long."""
        self.provisional = None
        self.pages.in_memory.pack()
