"""Pages that quote the texts of many others: what goes from those, on made shops, blogs and records, and on real sites.

Three of the ten pages learnt from quote what ten others keep. The same pages are tried with texts of the same lengths
that no page has, as long pages shift what is usual in a slot, whatever they say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from random import Random
from typing import NamedTuple

from benchmarks.corpus import CorpusPage
from benchmarks.generate import Words
from benchmarks.harm import SearchedText, row_of
from scrapy_blockfilter import SiteModel, learn

_LEARNT, _QUOTING, _QUOTED_TEXTS = 10, 3, 25
# Numbers of the pages that are quoted: some that are learnt from, and some that are not.
_QUOTED = (*range(5), *range(_LEARNT, _LEARNT + 5))
# Each page leaves out some texts, as pages that share seven tenths of their long ones count as one.
_SHARE = 0.7
_ELEMENT = re.compile(r"<(\w+)(?: [^<>]*)?>([^<]{2,})</\1>")
_LETTER = re.compile(r"[^\W\d_]")


class _Text(NamedTuple):
    """A text, and the element that it has on its own page, without its end; "" if there is none."""

    text: str
    element: str


def _in_paragraphs(html: str, texts: Sequence[_Text]) -> str:
    written = "".join(f"<p>{escape(of.text)}</p>" for of in texts)
    start, end, rest = html.rpartition("</body>")
    return f"{start}{written}{end}{rest}" if end else f"{html}{written}"


def _in_slots(html: str, texts: Sequence[_Text]) -> str:
    """Put each text behind the first element of the page that is like its own."""
    for text, element in texts:
        start, found, rest = html.partition(element) if element else (html, "", "")
        tag = element[1:].partition(" ")[0].rstrip(">")
        inside, end, behind = rest.partition(f"</{tag}>")
        if found and end:
            html = f"{start}{found}{inside}{end}{element}{escape(text)}{end}{behind}"
    return html


WAYS: Mapping[str, Callable[[str, Sequence[_Text]], str]] = {
    "paragraphs": _in_paragraphs,
    "their own slots": _in_slots,
}


def made_sites(sites: int) -> Iterator[tuple[str, list[CorpusPage]]]:
    """Yield made shops, blogs and sites of records, by name."""
    for kind, content in (("shop", _product), ("blog", _post), ("records", _record)):
        for site in range(sites):
            yield f"{kind} {site}", [_page(content, site, page) for page in range(_LEARNT + 5)]


def kept_by_way(pages: Sequence[CorpusPage]) -> Iterator[tuple[str, float, float]]:
    """For each way to quote, yield the share of the texts that stay, and the share where texts of nobody are quoted."""
    clean = learn([page.html for page in pages[:_LEARNT]])
    own = {number: _own_texts(clean, pages[number]) for number in _QUOTED}
    texts = [text for page in _QUOTED for text in own[page]]
    nobodys = [_Text(_LETTER.sub(_next, of.text), of.element) for of in texts]
    others, quoting = pages[: _LEARNT - _QUOTING], range(_LEARNT - _QUOTING, _LEARNT)
    for way, quote in WAYS.items():
        shares = []
        for shown in (texts, nobodys):
            learnt = [page.html for page in others]
            for page in quoting:
                chosen = Random(page)
                learnt.append(quote(pages[page].html, [text for text in shown if chosen.random() < _SHARE]))
            shares.append(_kept(learn(learnt), pages, own))
        yield f"{_QUOTING} of ten pages quote others, in {way}: kept", shares[0], shares[1]


def _own_texts(model: SiteModel, page: CorpusPage) -> list[_Text]:
    """Return some of the texts that a page keeps and that its gold has."""
    gold, elements = SearchedText(page.gold), {}
    for found in _ELEMENT.finditer(page.html):
        elements[found[2].strip()] = found[0].partition(">")[0] + ">"
    kept = (block.text for block in model.clean(page.html).blocks if block.keep and block.tag != "title")
    texts = [text for text in dict.fromkeys(kept) if (row := row_of(text)) and gold.count(row)]
    return [_Text(text, elements.get(text, "")) for text in Random(0).sample(texts, min(_QUOTED_TEXTS, len(texts)))]


def _next(letter: re.Match[str]) -> str:
    """Return another letter of the same case, or the same where there is none."""
    other = chr(ord(letter[0]) ^ 1)
    return other if other.isalpha() and other.isupper() == letter[0].isupper() else letter[0]


def _kept(model: SiteModel, pages: Sequence[CorpusPage], own: Mapping[int, Sequence[_Text]]) -> float:
    stays = []
    for number in _QUOTED:
        kept = {block.text for block in model.clean(pages[number].html).blocks if block.keep}
        stays += [of.text in kept for of in own[number]]
    return sum(stays) / len(stays) if stays else 1.0


def _page(content: Callable[[Words, int], str], site: int, page: int) -> CorpusPage:
    shared, own = Words(Random(f"quoted site {site}")), Words(Random(f"quoted site {site} page {page}"))
    menu = "".join(f"<li><a href=/{place}>{shared.title(2)}</a></li>" for place in range(2))
    title = own.title(3)
    main = f"<h1>{title}</h1>{content(own, page)}"
    html = (
        f"<html><head><title>{title}</title></head><body><div id=nav><ul>{menu}</ul></div><div id=main>{main}</div>"
        f"<div id=foot><p>Copyright {shared.title(2)}, all rights reserved.</p></div></body></html>"
    )
    return CorpusPage(html, "\n".join(found[2] for found in _ELEMENT.finditer(main)), "en")


def _product(words: Words, page: int) -> str:
    rows = {"Weight": f"{page + 3} kg", "Colour": "Blue"}
    table = "".join(f"<tr><th>{label}</th><td>{value}</td></tr>" for label, value in rows.items())
    price = f"<div class=price>{words.random.randrange(5, 90)}.{page:02} EUR</div>"
    return f"{price}<p class=desc>{_parts(words, 60)}</p><table class=spec>{table}</table>"


def _post(words: Words, page: int) -> str:
    return f"<div class=text>{''.join(f'<p>{_parts(words, 50)}</p>' for _ in range(3))}</div>"


def _record(words: Words, page: int) -> str:
    values = {"Party": words.title(1), "Born": f"{1950 + page}", "Office": words.title(3), "Seat": f"{37 * page}"}
    pairs = "".join(f"<dt>{label}</dt><dd>{value}</dd>" for label, value in values.items())
    return f"<dl class=facts>{pairs}</dl><p class=life>{_parts(words, 30)}</p>"


def _parts(words: Words, count: int) -> str:
    """Return names with numbers, such as those of spare parts: what they are is less plain than of a sentence."""
    return " ".join(f"{word}{words.random.randrange(1_000)}" for word in words.draw(count))
