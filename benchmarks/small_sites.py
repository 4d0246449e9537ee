"""Made-up small sites: pages of two to twenty blocks, as people first try a filter on.

A block stands on all pages of its site, or on one page alone. The former is template, the latter content. Labels of a
table or list whose values differ are content, too, and so are values that a few pages share. Pages are paragraphs,
headings, lists, tables, DIVs, figures and tiles of goods, bare or within boxes of the fashions of four decades. One
page of a site may be an index of links, alone of its layout. The same state of ``random`` gives the same pages on every
machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import NamedTuple

from benchmarks.generate import FUNCTION_WORDS, Words
from benchmarks.scoring import token_list

LEAST_BLOCKS, MOST_BLOCKS = 2, 20
LEAST_PAGES, MOST_PAGES = 4, 21
# Characters of a text that makes a page different from others by itself.
_LONG = 100


@dataclass(frozen=True)
class SmallPage:
    """A page of a made-up site."""

    html: str
    template: tuple[str, ...]  # texts of the blocks that all pages of the site have
    content: tuple[str, ...]  # texts of the blocks that no other page of the site has
    # Texts that stay though other pages have them: of blocks that name a value, and values of a few pages.
    labels: tuple[str, ...]
    gold: str  # content and labels, a block a line, in the order of the page


def small_pages(random: Random) -> list[SmallPage]:
    """Make the pages of a site.

    A page has ``LEAST_BLOCKS`` to ``MOST_BLOCKS`` blocks, but for a TITLE. A quarter of the sites have pages with as
    many blocks of content each, laid out alike; of the others each page has its own. Pages differ by more than a short
    line, as nobody can tell which part of a bot wall is content.
    """
    site = _Site(random)
    return [site.page() for _ in range(random.randint(LEAST_PAGES, MOST_PAGES))]


class _Text(NamedTuple):
    """The text of one block, and which list of ``SmallPage`` it belongs to."""

    text: str
    role: str


class _Part(NamedTuple):
    """A piece of a page: its HTML and its blocks."""

    html: str
    texts: tuple[_Text, ...]


@dataclass
class _Writer:
    """Writes pieces of a page whose texts are of one role, each text but labels once."""

    words: Words
    role: str
    name: str
    classes: bool
    # The words of each text that was written before, on any page of the site.
    used: set[frozenset[str]] = field(default_factory=set)
    labels: Sequence[str] = ()
    shared: Sequence[str] = ()  # values that records of a few pages have, none for a site whose values all differ

    @property
    def random(self) -> Random:
        return self.words.random

    def text(self, draw: Callable[[], str]) -> _Text:
        """Draw a text with words that no other has, function words aside."""
        text = draw()
        while not (key := _key(text)) or key in self.used:
            text = f"{text} {self.words.draw(1)[0]}"
        self.used.add(key)
        return _Text(text, self.role)

    def word(self) -> _Text:
        return self.text(lambda: self.words.title(self.random.choice((1, 1, 2, 3))))

    def sentence(self) -> _Text:
        return self.text(lambda: self.words.sentence(self.random.choice((3, 6, 10, 20, 40))))

    def figure(self) -> _Text:
        return self.text(lambda: _figure(self.random))

    def value(self) -> _Text:
        return self.random.choice((self.word, self.word, self.figure, self.sentence))()

    def attributes(self, *names: str) -> str:
        """Return a class or id of a tag, for sites that have them."""
        if not self.classes:
            return ""
        return f' {self.random.choice(("class", "class", "id"))}="{self.random.choice(names)}"'

    def paragraph(self, least: int = 0) -> _Part:
        """Return a paragraph of at least so many characters."""
        text = self.sentence()
        while len(text.text) < least:
            text = self.sentence()
        first, space, rest = text.text.partition(" ")
        inner = f"<b>{first}</b>{space}{rest}" if self.random.random() < 0.2 else text.text
        return _Part(f"<p>{inner}</p>", (text,))

    def division(self) -> _Part:
        text = self.value()
        return _Part(f"<div{self.attributes(*_BOXES)}>{text.text}</div>", (text,))

    def heading(self) -> _Part:
        text, level = self.word(), self.random.randint(1, 4)
        return _Part(f"<h{level}>{text.text}</h{level}>", (text,))

    def list(self, count: int, is_linked: bool | None = None) -> _Part:
        """Return a list of links or of plain texts; None is either."""
        texts = [self.value() for _ in range(count)]
        if is_linked is None:
            is_linked = self.random.random() < (0.8 if self.role == "template" else 0.2)
        items = "".join(f"<li>{self.link(text.text) if is_linked else text.text}</li>" for text in texts)
        tag = self.random.choice(("ul", "ul", "ol"))
        return _Part(f"<{tag}{self.attributes(*_BOXES)}>{items}</{tag}>", tuple(texts))

    def grid(self, count: int) -> _Part:
        """Return a table of cells in rows of two or three."""
        texts = [self.value() for _ in range(count)]
        width = self.random.choice((1, 2, 3))
        rows = [texts[start : start + width] for start in range(0, count, width)]
        cells = "".join(f"<tr>{''.join(f'<td>{text.text}</td>' for text in row)}</tr>" for row in rows)
        return _Part(f"<table{self.attributes(*_BOXES)}>{cells}</table>", tuple(texts))

    def record(self, count: int) -> _Part:
        """Return labels with values, in a table or in a list of definitions."""
        labels = [_Text(label, "labels") for label in self.labels[: count // 2]]
        pairs = [(label, self._value_of_record() if number else self.value()) for number, label in enumerate(labels)]
        opened, between, closed, outer = self.random.choice(_RECORDS)
        rows = "".join(f"{opened}{label.text}{between}{value.text}{closed}" for label, value in pairs)
        html = f"<{outer}{self.attributes(*_BOXES)}>{rows}</{outer}>"
        return _Part(html, tuple(text for pair in pairs for text in pair))

    def _value_of_record(self) -> _Text:
        if self.shared and self.random.random() < _OFTEN_SHARED:
            return _Text(self.random.choice(self.shared), "labels")
        return self.value()

    def picture(self) -> _Part:
        """Return a picture with its caption."""
        text = self.sentence()
        opened, closed = self.random.choice(_PICTURES)
        image = f'<img src="/{"-".join(self.words.draw(2))}.jpg" alt="">'
        return _Part(opened.format(image=image, names=self.attributes(*_CAPTIONS)) + text.text + closed, (text,))

    def tiles(self, count: int) -> _Part:
        """Return tiles of a name that is a link, and a price or date."""
        pairs = [(self.word(), self.figure()) for _ in range(count // 2)]
        opened, between, closed, outer = self.random.choice(_TILES)
        tile, price = self.attributes(*_BOXES, "tile", "card"), self.attributes("price", "cost", "date")
        rows = "".join(
            f"{opened.format(names=tile)}{self.link(name.text)}{between.format(names=price)}{figure.text}{closed}"
            for name, figure in pairs
        )
        return _Part(f"<{outer}>{rows}</{outer}>", tuple(text for pair in pairs for text in pair))

    def bar(self) -> _Part:
        """Return a menu in one block."""
        items = self.random.sample(self.random.choice(_MENUS), self.random.randint(2, 4))
        items += [self.words.title(1) for _ in range(self.random.randint(0, 2))]
        between = self.random.choice((" ", " ", " | ", " · "))
        text = self.text(lambda: between.join(items))
        is_linked = self.random.random() < 0.6 and text.text == between.join(items)
        inner = between.join(map(self.link, items)) if is_linked else text.text
        tag = self.random.choice(("div", "div", "p", "nav"))
        return _Part(f"<{tag}{self.attributes('nav', 'menu', 'top', 'links')}>{inner}</{tag}>", (text,))

    def line(self) -> _Part:
        """Return the line below a page."""
        said = self.random.choice(_LINES)
        text = self.text(lambda: said.format(name=self.name, year=self.random.randint(1998, 2026)))
        tag = self.random.choice(("p", "p", "div", "footer", "address"))
        return _Part(f"<{tag}{self.attributes('foot', 'copy', 'legal')}>{text.text}</{tag}>", (text,))

    def link(self, text: str) -> str:
        return f'<a href="/{"-".join(self.words.draw(2))}">{text}</a>'


class _Site:
    """What the pages of a site have in common."""

    def __init__(self, random: Random) -> None:
        self._random = random
        words = Words(random)
        self._name = words.title(random.choice((1, 2)))
        self._labels, self._shared = _labels(words), list[str]()
        self._classes, self._used = random.random() < 0.5, set(map(_key, self._labels))
        self._blocks = random.randint(LEAST_BLOCKS, MOST_BLOCKS)
        shared = random.randint(1, self._blocks - 1)
        template = list(_parts(self._writer("template"), shared))
        place = random.choice((0, len(template), random.randint(0, len(template))))
        self._above, self._below = template[:place], template[place:]
        self._scattered = random.random() < 0.15
        values = self._writer("content")
        self._shared = [values.value().text for _ in range(random.choice((0, 0, 3, 6)))]
        self._own = self._blocks - shared
        self._index_due = self._own >= _LINKS and random.random() < _INDEX
        self._form = random.randrange(2**32) if random.random() < 0.25 else None
        self._layout = random.choice(_LAYOUTS)
        self._document = random.choice(_DOCUMENTS)

    def page(self) -> SmallPage:
        random = self._random
        title = Words(random).title(3)
        count = self._own if self._form is not None else random.randint(1, self._own)
        own = list(self._index() if self._index_due else _parts(self._writer("content"), count, self._form))
        self._index_due = False
        above, below = list(self._above), list(self._below)
        if self._scattered and below:
            # A part of the template stands among the content, at the same place of all pages.
            own.insert(1, below.pop(0))
        groups = [above, own, below]
        texts = [text for group in groups for part in group for text in part.texts]
        body = self._layout.format(*("\n".join(part.html for part in group) for group in groups))
        by_role = {role: tuple(text.text for text in texts if text.role == role) for role in _ROLES}
        gold = "\n".join(text.text for text in texts if text.role != "template")
        return SmallPage(self._document.format(title=f"{title} | {self._name}", body=body), **by_role, gold=gold)

    def _index(self) -> Iterator[_Part]:
        """Make a page of links to other pages, which no other page is laid out like."""
        writer = self._writer("content")
        yield writer.heading()
        yield writer.list(self._own - 1, is_linked=True)

    def _writer(self, role: str) -> _Writer:
        words = Words(self._random)
        return _Writer(words, role, self._name, self._classes, self._used, self._labels, self._shared)


def _parts(writer: _Writer, count: int, form: int | None = None) -> Iterator[_Part]:
    """Make parts with so many blocks. A ``form`` gives their kinds, so that pages are laid out alike; None for any."""
    chosen = writer.random if form is None else Random(form)
    if count == 1 and writer.role == "content":
        yield writer.paragraph(_LONG)
        return
    left, is_first = count, True
    while left:
        makers: list[Callable[[], _Part]] = [writer.paragraph, writer.division, writer.paragraph]
        if writer.role == "template":
            makers += [writer.bar, writer.line, writer.line] if left > 1 or not is_first else [writer.line, writer.bar]
        else:
            makers += [writer.heading] * (8 if is_first else 1) + [writer.picture]
        size = min(left, chosen.randint(2, 8))
        if size > 1:
            makers += [partial(writer.list, size), partial(writer.grid, size), partial(writer.tiles, size)]
        if (size > 1 if left < count else size > 3) and writer.role == "content":
            makers += [partial(writer.record, size)] * 2
        part = chosen.choice(makers)()
        left -= len(part.texts)
        is_first = False
        yield part


def _key(text: str) -> frozenset[str]:
    return frozenset(token_list(text)).difference(FUNCTION_WORDS)


def _labels(words: Words) -> Sequence[str]:
    if words.random.random() < 0.5:
        return words.random.sample(_LABELS, len(_LABELS))
    return list(dict.fromkeys(words.title(12).split()))


def _figure(random: Random) -> str:
    number = random.randint(1, 10 ** random.randint(2, 5))
    return random.choice(_FIGURES).format(number, cents=random.randint(0, 99), day=random.randint(1, 28))


_ROLES = ("template", "content", "labels")
# Share of a record's values that a few pages have, on a site that has such values.
_OFTEN_SHARED = 0.4
# Share of sites with an index, if their pages have at least so many blocks of content.
_INDEX, _LINKS = 0.5, 4
_BOXES = ("box", "item", "info", "main", "block", "text", "wrap", "c1", "a7")
_FIGURES = (
    "${:,}.{cents:02}",
    "{},{cents:02} €",
    "£{}",
    "{}",
    "{} km",
    "{} kg",
    "{day} May {}",
    "2024-11-{day:02}",
)
_RECORDS = (
    ("<tr><td>", "</td><td>", "</td></tr>", "table"),
    ("<tr><th>", "</th><td>", "</td></tr>", "table"),
    ("<dt>", "</dt><dd>", "</dd>", "dl"),
)
_PICTURES = (
    ("<figure>{image}<figcaption{names}>", "</figcaption></figure>"),
    ("<div{names}>{image}<p>", "</p></div>"),
    ("<table><tr><td>{image}</td></tr><tr><td{names}>", "</td></tr></table>"),
)
_CAPTIONS = ("caption", "wp-caption", "image", "photo", "legend")
_TILES = (
    ("<li{names}><div>", "</div><div{names}>", "</div></li>", "ul"),
    ("<div{names}><h3>", "</h3><p{names}>", "</p></div>", "div"),
    ("<article{names}><h2>", "</h2><footer{names}>", "</footer></article>", "section"),
    ("<tr{names}><td>", "</td><td{names}>", "</td></tr>", "table"),
)
_LABELS = ("Price", "Model", "Year", "Weight", "Colour", "Author", "Genre", "Height", "Team", "Phone", "Date", "Place")
_MENUS = (
    ("Home", "News", "Shop", "About us", "Contact", "Search", "Login"),
    ("Startseite", "Aktuelles", "Produkte", "Über uns", "Kontakt", "Suche"),
    ("Accueil", "Actualités", "Boutique", "À propos", "Contact", "Recherche"),
    ("Inicio", "Noticias", "Tienda", "Nosotros", "Contacto", "Buscar"),
    ("Главная", "Новости", "Магазин", "О нас", "Контакты", "Поиск"),
    ("ホーム", "ニュース", "お問い合わせ", "会社概要", "検索"),
)
_LINES = (
    "© {name}",
    "© {year} {name}",
    "Copyright {year} {name}. All rights reserved.",
    "© {name}. All rights reserved. Imprint Privacy",
    "© {year} {name}. Alle Rechte vorbehalten.",
    "© {year} {name}. Tous droits réservés.",
    "© {year} {name}. Todos los derechos reservados.",
    "© {name}, {year}. Все права защищены.",
    "{name} uses cookies. By reading on you agree.",
    "Subscribe to the newsletter of {name}",
    "Follow {name} on social media",
    "Powered by {name}",
)
# With what is above the content, the content, and what is below it.
_LAYOUTS = (
    "{}{}{}",
    "{}\n{}\n{}",
    "<div>{}</div><div>{}</div><div>{}</div>",
    '<div id="top">{}</div><div id="content">{}</div><div id="bottom">{}</div>',
    "<header>{}</header><main>{}</main><footer>{}</footer>",
    '<div class="page"><div class="side">{}</div><article>{}</article></div><div class="end">{}</div>',
    "<table><tr><td>{}</td><td>{}</td></tr><tr><td>{}</td></tr></table>",
    '<table width="100%"><tr><td>{}</td></tr></table><table><tr><td>{}</td></tr></table><center>{}</center>',
)
_DOCUMENTS = (
    "{body}",
    "<html><body>{body}</body></html>",
    "<!DOCTYPE html>\n<html><head><title>{title}</title></head><body>\n{body}\n</body></html>",
)
