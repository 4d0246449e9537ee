"""Pages passing through a site, as in a crawl that yields each page as an item."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.corpus import CorpusPage
from benchmarks.scoring import score, tokens
from scrapy_blockfilter import Cleaned, Options, SiteModel
from scrapy_blockfilter.crawl import Sites
from scrapy_blockfilter.crawl.stats import Uncounted
from scrapy_blockfilter.html import Page, UnfitPage
from scrapy_blockfilter.storable import hash64
from scrapy_blockfilter.store import MemoryStore

_SITE = "site.example"


class Crawl:
    """Learns from each page that is wanted, then judges it."""

    def __init__(self, options: Options) -> None:
        self._sites = Sites(options, MemoryStore(), Uncounted(), is_early=False)

    def meet(self, html: str, url: str | None = None, site: str = _SITE) -> Cleaned | None:
        """Learn from a page and clean it; None while its site is being learnt, or if it cannot be read.

        Args:
            url: the page's identity; None for its content.
        """
        page_hash = hash64((html if url is None else url).encode("utf-8", "replace"))
        if self._sites.named(site).wants(page_hash):
            page = self._segmented(html)
            if page is not None:
                self._sites.named(site).learn(page_hash, page)
        page = self._segmented(html)
        model = self._sites.named(site).judge(page, page_hash) if page is not None else None
        return model.clean_page(html, page) if model is not None and page is not None else None

    def f1(self, pages: Sequence[CorpusPage]) -> list[float]:
        """Meet the pages, and return F1 of each that is judged."""
        met = ((self.meet(page.html), page.gold) for page in pages)
        return [f1_of(cleaned, gold) for cleaned, gold in met if cleaned is not None]

    def model(self) -> SiteModel | None:
        """Return the model of the last page's layout."""
        return self._sites.named(_SITE).model()

    def _segmented(self, html: str) -> Page | None:
        try:
            return self._sites.reader.read(html, whole=True)
        except UnfitPage:
            return None


def f1_of(cleaned: Cleaned, gold: str) -> float:
    return score(tokens(cleaned.text), tokens(gold)).f1
