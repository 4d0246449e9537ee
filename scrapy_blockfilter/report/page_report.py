"""The report on one page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scrapy_blockfilter.model.cleaned import Cleaned
from scrapy_blockfilter.plugins import counted
from scrapy_blockfilter.report.block_corrections import Correcting
from scrapy_blockfilter.report.document import Served, document
from scrapy_blockfilter.report.markup import Html, element
from scrapy_blockfilter.report.page_facts import page_facts
from scrapy_blockfilter.report.viewer import legend, viewer

# A smaller share would be rounded to 0%, as if there were no text.
_LEAST = 0.005
_UNCHANGED = {
    "nothing_to_strip": "Nothing was stripped: no block of the page is boilerplate.",
    "too_little_kept": "Nothing was stripped: too little of the page would be left.",
    "warmup": "Nothing was stripped: too little is known of the site yet.",
}


def page_report(
    cleaned: Cleaned,
    *,
    name: str = "",
    site: str = "",
    correcting: Correcting | None = None,
    served: Served | None = None,
) -> str:
    """Return a report on a page as one HTML file: the page as it was, its stripped blocks, and why they went.

    Beyond 1.5 million characters, 20,000 elements or 3,000 blocks, only the list of the first 3,000 blocks is shown.

    Args:
        name: URL or path of the page, shown as heading.
        site: the site that it was cleaned as. With a site, the menu of a block has the commands that correct it.
        correcting: the place of corrections, if it is more than the site.
        served: additions of a server on this machine.
    """
    facts = page_facts(cleaned)
    title = facts["title"] or name or "A page"
    return document(
        f"{title} – blockfilter report",
        _header(title, name, site, facts),
        viewer(cleaned, facts, "page", correcting or Correcting(site)),
        FOOTER,
        served=served,
    )


def _header(title: str, name: str, site: str, facts: Mapping[str, Any]) -> Html:
    stripped = [block for block in facts["blocks"] if not block["keep"]]
    share = 1 - facts["chars_kept"] / facts["chars"] if facts["chars"] else 0.0
    why = facts["unchanged"]
    said = _UNCHANGED.get(why, f"The page was passed on unread: {why}.") if why else ""
    warning = f"Cleaning may have gone wrong: the page {facts['suspicious']}." if facts["suspicious"] else ""
    figures = (
        ("of the text stripped", f"{share:.0%}"),
        ("blocks stripped", f"{len(stripped):,}"),
        ("blocks kept", f"{len(facts['blocks']) - len(stripped):,}"),
        ("characters kept", f"{facts['chars_kept']:,}"),
    )
    kinds = legend({kind["name"]: _figure(kind, facts["chars"]) for kind in facts["kinds"]})
    return header_of(title, (name, site and f"cleaned as {site}"), figures, notices=(said, warning), more=[kinds])


def _figure(kind: Mapping[str, Any], total: int) -> str:
    share = kind["chars"] / max(1, total)
    said = "no text" if not share else "under 1%" if share < _LEAST else f"{share:.0%}"
    return f"{counted(kind['blocks'], 'block')}, {said}"


def header_of(
    title: str,
    addresses: Iterable[str],
    figures: Iterable[tuple[str, str]],
    notices: Iterable[str] = (),
    more: Iterable[Html] = (),
) -> Html:
    """Return the header of a report, with large figures under their labels. Texts that are empty are left out."""
    rows = (element("div", {}, element("dt", {}, label), element("dd", {}, value)) for label, value in figures)
    return element(
        "header",
        {},
        element("p", {"class": "brand"}, "scrapy-blockfilter"),
        element("h1", {"dir": "auto"}, title),
        *(element("p", {"class": "address"}, text) for text in addresses if text),
        *(element("p", {"class": "notice"}, text) for text in notices if text),
        element("dl", {"class": "figures"}, *rows),
        *more,
    )


_FOOTER = (
    "Nothing here comes from the network, and nothing goes there. Pages are shown without their scripts, links, "
    "forms, embedded media and linked style sheets and fonts; only images that the page itself holds "
    "are shown; of others the text is."
)
FOOTER = element("footer", {}, element("p", {}, _FOOTER))
