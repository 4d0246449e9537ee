"""Get the pages that a command names: from their URLs, or from files.

Scrapy fetches a page as a crawl of the project would: with its settings and middlewares, and the spider's.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import AsyncIterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import scrapy
from scrapy.http import Response, TextResponse
from scrapy.utils.spider import DefaultSpider, spidercls_for_request
from twisted.python.failure import Failure

from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode
from scrapy_blockfilter.commands.offline import InputFile, formats, read_records
from scrapy_blockfilter.commands.output import printable
from scrapy_blockfilter.crawl.sites import site_of_page
from scrapy_blockfilter.html.charsets import decode
from scrapy_blockfilter.html.reader import read_input
from scrapy_blockfilter.identity.site_keys import rule_of

_OK = 200
# Only single pages are fetched: nothing is learnt, no feed is opened (which may empty it), and no job is resumed.
_SETTINGS = {"BLOCKFILTER_ENABLED": False, "FEEDS": {}, "JOBDIR": None}


class Fetched(NamedTuple):
    """The HTML of a page, and its site if that is known."""

    html: str
    site: str | None


def fetch(call: Call, urls: Sequence[str], *, needs_all: bool = True) -> dict[str, Fetched]:
    """Fetch pages by URL, in one crawl, as the reactor cannot be restarted; raise CommandError, or print it."""
    if not urls:
        return {}
    call.process.settings.setdict(_SETTINGS, priority="cmdline")
    if not call.arguments.loglevel:  # the error of the command says the same in a line
        logging.getLogger("scrapy.downloadermiddlewares").setLevel(logging.CRITICAL)
    outcomes: dict[str, Response | Failure] = {}
    requests = []
    for url in urls:
        answer = partial(outcomes.__setitem__, url)
        meta = {"blockfilter": False, "handle_httpstatus_list": range(400, 600)}
        try:
            requests.append(scrapy.Request(url, answer, errback=answer, dont_filter=True, meta=meta))
        except ValueError as error:
            raise CommandError(f"{url} is not a URL: {error}.", ExitCode.USAGE) from None
    loader = call.process.spider_loader
    if call.arguments.spider:
        try:
            spider = loader.load(call.arguments.spider)
        except KeyError:
            message = f"There is no spider {call.arguments.spider!r}; `scrapy list` lists the ones there are."
            raise CommandError(message, ExitCode.NOT_FOUND) from None
    else:
        spider = spidercls_for_request(loader, requests[0], DefaultSpider)

    async def start(self: scrapy.Spider) -> AsyncIterator[Any]:
        for request in requests:
            yield request

    call.process.crawl(type("Shown", (spider,), {"start": start}))
    call.process.start()
    found = {}
    for url in urls:
        try:
            found[url] = _fetched(call, url, outcomes.get(url))
        except CommandError as error:
            if needs_all:
                raise
            sys.stderr.write(f"{printable(str(error))}\n")
    return found


def _fetched(call: Call, url: str, outcome: Response | Failure | None) -> Fetched:
    if outcome is None:
        raise CommandError(f"{url} could not be fetched: the crawl ended without it; -L INFO says more.")
    if isinstance(outcome, Failure):
        raise CommandError(f"{url} could not be fetched: {outcome.getErrorMessage() or repr(outcome.value)}")
    if outcome.status != _OK:
        raise CommandError(f"{url} could not be fetched: the server says {outcome.status}.")
    if not isinstance(outcome, TextResponse):
        raise CommandError(f"{url} is not HTML.")
    try:
        html = outcome.text
    except (LookupError, ValueError):  # the page declares an encoding that is not of text, as <meta charset=zlib> does
        html = decode(outcome.body)
    return Fetched(html, site_of_page(rule_of(call.options), outcome.url, outcome.meta))


def get_pages(call: Call, named: Sequence[str]) -> list[Fetched]:
    """Return pages by their URLs and paths, or raise CommandError. One crawl fetches all URLs."""
    found = {name: read_file(name) for name in named if not is_url(name)}
    found |= fetch(call, [name for name in named if is_url(name)])
    return [found[name] for name in named]


def is_url(page: str) -> bool:
    """Return whether a page is to be fetched, rather than read from a file."""
    return "://" in page and not is_file(page)


def is_file(name: str) -> bool:
    """Return whether a name is that of a file, or of the standard input."""
    return name == "-" or Path(name).is_file()


def read_file(name: str) -> Fetched:
    """Read a page from a file, which may be packed. The name of its folder is its site."""
    if not is_file(name):
        message = f"There is no file {name}. Type the path of one with HTML, or a URL with its http://."
        raise CommandError(message, ExitCode.NOT_FOUND)
    path = Path(name)
    is_known = name == "-" or formats().kind_of(path.name)  # else a page may have any suffix
    file = next(formats().find(name)) if is_known else InputFile(path, "html", path.resolve().parent.name)
    if file.kind != "html":
        raise CommandError(f"{name} is no page: type the path of one with HTML, or a URL of one.", ExitCode.USAGE)
    record = next(read_records(file))
    if record.error:
        raise CommandError(f"{name}: {record.error}.", ExitCode.NOT_FOUND)
    return Fetched(read_input(record.html or "")[0], file.folder)
