"""Pages as a site would show them later: with another template, date, count, advert or comment, or other content.

What is content is told by the gold of a page alone. Each edit takes the texts of a page's tree, and changes some.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lxml import html as lxml_html
from lxml.html import HtmlElement

from benchmarks.corpus import CorpusPage
from scrapy_blockfilter.storable import hash64
from scrapy_blockfilter.text.dates_and_prices import DATED, meaning_of_figures

_UNREAD = frozenset(("script", "style", "noscript", "template", "title", "textarea", "svg", "math"))
_DIGITS = re.compile(r"\d")
# Words of a text that is surely content if the gold has it.
_LEAST_WORDS = 6
_ADVERTS = (
    "Save up to 40% on garden tools, this week only",
    "Advertisement: compare car insurance in two minutes",
    "Sponsored: ten cities you should see before winter",
    "Get the app and enjoy free delivery on your first order",
)
_WORDS = ("harbour", "council", "winter", "market", "river", "teacher", "question", "engine", "garden", "letter")


class Text(NamedTuple):
    """A text of a tree: that of an element, or behind one."""

    element: HtmlElement
    is_tail: bool

    @property
    def value(self) -> str:
        return str((self.element.tail if self.is_tail else self.element.text) or "")

    def become(self, value: str) -> None:
        if self.is_tail:
            self.element.tail = value
        else:
            self.element.text = value

    @property
    def parent(self) -> HtmlElement | None:
        return self.element.getparent() if self.is_tail else self.element


@dataclass
class Rendered:
    """The tree of a page, and which of its texts are content, of the template, or neither."""

    root: HtmlElement
    content: list[Text]
    rest: list[Text]  # texts that the gold lacks; those of the template among them
    common: list[Text]  # texts that the gold lacks and most pages of the site have
    chance: random.Random

    @classmethod
    def of(cls, page: CorpusPage, common: frozenset[str], seed: int) -> Rendered:
        root = _tree(page.html)
        gold = _plain(page.gold)
        texts = list(_texts(root))
        rest = [text for text in texts if _plain(text.value) not in gold]
        content = [text for text in texts if len(text.value.split()) >= _LEAST_WORDS and _plain(text.value) in gold]
        shared = [text for text in rest if _plain(text.value) in common]
        return cls(root, content, rest, shared, random.Random(seed))

    def html(self) -> str:
        return str(lxml_html.tostring(self.root, encoding="unicode"))


Edit = Callable[[Rendered], bool]


def common_texts(pages: Sequence[CorpusPage]) -> frozenset[str]:
    """Return the texts that at least half of the pages show."""
    counts: Counter[str] = Counter()
    for page in pages:
        counts.update({_plain(text.value) for text in _texts(_tree(page.html))})
    return frozenset(text for text, count in counts.items() if 2 * count >= len(pages))


def _menu(page: Rendered) -> bool:
    """Rename one link of the template in five, as on every page of the site; signs behind headings have no name."""
    links = [text for text in page.common if _is_link(text) and any(map(str.isalpha, text.value))]
    named = [text for text in links if hash64(_plain(text.value).encode()) % 5 == 0]
    for text in named:
        text.become(f"{text.value.rstrip()} {_WORDS[len(text.value) % len(_WORDS)]}")
    return bool(named)


def _notice(page: Rendered) -> bool:
    body = page.root.find("body")
    if body is None:
        return False
    notice = (
        '<div class="notice-bar"><p>Our shop is closed on the first weekend of May.</p><a href="/news">More</a></div>'
    )
    body.insert(0, lxml_html.fragment_fromstring(notice))
    return True


def _dates(page: Rendered) -> bool:
    """Change the dates that most pages show, alike: of today, of the last update of the site, of its copyright."""
    return _with_digits([text for text in page.common if _is_dated(text.value)], lambda text: random.Random(text.value))


def _advert(page: Rendered) -> bool:
    if not page.content:
        return False
    around = [page.chance.choice(page.content).parent]
    while around[-1] is not None:
        around.append(around[-1].getparent())
    paragraphs = [one for one in around if one is not None and one.tag in ("p", "div") and one.getparent() is not None]
    if not paragraphs:
        return False
    label = page.chance.choice(_ADVERTS)
    advert = lxml_html.fragment_fromstring(
        '<aside class="advertisement" aria-label="Advertisement">'
        f'<a href="https://ads.example/click?id=7" rel="sponsored nofollow">{label}</a></aside>'
    )
    paragraphs[0].addnext(advert)
    return True


def _comment(page: Rendered) -> bool:
    """Add comments at the end of the innermost element that holds all content."""
    paths = [[text.element, *text.element.iterancestors()] for text in page.content]
    shared = [one for one in (paths[0] if paths else ()) if all(one in path for path in paths)]
    holder = next((one for one in shared if one.tag in ("article", "main", "div", "section", "body")), None)
    if holder is None:
        return False
    said = " ".join(page.chance.choices(_WORDS, k=14)).capitalize()
    holder.append(
        lxml_html.fragment_fromstring(
            '<div class="comments" id="comments"><h3>2 comments</h3><ol class="comment-list">'
            '<li class="comment"><div class="comment-author">anna_k</div><time>3 March 2024, 10:12</time>'
            f'<div class="comment-body"><p>{said}.</p></div><a href="#">Reply</a></li>'
            '<li class="comment"><div class="comment-author">Tom</div><time>4 March 2024, 18:40</time>'
            '<div class="comment-body"><p>Thanks for this.</p></div><a href="#">Reply</a></li></ol></div>'
        )
    )
    return True


def _word(page: Rendered) -> bool:
    if not page.content:
        return False
    text = page.chance.choice(page.content)
    words = text.value.split()
    words[page.chance.randrange(len(words))] = "Brontosaurus"
    text.become(" ".join(words))
    return True


def _number(page: Rendered) -> bool:
    numbers = [text for text in page.content if _DIGITS.search(text.value)]
    return _with_digits([page.chance.choice(numbers)], lambda _: page.chance) if numbers else False


def _sentence(page: Rendered) -> bool:
    if not page.content:
        return False
    text = page.chance.choice(page.content)
    text.become(f"{text.value.rstrip()} {' '.join(page.chance.choices(_WORDS, k=9)).capitalize()}.")
    return True


def _removed(page: Rendered) -> bool:
    if len(page.content) < 2:
        return False
    page.chance.choice(page.content).become("")
    return True


def _sold_out(page: Rendered) -> bool:
    """Add the same line to one page in three, behind a text of the content."""
    around = page.chance.choice(page.content).parent if page.content and page.chance.random() < 1 / 3 else None
    if around is None or around.getparent() is None:
        return False
    around.addnext(lxml_html.fragment_fromstring("<p>No longer available: sold out since this morning.</p>"))
    return True


# What changes beside the content: none of it is a change.
BESIDE: Mapping[str, Edit] = {
    "links of menus": _menu,
    "a notice above the page": _notice,
    "dates": _dates,
    "an advert in the text": _advert,
    "comments below": _comment,
}
# What changes in the content: each is a change.
WITHIN: Mapping[str, Edit] = {
    "a word": _word,
    "a number": _number,
    "a sentence more": _sentence,
    "a text less": _removed,
    "one line on a third of the pages": _sold_out,
}


def _texts(root: HtmlElement) -> Iterator[Text]:
    body = root.find("body")
    top = root if body is None else body
    unread = {below for element in top.iter(*_UNREAD) for below in element.iter()}
    for element in top.iter():
        if isinstance(element.tag, str) and element not in unread and element.text and element.text.strip():
            yield Text(element, is_tail=False)
        if element is not top and element.getparent() not in unread and element.tail and element.tail.strip():
            yield Text(element, is_tail=True)


def _with_digits(texts: Sequence[Text], chance_of: Callable[[Text], random.Random]) -> bool:
    """Change one digit of each text."""
    changed = False
    for text in texts:
        places = [found.start() for found in _DIGITS.finditer(text.value)]
        if places:
            chance = chance_of(text)
            at = chance.choice(places)
            digit = str((int(text.value[at]) + chance.randint(1, 8)) % 10)
            text.become(text.value[:at] + digit + text.value[at + 1 :])
            changed = True
    return changed


def _is_dated(text: str) -> bool:
    return bool(meaning_of_figures(_plain(text)) & DATED)


def _is_link(text: Text) -> bool:
    parent = text.parent
    return parent is not None and any(above.tag == "a" for above in (parent, *parent.iterancestors()))


def _tree(html: str) -> HtmlElement:
    # From bytes: a text with a declaration of its encoding is refused.
    return lxml_html.document_fromstring(html.encode(errors="replace"), lxml_html.HTMLParser(encoding="utf-8"))


def _plain(text: str) -> str:
    return " ".join(text.split())
