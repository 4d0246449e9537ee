"""Clean text as a dependency of scrapy-poet's page objects and callbacks: :class:`CleanText` and its provider.

``SCRAPY_POET_PROVIDERS = {"scrapy_blockfilter.extras.poet.CleanTextProvider": 500}`` switches it on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from typing import Any, ClassVar

from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Request, Response

from scrapy_blockfilter.crawl.fields import Fields
from scrapy_blockfilter.crawl.response_cache import SourcePage
from scrapy_blockfilter.crawl.session import Session
from scrapy_blockfilter.crawl.stats import FORMS_FAILED
from scrapy_blockfilter.model.form_guard import FormGuard

try:
    from scrapy_poet import PageObjectInputProvider
except ImportError:  # where nobody takes the provider, as tools that look at all modules
    PageObjectInputProvider = object


@dataclass(frozen=True)
class CleanText:
    """The text of a response without what its site repeats around it.

    A page object cannot wait until its site is learnt. Before, its text is cleaned by the pages seen so far, at first
    by its own page alone, and ``is_learnt`` is false. An item that must be clean takes an output field in place of it.

    Attributes:
        text: a line for each block that is kept; "" for what is no HTML.
        is_learnt: whether the site had shown N pages.
        suspicious: why the page may have lost content, "" if nothing is odd.
    """

    text: str
    is_learnt: bool
    suspicious: str = ""

    def __str__(self) -> str:
        return self.text


class CleanTextProvider(PageObjectInputProvider):  # type: ignore[misc, unused-ignore]
    """Provides :class:`CleanText`; raises RuntimeError at the first page object if the filter is not switched on."""

    provided_classes: ClassVar[Set[type]] = frozenset({CleanText})
    name: ClassVar[str] = "blockfilter"

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._guard = FormGuard()

    def __call__(
        self, to_provide: Set[Callable[..., Any]], request: Request, response: Response, crawler: Crawler
    ) -> Sequence[CleanText]:
        session = Session.find(crawler)
        if session is None:
            raise RuntimeError(
                "CleanText needs the filter: ADDONS lacks 'scrapy_blockfilter.Addon', or BLOCKFILTER_ENABLED is False."
            )
        if not isinstance(response, HtmlResponse):
            return [CleanText("", is_learnt=False)]
        session.learn(request, response)  # the middleware comes later, and learns nothing twice
        site = None if request.meta.get("blockfilter") is False else session.sites.of(response.url, request.meta)
        is_learnt = site is not None and site.is_ready
        reader = session.sites.reader
        count = session.stats.inc_value
        with self._guard.making("text", response.url, lambda form: count(f"{FORMS_FAILED}/{form}")):
            page = SourcePage(reader, response.text, whole=True)
            cleaned = Fields(site, reader, self._guard).clean_page(page, response.url)
            return [CleanText(cleaned.text, is_learnt, cleaned.suspicious)]
        return [CleanText("", is_learnt, "has no clean text, because of an error in the log")]
