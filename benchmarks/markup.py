"""Words that a page says by markup alone: which of the cases of ``markup_cases.json`` each library gets right.

Each case is a part of an article. A library is right if what it writes has the sentences around the part, matches each
pattern that it must, and none that it must not. A case counts in a column only if it has patterns for that form.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.corpus import CorpusPage
from benchmarks.node_peers import AS_MARKDOWN, node_extractor
from benchmarks.tables import table
from scrapy_blockfilter import Cleaned, learn
from scrapy_blockfilter.model import SiteModel

URL = "https://example.com/harbour/page.html"
CASES_FILE = Path(__file__).with_name("markup_cases.json")
# Between them, in an article, a part is read. They are long enough for extractors that look for prose.
BEFORE = (
    "The harbour of the small town was built by hand, stone upon stone, in the years before the railway came, and its "
    "keepers have written down every ship that came in since then, with the weather and the cargo of the day.",
    "Most of these books are still there, in the attic of the customs house, and two people read them every winter.",
)
AFTER = (
    "When the ice breaks up in spring, the first boats go out again, and the keepers open a new book, as their mothers "
    "and fathers did, and note the hour and the wind before they write the name of the boat.",
    "Visitors may read the old books on weekdays, if they ask for them at the door and have clean hands.",
)
FORMS = ("text", "Markdown", "chunks")

Write = Callable[[str], str]


class MarkupCase(NamedTuple):
    """A part of a page, and what is expected of it.

    Attributes:
        has: per form, patterns that it must match.
        has_not: per form, patterns that it must not match.
        headings: the path that a chunk must have.
    """

    name: str
    html: str
    has: Mapping[str, list[str]]
    has_not: Mapping[str, list[str]]
    headings: list[str]

    @property
    def page(self) -> str:
        before, after = ("".join(f"<p>{line}</p>" for line in lines) for lines in (BEFORE, AFTER))
        body = f"<article><h1>The harbour books</h1>{before}{self.html}{after}</article>"
        return f"<!DOCTYPE html><html lang=en><head><title>The harbour books</title></head><body>{body}</body></html>"

    def counts_in(self, form: str) -> bool:
        return bool(self.has[form] or self.has_not[form] or (form == "chunks" and self.headings))

    def is_right(self, form: str, made: str) -> bool:
        """Tell whether what a library has written is as it should be."""
        around = all(" ".join(line.split()[:6]) in " ".join(made.split()) for line in (*BEFORE, *AFTER))
        has = all(re.search(pattern, made) for pattern in self.has[form])
        return around and has and not any(re.search(pattern, made) for pattern in self.has_not[form])


def markup_cases() -> Iterator[MarkupCase]:
    """Yield the cases of the file."""
    for case in json.loads(CASES_FILE.read_text(encoding="utf-8")):
        text = {"has": case["has"] + case.get("text", []), "has_not": case["has_not"]}
        markdown = {
            "has": case["has"] + case.get("markdown", []),
            "has_not": case["has_not"] + case.get("markdown_not", []),
        }
        forms = {"text": text, "Markdown": markdown, "chunks": text}
        has, has_not = ({form: of[key] for form, of in forms.items()} for key in ("has", "has_not"))
        yield MarkupCase(case["name"], case["html"], has, has_not, case.get("headings", []))


@cache
def _model() -> SiteModel:
    return learn(["<p>Another page of the site.</p>"])


def cleaned_of(case: MarkupCase) -> Cleaned:
    """Return the page of a case with all its blocks."""
    return _model().clean(case.page, url=URL)


def ours(form: str, case: MarkupCase) -> str:
    """Return the page of a case in a form; its chunks one after the other."""
    cleaned = cleaned_of(case)
    if form == "chunks":
        return "\n".join(chunk["text"] for chunk in cleaned.chunks)
    return cleaned.text if form == "text" else cleaned.markdown


def _by_trafilatura(form: str) -> Write:
    import trafilatura

    options: dict[str, Any] = {"output_format": "txt"}
    if form == "Markdown":
        options = {"output_format": "markdown", "include_links": True, "include_images": True}
    return lambda html: trafilatura.extract(html, url=URL, **options) or ""


def _by_defuddle() -> Write:
    extract = node_extractor(f"defuddle{AS_MARKDOWN}")
    return lambda html: extract(CorpusPage(html, "", "", url=URL))


def _peers(libraries: Mapping[str, Write]) -> Iterator[tuple[str, str, Write | str]]:
    """Yield name and form of each peer, with what it writes or why it is missing."""
    loaders: list[tuple[str, str, Callable[[], Write]]] = [
        ("trafilatura", "text", lambda: _by_trafilatura("text")),
        ("trafilatura", "Markdown", lambda: _by_trafilatura("Markdown")),
        ("Defuddle", "Markdown", _by_defuddle),
    ]
    for name, form, load in loaders:
        try:
            yield name, form, load()
        except ImportError as error:
            yield name, form, str(error)
    for name, write in libraries.items():
        yield name, "Markdown", write


def markup_tables(libraries: Mapping[str, Write]) -> tuple[str, str]:
    """Return a table of cases by library, and one of how many each library gets right.

    Args:
        libraries: other libraries that write Markdown, by name.
    """
    cases = list(markup_cases())
    right: dict[tuple[str, str], list[bool | None]] = {
        ("ours", form): [case.is_right(form, ours(form, case)) if case.counts_in(form) else None for case in cases]
        for form in FORMS
    }
    missing = {}
    for name, form, write in _peers(libraries):
        if isinstance(write, str):
            missing[name, form] = write
        else:
            right[name, form] = [_tried(write, form, case) for case in cases]
    rows = [
        [case.name, *({True: "yes", False: "-", None: ""}[of[number]] for of in right.values())]
        for number, case in enumerate(cases)
    ]
    names = list(dict.fromkeys(name for name, _ in (*right, *missing)))
    totals = [[name, *(_total(right.get((name, form)), (name, form) in missing) for form in FORMS)] for name in names]
    return table(["markup", *(f"{name}: {form}" for name, form in right)], rows), table(["", *FORMS], totals)


def _tried(write: Write, form: str, case: MarkupCase) -> bool | None:
    if not case.counts_in(form):
        return None
    try:
        return case.is_right(form, write(case.page))
    except Exception:  # whatever a library raises, it has no page
        return False


def _total(right: list[bool | None] | None, is_missing: bool) -> str:
    if right is None:
        return "not installed" if is_missing else ""
    counted = [found for found in right if found is not None]
    return f"{sum(counted)}/{len(counted)}"
