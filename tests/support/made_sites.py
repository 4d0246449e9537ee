"""Sites made of a template and unique content, with the texts that cleaning must keep and must strip.

The same arguments always make the same site. No text contains a character that HTML escapes, so that a test can search
for the same text in HTML and in plain text.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class GeneratedPage:
    """A page of a generated site."""

    url_path: str  # from the root of the site, such as ``/page/3``
    title: str  # its heading, the first of ``content``
    html: str  # the whole document
    content: tuple[str, ...]  # text of each content block, unique to the page: must stay
    template: tuple[str, ...]  # text of each block that every page of the site has: must go
    related: tuple[str, ...]  # text of links to older pages, which differ from page to page: may stay or go
    markup: tuple[str, ...]  # the content blocks as written in ``html``

    def missing(self, text: str) -> list[str]:
        """Return the content that a text or HTML lacks."""
        return [part for part in self.content if part not in text]

    def left(self, text: str) -> list[str]:
        """Return the parts of the template that a text or HTML has."""
        return [part for part in self.template if part in text]

    def assert_cleaned(self, text: str) -> None:
        """Assert that a text or HTML has all of the content, and nothing of the template."""
        assert (self.missing(text), self.left(text)) == ([], [])


@dataclass(frozen=True)
class GeneratedSite:
    """The pages of a site."""

    pages: list[GeneratedPage]


@dataclass(frozen=True)
class _Language:
    words: list[str]  # function words first and often, as in running text, so that the language can be recognised
    syllables: list[str]
    space: str
    stop: str
    template: tuple[str, ...]


# Share of made-up words. To a method that looks at words, the same few dozen words in any order would be template.
_NAMES = 0.4

# Pages that others link to, but that are not served.
_ARCHIVE = 24

_FOLDER = Path(__file__).parent / "sites"
_LANGUAGES = {
    name: _Language(
        told["words"].split(), told["syllables"].split(), told["space"], told["stop"], tuple(told["template"])
    )
    for name, told in json.loads((_FOLDER / "languages.json").read_text(encoding="utf-8")).items()
}
# The link to an older page in each layout, which is a file of HTML.
_LINKS = {"div": "<li>{}</li>", "semantic": "<li>{}</li>", "table": "<tr><td>{}</td></tr>", "dl": "<dd>{}</dd>"}
_LAYOUTS = {name: (_FOLDER / f"{name}.html").read_text(encoding="utf-8") for name in _LINKS}
_HEAD = (
    '<!DOCTYPE html>\n<html lang="{language}"><head><meta charset="utf-8"><title>{title}</title>'
    '<link rel="stylesheet" href="/style.css"><script>var page = 1;</script></head>'
)
# The texts of a template, by their place in the layouts.
_PLACES = ("front", "sport", "letters", "hours", "cookies", "read", "newsletter", "rights", "terms")

LANGUAGES = tuple(_LANGUAGES)
LAYOUTS = tuple(_LAYOUTS)


def make_site(
    layout: str = "div",
    pages: int = 12,
    seed: int = 0,
    language: str = "en",
    *,
    paragraphs: int = 4,
    rich: bool = False,
) -> GeneratedSite:
    """Make a site of ``pages`` pages, at ``/page/0``, ``/page/1`` and so on; each links to the next as ``a.next``.

    Args:
        layout: one of ``LAYOUTS``.
        language: one of ``LANGUAGES``.
        paragraphs: number of content paragraphs per page, besides its heading.
        rich: add a table, a list, preformatted code and inline markup to the content of each page.
    """
    spoken = _LANGUAGES[language]
    # Each page has its own seed: a larger site begins with the content of a smaller one.
    archive = [_title(spoken, random.Random(f"{language}/{seed}/archive/{number}")) for number in range(_ARCHIVE)]
    made = []
    for number in range(pages):
        chooser = random.Random(f"{language}/{seed}/{number}")
        title, content, markup = _plan(spoken, chooser, paragraphs, rich)
        related = tuple((other, archive[other]) for other in sorted(chooser.sample(range(_ARCHIVE), 3)))
        html = _LAYOUTS[layout].format(
            head=_HEAD.format(language=language, title=title),
            article="\n".join(markup),
            links="".join(_LINKS[layout].format(f'<a href="/archive/{other}">{text}</a>') for other, text in related),
            following=f'<a class="next" href="/page/{number + 1}"></a>' if number + 1 < pages else "",
            **dict(zip(_PLACES, spoken.template, strict=True)),
        )
        titles = tuple(text for _, text in related)
        made.append(GeneratedPage(f"/page/{number}", title, html, content, spoken.template, titles, markup))
    return GeneratedSite(made)


def make_changing_site(layouts: Sequence[str], pages_each: int) -> GeneratedSite:
    """Make a site that shows a number of pages in one layout, then as many in the next, and so on."""
    made = [make_site(layout, pages_each * len(layouts)) for layout in layouts]
    pages = [
        page for number, site in enumerate(made) for page in site.pages[number * pages_each : (number + 1) * pages_each]
    ]
    return GeneratedSite(pages)


def _plan(
    spoken: _Language, chooser: random.Random, paragraphs: int, rich: bool
) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    title = _title(spoken, chooser)
    content = [title]
    markup = [f"<h1>{title}</h1>"]
    for _ in range(paragraphs):
        text = " ".join(_sentence(spoken, chooser) for _ in range(3))
        content.append(text)
        markup.append(f"<p>{text}</p>")
    if rich:
        for made, texts in _rich(spoken, chooser):
            markup.append(made)
            content.extend(texts)
    return title, tuple(content), tuple(markup)


def _rich(spoken: _Language, chooser: random.Random) -> list[tuple[str, tuple[str, ...]]]:
    cells = [_sentence(spoken, chooser) for _ in range(4)]
    items = [_sentence(spoken, chooser) for _ in range(2)]
    name = _name(spoken, chooser)
    function, argument = (_name(_LANGUAGES["en"], chooser).lower() for _ in range(2))
    before, inside, after = (_sentence(spoken, chooser) for _ in range(3))
    return [
        (
            f'<table class="data"><tr><td>{cells[0]}</td><td>{cells[1]}</td></tr>'
            f"<tr><td>{cells[2]}</td><td>{cells[3]}</td></tr></table>",
            tuple(cells),
        ),
        (f"<ul><li>{items[0]}</li><li>{items[1]}</li></ul>", tuple(items)),
        (
            f"<pre><code>def {function}({argument}):\n    return {argument}.{function}</code></pre>",
            (f"def {function}({argument}):", f"    return {argument}.{function}"),
        ),
        (
            f'<p>{before} <em class="name">{inside}</em> '
            f'<a href="/about/{function}" title="{name}">{name}</a> {after}</p>',
            (before, inside, name, after),
        ),
    ]


def _title(spoken: _Language, chooser: random.Random) -> str:
    return spoken.space.join((_name(spoken, chooser), *chooser.sample(spoken.words, 3), _name(spoken, chooser)))


def _sentence(spoken: _Language, chooser: random.Random) -> str:
    words = [
        _name(spoken, chooser) if chooser.random() < _NAMES else chooser.choice(spoken.words)
        for _ in range(chooser.randint(9, 16))
    ]
    words.append(_name(spoken, chooser))
    text = spoken.space.join(words)
    return f"{text[0].upper()}{text[1:]}{spoken.stop}"


def _name(spoken: _Language, chooser: random.Random) -> str:
    return "".join(chooser.choices(spoken.syllables, k=4)).capitalize()
