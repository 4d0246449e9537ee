"""Time to identify a page by its URL: without Scrapy, and as a crawl does."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from time import process_time
from timeit import repeat

from scrapy import Request
from scrapy.utils.test import get_crawler

from benchmarks.tables import table
from scrapy_blockfilter.batch import page_id, site_key
from scrapy_blockfilter.crawl.pages import page_hash_of

URLS = (
    "https://www.example.com/",
    "https://www.example.com/news/2024/harbour-reopens-after-winter?page=2&sort=date",
    "http://shop.example.co.uk/caf%C3%A9/mill%20stones?q=old%20mill&lang=fr#reviews",
    "http://forum.example:8080/viewtopic.php?f=7&t=48123&sid=0a9c3f",
)
_CALLS, _ROUNDS = 500, 20


def main(argv: Sequence[str] | None = None) -> int:
    argparse.ArgumentParser(prog="benchmarks.identity", description=__doc__).parse_args(argv)
    crawler = get_crawler()
    ways: dict[str, Callable[[str], object]] = {
        "page_id": page_id,
        "site_key": site_key,
        "a crawl's page": lambda url: page_hash_of(crawler, Request(url)),
    }
    rows = [[url, *(f"{microseconds(way, url):.1f}" for way in ways.values())] for url in URLS]
    print(table(["processor time, µs a URL", *ways], rows))
    return 0


def microseconds(way: Callable[[str], object], url: str) -> float:
    return min(repeat(lambda: way(url), timer=process_time, number=_CALLS, repeat=_ROUNDS)) / _CALLS * 1e6


if __name__ == "__main__":
    sys.exit(main())
