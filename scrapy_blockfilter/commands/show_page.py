"""Show every block of a page with its verdict, score and reason, in document order."""

from __future__ import annotations

from contextlib import closing
from typing import Any, NamedTuple

from scrapy_blockfilter.commands.base import Call, CommandError, ExitCode, no_pages
from scrapy_blockfilter.commands.output import Output, printable
from scrapy_blockfilter.commands.pages import get_pages
from scrapy_blockfilter.crawl.site import Site
from scrapy_blockfilter.crawl.sites import Sites
from scrapy_blockfilter.crawl.stats import REASONS, Uncounted
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.model.cleaned import Cleaned
from scrapy_blockfilter.options.selectors import Corrections
from scrapy_blockfilter.report import page_facts
from scrapy_blockfilter.store.memory import ReadOnlyStore


class Judged(NamedTuple):
    """A cleaned page, with its site, the number of pages that this was learnt from, and the site's corrections."""

    cleaned: Cleaned
    site: str
    pages: int
    corrections: Corrections | None


def judged(call: Call) -> Judged:
    """Clean the page that the arguments name, or raise CommandError: it is unreadable, or its site is unknown."""
    arguments = call.arguments
    (fetched,) = get_pages(call, [arguments.shown])
    with call.store() as store:
        named = arguments.site or fetched.site
        if not named:
            raise CommandError(f"{arguments.shown} does not tell its site: add --site SITE.", ExitCode.USAGE)
        key = call.site(store, named)
        with closing(Sites(call.options, ReadOnlyStore(store), Uncounted())) as sites:
            site = sites.named(key)
            cleaned = _clean(sites.reader, site, fetched.html, call)
            return Judged(cleaned, key, site.pages, store.corrections().get(key))


def show_page(call: Call, shown: Judged) -> None:
    cleaned, site, pages, _ = shown
    facts = page_facts(cleaned)
    if call.arguments.sort == "doubt":
        facts["blocks"].sort(key=lambda block: block["score"] if block["keep"] else 1 - block["score"])
    if call.output.is_json:
        call.output.json({"page": call.arguments.shown, "site": site, "pages": pages, **facts})
    else:
        _print(call.output, facts, site, pages, call.options.pages)


def _clean(reader: Reader, site: Site, html: str, call: Call) -> Cleaned:
    try:
        page = reader.read(html, whole=True)
    except UnfitPage as unfit:
        raise CommandError(f"{call.arguments.shown} cannot be judged: {unfit}.") from None
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


_INDENT = " " * 12
