"""``explain``: show every block of one page with its verdict, score and reason, in document order.

Scrapy fetches the page as a crawl of the project would: with its settings and middlewares, and the spider's.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import scrapy
from scrapy.http import Response, TextResponse
from scrapy.utils.spider import DefaultSpider, spidercls_for_request
from twisted.python.failure import Failure

from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode, Subcommand, no_pages
from scrapy_blockfilter.commands.output import Output, printable
from scrapy_blockfilter.crawl.pages import site_of_page
from scrapy_blockfilter.crawl.site import Site
from scrapy_blockfilter.crawl.sites import Sites
from scrapy_blockfilter.crawl.stats import REASONS, Uncounted
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.charsets import decode
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.model.cleaned import Cleaned
from scrapy_blockfilter.options.selectors import Corrections
from scrapy_blockfilter.report import page_facts
from scrapy_blockfilter.store.memory import ReadOnlyStore

_OK = 200
# Only single pages are fetched: nothing is learnt, no feed is opened (which may empty it), and no job is resumed.
_SETTINGS = {"BLOCKFILTER_ENABLED": False, "FEEDS": {}, "JOBDIR": None}


class Fetched(NamedTuple):
    """The HTML of a page, and its site if that is known."""

    html: str
    site: str | None


def fetch(call: Call, urls: Sequence[str]) -> list[Fetched]:
    """Fetch pages, once per process, as Scrapy's reactor cannot be restarted, or raise CommandError."""
    call.process.settings.setdict(_SETTINGS, priority="cmdline")
    outcomes: dict[str, Response | Failure] = {}
    requests = [_request(url, outcomes) for url in urls]
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

    call.process.crawl(type("Explained", (spider,), {"start": start}))
    call.process.start()
    return [_fetched(call, url, outcomes.get(url)) for url in urls]


def _fetched(call: Call, url: str, outcome: Response | Failure | None) -> Fetched:
    if outcome is None:
        raise CommandError(f"{url} could not be fetched: the crawl ended without it; -L INFO says more.")
    if isinstance(outcome, Failure):
        raise CommandError(f"{url} could not be fetched: {outcome.getErrorMessage() or repr(outcome.value)}")
    if outcome.status != _OK:
        raise CommandError(f"{url} could not be fetched: the server says {outcome.status}.")
    if not isinstance(outcome, TextResponse):
        raise CommandError(f"{url} is not HTML.")
    return Fetched(_text_of(outcome), site_of_page(call.site_of, outcome.url, outcome.meta))


def _text_of(response: TextResponse) -> str:
    try:
        return response.text
    except (LookupError, ValueError):  # the page declares an encoding that is not of text, as <meta charset=zlib> does
        return decode(response.body)


def _request(url: str, outcomes: dict[str, Response | Failure]) -> scrapy.Request:
    try:
        return scrapy.Request(
            url,
            callback=partial(outcomes.__setitem__, url),
            errback=partial(outcomes.__setitem__, url),
            dont_filter=True,
            meta={"blockfilter": False, "handle_httpstatus_list": range(400, 600)},
        )
    except ValueError as error:
        raise CommandError(f"{url} is not a URL: {error}.", ExitCode.USAGE) from None


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("page", metavar="URL|FILE", help="a page to fetch through Scrapy, or a file with HTML")
    parser.add_argument("--site", help="its site (default: that of its URL, or the folder of its file)")
    parser.add_argument("--spider", help="fetch it with the settings of this spider of the project")
    parser.add_argument(
        "--sort",
        choices=("place", "doubt"),
        default="place",
        help="blocks as they stand on the page, or first those whose score speaks most against their verdict "
        "(default: place)",
    )


def is_url(page: str) -> bool:
    """Return whether a page is to be fetched, rather than read from a file."""
    return "://" in page and not Path(page).exists()


class Judged(NamedTuple):
    """A cleaned page, with its site, the number of pages that this was learnt from, and the site's corrections."""

    cleaned: Cleaned
    site: str
    pages: int
    corrections: Corrections | None


def judged(call: Call) -> Judged:
    """Clean the page that the arguments name, or raise CommandError: it is unreadable, or its site is unknown."""
    arguments = call.arguments
    fetched = fetch(call, [arguments.page])[0] if is_url(arguments.page) else read_file(Path(arguments.page))
    with call.store() as store:
        named = arguments.site or fetched.site
        if not named:
            raise CommandError(f"{arguments.page} does not tell its site: add --site SITE.", ExitCode.USAGE)
        key = call.site(store, named)
        with closing(Sites(call.options, ReadOnlyStore(store), Uncounted())) as sites:
            site = sites.named(key)
            cleaned = _clean(sites.reader, site, fetched.html, call)
            return Judged(cleaned, key, site.pages, store.corrections().get(key))


def _run(call: Call) -> None:
    cleaned, site, pages, _ = judged(call)
    facts = page_facts(cleaned)
    if call.arguments.sort == "doubt":
        facts["blocks"].sort(key=lambda block: block["score"] if block["keep"] else 1 - block["score"])
    if call.output.is_json:
        call.output.json({"page": call.arguments.page, "site": site, "pages": pages, **facts})
    else:
        _print(call.output, facts, site, pages, call.options.pages)


def _clean(reader: Reader, site: Site, html: str, call: Call) -> Cleaned:
    try:
        page = reader.read(html, whole=True)
    except UnfitPage as unfit:
        raise CommandError(f"{call.arguments.page} cannot be judged: {unfit}.") from None
    model = site.judge(page)
    if model is None:
        raise no_pages(site.key)
    return model.clean_page(html, page)


def _print(output: Output, facts: dict[str, Any], site: str, pages: int, enough: int) -> None:
    blocks = facts["blocks"]
    for block in blocks:
        verdict = output.styled("keep ", "green") if block["keep"] else output.styled("strip", "red")
        text = output.fitted(printable(block["text"]) or "(images)", len(_INDENT))
        output.line(f"{verdict} {block['score']:4.2f}  {text if block['keep'] else output.styled(text, 'dim')}")
        for detail in (block["reason"], block["path"]):
            output.line(_INDENT + output.styled(output.fitted(printable(detail), len(_INDENT)), "dim"))
    if facts["unchanged"] not in ("", "nothing_to_strip"):
        output.line(output.styled(f"The page stays unchanged: {REASONS[facts['unchanged']]}.", "yellow"))
    if facts["suspicious"]:
        output.line(output.styled(f"Cleaning may have gone wrong: the page {facts['suspicious']}.", "yellow"))
    kept = sum(block["keep"] for block in blocks)
    share = facts["chars_kept"] / max(1, facts["chars"])
    learning = "" if pages >= enough else f", which is still being learnt: {enough} make it ready"
    found = f"{kept} of {len(blocks)} blocks stay, {share:.0%} of the text"
    output.line(f"{found}, by {pages} pages of {printable(site)}{learning}.")


def read_file(path: Path) -> Fetched:
    """Read a page from a file. The name of its folder is its site."""
    if not path.is_file():
        message = f"There is no file {path}. Type the path of one with HTML, or a URL with its http://."
        raise CommandError(message, ExitCode.NOT_FOUND)
    return Fetched(decode(path.read_bytes()), path.resolve().parent.name)


_INDENT = " " * 12
COMMAND = Subcommand(
    "explain",
    "show every block of a page with its verdict and reason",
    _run,
    _add_arguments,
    lambda arguments: is_url(arguments.page),
)
