"""Made-up pages whose things are known: six templates, four places, and figures, code, tables, hours and lists in them.

Pages of other sites have grids and lists of like tiles in the same places.

Each site has one kind of thing in one place of its pages. The same names give the same pages on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product, starmap
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks.generate import Words

# Pages of a site, of which the last are cleaned.
PAGES, CLEANED = 12, 2
_DAYS = ("Lun", "Mar", "Mié", "Jue", "Vie", "Sáb", "Dom")
_OPEN = ("function start() {", "    return ready;", "}")

Things = Mapping[str, Sequence[str]]
# Writes things of a page, by its number.
Writer = Callable[[Words, int], tuple[str, "Things"]]


class MadePage(NamedTuple):
    """A page."""

    html: str
    prose: tuple[str, ...]  # paragraphs and headings of its own, in order
    things: Things  # what must come out of it, by kind
    others: tuple[str, ...]  # texts and names of files that must not: of the site, of adverts and teasers


class MadeSite(NamedTuple):
    """The pages of a site, with the names of its template, the place of the things, and their kind."""

    template: str
    place: str
    kind: str
    pages: list[MadePage]


def made_sites(kinds: Mapping[str, Writer] | None = None) -> Iterator[MadeSite]:
    """Yield a site for each template, place and kind, by default of the kinds of single things."""
    kinds = kinds or _KINDS
    for template, place, kind in product(_TEMPLATES, _PLACES, kinds):
        words = Words(Random(f"things of {template} {place} {kind}"))
        name, menu = words.title(2), [words.title(1) for _ in range(6)]
        pages = [_page(words, template, place, kinds[kind], name, menu, number) for number in range(PAGES)]
        yield MadeSite(template, place, kind, pages)


def _page(
    words: Words, template: str, place: str, write: Writer, name: str, menu: Sequence[str], number: int
) -> MadePage:
    title = f"{words.title(4)} {number}"
    prose = [" ".join(words.sentence(14) for _ in range(4)) for _ in range(4)]
    heading = words.title(3)
    written, things = write(words, number)
    parts = [f"<p>{text}</p>" for text in prose]
    parts[2] = f"<h2>{heading}</h2>{parts[2]}"
    parts.insert(_PLACES[place], written)
    teasers = [(words.title(5), f"teaser-{''.join(words.draw(2))}-{number}.jpg") for _ in range(3)]
    links = "".join(f'<li><a href="/{item.lower()}">{item}</a></li>' for item in menu)
    others = "".join(
        f'<li><a href="/t/{number}-{place}"><img src="/thumbs/{file}" alt=""><h4>{text}</h4></a></li>'
        for place, (text, file) in enumerate(teasers)
    )
    html = _TEMPLATES[template].format(title=title, name=name, links=links, body="".join(parts), others=others)
    away = (f"/{menu[0].lower()}", *(text for text, _ in teasers), *(file for _, file in teasers), "brand.png")
    return MadePage(html, (title, *prose[:2], heading, *prose[2:]), things, away)


def _picture(words: Words, number: int) -> tuple[str, str, str]:
    file, caption = f"{''.join(words.draw(2))}-{number}.jpg", words.sentence(7)
    return file, caption, words.title(2)


def _figure(words: Words, number: int) -> tuple[str, Things]:
    file, caption, alt = _picture(words, number)
    html = f'<figure><img src="/i/{file}" alt="{alt}"><figcaption>{caption}</figcaption></figure>'
    return html, {"images": [file], "captions": [caption]}


def _image_alone(words: Words, number: int) -> tuple[str, Things]:
    file, _, alt = _picture(words, number)
    return f'<p><img src="/i/{file}" alt="{alt}"></p>', {"images": [file]}


def _captioned_boxes(words: Words, number: int) -> tuple[str, Things]:
    file, caption, alt = _picture(words, number)
    shown = f'<a href="/i/{file}"><img src="/i/{file}" alt="{alt}"></a>'
    return f'<div class="b4"><div>{shown}</div><div>{caption}</div></div>', {"images": [file], "captions": [caption]}


def _late_gallery(words: Words, number: int) -> tuple[str, Things]:
    pictures = [_picture(words, number) for _ in range(3)]
    html = "".join(
        f'<figure><picture><source data-srcset="/i/s-{file} 400w, /i/{file} 1200w"><img src="data:image/gif;base64,R0lG'
        f'ODlhAQABAAAAACw=" data-src="/i/{file}" alt="{alt}"></picture><figcaption>{caption}</figcaption></figure>'
        for file, caption, alt in pictures
    )
    return html, {"images": [one[0] for one in pictures], "captions": [one[1] for one in pictures]}


def _code(words: Words, number: int) -> list[str]:
    return [*_OPEN[:2], f"    use({number}, '{words.draw(1)[0]}');", _OPEN[2]]


def _listing(words: Words, number: int) -> tuple[str, Things]:
    lines = _code(words, number)
    return "<pre><code>" + "\n".join(lines) + "</code></pre>", {"code lines": lines}


def _listing_of_boxes(words: Words, number: int) -> tuple[str, Things]:
    lines = _code(words, number)
    boxes = "".join(f'<div class="line"><span>{line}</span></div>' for line in lines)
    return f'<div class="code-block"><pre><code>{boxes}</code></pre></div>', {"code lines": lines}


def _listing_of_rows(words: Words, number: int) -> tuple[str, Things]:
    lines = _code(words, number)
    rows = "".join(
        f'<tr><td class="linenumber">{place}</td><td><code>{line.replace(" ", "&nbsp;")}</code></td></tr>'
        for place, line in enumerate(lines, 1)
    )
    return f'<table class="highlight"><tbody>{rows}</tbody></table>', {"code lines": lines}


def _values(words: Words, number: int) -> tuple[str, Things]:
    labels = ("Peso", "Ancho", "Material", "Origen")
    values = [f"{words.random.randint(10, 990)} g", f"{number + 11} cm", words.title(1), words.title(1)]
    rows = "".join(f"<tr><th>{label}</th><td>{value}</td></tr>" for label, value in zip(labels, values, strict=True))
    return f"<table>{rows}</table>", {"cells": [*labels, *values]}


def _hours(words: Words, number: int) -> tuple[str, Things]:
    times = [f"{words.random.randint(7, 11)}:{(number * 5 + day) % 60:02} – {13 + day}:30" for day in range(7)]
    rows = "".join(f"<tr><td>{day}</td><td>{time}</td></tr>" for day, time in zip(_DAYS, times, strict=True))
    return f"<h3>Horario</h3><table>{rows}</table>", {"cells": [*_DAYS, *times]}


def _hours_in_list(words: Words, number: int) -> tuple[str, Things]:
    times = [f"{words.random.randint(7, 11)}.{(number * 5 + day) % 60:02}–{13 + day}.30" for day in range(7)]
    rows = "".join(f"<dt>{day}</dt><dd>{time}</dd>" for day, time in zip(_DAYS, times, strict=True))
    return f"<h3>Horario</h3><dl>{rows}</dl>", {"items": [*_DAYS, *times]}


def _nested_list(words: Words, number: int) -> tuple[str, Things]:
    items = [f"{words.title(1)} {number}" for _ in range(5)]
    inner = "".join(f"<li>{item}</li>" for item in items[2:4])
    html = f"<ul><li>{items[0]}</li><li>{items[1]}<ul>{inner}</ul></li><li>{items[4]}</li></ul>"
    return html, {"items": items}


def _formula(words: Words, number: int) -> tuple[str, Things]:
    latex = rf"\frac{{a_{{{number}}}}}{{b^2}}"
    math = '<math display="block"><mfrac><mi>a</mi><msup><mi>b</mi><mn>2</mn></msup></mfrac></math>'
    noted = math.replace("</math>", f'<annotation encoding="application/x-tex">{latex}</annotation></math>')
    return f"<p>{noted}</p>", {"formulas": [latex]}


def _tiles(words: Words) -> list[tuple[str, str, str, str]]:
    """Return name, note, price and picture of some tiles: two are on every page, and some have no note."""
    own = [words] * 6
    tiles = [_tile(of) for of in (*own, *(Words(Random(f"tile {number}")) for number in range(2)))]
    words.random.shuffle(tiles)
    return tiles


def _tile(words: Words) -> tuple[str, str, str, str]:
    note = words.sentence(words.random.randint(3, 16)) if words.random.random() < 0.8 else ""
    price = f"{words.random.randint(2, 900)},{words.random.randint(10, 99)} €"
    return words.title(words.random.randint(1, 6)), note, price, f"{''.join(words.draw(2))}.jpg"


def _tiled(words: Words, number: int, around: str, tile: Callable[..., str]) -> tuple[str, Things]:
    tiles = _tiles(words)
    return around.format("".join(starmap(tile, tiles))), {"items": [text for of in tiles for text in of[:3] if text]}


def _card(name: str, note: str, price: str, file: str) -> str:
    linked = f'<a href="/p/{file}"><img src="/i/{file}" alt=""></a><h3><a href="/p/{file}">{name}</a></h3>'
    noted = f"<p>{note}</p>" * bool(note)
    return f'<div class="card">{linked}{noted}<span class="price">{price}</span><button>Añadir</button></div>'


def _item(name: str, note: str, price: str, file: str) -> str:
    return f'<li><a href="/p/{file}">{name}</a><div>{note}</div><div>{price}</div></li>'


def _box(name: str, note: str, price: str, _: str) -> str:
    return f"<div><div>{name}</div><div><div>{price}</div>{f'<div>{note}</div>' * bool(note)}</div></div>"


GRIDS: dict[str, Writer] = {
    "cards": partial(_tiled, around='<div class="cards">{}</div>', tile=_card),
    "list of tiles": partial(_tiled, around="<ul>{}</ul>", tile=_item),
    "bare boxes": partial(_tiled, around='<div class="b7">{}</div>', tile=_box),
}
_KINDS: dict[str, Writer] = {
    "figure": _figure,
    "image alone": _image_alone,
    "boxes with a caption": _captioned_boxes,
    "late gallery": _late_gallery,
    "listing": _listing,
    "listing of boxes": _listing_of_boxes,
    "listing of rows": _listing_of_rows,
    "table of values": _values,
    "table of hours": _hours,
    "list of hours": _hours_in_list,
    "nested list": _nested_list,
    "formula": _formula,
}
_PLACES = {"below the headline": 0, "between paragraphs": 1, "below a heading": 3, "at the end": 4}


_TEMPLATES: dict[str, str] = json.loads(Path(__file__).with_name("made_templates.json").read_text(encoding="utf-8"))
