"""Read cleaned HTML for Markdown, without active elements, and without marks that only show beside the content.

Markdown has no form for a video, a recording, or a page within a page: such a player becomes a link to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from urllib.parse import urlsplit

from lxml import etree

from scrapy_blockfilter.html import Limits, UnfitPage
from scrapy_blockfilter.html.listings import listing_text
from scrapy_blockfilter.html.parse import build, parse
from scrapy_blockfilter.html.tags import OPAQUE
from scrapy_blockfilter.render.addresses import CONTROL, address_of
from scrapy_blockfilter.render.code import GONE, language
from scrapy_blockfilter.render.formulas import Formula
from scrapy_blockfilter.render.images import IMAGES_OF_AMP, drop_twins, written_address
from scrapy_blockfilter.render.markdown_inline import backticks_around
from scrapy_blockfilter.render.spelled import spelled_out, strip_gone

_OPAQUE = (OPAQUE | {"title"}) - {"math", "script"}
# Elements of HEAD. The parser leaves other elements there, too, if a page without a BODY tag begins with them.
_OF_HEAD = frozenset({"base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "title"}) | OPAQUE
# Elements in place of frames and plug-ins, whose markup the parser keeps as text.
_ALTERNATIVES = ("noembed", "noframes")
_LINE_END = re.compile(r"\r\n?")
# Players, those of AMP too, and attributes with their title.
_PLAYERS = ("video", "audio", "iframe", "amp-video", "amp-audio", "amp-iframe")
_TITLES = ("title", "aria-label", "data-title")
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|(?:^|[;\s])(?:width|height)\s*:\s*[01](?:px)?\s*(?:;|!|\Z)|left\s*:\s*-\d{3}"
)
_ADVERT = re.compile(r"(?i)(?:^|[\s_-])(?:ads?|adv|advert\w{0,20}|sponsor\w{0,20}|adsbygoogle|dfp|gpt)(?=$|[\s_-])")
# Hosts and paths of frames that serve adverts, count visits, or ask readers to log in, follow or prove something.
_NO_PLAYER = re.compile(
    r"doubleclick|syndication|adservice|adsystem|adnxs|taboola|outbrain|criteo|tagmanager|analytics|captcha|challenges\."
    r"|facebook\.com/(?:tr|plugins/(?:like|page|share))|/widgets/(?:follow|tweet)|\bconsent\b|\bpixel\b|\bbeacon\b"
)
_NEAR, _SOURCES, _LONGEST = 3, 12, 300


def content_of(html: str) -> tuple[etree._Element, dict[etree._Element, Formula]]:
    """Return the tree of a page, and its SCRIPT, MATH and IMG elements with the formula of each."""
    root = build(html)  # written in full, a page may have more end tags at great depth than its source
    for head in root.iter("head"):
        for element in head.iterchildren(*_OF_HEAD):
            element.tag = GONE
    for element in list(root.iter(*_ALTERNATIVES)):
        _open(element)
    for element in root.iter("xmp", "plaintext", *_ALTERNATIVES):
        element.tag = "pre"
    etree.strip_elements(root, etree.Comment, etree.ProcessingInstruction, with_tail=False)
    for image in list(root.iter(*IMAGES_OF_AMP)):
        del image[:]  # a NOSCRIPT with the same image, or what else stands in for it
        etree.strip_attributes(image, "width", "height")  # often a ratio
        image.tag = "img"
    _link_players(root)
    formulas, _ = spelled_out(root)
    for element in list(root.iter("noscript")):
        drop_twins(element, GONE)
    strip_gone(root, *_OPAQUE)
    return root, {element: found for element, found in formulas.items() if found.markdown or element.tag != "img"}


def _open(element: etree._Element) -> None:
    """Parse the markup in an element whose text the parser does not read. It stays text if it is too deep."""
    markup = element.text or ""
    if len(element) or markup.count("<") > Limits.depth:
        return
    try:
        inner = parse(markup)
    except UnfitPage as unfit:
        if unfit.reason == "empty":
            element.tag, element.text = "div", None
        return
    element.tag, element.text = "div", None
    element.append(inner)


def _link_players(root: etree._Element) -> None:
    """Replace each player of a tree by a link to it, with its title or the name of its host."""
    seen: set[str] = set()
    for player in list(root.iter(*_PLAYERS)):
        address = "" if _is_hidden(player) else _address_of(player)
        if not address or address in seen:
            continue
        seen.add(address)
        title = next(filter(None, (" ".join(player.get(name, "").split()) for name in _TITLES)), "")
        parts = urlsplit(address)
        player.clear(keep_tail=True)
        player.tag = "div"
        link = etree.SubElement(player, "a", href=address)
        host = parts.netloc.rpartition("@")[2].removeprefix("www.")
        link.text = CONTROL.sub("", title[:_LONGEST] or host or parts.path.rpartition("/")[2] or address)


def _address_of(player: etree._Element) -> str:
    for element in islice(player.iter(), _SOURCES):
        address = address_of(written_address(element), "") if element is player or element.tag == "source" else ""
        with suppress(ValueError):  # such as http://[
            if address and urlsplit(address).scheme in ("", "http", "https") and not _NO_PLAYER.search(address):
                return address
    return ""


def _is_hidden(player: etree._Element) -> bool:
    """Return whether a page does not show an element, or shows an advert in it."""
    sizes = {player.get(side, "").removesuffix("px").strip() for side in ("width", "height")}
    if not sizes.isdisjoint({"0", "1", "2"}) or player.get("hidden") is not None or player.get("aria-hidden") == "true":
        return True
    names = (
        f"{near.get('class', '')[:_LONGEST]} {near.get('id', '')[:_LONGEST]}"
        for near in (player, *islice(player.iterancestors(), _NEAR))
    )
    named = f"{player.get('name', '')} {player.get('title', '')}"
    return any(map(_ADVERT.search, (named, *names))) or _HIDDEN.search(player.get("style", "")) is not None


def fence(code: etree._Element, of_element: Callable[[etree._Element], str]) -> list[str]:
    """Return the lines of a PRE as a fence; none if it has no text. Its language is found as :func:`language` does."""
    text = _LINE_END.sub("\n", listing_text(code).replace("\xad", ""))
    if not text.strip():
        return []
    marks = backticks_around(text, least=3)
    return [marks + language(code, of_element), *text.removeprefix("\n").removesuffix("\n").split("\n"), marks]
