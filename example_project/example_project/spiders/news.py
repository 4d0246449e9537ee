"""Crawls the made newspaper."""

from __future__ import annotations

from collections.abc import Iterator

from scrapy import Request
from scrapy.http import HtmlResponse, Response

from example_project.made import news_site
from example_project.made.news import NAME
from example_project.spiders.base import MadeSiteSpider


class NewsSpider(MadeSiteSpider):
    """``scrapy crawl news``: from the front page to its sections, and to the articles that they list."""

    name = "news"
    make = staticmethod(news_site)
    site = NAME

    def parse(self, response: Response) -> Iterator[Request]:
        yield from self.follow(response, "nav.mega a.section", self.parse)
        yield from self.follow(response, ".list .card h3 a", self.parse_article)

    def parse_article(self, response: HtmlResponse) -> Iterator[dict[str, str | None]]:
        yield {"url": response.url, "title": response.css("h1::text").get(), "html": response.text}
