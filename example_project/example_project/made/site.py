"""What a made site is: its pages, and of each page what must stay and what must go."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class MadePage:
    """A page of a made site. Listings, of which the spiders make no items, have no texts to count.

    Attributes:
        html: the whole document.
        own: texts that a reader came for, each on this page alone or in a row of its table.
        clutter: texts around them: menus, banners, teasers, remarks of readers.
        price: of a product, as it is printed; no other product costs the same.
    """

    html: str
    own: tuple[str, ...] = ()
    clutter: tuple[str, ...] = ()
    price: str = ""


@dataclass(frozen=True)
class MadeSite:
    """A made site.

    Attributes:
        name: what the filter knows it as; a host that cannot exist.
        pages: by their paths, the front page at ``/``.
    """

    name: str
    pages: dict[str, MadePage]


def slug(text: str) -> str:
    """A text as a part of a path.

    >>> slug("Ferry crews’ pay: a vote in May")
    'ferry-crews-pay-a-vote-in-may'
    """
    return "-".join(re.findall(r"[a-z0-9]+", text.lower().replace("’", "")))


def links(labels: dict[str, str], css: str = "") -> str:
    """A list of links, from paths to labels."""
    items = "".join(f'<li><a href="{path}">{label}</a></li>' for path, label in labels.items())
    return f'<ul class="{css}">{items}</ul>' if css else f"<ul>{items}</ul>"


def document(title: str, css: str, body: str) -> str:
    """A page around its body."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{css}</style>\n"
        "<script>window.pageLayer = window.pageLayer || [];</script></head>\n"
        f"<body>{body}</body></html>\n"
    )
