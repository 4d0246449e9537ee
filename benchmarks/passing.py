"""Pages passing through a site, as in a crawl that yields each page as an item."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from benchmarks.corpus import CorpusPage
from benchmarks.scoring import score, tokens
from scrapy_blockfilter import Cleaned, Options, SiteModel
from scrapy_blockfilter.crawl.sites import Sites
from scrapy_blockfilter.html import Page, UnfitPage, parse, segment
from scrapy_blockfilter.storable.hashing import hash64
from scrapy_blockfilter.store import MemoryStore

_SITE = "site.example"


class Crawl:
    """Learns from each page that is wanted, then judges it.

    Attributes:
        stats: statistics of the filter.
        judged: number of pages judged and scored.
        emptied: judged pages that lost every word of their gold.
    """

    def __init__(self, options: Options) -> None:
        self.stats: Counter[str] = Counter()
        self._sites = Sites(options, MemoryStore(), _Stats(self.stats), is_early=False)
        self.judged = self.emptied = 0

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
        scores = []
        for page in pages:
            cleaned = self.meet(page.html)
            if cleaned is not None:
                scores.append(f1_of(cleaned, page.gold))
                self.judged += 1
                self.emptied += _is_emptied(cleaned, tokens(page.gold))
        return scores

    def model(self) -> SiteModel | None:
        """Return the model of the last page's layout."""
        return self._sites.named(_SITE).model()

    def _segmented(self, html: str) -> Page | None:
        try:
            return segment(parse(html), self._sites.reader.known)
        except UnfitPage:
            return None


class _Stats:
    def __init__(self, counts: Counter[str]) -> None:
        self._counts = counts

    def inc_value(self, key: str, count: int = 1) -> None:
        self._counts[key] += count


def f1_of(cleaned: Cleaned, gold: str) -> float:
    return score(tokens(cleaned.text), tokens(gold)).f1


def _is_emptied(cleaned: Cleaned, gold: Counter[str]) -> bool:
    if cleaned.unchanged or gold & tokens(cleaned.text):
        return False
    return any(gold & tokens(block.text) for block in cleaned.blocks)
