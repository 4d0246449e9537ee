"""Find elements that stand in front of content: password fields, challenges, dialogs; and what leads elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from lxml import etree

# Names in addresses and attributes that programmers give to challenges for robots, in pages of any language.
_CHALLENGE = re.compile(r"captcha|Captcha|CAPTCHA|challenge|Challenge")
# One of them is in the source of each page with a guard.
GUARDS = ("password", "captcha", "Captcha", "CAPTCHA", "challenge", "Challenge", "dialog", "aria-modal", "data-sitekey")
_NAMED = ("src", "id", "class", "action")
_MAY_CHALLENGE = frozenset({"iframe", "form", "div", "input", "img"})
_DIALOGS = frozenset({"dialog", "alertdialog"})
_BUTTONS = frozenset({"submit", "button", "image"})
_TYPED = frozenset({"", "text", "search", "email", "tel", "url"})
_MEDIA = frozenset({"iframe", "video", "audio", "object", "embed", "canvas", "frame", "applet"})
_ROOTS = frozenset({"div", "main", "section"})
# Levels at which an empty element may be the one that scripts fill: in the body, or in a frame around it.
_ROOT_LEVELS = 3
# Nodes of a NOSCRIPT that are looked at.
_MOST_NODES = 20
# Characters of an address that is read: Python takes quadratic time over accents in a host.
_LONGEST_LINK = 500
_HTTP = ("", "http", "https")


class Gates(NamedTuple):
    """Elements of a page, besides those that its site has anywhere."""

    guarded: bool  # whether there is a password field or a challenge
    dialog: bool  # whether there is a dialog
    has_password: bool  # whether there is a password field anywhere
    buttons: bool  # whether there are buttons and nothing to type into
    media: bool  # whether something is embedded that may be the content
    scripts: bool  # whether there are scripts anywhere
    hollow: bool  # whether an element is empty that scripts may fill, or a NOSCRIPT has text
    noindex: bool  # whether the page asks search engines not to list it
    links: frozenset[str]  # the addresses on the site that it links to, anywhere


def gates_of(root: etree._Element, url: str, is_template: Callable[[etree._Element], bool]) -> Gates:
    """Return the gates of a page.

    Args:
        is_template: returns whether the pages of the site have an element in this place, but none with content.
    """
    found: dict[str, list[etree._Element]] = {}
    for element in root.iter(etree.Element):
        for kind in _kinds_of(element, str(element.tag)):
            found.setdefault(kind, []).append(element)

    def has_own(kind: str) -> bool:
        return any(not is_template(element) for element in found.get(kind, ()))

    return Gates(
        guarded=has_own("password") or has_own("challenge"),
        dialog=has_own("dialog"),
        has_password="password" in found,
        buttons=has_own("button") and not has_own("typed"),
        media=has_own("media"),
        scripts="script" in found,
        hollow=has_own("hollow"),
        noindex="noindex" in found,
        links=_on_site({str(element.get("href")) for element in found.get("link", ())}, url),
    )


def _kinds_of(element: etree._Element, tag: str) -> Iterator[str]:
    """Yield the kinds that an element counts as."""
    given = element.attrib
    kind = given.get("type", "").lower()
    if tag == "a" and "href" in given:
        yield "link"
    elif tag == "script" and kind != "application/ld+json":
        yield "script"
    elif tag == "meta" and given.get("name", "").lower() == "robots" and "noindex" in given.get("content", "").lower():
        yield "noindex"
    elif _has_text(element) if tag == "noscript" else tag in _ROOTS and "id" in given and _is_hollow(element):
        yield "hollow"
    elif tag == "input" and kind == "password":
        yield "password"
    elif tag == "textarea" or (tag == "input" and kind in _TYPED):
        yield "typed"
    elif tag == "button" or (tag == "input" and kind in _BUTTONS):
        yield "button"
    elif tag in _MEDIA:
        yield "media"
    if tag == "dialog" or given.get("role") in _DIALOGS or "aria-modal" in given:
        yield "dialog"
    is_named = tag in _MAY_CHALLENGE and any(_CHALLENGE.search(given.get(name, "")) for name in _NAMED)
    if is_named or "data-sitekey" in given:
        yield "challenge"


def _has_text(element: etree._Element) -> bool:
    nodes = list(islice(element.iter(), _MOST_NODES))
    texts = (*(node.text for node in nodes if isinstance(node.tag, str)), *(node.tail for node in nodes[1:]))
    return any(map(str.strip, filter(None, texts)))


def _is_hollow(element: etree._Element) -> bool:
    if (element.text or "").strip() or any(inner.tag != "script" for inner in element):
        return False
    return len(list(islice(element.iterancestors(), _ROOT_LEVELS + 1))) <= _ROOT_LEVELS


def _on_site(links: set[str], url: str) -> frozenset[str]:
    _, host, own_path = _parts("", url)
    found = (_parts(url, link.strip()) for link in links if len(link) <= _LONGEST_LINK)
    on_site = {path for scheme, of_host, path in found if scheme in _HTTP and of_host in ("", host)}
    return frozenset(on_site - {own_path if url else "", ""})


def _parts(base: str, link: str) -> tuple[str, str, str]:
    """Return the scheme, host and path of a link's address, all "" for an invalid address."""
    try:
        parts = urlsplit(urljoin(base, link))
    except ValueError:
        return "", "", ""
    return parts.scheme, parts.netloc.lower().removeprefix("www."), parts.path or "/"
