"""Broken and hostile HTML: pages changed at random, and pages that repeat one thing up to a size.

The same seed and size give the same pages on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

_TAGS = (
    "p div span a b i ul li ol dl dt dd table tbody tr td th h1 h2 pre code br hr img form input button select "
    "option textarea label svg math script style template noscript iframe object html head body title meta "
    "frameset frame article nav footer blockquote figure caption col x-card plaintext listing xmp font center "
    "nobr base link details summary ruby rt image o:p "
)
TAGS = tuple(_TAGS.split())
FRAGMENTS = (
    *("<", ">", "</", "/>", "<!", "<?", "<!--", "-->", "--!>", "<![CDATA[", "]]>", "<!DOCTYPE html>", "&", "&#", "&#x"),
    *("&amp;", "&lt;p&gt;", "&nbsp;", "&#0;", "&#xD800;", "&#x110000;", "&notin", "&NotEqualTilde;"),
    *('"', "'", "=", "/"),
    *("\0", "\ud800", "\udfff", "\ufeff", "\u2028", "\x85", "\x1c", "\r\n", "\t", "\f", "\x7f", "é", "e\u0301", "水"),
    *("\u200f", "𝄞", " ", "  ", "\n\n", "\u00a0", "word", "more words, and a full stop.", "2026-01-31", "</html>tail"),
    *("</body><body>", "<a href=x><div>", "<p><table>", "<b><p>", "</p>", "<li>", "<script>", "</script>", "<title>"),
)
ATTRIBUTES = (
    *("", "class=x", 'id="a b"', "href='?a=1&b'", 'hidden=""', "style=a>b"),
    *('alt="<p>"', "lang=de", "=", "a" * 99),
)


def tag(random: Random) -> str:
    """Return a start or end tag."""
    name = random.choice(TAGS)
    if random.random() < 0.4:
        return f"</{name}>"
    attributes = " ".join(random.choices(ATTRIBUTES, k=random.randrange(3)))
    return f"<{name}{' ' * bool(attributes)}{attributes}>"


def soup(random: Random, parts: int) -> str:
    """Return tags and fragments in random order."""
    return "".join(tag(random) if random.random() < 0.6 else random.choice(FRAGMENTS) for _ in range(parts))


def mutated(html: str, random: Random, changes: int) -> str:
    """Return ``html`` with pieces inserted, left out, doubled, swapped and reversed."""
    for _ in range(changes):
        start = random.randrange(len(html) + 1)
        end = min(len(html), start + random.choice((1, 2, 5, 20, 100, 500)))
        html = html[:start] + random.choice(_CHANGES)(random, html, html[start:end]) + html[end:]
    return html


_CHANGES: Sequence[Callable[[Random, str, str], str]] = (
    lambda random, html, piece: "",
    lambda random, html, piece: piece * 2,
    lambda random, html, piece: piece * 9,
    lambda random, html, piece: piece[::-1],
    lambda random, html, piece: tag(random) + piece,
    lambda random, html, piece: random.choice(FRAGMENTS) + piece,
    lambda random, html, piece: tag(random) * random.choice((3, 30, 300)) + piece,
    lambda random, html, piece: random.choice(FRAGMENTS) * random.choice((3, 30, 300)) + piece,
    lambda random, html, piece: piece + soup(random, 8),
    lambda random, html, piece: f"{tag(random)}{piece}{tag(random)}",
    lambda random, html, piece: html[(cut := random.randrange(len(html) + 1)) : cut + 300],
)


def repeated(part: str) -> Callable[[int], str]:
    """Return a function from a size to a page that repeats ``part``."""
    return lambda size: part * max(1, size // len(part))


def _around(before: str, part: str, after: str = "") -> Callable[[int], str]:
    return lambda size: before + part * (max(0, size - len(before) - len(after)) // len(part)) + after


def _numbered(before: str, part: str, after: str = "") -> Callable[[int], str]:
    """Return the same with a number in place of # in each part."""

    def make(size: int) -> str:
        count = max(1, (size - len(before) - len(after)) // (len(part) + 4))
        return before + "".join(part.replace("#", f"{number:05x}") for number in range(count)) + after

    return make


def _tags_of(attributes: int, attribute: str) -> Callable[[int], str]:
    tag = "<p " + " ".join(attribute.replace("#", f"{number:x}") for number in range(attributes)) + ">x</p>"
    return repeated(tag)


# Levels that the parser keeps whole.
_DEEP = 2_000

# Kind -> function from a size in characters to a page.
KINDS: dict[str, Callable[[int], str]] = {
    "one line of text": _around("<p>", "word, and more of them. "),
    "one word": _around("<p>", "a"),
    "spaces": _around("<p>a", " ", "b"),
    "line breaks": _around("<pre>", "\n", "a"),
    "less-than signs": repeated("<"),
    "ampersands": repeated("&"),
    "quotes": repeated("\"'"),
    "entities": repeated("&amp;&notin;&#x41;&#0;&#xD800;&#x110000;&nosuch;"),
    "entities that expand": _around(
        '<!DOCTYPE p [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/hostname">]><p>', "&b;&c;"
    ),
    "NUL": repeated("a\0"),
    "lone surrogates": repeated("\ud800a\udfff"),
    "control characters": repeated("<p>a\x01\x0b\x1f</p>\x02"),
    "combining marks": repeated("e\u0301\u0327"),
    "comments": repeated("<!--a-->b"),
    "comments not closed": repeated("<!--"),
    "comments in scripts": _around("<script>", "<!--<script>"),
    "siblings": repeated("<p>x"),
    "tiny elements": repeated("<b>x</b>"),
    "breaks": repeated("a<br>"),
    "list items": _around("<ul>", "<li><a href=x>ab</a>"),
    "cells": _around("<table>", "<tr><td>a<td>b"),
    "options": _around("<select>", "<option>a"),
    "custom elements": repeated("<x-y>a</x-y>"),
    "images": repeated("<img src=a/harbour.jpg>"),
    "records": repeated("<div class=c><p>2020-01-02 abc</p></div>"),
    "titles": repeated("<title>ab</title>"),
    "a long title": lambda size: (
        _numbered("<title>", "word# ", "</title>")(size // 2) + _numbered("", "<h2>no# such</h2>")(size // 2)
    ),
    "classes": _numbered("", "<p class='a# b# c#'>x"),
    "one long class": _around("<p class='", "abc ", "'>x"),
    "long names": _numbered("", f"<x-{'a' * 5_000}# class='{'b' * 5_000}#'>x</x-{'a' * 5_000}#>"),
    "pages behind the page": repeated("x</html>"),
    "bodies": repeated("<body a=b>x"),
    "deep": lambda size: "<div>" * (size // 11) + "x" + "</div>" * (size // 11),
    "deep and not closed": repeated("<div>x"),
    "deep inline": repeated("<i>x"),
    "deep, up and down": repeated("<div>" * 1_000 + "x" + "</div>" * 1_000),
    "links around boxes": repeated("<a href=x><div>" * 100 + "x" + "</div></a>" * 100),
    "tables in tables": repeated("<table><tr><td>" * 300 + "x" + "</td></tr></table>" * 300),
    "stray end tags": _around("<div>" * _DEEP, "</x>"),
    "end tags of what is open": _around("<b>" + "<div>" * _DEEP, "</b>"),
    "end tags before their elements": _around("<div>" * _DEEP, "</b><i></i>"),
    "items at great depth": _around("<div>" * _DEEP, "<li>a</li>"),
    "a tag of attributes": lambda size: _tags_of(size // 8, "a#")(size + 100),
    "tags of attributes": _tags_of(4_000, "a#"),
    "tags of fewer attributes": _tags_of(600, "a#"),
    "attributes with brackets": _tags_of(12_000, 'a#=">"'),
    "fewer attributes with brackets": _tags_of(1_500, 'a#=">"'),
    "a tag not closed": repeated("<a ="),
    "values not closed": repeated("<a x='"),
    "frames": _around("<frameset>", "<frame>"),
    "plain text": _around("<plaintext>", "<p>x"),
    "drawings": _around("<svg>", "<g/>", "</svg>"),
}
