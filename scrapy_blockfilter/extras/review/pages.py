"""Get the pages to review: from URLs, HTML files, folders, feeds and archives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode
from scrapy_blockfilter.commands.offline import formats
from scrapy_blockfilter.commands.offline.batches import Plan
from scrapy_blockfilter.commands.offline.files import KINDS
from scrapy_blockfilter.commands.pages import fetch, is_url, read_file

# Pages that are held in memory. More than these nobody looks through.
MAX_PAGES = 20


def pages_to_review(call: Call, site: str, named: Sequence[str]) -> list[tuple[str, str]]:
    """Return names and HTML of the first pages. Feeds and archives give their pages of the site."""
    urls = [name for name in named if is_url(name)][:MAX_PAGES]
    fetched = dict(zip(urls, fetch(call, urls), strict=True)) if urls else {}
    pages = [
        page
        for name in named
        for page in ([(name, fetched[name].html)] if name in fetched else islice(_of_path(call, site, name), MAX_PAGES))
    ]
    if not pages:
        raise CommandError(f"There is no page of {site} in {', '.join(named)}.", ExitCode.NOT_FOUND)
    return pages[:MAX_PAGES]


def _of_path(call: Call, site: str, name: str) -> Iterator[tuple[str, str]]:
    path = Path(name)
    is_page = KINDS.get(path.suffix.lower()) == "html" or formats().kind_of(name) is None
    if is_page and not path.is_dir():
        yield name, read_file(path).html
        return
    plan = Plan(call.options, str(call.store_path), "", call.options.fields)
    yield from plan.pages_of_site(site, [name])
