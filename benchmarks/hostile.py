"""Broken and hostile HTML: pages changed at random, and pages of one thing repeated until they have a size.

The same seed and size give the same pages on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

TAGS = (
    *("p", "div", "span", "a", "b", "i", "ul", "li", "ol", "dl", "dt", "dd", "table", "tbody", "tr", "td", "th", "h1"),
    *(
        "h2",
        "pre",
        "code",
        "br",
        "hr",
        "img",
        "form",
        "input",
        "button",
        "select",
        "option",
        "textarea",
        "label",
        "svg",
    ),
    *("math", "script", "style", "template", "noscript", "iframe", "object", "html", "head", "body", "title", "meta"),
    *("frameset", "frame", "article", "nav", "footer", "blockquote", "figure", "caption", "col", "x-card", "plaintext"),
    *("listing", "xmp", "font", "center", "nobr", "base", "link", "details", "summary", "ruby", "rt", "image", "o:p"),
)
FRAGMENTS = (
    *("<", ">", "</", "/>", "<!", "<?", "<!--", "-->", "--!>", "<![CDATA[", "]]>", "<!DOCTYPE html>", "&", "&#", "&#x"),
    *(
        "&amp;",
        "&lt;p&gt;",
        "&nbsp;",
        "&#0;",
        "&#xD800;",
        "&#x110000;",
        "&notin",
        "&NotEqualTilde;",
        '"',
        "'",
        "=",
        "/",
    ),
    *("\0", "\ud800", "\udfff", "\ufeff", "\u2028", "\x85", "\x1c", "\r\n", "\t", "\f", "\x7f", "é", "e\u0301", "水"),
    *("\u200f", "𝄞", " ", "  ", "\n\n", "\u00a0", "word", "more words, and a full stop.", "2026-01-31", "</html>tail"),
    *("</body><body>", "<a href=x><div>", "<p><table>", "<b><p>", "</p>", "<li>", "<script>", "</script>", "<title>"),
)
ATTRIBUTES = (
    "",
    "class=x",
    'id="a b"',
    "href='?a=1&b'",
    'hidden=""',
    "style=a>b",
    'alt="<p>"',
    "lang=de",
    "=",
    "a" * 99,
)


def tag(random: Random) -> str:
    """A start or end tag."""
    name = random.choice(TAGS)
    if random.random() < 0.4:
        return f"</{name}>"
    attributes = " ".join(random.choices(ATTRIBUTES, k=random.randrange(3)))
    return f"<{name}{' ' * bool(attributes)}{attributes}>"


def soup(random: Random, parts: int) -> str:
    """Tags and fragments in no order."""
    return "".join(tag(random) if random.random() < 0.6 else random.choice(FRAGMENTS) for _ in range(parts))


def mutated(html: str, random: Random, changes: int) -> str:
    """``html`` with pieces put in, left out, doubled, swapped and turned round."""
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
