"""Items that are filled by item loaders: single values, lists, and what processors make of them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.support.crawls import CrawlFunction, chain_spider
from tests.support.made_sites import make_site
from tests.support.mockserver import MockServer

LOADERS = """
from dataclasses import field, make_dataclass
from itemloaders.processors import Compose, Join, MapCompose, TakeFirst
from scrapy.loader import ItemLoader

class Article(scrapy.Item):
    url = scrapy.Field(output_processor=TakeFirst())
    html = words = loader = scrapy.Field()

Record = make_dataclass("Record", [(name, list, field(default_factory=list)) for name in Article.fields])

class Single(ItemLoader):
    default_output_processor = TakeFirst()

class Processed(ItemLoader):
    default_output_processor = TakeFirst()
    html_in = MapCompose(str.strip)
    html_out = Compose(Join(""), str.strip)
    words_in = MapCompose(str.strip, lambda text: text or None)
    words_out = Join("\\n")

class Pair(ItemLoader):
    html_out = words_out = Compose(tuple)

LOADERS = [ItemLoader, Single, Processed, Pair]

def load(loader, item, response):
    filled = loader(item=item, response=response)
    filled.add_value("url", response.url)
    filled.add_value("loader", loader.__name__)
    filled.add_value("html", response.text)
    filled.add_css("words", "h1::text, p::text, li a::text, .logo a::text")
    return filled.load_item()
"""
FIELDS = {"BLOCKFILTER_FIELDS": {"html": "html", "words": "text"}}


def test_fields_that_loaders_fill_are_cleaned_in_their_shape(crawl: CrawlFunction, server: MockServer) -> None:
    site = make_site(pages=7, rich=True)
    host = server.add_site(site)
    every = "*(load(loader, item(), response) for loader in LOADERS for item in (dict, Article, Record))"
    result = crawl(chain_spider(f"http://{host}/page/0", every, preamble=LOADERS), FIELDS).check()

    assert len(result.items) == 12 * len(site.pages)
    assert result.stat("warmup/held") == 12 * 3
    assert result.stat("items/cleaned") == 12 * len(site.pages)
    by_url = {f"http://{host}{page.url_path}": page for page in site.pages}
    seen: Counter[tuple[str, str, str]] = Counter()
    for made in result.items:
        url, loader, html = (first(made[name]) for name in ("url", "loader", "html"))
        seen[url, loader, made["_type"]] += 1
        page = by_url[url]
        # The record of a crawl is JSON, which has lists for tuples.
        assert isinstance(made["html"], list) is isinstance(made["words"], list) is (loader in ("ItemLoader", "Pair"))
        page.assert_cleaned(html)
        if loader != "Single":  # which takes the first of the texts alone
            words = "\n".join(made["words"]) if isinstance(made["words"], list) else made["words"]
            assert [text for text in page.content[:5] if text not in words] == []
            assert [text for text in page.template if text in words] == []
    assert set(seen.values()) == {1}


def first(value: Any) -> Any:
    return value[0] if isinstance(value, list) else value
