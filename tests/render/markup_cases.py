"""The cases of ``markup_cases.json``: parts of an article whose words are in their markup, and dirt that goes.

A form is right if it has the sentences around the part, matches each pattern that it must, and none that it must not. A
case counts for a form only if it has patterns for that form.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import scrapy_blockfilter as bf

URL = "https://example.com/harbour/page.html"
FORMS = ("text", "Markdown", "chunks")
# Between them, in an article, a part is read.
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


class MarkupCase(NamedTuple):
    """A part of a page, and for each form the patterns that it must match, and those that it must not.

    Attributes:
        headings: the path that a chunk must have.
    """

    name: str
    html: str
    has: Mapping[str, list[str]]
    has_not: Mapping[str, list[str]]
    headings: list[str]

    @property
    def cleaned(self) -> bf.Cleaned:
        """The page of the case, with all its blocks."""
        before, after = ("".join(f"<p>{line}</p>" for line in lines) for lines in (BEFORE, AFTER))
        body = f"<article><h1>The harbour books</h1>{before}{self.html}{after}</article>"
        head = "<!DOCTYPE html><html lang=en><head><title>The harbour books</title></head>"
        return _model().clean(f"{head}<body>{body}</body></html>", url=URL)

    def counts_in(self, form: str) -> bool:
        return bool(self.has[form] or self.has_not[form] or (form == "chunks" and self.headings))

    def is_right(self, form: str, made: str) -> bool:
        around = all(" ".join(line.split()[:6]) in " ".join(made.split()) for line in (*BEFORE, *AFTER))
        has = all(re.search(pattern, made) for pattern in self.has[form])
        return around and has and not any(re.search(pattern, made) for pattern in self.has_not[form])


def markup_cases() -> Iterator[MarkupCase]:
    """Yield the cases of the file."""
    for case in json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8")):
        text = {"has": case["has"] + case.get("text", []), "has_not": case["has_not"]}
        markdown = {
            "has": case["has"] + case.get("markdown", []),
            "has_not": case["has_not"] + case.get("markdown_not", []),
        }
        forms = {"text": text, "Markdown": markdown, "chunks": text}
        has, has_not = ({form: of[key] for form, of in forms.items()} for key in ("has", "has_not"))
        yield MarkupCase(case["name"], case["html"], has, has_not, case.get("headings", []))


def written(form: str, case: MarkupCase) -> str:
    """Return the page of a case in a form; its chunks one after the other."""
    if form == "chunks":
        return "\n".join(chunk["text"] for chunk in case.cleaned.chunks)
    return case.cleaned.text if form == "text" else case.cleaned.markdown


@cache
def _model() -> bf.SiteModel:
    return bf.learn(["<p>Another page of the site.</p>"])
