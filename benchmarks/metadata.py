"""Metadata of pages: how often fields are what pages declare, and libraries that read parts of them side by side.

Run ``python -m benchmarks.metadata CORPUS [CORPUS ...]``. Sites are learnt from their first ten pages, and the last
eight are measured. Libraries that are not installed are left out.

- Fields: pages whose JSON-LD has one article. Its values are read here by the standard library alone.
- Structured data: what two readers read of the same pages, and what that costs.
- Dates: pages that declare when they were published. What they declare is hidden, and the day must be found.
- Languages: pages whose language people have labelled. The text is what is kept of each.
"""

from __future__ import annotations

import argparse
import html as markup
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from lxml import etree

from benchmarks.corpus import CorpusPage, Site, choose_sites, find_sites
from benchmarks.digest import digest_of
from benchmarks.metadata_peers import (
    LANGUAGES,
    date_by_htmldate,
    import_milliseconds,
    installed_megabytes,
    is_installed,
    read_by_extruct,
)
from benchmarks.tables import RESULTS, environment, positive, share, table, write_json
from benchmarks.timing import Stopwatch
from scrapy_blockfilter import SiteModel, learn
from scrapy_blockfilter.extras.metadata import PageMetadata, Shown
from scrapy_blockfilter.extras.metadata.languages import language_code
from scrapy_blockfilter.html import UnfitPage, parse

LEARNT = 10
# The last pages of a site are measured, so that no site is most of a figure.
MEASURED = 8
_NAMES = {"chinese": "zh", "english": "en", "greek": "el", "polish": "pl", "russian": "ru"}
# What is declared of an article -> the field.
DECLARED = {
    "headline": "title",
    "author": "authors",
    "datePublished": "published",
    "dateModified": "modified",
    "description": "description",
}
_DECLARING = ("json_ld", "microdata", "opengraph", "meta")
READERS = ("json and lxml", "extruct")
KINDS = ("json_ld", "microdata", "opengraph")
# Characters of a string of structured data that are compared, without white space: longer ones are cut.
_COMPARED = 1_000
_SCRIPT = re.compile(r"(?is)<script[^>]*application/ld\+json[^>]*>(.*?)</script")


@dataclass
class Found:
    """What was counted and timed over all pages."""

    pages: int = 0
    fields: Counter[tuple[str, str]] = field(default_factory=Counter)
    alike: Counter[tuple[str, str]] = field(default_factory=Counter)
    dates: Counter[tuple[str, str]] = field(default_factory=Counter)
    languages: Counter[tuple[str, str]] = field(default_factory=Counter)
    watch: Stopwatch = field(default_factory=Stopwatch)


def declared_article(html: str) -> dict[str, Any]:
    """Return what the only article in a page's JSON-LD declares, empty if there is none or another."""
    articles = []
    people = {}
    for script in _SCRIPT.findall(html):
        try:
            value = json.loads(script, strict=False)
        except ValueError:
            continue
        for item in value if isinstance(value, list) else [value]:
            graph = item.get("@graph", [item]) if isinstance(item, dict) else []
            people.update(
                {one["@id"]: one for one in graph if isinstance(one, dict) and one.get("name") and "@id" in one}
            )
            articles += [
                one for one in graph if isinstance(one, dict) and str(one.get("@type")).endswith(("Article", "Posting"))
            ]
    if len(articles) != 1:
        return {}
    author = articles[0].get("author")
    if isinstance(author, dict) and set(author) == {"@id"}:  # a reference to an item of its own
        return {**articles[0], "author": people.get(author["@id"])}
    return articles[0]


def is_as_declared(name: str, declared: Any, value: Any) -> bool:
    """Tell whether the value of a field is what an article declares."""
    if name == "authors":
        people = declared if isinstance(declared, list) else [declared]
        names = [_line(one.get("name") if isinstance(one, dict) else one) for one in people]
        return list(value) == list(dict.fromkeys(names))
    if name in ("published", "modified"):
        return bool(value) and _line(declared).startswith(value[:10])
    return bool(value) and _line(declared).startswith(value)


def hidden(html: str) -> str:
    """Return a page without what it declares for programs."""
    root = parse(html)
    for element in list(root.iter("meta", "script", "time")):
        if element.tag == "time":
            element.attrib.pop("datetime", None)
        elif (parent := element.getparent()) is not None and not element.tail:
            parent.remove(element)
        else:
            element.attrib.clear()
            element.text = None
    for element in root.iter(etree.Element):
        for name in ("itemprop", "itemscope"):
            element.attrib.pop(name, None)
    return etree.tostring(root, encoding="unicode", method="html")


