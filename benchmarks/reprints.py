"""Made-up publishers that print each other's articles: each in a template of its own, with a share of text changed.

The same numbers give the same pages on every machine. Changed text is sentences anywhere in an article, in the place of
others. Some articles quote a fifth of another one: they are no copies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from benchmarks.generate import Words

# Pages of a publisher: its own articles, reprints of others, and articles that quote.
OWN, REPRINTS, QUOTES = 10, 5, 5
_PARAGRAPHS, _SENTENCES, _WORDS = (5, 12), (2, 5), (8, 18)
_QUOTED = 0.2

Article = list[list[str]]  # sentences of paragraphs; the first is the headline


class Print(NamedTuple):
    """An article on a page of a publisher.

    Attributes:
        publisher: number of the publisher.
        article: number of the article; a reprint has that of its original.
    """

    publisher: int
    article: int
    url: str
    html: str


def reprints(publishers: int, changed: float) -> list[Print]:
    """Return the pages of publishers, who each reprint some articles of the publishers before them.

    Args:
        changed: share of the sentences of each reprint that are others than in the original.
    """
    articles = [_article(Words(Random(f"article {number}"))) for number in range(publishers * OWN)]
    prints = []
    for publisher in range(publishers):
        pages = [(publisher * OWN + number, articles[publisher * OWN + number]) for number in range(OWN)]
        for number in range(REPRINTS):
            # The first articles of each publisher are reprinted once, by publishers with other templates.
            original = (publisher + 1 + number) % publishers * OWN + number
            words = Words(Random(f"reprint {original}"))
            pages.append((original, _mixed(articles[original], _article(words), changed, words.random)))
        for number in range(QUOTES):
            words = Words(Random(f"publisher {publisher} quotes {number}"))
            quoted = articles[words.random.randrange(len(articles))]
            kept = _mixed(_article(words), quoted, _QUOTED, words.random)
            pages.append((len(articles) + publisher * QUOTES + number, kept))
        Random(f"publisher {publisher}").shuffle(pages)
        for number, (article, text) in enumerate(pages):
            url = f"http://publisher{publisher}.example/{number}"
            prints.append(Print(publisher, article, url, _page(publisher, number, text)))
    return prints


def _article(words: Words) -> Article:
    random = words.random
    body = [
        [words.sentence(random.randint(*_WORDS)) for _ in range(random.randint(*_SENTENCES))]
        for _ in range(random.randint(*_PARAGRAPHS))
    ]
    return [[words.title(random.randint(5, 9))], *body]


def _mixed(text: Article, other: Article, share: float, random: Random) -> Article:
    """Return a text with a share of its sentences, but not its headline, replaced by those of another."""
    places = [(number, place) for number, paragraph in enumerate(text) for place in range(len(paragraph))][1:]
    others = [sentence for paragraph in other[1:] for sentence in paragraph]
    mixed = [list(paragraph) for paragraph in text]
    for number, place in random.sample(places, round(share * len(places))):
        mixed[number][place] = random.choice(others)
    return mixed


def _page(publisher: int, number: int, text: Article) -> str:
    of_site, of_page = Words(Random(f"publisher {publisher}")), Words(Random(f"publisher {publisher} page {number}"))
    menu = "".join(f'<li><a href="/{place}">{of_site.title(2)}</a></li>' for place in range(12))
    related = "".join(f'<li><a href="/{place}">{of_page.title(5)}</a></li>' for place in range(5))
    day = f"{of_page.random.randint(1, 28)} March 2024"
    byline = f"By {of_page.title(2)}, {day}"
    (headline,), *paragraphs = text
    body = [" ".join(paragraph) for paragraph in paragraphs]
    name, notice, rights = of_site.title(2), of_site.sentence(25), of_site.sentence(12)
    layout = _LAYOUTS[publisher % len(_LAYOUTS)]
    inner = layout(headline, byline, body, menu, related, name)
    return (
        f'<!DOCTYPE html><html lang="en"><head><title>{headline} - {name}</title></head><body>'
        f'<div class="notice"><p>{notice}</p></div>{inner}<div class="rights"><p>{rights}</p></div></body></html>'
    )


def _boxes(headline: str, byline: str, body: Sequence[str], menu: str, related: str, name: str) -> str:
    text = "".join(f"<p>{paragraph}</p>" for paragraph in body)
    return (
        f'<div id="top"><a href="/">{name}</a><ul class="menu">{menu}</ul></div><div id="content"><h1>{headline}</h1>'
        f'<p class="byline">{byline}</p>{text}</div><div class="side"><h3>More</h3><ul>{related}</ul></div>'
    )


def _named(headline: str, byline: str, body: Sequence[str], menu: str, related: str, name: str) -> str:
    text = "".join(f"<p>{paragraph}</p>" for paragraph in body)
    return (
        f"<header><a href=/>{name}</a><nav><ul>{menu}</ul></nav></header><main><article><header><h1>{headline}</h1>"
        f"<address>{byline}</address></header>{text}</article></main><aside><h2>Read on</h2><ul>{related}</ul></aside>"
    )


def _cells(headline: str, byline: str, body: Sequence[str], menu: str, related: str, name: str) -> str:
    text = "".join(f"<p>{paragraph}</p>" for paragraph in body)
    return (
        f"<table><tr><td colspan=2><b>{name}</b></td></tr><tr><td width=150><ul>{menu}</ul></td><td><h2>{headline}</h2>"
        f"<i>{byline}</i>{text}</td></tr><tr><td colspan=2><ul>{related}</ul></td></tr></table>"
    )


def _lines(headline: str, byline: str, body: Sequence[str], menu: str, related: str, name: str) -> str:
    text = "<br><br>".join(body)
    return (
        f'<ul id="nav">{menu}</ul><h3 class="logo">{name}</h3><div class="post"><h1 class="title">{headline}</h1>'
        f'<div class="text">{text}</div><div class="meta">{byline}</div></div><ul class="also">{related}</ul>'
    )


_Layout = Callable[[str, str, Sequence[str], str, str, str], str]
_LAYOUTS: tuple[_Layout, ...] = (_boxes, _named, _cells, _lines)
