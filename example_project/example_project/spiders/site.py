"""Crawls a site."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any
from urllib.parse import urldefrag, urlsplit

from scrapy import Request, Spider
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor


class SiteSpider(Spider):
    """``scrapy crawl site -a url=https://example.com/``: a page and what it links to on its host, and so on, up to
    ``-a max_pages=200``.

    Raises:
        ValueError: ``url`` is missing or is no http(s) URL, or ``max_pages`` is no whole number above 0.
    """

    name = "site"
    custom_settings = {"DOWNLOAD_DELAY": 0.25, "CONCURRENT_REQUESTS_PER_DOMAIN": 4}

    def __init__(self, url: str = "", max_pages: str = "200", **arguments: Any) -> None:
        super().__init__(**arguments)
        if not (max_pages.isdecimal() and int(max_pages) > 0):
            raise ValueError(f"max_pages is {max_pages!r}, but must be a whole number above 0: -a max_pages=100")
        if not host(url):
            problem = f"url is {url!r}, which is no http or https URL" if url else "url is missing"
            raise ValueError(f"{problem}; type: scrapy crawl site -a url=https://example.com/")
        self.url = url
        self.host = ""
        self.max_pages = int(max_pages)
        self._asked: set[str] = set()
        self._links = LinkExtractor()

    async def start(self) -> AsyncIterator[Request]:
        for request in self._requests([self.url]):
            yield request

    def parse(self, response: Response) -> Iterator[dict[str, str] | Request]:
        self.host = self.host or host(response.url)  # of the first answer: the URL given may lead to another host
        if not isinstance(response, HtmlResponse) or host(response.url) != self.host:
            return
        title = " ".join(response.css("title::text").get("").split())
        yield {"url": response.url, "title": title, "html": response.text}
        links = (link.url for link in self._links.extract_links(response))
        yield from self._requests(url for url in links if host(url) == self.host)

    def _requests(self, urls: Iterable[str]) -> Iterator[Request]:
        """Requests for those of ``urls`` that are new, as long as there are pages left to ask for."""
        for url in urls:
            page = urldefrag(url).url
            if page not in self._asked and len(self._asked) < self.max_pages:
                self._asked.add(page)
                yield Request(page)


def host(url: str) -> str:
    """Host and port of an http(s) URL, ``www.`` folded; "" for any other.

    >>> host("https://www.Example.com/a"), host("http://127.0.0.1:80/"), host("ftp://example.com/"), host("https:/a")
    ('example.com', '127.0.0.1:80', '', '')
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return parts.netloc.lower().removeprefix("www.") if parts.scheme in ("http", "https") else ""
