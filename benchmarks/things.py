"""Count the things that come out of a page: images, captions, lines of code, cells of tables, items of lists, formulas.

``python -m benchmarks.things SOURCE`` takes pages with the article that people want of each: JSON lines with ``page``,
``html`` and ``expected`` as HTML, or a checkout of mozilla/readability or kepano/defuddle. Each page is cleaned alone,
by this package and by the other extractors. A test tries made pages, whose things all come out.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from lxml import etree, html

import scrapy_blockfilter as bf
from benchmarks.corpus import CorpusPage
from benchmarks.peers import PEERS, all_text, asked_peers, html_of, quiet
from benchmarks.scoring import mean, score, tokens
from benchmarks.tables import RESULTS, environment, print_made_with, share, table, write_json
from scrapy_blockfilter.render.images import written_address

KINDS = ("images", "captions", "code lines", "cells", "items", "formulas")
# An image of Markdown: its address up to white space or the bracket.
_IMAGE = re.compile(r"!\[(?:[^\]\\]|\\.)*\]\(<?([^\s)>]+)")
# Characters: shorter texts of cells and items are found in any text.
_SHORTEST = 3


class Content(NamedTuple):
    """What an extractor gives of a page."""

    text: str  # its words
    markdown: str  # the same, with formulas; the text, if the extractor writes none
    images: frozenset[str]  # names of the files of its images


class Wanted(NamedTuple):
    """A page with the things that people want of it, and its words."""

    page: CorpusPage
    things: Mapping[str, Sequence[str]]
    text: str


Extract = Callable[[CorpusPage], Content]


def file_name(address: str) -> str:
    """Return the name of the file of an image, by which images are compared.

    >>> file_name("https://cdn.example/a/The%20pier.jpg?w=300"), file_name("/a/")
    ('the-pier.jpg', 'a')
    """
    return "-".join(unquote(urlsplit(address.strip()).path.rstrip("/").rpartition("/")[2]).lower().split())


def things_of(content: str) -> dict[str, list[str]]:
    """Return the things of an article by kind: names of files, and texts with white space folded."""
    root = html.fragment_fromstring(content, create_parent="div")
    found: dict[str, Iterable[str]] = {
        "images": (_names_of(image) for image in root.iter("img") if not _formula_of(image)),
        "captions": map(_text, root.iter("figcaption")),
        "code lines": (_fold(line) for code in root.iter("pre") for line in _lines(code)),
        "cells": map(_text, root.iter("td", "th")),
        "items": map(_text, root.iter("li")),
        "formulas": map(_formula_of, root.iter("img")),
    }
    return {kind: [each for each in found[kind] if len(each) >= _SHORTEST] for kind in KINDS}


def _formula_of(image: etree._Element) -> str:
    """Return the TeX of an image that shows a formula, else "": wikis write it into the ALT."""
    alt, names = image.get("alt", ""), f"{image.get('class', '')} {image.get('src', '')}"
    return alt.removeprefix("{\\displaystyle").removesuffix("}").strip() if "\\" in alt or "math" in names else ""


def _names_of(image: etree._Element) -> str:
    """Return the names of an image's files, one for each of its sizes, in one text."""
    around = image.getparent()
    sources = around.iterchildren("source", "img") if around is not None and around.tag == "picture" else [image]
    values = " ".join(value for source in sources for value in map(source.get, ("src", "srcset", "data-src")) if value)
    return " ".join(sorted({file_name(address.rstrip(",")) for address in values.split() if "/" in address}))


def _lines(code: etree._Element) -> Iterator[str]:
    for line in code.iter("br"):
        line.tail = f"\n{line.tail or ''}"
    yield from "".join(code.itertext()).splitlines()


def _text(element: etree._Element) -> str:
    return _fold("".join(element.itertext()))


def _fold(text: str) -> str:
    return " ".join(text.split())


def kept(things: Mapping[str, Sequence[str]], content: Content) -> Counter[str]:
    """Count the things that an extractor's content has, by kind.

    White space does not count, nor do signs outside of code and formulas: an extractor may leave out the sign of a note
    that leads back, or put brackets around a raised letter.
    """
    text, formulas = ("".join(written.split()) for written in (content.text, content.markdown))
    words = _words(text)
    return Counter(
        kind
        for kind, each in things.items()
        for thing in each
        if (
            not content.images.isdisjoint(thing.split())
            if kind == "images"
            else "".join(thing.split()) in (formulas if kind == "formulas" else text)
            if kind in ("formulas", "code lines")
            else _words(thing) in words
        )
    )


def _words(text: str) -> str:
    """Return the letters and digits of a text."""
    return "".join(filter(str.isalnum, text))


def of_html(content: str) -> Content:
    """Return what HTML has."""
    if not content.strip():
        return Content("", "", frozenset())
    root = html.document_fromstring(content)
    text = all_text(content)
    return Content(text, text, frozenset(map(file_name, map(written_address, root.iter("img")))))


