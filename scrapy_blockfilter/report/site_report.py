"""The report on a site."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from scrapy_blockfilter.html.reader import HtmlInput
from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.plugins import counted
from scrapy_blockfilter.report.block_corrections import Correcting
from scrapy_blockfilter.report.document import document
from scrapy_blockfilter.report.markup import Html, Value, element
from scrapy_blockfilter.report.page_facts import KINDS, page_facts
from scrapy_blockfilter.report.page_report import FOOTER, header_of
from scrapy_blockfilter.report.site_facts import GALLERY, site_facts
from scrapy_blockfilter.report.viewer import legend, viewer
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.sample.site_sample import MAX_TEXT


def site_report(
    model: SiteModel,
    sample: SiteSample,
    *,
    site: str = "",
    pages: Iterable[tuple[str, HtmlInput]] = (),
    suspicious: Sequence[tuple[str, str]] = (),
    correcting: Correcting | None = None,
) -> str:
    """Return a report on the template of a site, as one HTML file that needs no network.

    Args:
        sample: the sample that the model was fitted to.
        site: its key, shown as heading.
        pages: names and HTML of pages for the gallery, which shows five. Without them it shows texts of the sample, as
            page records hold no HTML.
        suspicious: URLs of pages that may have lost content, and why; shown first.
        correcting: the place of corrections that menus of blocks propose (default: ``site``).

    Raises:
        ValueError: there is no page in the sample.
    """
    facts = site_facts(model, sample, suspicious)
    given = list(islice(pages, GALLERY))
    sections = [
        _header(site or "A site", facts),
        *([_suspicious(facts["suspicious"])] if facts["suspicious"] else []),
        _texts(facts),
        _slots(facts["slots"]),
        _gallery_of_pages(model, given, correcting or Correcting(site))
        if given
        else _gallery_of_texts(facts["gallery"]),
        FOOTER,
    ]
    return document(f"{site or 'A site'} – blockfilter report", *sections)


def _header(title: str, facts: Mapping[str, Any]) -> Html:
    learnt = counted(facts["pages"], "page")
    copies = facts["pages"] - facts["different_pages"]
    again = f", {copies:,} of them the same as another" if copies else ""
    figures = (
        ("of all text stripped", f"{facts['stripped']:.0%}"),
        ("of a page usually kept", f"{facts['usual_kept']:.0%}"),
        ("pages learnt from", f"{facts['pages']:,}"),
        ("slots shown", f"{len(facts['slots']):,}"),
    )
    return header_of(title, [f"Learnt from {learnt}{again}, by the method {facts['method']}."], figures)


def _suspicious(pages: Sequence[Mapping[str, Any]]) -> Html:
    rows = []
    for page in pages:
        why = element("td", {"class": "why"}, f"It {page['reason']}.")
        rows.append(element("tr", {}, element("td", {"dir": "ltr"}, page["url"]), why))
    hint = "These pages may have lost content. To see why, run scrapy blockfilter show with the URL of a page."
    return _section("Pages to look at first", hint, _table(("Page", "Reason"), rows))


def _texts(facts: Mapping[str, Any]) -> Html:
    head = ("Pages", "Text", "Reason")
    rows = []
    for text in facts["texts"]:
        pages = f"{text['pages']} of {facts['different_pages']}"
        share = element("td", {"class": "share"}, _bar(text["share"]), pages)
        said = element("td", {"dir": "auto"}, text["text"] or "(an image)")
        why = element("td", {"class": "why"}, element("b", {}, KINDS[text["kind"]]), text["reason"])
        rows.append(element("tr", {"data-kind": text["kind"]}, share, said, why))
    single = facts["single_texts"]
    rest = f" {counted(single, 'more text')} {'is' if single == 1 else 'are'} on a single page." if single else ""
    once = " A page that is the same as another is not counted." if facts["pages"] > facts["different_pages"] else ""
    return _section(
        "What is stripped on which share of pages",
        f"Texts on several pages that are stripped, those on most pages first.{once}{rest}",
        _table(head, rows, name="texts-stripped"),
    )


def _slots(slots: Sequence[Mapping[str, Any]]) -> Html:
    head = ("Slot", "Pages", "Blocks", "Stripped", "For instance")
    rows = [
        element(
            "tr",
            {"aria-level": slot["depth"] + 1},
            element("th", {"scope": "row", "style": f"--depth: {slot['depth']}"}, slot["label"]),
            element("td", {}, f"{slot['share']:.0%}"),
            element("td", {}, f"{slot['blocks']:,.1f}"),
            element("td", {"class": "share"}, _bar(slot["stripped"]), f"{slot['stripped']:.0%}"),
            element("td", {"class": "example", "dir": "auto", "title": slot["reason"]}, slot["example"]),
        )
        for slot in slots
    ]
    hint = (
        "The template as a tree: each slot with its share of the pages, its number of blocks, and the share of them "
        "that is stripped. Slots on a single page are left out."
    )
    return _section("Slots", hint, _table(head, rows, role="treegrid", name="slots"))


def _gallery_of_pages(model: SiteModel, given: Sequence[tuple[str, HtmlInput]], correcting: Correcting) -> Html:
    shown = []
    for number, (name, page) in enumerate(given):
        cleaned = model.clean(page)
        facts = page_facts(cleaned)
        stripped = 1 - facts["chars_kept"] / facts["chars"] if facts["chars"] else 0.0
        title = element("h3", {"dir": "auto"}, facts["title"] or name)
        told = element("p", {"class": "address"}, f"{name} · {stripped:.0%} stripped")
        pair = viewer(cleaned, facts, f"page{number}", correcting, is_pair=True)
        shown.append(element("article", {}, title, told, pair))
    hint = "Point at a shaded part, or focus it by keyboard, to see the reason."
    more = " Click it for the command that keeps it." if correcting.can_be_typed else ""
    return _section("Pages before and after", f"{hint}{more}", *shown)


def _gallery_of_texts(pages: Sequence[Sequence[Mapping[str, Any]]]) -> Html:
    shown = []
    for number, texts in enumerate(pages, 1):
        left = [text for text in texts if text["kind"] is None]
        pair = _side(f"Page {number}, before", texts), _side("After", left)
        shown.append(element("article", {"class": "texts"}, *pair))
    hint = (
        f"The records of pages hold no HTML: here are the first {MAX_TEXT} characters of each text. Stripped "
        "texts are shaded by reason."
    )
    kinds = dict.fromkeys((text["kind"] for texts in pages for text in texts if text["kind"]), "")
    return _section("Pages before and after", hint, legend(kinds), *shown)


def _side(title: str, texts: Iterable[Mapping[str, Any]]) -> Html:
    attributes: dict[str, Value] = {"tabindex": 0, "role": "region", "aria-label": title}
    return element("div", attributes, element("h3", {}, title), *map(_line, texts))


def _line(text: Mapping[str, Any]) -> Html:
    title = KINDS[text["kind"]] if text["kind"] else None
    attributes: dict[str, Value] = {"data-kind": text["kind"] or "kept", "title": title, "dir": "auto"}
    return element("p", attributes, text["text"] or "(an image)")


def _section(title: str, hint: str, *content: Html) -> Html:
    return element("section", {}, element("h2", {}, title), element("p", {"class": "hint"}, hint), *content)


def _table(head: Sequence[str], rows: Sequence[Html], *, role: str | None = None, name: str | None = None) -> Html:
    columns = element("tr", {}, *(element("th", {"scope": "col"}, column) for column in head))
    table = element("table", {"role": role, "class": name}, element("thead", {}, columns), element("tbody", {}, *rows))
    return element("div", {"class": "table", "tabindex": 0, "role": "region", "aria-label": head[0]}, table)


def _bar(share: float) -> Html:
    return element("span", {"class": "meter", "style": f"--share: {share:.3f}", "aria-hidden": "true"})