def measure_site(site: Site, found: Found, rounds: int) -> None:
    """Count and time all of a site's pages."""
    pages = [page for page in site.pages() if is_fit(page)]
    if not pages:
        return
    model = learn([page.html for page in pages[:LEARNT]])
    for number, page in enumerate(pages[-MEASURED:]):
        item = (site.set_name, site.name, number)
        found.pages += 1
        found.watch.baseline(item, page.html)
        cleaned = model.clean(page.html, page.url)
        values = cleaned.metadata
        article = declared_article(page.html)
        for name, of in DECLARED.items():
            if article.get(name):
                found.fields[of, "declared"] += 1
                found.fields[of, "equal"] += is_as_declared(of, article[name], values[of])
        _read_structured(page, item, found, rounds)
        _find_date(page, model, cleaned.metadata_sources["published"], item, found)
        _detect(page, cleaned.text, item, found)


def _read_structured(page: CorpusPage, item: Any, found: Found, rounds: int) -> None:
    for _ in range(rounds):
        ours = found.watch.measure(READERS[0], item, lambda: PageMetadata(parse(page.html), Shown()).values)
    if not is_installed("extruct"):
        return
    for _ in range(rounds):
        theirs = found.watch.measure(READERS[1], item, lambda: read_by_extruct(page.html))
    opengraph = dict(reversed([pair for of in theirs.get("opengraph", ()) for pair in of["properties"]]))
    firsts = {name: value[0] if isinstance(value, list) else value for name, value in ours["opengraph"].items()}
    both = {
        "json_ld": (ours["json_ld"], theirs.get("json-ld", [])),
        "microdata": (ours["microdata"], [_as_ours(of) for of in theirs.get("microdata", ()) if of.get("properties")]),
        "opengraph": (firsts, opengraph),
    }
    for kind, (of_ours, of_theirs) in both.items():
        if of_ours or of_theirs:
            found.alike[kind, "pages"] += 1
            found.alike[kind, "equal"] += _bare(of_ours) == _bare(of_theirs)
            found.alike[kind, "ours alone"] += not of_theirs
            found.alike[kind, "theirs alone"] += not of_ours


def declared_day(sources: list[dict[str, str]]) -> str:
    """Return the day of publication that a page declares for programs, "" if it declares none."""
    return next((of["value"][:10] for of in sources if of["source"] in _DECLARING), "")


def _find_date(page: CorpusPage, model: SiteModel, sources: list[dict[str, str]], item: Any, found: Found) -> None:
    declared = declared_day(sources)
    if not declared:
        return
    html = hidden(page.html)
    finders: dict[str, Callable[[], str]] = {"ours, without dateparser": partial(_ours, model, html, page.url)}
    if is_installed("dateparser"):
        finders["ours, with dateparser"] = finders["ours, without dateparser"]
    if is_installed("htmldate"):
        finders["htmldate, quick"] = partial(date_by_htmldate, html, page.url, extensive=False)
        finders["htmldate"] = partial(date_by_htmldate, html, page.url, extensive=True)
    for name, find in finders.items():
        with patch(
            "scrapy_blockfilter.extras.metadata.dates._has_dateparser", return_value=name != "ours, without dateparser"
        ):
            day = found.watch.measure(name, item, find)
        found.dates[name, "pages"] += 1
        found.dates[name, "found"] += bool(day)
        found.dates[name, "right"] += day[:10] == declared


def _ours(model: SiteModel, html: str, url: str) -> str:
    return model.clean(html, url).metadata["published"] or ""


def _detect(page: CorpusPage, text: str, item: Any, found: Found) -> None:
    label = _NAMES.get(page.language.lower(), language_code(page.language))
    if not label or not text.strip():
        return
    answers = {"declared by the page": language_code(_declared_language(page.html))}
    for name, detect in _detectors(found):
        answers[name] = found.watch.measure(name, item, partial(_asked, detect, text[:5_000]))
    for name, answer in answers.items():
        found.languages[name, "pages"] += 1
        found.languages[name, "answered"] += bool(answer)
        found.languages[name, "right"] += answer == label


def _asked(detect: Callable[[str], str], text: str) -> str:
    return detect(text)


def _detectors(found: Found) -> Iterator[tuple[str, Callable[[str], str]]]:
    made: dict[str, Callable[[str], str]] = found.__dict__.setdefault("detectors", {})
    for name, of in LANGUAGES.items():
        if is_installed(of.package):
            if name not in made:
                made[name] = of.make()
            yield name, made[name]


def _declared_language(html: str) -> str:
    return parse(html).get("lang") or ""


def _line(value: Any) -> str:
    return " ".join(markup.unescape(str(value)).split())


def _as_ours(item: Any) -> Any:
    """Return an item of extruct's in the form of ours."""
    if isinstance(item, list):
        return [_as_ours(one) for one in item]
    if not isinstance(item, dict) or "properties" not in item:
        return item
    types = item.get("type") or []
    types = [types] if isinstance(types, str) else types
    named = [of.rpartition("/")[2] for of in types]
    return {
        **({"@type": named[0] if len(named) == 1 else named} if named else {}),
        **({"@id": item["id"]} if item.get("id") else {}),
        **{name: _as_ours(value) for name, value in item["properties"].items()},
    }


def _bare(value: Any) -> str:
    """Return a value as JSON without white space, and with marks as characters."""
    return "".join(markup.unescape(json.dumps(_short(value), sort_keys=True, ensure_ascii=False)).split()).replace(
        "\\n", ""
    )


