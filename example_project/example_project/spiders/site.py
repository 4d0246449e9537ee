"""Crawls a site."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor

from example_project.spiders.base import PageSpider


class SiteSpider(PageSpider):
    """``scrapy crawl site -a url=https://example.com/``: a page and what it links to on its host, and so on, up to
    ``-a max_pages=200``.

    Raises:
        ValueError: ``url`` is missing or is no http(s) URL.
    """

    name = "site"
    custom_settings = {"DOWNLOAD_DELAY": 0.25, "CONCURRENT_REQUESTS_PER_DOMAIN": 4}

    def __init__(self, url: str = "", max_pages: str = "200", **arguments: Any) -> None:
        super().__init__(max_pages, **arguments)
        if not host(url):
            problem = f"url is {url!r}, which is no http or https URL" if url else "url is missing"
            raise ValueError(f"{problem}; type: scrapy crawl site -a url=https://example.com/")
        self.url = url
        self.host = ""
        self._links = LinkExtractor()

    async def start(self) -> AsyncIterator[Request]:
        for request in self.requests([self.url]):
            yield request

    def parse(self, response: Response) -> Iterator[dict[str, str] | Request]:
        self.host = self.host or host(response.url)  # of the first answer: the URL given may lead to another host
        if not isinstance(response, HtmlResponse) or host(response.url) != self.host:
            return
        yield self.item(response)
        links = (link.url for link in self._links.extract_links(response))
        yield from self.requests(url for url in links if host(url) == self.host)


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
