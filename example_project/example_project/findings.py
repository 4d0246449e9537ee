"""What came of a crawl of the demo: counted from its items, its statistics and what the store has learnt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse

from example_project.made import MadePage, MadeSite
from scrapy_blockfilter import Cleaned, Options
from scrapy_blockfilter.crawl import stats
from scrapy_blockfilter.crawl.stored_models import Layout, layouts_of
from scrapy_blockfilter.store import SqliteStore
from scrapy_blockfilter.store.keys import stored_key

# With less of what readers came for the crawl is broken; what the filter does is shown, good or bad.
_LEAST_KEPT = 0.5


class Count(NamedTuple):
    """How many of how many."""

    part: int
    whole: int

    def __str__(self) -> str:
        return f"{self.part} of {self.whole}" if self.whole else "-"


class Crawl:
    """A crawl and its items.

    Args:
        made: the made site that it crawls.

    Attributes:
        site: what the filter knows the site as.
        items: by the paths of their pages.
        sources: HTML of these pages as it came.
        layouts, suspicious: what the store has learnt, and the pages that it doubts, once it was read.
    """

    def __init__(self, crawler: Crawler, made: MadeSite) -> None:
        self.name: str = crawler.spidercls.name
        self.site = made.name
        self.items: dict[str, Mapping[str, str]] = {}
        self.sources: dict[str, str] = {}
        self.layouts: list[Layout] = []
        self.suspicious: list[tuple[str, str]] = []
        self._known = {path: page for path, page in made.pages.items() if page.own}
        self.crawler = crawler
        crawler.signals.connect(self._item_scraped, signals.item_scraped)

    def _item_scraped(self, item: Mapping[str, str], response: HtmlResponse) -> None:
        path = urlsplit(response.url).path
        self.items[path] = item
        self.sources[path] = response.text

    @property
    def counts(self) -> Mapping[str, Any]:
        return self.crawler.stats.get_stats() if self.crawler.stats else {}

    def read_store(self, store: SqliteStore, options: Options) -> None:
        """Look up what was learnt."""
        self.layouts = layouts_of(store, self.site, options)
        suspects = store.suspects(stored_key(self.site, options.segmentation))
        self.suspicious = [(suspect.url, suspect.reason) for suspect in suspects]

    @property
    def layout(self) -> Layout | None:
        """The layout of most pages."""
        return max(self.layouts, key=lambda layout: len(layout.sample), default=None)

    def cleaned(self, path: str) -> Cleaned:
        """A page with its blocks, by the model of that layout."""
        assert self.layout
        return self.layout.model.clean(self.sources[path], self.items[path]["url"])

    def example(self) -> str:
        """The path of a page to show, middling in how much is left of it, whose item is what the model makes of it."""
        by_length = sorted(self.items, key=lambda path: (len(self.items[path]["text"]), path))
        middle = len(by_length) // 2
        nearest = sorted(by_length, key=lambda path: abs(by_length.index(path) - middle))
        same = (path for path in nearest if self.cleaned(path).html == self.items[path]["html"])
        return next(same, nearest[0])

    def rows(self) -> dict[str, str]:
        """The figures of the crawl, by what they are of."""
        counts = self.counts
        share = counts.get(stats.BYTES_STRIPPED, 0) / max(1, counts.get(stats.BYTES_SEEN, 0))
        return {
            "Pages crawled": f"{counts.get('response_received_count', 0)}",
            "Items": f"{len(self.items)}",
            "  cleaned": f"{counts.get(stats.ITEMS_CLEANED, 0)}",
            "Template blocks learnt": f"{sum(len(layout.model.templates) for layout in self.layouts)}",
            "Text stripped": f"{share:.1%}",
            "Clutter texts stripped": f"{self.clutter_stripped()}",
            "Own texts kept": f"{self.own_kept()}",
            "Prices kept": f"{self.prices_kept()}",
            "Suspicious pages": f"{counts.get(stats.ITEMS_SUSPICIOUS, 0)}",
        }

    def own_kept(self) -> Count:
        """Of the texts that readers came for, those in the items' clean text."""
        return Count(*_shares(text in item["text"] for page, item in self._judged() for text in page.own))

    def clutter_stripped(self) -> Count:
        return Count(*_shares(text not in item["text"] for page, item in self._judged() for text in page.clutter))

    def prices_kept(self) -> Count:
        """Of the products, those whose own price is in the clean text; no other product has it."""
        return Count(*_shares(page.price in item["text"] for page, item in self._judged() if page.price))

    def own_lost(self) -> list[tuple[str, str]]:
        """Paths and texts of what readers came for and the items have lost."""
        return [
            (path, text)
            for path, page in self._known.items()
            if path in self.items
            for text in (*page.own, page.price)
            if text not in self.items[path]["text"]
        ]

    def problems(self) -> Iterator[str]:
        """What is not as it should be after a crawl."""
        counts = self.counts
        if counts.get("finish_reason") != "finished":
            yield f"{self.name}: the crawl was stopped ({counts.get('finish_reason')})"
        elif len(self.items) < len(self._known):
            yield f"{self.name}: there are {len(self.items)} items, fewer than {len(self._known)}"
        elif not counts.get(stats.ITEMS_CLEANED):
            yield f"{self.name}: no item was cleaned"
        elif self.layout is None:
            yield f"{self.name}: the store has learnt nothing"
        wrong = [path for path, page in self._known.items() if page.price != self._field(path, "price", page.price)]
        if wrong:
            yield f"{self.name}: the price of {wrong[0]} came out as {self._field(wrong[0], 'price', '')!r}"
        kept = self.own_kept()
        if kept.part < _LEAST_KEPT * kept.whole:
            yield f"{self.name}: no more than {kept} texts are kept that must stay"
        if errors := counts.get("log_count/ERROR"):
            yield f"{self.name}: {errors} errors are in the log"

    def _field(self, path: str, name: str, default: str) -> str:
        return self.items.get(path, {}).get(name, default)

    def _judged(self) -> Sequence[tuple[MadePage, Mapping[str, str]]]:
        return [(page, self.items[path]) for path, page in self._known.items() if path in self.items]


def _shares(flags: Iterator[bool]) -> tuple[int, int]:
    seen = list(flags)
    return sum(seen), len(seen)
