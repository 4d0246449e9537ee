"""Fetches a page through Scrapy, as a crawl of the project would: its settings, its middlewares, its spider's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import scrapy
from scrapy.http import Response, TextResponse
from scrapy.utils.spider import DefaultSpider, spidercls_for_request
from twisted.python.failure import Failure

from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode
from scrapy_blockfilter.sites import site_of_page

_OK = 200
# Of a crawl that fetches one page: nothing is learnt, no feed is opened and perhaps emptied, no job goes on.
_SETTINGS = {"BLOCKFILTER_ENABLED": False, "FEEDS": {}, "JOBDIR": None}


class Fetched(NamedTuple):
    """A page: its HTML, and the site that is known of where it came from."""

    html: str
    site: str | None


def fetch(call: Call, url: str) -> Fetched:
    """The page at a URL.

    Raises:
        CommandError: it could not be fetched, or is no text.
    """
    call.process.settings.setdict(_SETTINGS, priority="cmdline")
    responses: list[Response] = []
    failures: list[Failure] = []
    request = _request(url, responses, failures)
    loader = call.process.spider_loader
    if call.arguments.spider:
        try:
            spider = loader.load(call.arguments.spider)
        except KeyError:
            raise CommandError(
                f"There is no spider {call.arguments.spider!r}; `scrapy list` lists those there are.",
                ExitCode.NOT_FOUND,
            ) from None
    else:
        spider = spidercls_for_request(loader, request, DefaultSpider)

    async def start(self: scrapy.Spider) -> AsyncIterator[Any]:
        yield request

    call.process.crawl(type("Explained", (spider,), {"start": start}))
    call.process.start()
    if failures:
        raise CommandError(f"{url} could not be fetched: {failures[0].getErrorMessage() or repr(failures[0].value)}")
    if not responses:
        raise CommandError(f"{url} could not be fetched: the crawl ended without it; -L INFO says more.")
    response = responses[0]
    if response.status != _OK:
        raise CommandError(f"{url} could not be fetched: the server says {response.status}.")
    if not isinstance(response, TextResponse):
        raise CommandError(f"{url} is no HTML.")
    return Fetched(response.text, site_of_page(call.site_of, response.url, request.meta))


def _request(url: str, responses: list[Response], failures: list[Failure]) -> scrapy.Request:
    try:
        return scrapy.Request(
            url,
            callback=responses.append,
            errback=failures.append,
            dont_filter=True,
            meta={"blockfilter": False, "handle_httpstatus_list": range(400, 600)},
        )
    except ValueError as error:
        raise CommandError(f"{url} is no URL: {error}.", ExitCode.USAGE) from None
