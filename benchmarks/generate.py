"""Made-up sites of any number and size: the same menu, banner and footer on every page, and unique text on each.

The same numbers give the same pages on every machine. Words are joined syllables with English function words between,
with the skewed frequencies of real words. Text, elements and blocks are as frequent as in the median of 264 real
pages: 13 % of a page is text, and 100 KB have 1,200 elements and 280 blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from random import Random
from typing import NamedTuple

FUNCTION_WORDS = ("the", "of", "and", "a", "to", "in", "is", "that", "it", "was", "for", "on", "are", "as", "with")
_ONSETS = "bcdfghjklmnprstvw"
_VOWELS = "aeiou"
_WORDS = 4_000


class GeneratedPage(NamedTuple):
    html: str
    gold: str


class GeneratedSite:
    """A site with any number of pages."""

    def __init__(self, number: int) -> None:
        self._number = number
        words = Words(Random(f"site {number}"))
        self._name = words.title(2)
        self._menu = _links(words, "menu-item", 24)
        self._notice = words.sentence(30)
        self._footer = _links(words, "footer-link", 16)
        self._owner = words.title(3)

    def page(self, number: int, characters: int = 20_000) -> GeneratedPage:
        """Return page ``number`` of at least ``characters``, about 8,000 of them template."""
        words = Words(Random(f"site {self._number} page {number}"))
        title = words.title(6)
        head = (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
            f"<title>{title} | {self._name}</title>"
            f'<link rel="stylesheet" href="/static/site.css"><style>{_STYLE}</style></head>\n'
            f'<body class="page page-{number}"><div class="notice" role="dialog"><p>{self._notice}</p>'
            '<button type="button">Accept</button></div>\n'
            f'<header class="site-header"><a class="logo" href="/"><img src="/static/logo.png" alt="{self._name}"></a>'
            f'<nav class="main-menu"><ul>{self._menu}</ul></nav></header>\n'
            f'<main id="content"><article class="post post-{number}"><h1 class="post-title">{title}</h1>\n'
        )
        foot = (
            '</article></main>\n<aside class="related"><h2>Related</h2>'
            f"<ul>{_links(words, 'related-link', 8)}</ul></aside>\n"
            f'<footer class="site-footer"><ul>{self._footer}</ul><p>Copyright {self._owner}. All rights reserved.</p>'
            "</footer>\n</body></html>\n"
        )
        body: list[str] = []
        gold = [title]
        missing = characters - len(head) - len(foot)
        while missing > 0 or len(gold) == 1:
            html, text = _part(words, len(gold))
            body.append(html)
            gold.append(text)
            missing -= len(html)
        return GeneratedPage(head + "".join(body) + foot, "\n".join(gold))


class Words:
    """Draws words."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def draw(self, count: int) -> list[str]:
        words, weights = _vocabulary()
        return self.random.choices(words, cum_weights=weights, k=count)

    def title(self, count: int) -> str:
        return " ".join(self.draw(count)).title()

    def sentence(self, count: int) -> str:
        return " ".join(self.draw(count)).capitalize() + "."


@cache
def _vocabulary() -> tuple[Sequence[str], Sequence[float]]:
    random = Random("vocabulary")
    syllables = [onset + vowel for onset in _ONSETS for vowel in _VOWELS]
    made = {"".join(random.choices(syllables, k=random.choice((2, 2, 3, 4)))) for _ in range(_WORDS)}
    words = [*FUNCTION_WORDS, *random.sample(sorted(made), len(made))]
    return words, list(accumulate(1 / rank for rank in range(1, len(words) + 1)))


def _links(words: Words, name: str, count: int) -> str:
    return "".join(
        f'<li class="{name} {name}-{number}"><a href="/{"-".join(words.draw(3))}/">{words.title(3)}</a></li>'
        for number in range(count)
    )


def _part(words: Words, number: int) -> tuple[str, str]:
    """Return a part of the content as HTML and as text, sometimes with a table or a list."""
    heading, caption, topic = words.title(3), words.title(4), words.title(2)
    first, linked, last = words.sentence(15), words.title(2), words.sentence(20)
    slug = "-".join(words.draw(3))
    link = f'<a class="inline-link" href="/{slug}/" rel="noopener"><em>{linked}</em></a>'
    more, more_text = _table(words) if number % 12 == 5 else _list(words) if number % 12 == 11 else ("", "")
    sizes = ", ".join(f"/media/{slug}-{width}x{width // 2}.webp {width}w" for width in (320, 640, 1024, 1600))
    html = (
        f'<section class="post-section post-section-{number} has-media" id="{slug}" data-track="section" '
        f'data-position="{number}">\n<h3 class="post-heading"><span>{heading}</span></h3>\n'
        f'<p class="post-paragraph">{first} {link} {last}</p>\n{more}'
        f'<figure class="post-figure aligncenter"><picture><source type="image/webp" srcset="{sizes}">'
        f'<img src="/media/{slug}.jpg" srcset="{sizes}" alt="" loading="lazy" width="1024" height="512"></picture>'
        f"<figcaption>{caption}</figcaption></figure>\n"
        f'<ul class="post-topics"><li><a href="/topics/{slug}/" rel="tag"><span>{topic}</span></a></li></ul>\n'
        f'<div class="share" aria-hidden="true">{_ICON * 2}</div>\n'
        f"<script>{_script(slug)}</script></section>\n"
    )
    return html, "\n".join(filter(None, (heading, f"{first} {linked} {last}", more_text, caption, topic)))


_STYLE = " ".join(f".post-{name} {{ margin: 0 auto; max-width: {len(name)}rem }}" for name in FUNCTION_WORDS) * 2
_ICON = (
    '<a class="share-link" role="button" tabindex="0"><svg viewBox="0 0 24 24" width="24" height="24">'
    '<path d="M12 2C6.5 2 2 6.5 2 12s4.5 10 10 10 10-4.5 10-10S17.5 2 12 2zm1 15h-2v-6h2v6z"/></svg></a>'
)


def _script(slug: str) -> str:
    slots = ",".join(f'{{"slot":"{slug}-{size}","sizes":[[{size},250]],"lazy":true}}' for size in (300, 728, 970))
    return f"(function (queue) {{ queue.push({slots}); }})(window.queue = window.queue || []);"


def _table(words: Words) -> tuple[str, str]:
    rows = [(words.title(2), str(words.random.randrange(10_000))) for _ in range(6)]
    cells = "".join(f'<tr><th scope="row">{name}</th><td class="value">{value}</td></tr>' for name, value in rows)
    return f'<table class="post-table">{cells}</table>\n', "\n".join(f"{name} {value}" for name, value in rows)


def _list(words: Words) -> tuple[str, str]:
    items = [words.sentence(8) for _ in range(5)]
    return f'<ol class="post-list">{"".join(f"<li>{item}</li>" for item in items)}</ol>\n', "\n".join(items)