def of_markdown(text: str, markdown: str) -> Content:
    """Return the words of a text and the images of Markdown."""
    return Content(text, markdown, frozenset(map(file_name, _IMAGE.findall(markdown))))


def clean(page: CorpusPage, model: bf.SiteModel | None = None) -> Content:
    """Return what this package gives of a page, alone or by the model of its site."""
    cleaned = model.clean(page.html, page.url) if model else bf.clean(page.html, url=page.url)
    return of_markdown(cleaned.text, cleaned.markdown)


def _trafilatura() -> Extract:
    import trafilatura

    def extract(page: CorpusPage) -> Content:
        of_page = partial(trafilatura.extract, page.html, include_comments=False, include_images=True)
        return of_markdown(of_page() or "", of_page(output_format="markdown") or "")

    return extract


def _peer(name: str) -> Extract:
    """Load another extractor, for what it gives as Markdown or HTML."""
    content = PEERS[name].load_html
    if content is None:
        return _trafilatura()
    extract = content()
    return lambda page: of_html(extract(page))


# The others give no images.
SHOWN = ("trafilatura", "PageSift", "Defuddle", "Mozilla Readability")


def read(source: Path) -> list[Wanted]:
    """Return the pages of a file of JSON lines, or of a checkout of an extractor's tests.

    mozilla/readability has a folder a page, with source.html and expected.html. kepano/defuddle has pages in fixtures/,
    and what is expected of them as Markdown in expected/.
    """
    if not source.is_dir():
        with gzip.open(source, "rt", encoding="utf-8") if source.suffix == ".gz" else source.open() as lines:
            found = [(one["page"], one["html"], one["expected"]) for one in map(json.loads, lines)]
    else:
        files = [(page.parent.name, page, page.with_name("expected.html")) for page in source.rglob("source.html")]
        fixtures = source.glob("fixtures/*.html")
        files += [(page.stem, page, source / "expected" / f"{page.stem}.md") for page in fixtures]
        found = [(name, _read(page), _read(wanted)) for name, page, wanted in sorted(files) if wanted.is_file()]
    pages = (CorpusPage(html, expected, "", url=f"https://{name}.example/page") for name, html, expected in found)
    return [_wanted(page) for page in pages]


def _read(file: Path) -> str:
    text = file.read_text("utf-8", "replace")
    return html_of(text) if file.suffix == ".md" else text


def _wanted(page: CorpusPage) -> Wanted:
    return Wanted(page, things_of(page.gold), all_text(page.gold))


def of_source(pages: Sequence[Wanted], extract: Extract) -> dict[str, Any]:
    """Return the shares of things by kind that an extractor keeps of pages, and the mean of its words' F1."""
    things: Counter[str] = Counter()
    scores = []
    for page, wanted, text in pages:
        try:
            content = extract(page)
        except Exception:  # other extractors raise many kinds, on single pages
            if extract is clean:
                raise
            content = Content("", "", frozenset())
        things += kept(wanted, content)
        scores.append(score(tokens(content.text), tokens(text)))
    wanted_of = _wanted_of(pages)
    return {"kept": {kind: things[kind] / of for kind, of in wanted_of.items() if of}, "f1": mean(scores).f1}


def _wanted_of(pages: Sequence[Wanted]) -> Counter[str]:
    return Counter({kind: sum(len(page.things[kind]) for page in pages) for kind in KINDS})


def things_table(source: Mapping[str, Any]) -> str:
    """Show the shares of things that extractors keep of pages, and their words' F1."""
    rows = [["of", *(f"{source['of'][kind]:,}" if source["of"].get(kind) else "" for kind in KINDS), ""]]
    for name, found in source["found"].items():
        shares = found["kept"]
        rows.append([name, *(share(shares[kind]) if kind in shares else "" for kind in KINDS), share(found["f1"])])
    return table([f"{source['pages']} pages, each alone", *KINDS, "F1 of words"], rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", nargs="+", type=Path, metavar="SOURCE", help="JSON lines, or a checkout")
    parser.add_argument("--no-peers", action="store_true", help="leave out the other extractors")
    parser.add_argument("--json", type=Path, default=RESULTS / "things.json", help="write the figures to this file")
    options = parser.parse_args(arguments)
    figures: dict[str, Any] = {"environment": environment(), "sources": {}}
    figures["peers"], _ = asked_peers(not options.no_peers, SHOWN)
    extractors = {"scrapy-blockfilter": clean, **{name: _peer(name) for name in figures["peers"]}}
    for source in options.sources:
        pages = read(source)
        with quiet():
            found = {name: of_source(pages, extract) for name, extract in extractors.items()}
        counted = {"pages": len(pages), "of": _wanted_of(pages), "found": found}
        figures["sources"][source.name.partition(".")[0]] = counted
        print(f"\n{source.name}\n\n{things_table(counted)}")
    print_made_with()
    write_json(options.json, figures)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
