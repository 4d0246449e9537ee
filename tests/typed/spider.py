"""A spider with components listed by hand, a method of its own, and items whose fields tell what they hold."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any

import scrapy
from scrapy.http import Response
from scrapy.settings import BaseSettings

import scrapy_blockfilter as bf
from scrapy_blockfilter.middleware import BlockFilterDownloaderMiddleware
from scrapy_blockfilter.pipeline import BlockFilterPipeline
from scrapy_blockfilter.warmup import BlockFilterSpiderMiddleware


@dataclass
class Article:
    url: str
    body: str = field(default="", metadata={"blockfilter": "html"})


class NewsSpider(scrapy.Spider):
    name = "news"

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        super().update_settings(settings)
        bf.Addon().update_settings(settings)
        settings.set("BLOCKFILTER_SITE", "registrable_domain", priority="spider")

    async def start(self) -> AsyncIterator[Any]:
        yield scrapy.Request("https://news.example/", meta={"blockfilter_site": "news.example"})

    def parse(self, response: Response) -> Iterator[Article]:
        yield Article(response.url, response.text)


COMPONENTS: list[type] = [BlockFilterDownloaderMiddleware, BlockFilterSpiderMiddleware, BlockFilterPipeline]