def _short(value: Any) -> Any:
    """Return a value whose strings are cut where all readers have them."""
    if isinstance(value, dict):
        return {name: _short(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_short(inner) for inner in value]
    return "".join(value.split())[:_COMPARED] if isinstance(value, str) else value


def is_fit(page: CorpusPage) -> bool:
    """Tell whether a page can be read."""
    try:
        return parse(page.html) is not None
    except UnfitPage:
        return False


def results_of(found: Found) -> dict[str, Any]:
    """Return the figures."""
    needs = {"json and lxml": ("", ""), "extruct": ("extruct", "import extruct")}
    readers = {name: _costs(found, name, *needs[name]) for name in READERS if is_installed(needs[name][0])}
    detectors = {
        name: _costs(found, name, of.package, of.load) for name, of in LANGUAGES.items() if is_installed(of.package)
    }
    finders = {name: _costs(found, name, *_needs_of(name)) for name, what in found.dates if what == "pages"}
    return {
        "environment": environment(),
        "pages": found.pages,
        "fields": _nested(found.fields),
        "alike": _nested(found.alike),
        "readers": readers,
        "dates": {name: {**of, **finders[name]} for name, of in _nested(found.dates).items()},
        "languages": {name: {**of, **detectors.get(name, {})} for name, of in _nested(found.languages).items()},
    }


def _needs_of(finder: str) -> tuple[str, str]:
    if finder.startswith("htmldate"):
        return "htmldate", "import htmldate"
    is_ours_alone = finder.endswith("without dateparser")
    return ("", "") if is_ours_alone else ("dateparser", "import dateparser; dateparser.parse('12 March 2014')")


def _costs(found: Found, name: str, package: str, load: str) -> dict[str, float]:
    megabytes, packages = installed_megabytes(package)
    cost = found.watch.cost(name)
    return {
        "ms_a_page": cost["ms_a_page"],
        "ratio": cost["ratio"],
        "import_ms": import_milliseconds(load),
        "megabytes": megabytes,
        "packages": packages,
    }


def _nested(counts: Mapping[tuple[str, str], int]) -> dict[str, dict[str, Any]]:
    nested: dict[str, dict[str, Any]] = {}
    for (name, what), count in counts.items():
        nested.setdefault(name, {})[what] = count
    return nested


def fields_table(figures: Mapping[str, Any]) -> str:
    """Fields that are what pages declare."""
    rows = [
        [f"`{name}`", str(of["declared"]), share(of["equal"] / of["declared"])]
        for name, of in figures["fields"].items()
    ]
    return table(["field", "pages that declare it", "equal"], rows)


def readers_table(figures: Mapping[str, Any]) -> str:
    """Readers of structured data: what they cost."""
    rows = [[name, *_cost_cells(of)] for name, of in figures["readers"].items()]
    return table(["", *_COST_HEADER], rows)


def alike_table(figures: Mapping[str, Any]) -> str:
    """On how many pages both readers read the same."""
    rows = [[f"`{kind}`", str(of["pages"]), share(of["equal"] / of["pages"])] for kind, of in figures["alike"].items()]
    return table(["", "pages that have it", "read alike"], rows)


def dates_table(figures: Mapping[str, Any]) -> str:
    rows = [
        [name, share(of["found"] / of["pages"]), share(of["right"] / max(1, of["found"])), *_cost_cells(of)]
        for name, of in figures["dates"].items()
    ]
    return table(["", "found", "right, of those found", *_COST_HEADER], rows)


def languages_table(figures: Mapping[str, Any]) -> str:
    rows = [
        [name, share(of["answered"] / of["pages"]), share(of["right"] / max(1, of["answered"])), *_cost_cells(of)]
        for name, of in figures["languages"].items()
    ]
    return table(["", "answered", "right, of those answered", *_COST_HEADER], rows)


_COST_HEADER = ("ms a page", "ms to load", "MB installed", "packages")


def _cost_cells(of: Mapping[str, float]) -> list[str]:
    if "ms_a_page" not in of:
        return ["", "", "", ""]
    return [f"{of['ms_a_page']:.2f}", f"{of['import_ms']:.0f}", f"{of['megabytes']:.1f}", f"{of['packages']:.0f}"]


TABLES = (fields_table, alike_table, readers_table, dates_table, languages_table)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.metadata", description=__doc__)
    parser.add_argument("corpora", type=Path, nargs="+")
    parser.add_argument("--sites", type=positive, default=8, help="sites of each set")
    parser.add_argument("--rounds", type=positive, default=2)
    arguments = parser.parse_args()
    found = Found()
    for corpus in arguments.corpora:
        for site in choose_sites(find_sites(corpus), arguments.sites)[0]:
            measure_site(site, found, arguments.rounds)
    figures = {**results_of(found), "corpus": digest_of(*arguments.corpora)}
    write_json(RESULTS / "metadata.json", figures)
    print("\n\n".join(make(figures) for make in TABLES if figures["pages"]))


if __name__ == "__main__":
    main()
