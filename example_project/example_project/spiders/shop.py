"""Crawls the made shop."""

from __future__ import annotations

from collections.abc import Iterator

from scrapy import Request
from scrapy.http import HtmlResponse, Response

from example_project.made import shop_site
from example_project.made.shop import NAME
from example_project.spiders.base import MadeSiteSpider


class ShopSpider(MadeSiteSpider):
    """``scrapy crawl shop``: from the front page to its departments, and to the products that they list.

    Selectors see the page as it came, so they may take what the filter strips from ``html``.
    """

    name = "shop"
    make = staticmethod(shop_site)
    site = NAME

    def parse(self, response: Response) -> Iterator[Request]:
        yield from self.follow(response, "nav.mega a.department", self.parse)
        yield from self.follow(response, ".grid .card h3 a", self.parse_product)

    def parse_product(self, response: HtmlResponse) -> Iterator[dict[str, str | None]]:
        yield {
            "url": response.url,
            "name": response.css("h1::text").get(),
            "price": response.css(".buy .price::text").get(),
            "sku": response.css(".specification .sku::text").get(),
            "html": response.text,
        }
