"""``review``: look at pages of a site in the browser, and correct what is stripped from them."""

from __future__ import annotations

import signal
import sys
import threading
import webbrowser
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode, Subcommand, add_site
from scrapy_blockfilter.commands.corrections import correcting
from scrapy_blockfilter.commands.offline import formats
from scrapy_blockfilter.commands.offline.batches import Plan
from scrapy_blockfilter.commands.output import printable
from scrapy_blockfilter.commands.pages import fetch, is_url, read_file
from scrapy_blockfilter.extras.review.server import ADDRESS, IdleError, Server
from scrapy_blockfilter.extras.review.session import Review
from scrapy_blockfilter.store.keys import stored_key

_PORTS = range(65536)
# Pages that are held in memory. More than these nobody looks through.
_MAX_PAGES = 20


def _add_arguments(parser: ArgumentParser) -> None:
    add_site(parser)
    parser.add_argument(
        "pages",
        nargs="*",
        metavar="URL|PATH",
        help="pages to fetch, HTML files, folders, feeds or archives with pages of the site; the first "
        f"{_MAX_PAGES} are shown (default: pages of it that may have lost content)",
    )
    parser.add_argument("--spider", help="fetch with the settings of this spider of the project")
    parser.add_argument("--port", type=int, default=0, metavar="N", help="port of 127.0.0.1 (default: a free one)")
    parser.add_argument("--no-browser", action="store_true", help="print the address, and open no browser")


def _run(call: Call) -> None:
    arguments = call.arguments
    if arguments.port not in _PORTS:
        raise CommandError(f"--port is {arguments.port}, but must be from 0 to {_PORTS[-1]}.", ExitCode.USAGE)
    with call.store() as store:
        site = call.site(store, arguments.site)
        suspects = store.suspects(stored_key(site, call.options.segmentation))
        named = arguments.pages or [suspect.url for suspect in reversed(suspects)][:_MAX_PAGES]
        if not named:
            raise CommandError(
                f"Name pages of {site} to look at, by URL or path: the store holds no HTML, and knows of none of its "
                "pages that it may have lost content.",
                ExitCode.USAGE,
            )
        pages = _pages(call, site, named)
        review = Review(store, call.options, correcting(call, site, None), pages)
        try:
            server = Server(review, arguments.port)
        except OSError as error:
            raise CommandError(f"Port {arguments.port} of {ADDRESS} cannot be used: {error.strerror}.") from None
        with server:
            _serve(call, server, site)


def _pages(call: Call, site: str, named: Sequence[str]) -> list[tuple[str, str]]:
    """Return names and HTML of the first pages. Feeds and archives give their pages of the site."""
    urls = [name for name in named if is_url(name)][:_MAX_PAGES]
    fetched = fetch(call, urls, needs_all=bool(call.arguments.pages))
    pages = []
    for name in named:
        if name in fetched:
            pages.append((name, fetched[name].html))
        elif not is_url(name):
            pages += _of_path(call, site, name)
    if not pages:
        raise CommandError(f"There is no page of {site} in {', '.join(named)}.", ExitCode.NOT_FOUND)
    return pages[:_MAX_PAGES]


def _of_path(call: Call, site: str, name: str) -> Iterator[tuple[str, str]]:
    if formats().kind_of(name) in ("html", None) and not Path(name).is_dir():
        yield name, read_file(name).html
        return
    plan = Plan(call.options, str(call.store_path), "", call.options.fields)
    yield from islice(plan.pages_of_site(site, [name]), _MAX_PAGES)


def _serve(call: Call, server: Server, site: str) -> None:
    # Fetching pages leaves handlers that stop a crawl, which has ended.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt, IdleError):
        call.output.result(
            {"site": site, "url": server.url, "pages": [name for name, _ in server.review.pages]},
            f"Review of {printable(site)}: {server.url}",
            "The address opens it once, in one browser. Ctrl-C ends it.",
        )
        sys.stdout.flush()  # to a program that waits for it
        if not call.arguments.no_browser:
            # A browser of the terminal takes the thread until it is closed.
            threading.Thread(target=webbrowser.open, args=(server.url,), daemon=True).start()
        server.serve_forever()


def _crawls(arguments: Namespace) -> bool:
    return not arguments.pages or any(map(is_url, arguments.pages))


COMMAND = Subcommand("review", "look at pages in the browser, and correct them there", _run, _add_arguments, _crawls)
