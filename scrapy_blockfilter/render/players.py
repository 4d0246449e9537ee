"""Make links of players: Markdown has no form for a video, a recording, or a page within a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from urllib.parse import urlsplit

from lxml import etree

from scrapy_blockfilter.render.addresses import CONTROL, address_of
from scrapy_blockfilter.render.images import written_address

_TITLES = ("title", "aria-label", "data-title")
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|(?:^|[;\s])(?:width|height)\s*:\s*[01](?:px)?\s*(?:;|!|\Z)|left\s*:\s*-\d{3}"
)
_ADVERT = re.compile(
    r"(?:^|[\s_-])(?:ads?|adv|advert\w{0,20}|sponsor\w{0,20}|adsbygoogle|dfp|gpt)(?=$|[\s_-])", re.IGNORECASE
)
# Hosts and paths of frames that serve adverts, count visits, or ask readers to log in, follow or prove something.
_NO_PLAYER = re.compile(
    r"doubleclick|syndication|adservice|adsystem|adnxs|taboola|outbrain|criteo|tagmanager|analytics|captcha|challenges\."
    r"|facebook\.com/(?:tr|plugins/(?:like|page|share))|/widgets/(?:follow|tweet)|\bconsent\b|\bpixel\b|\bbeacon\b"
)
_NEAR, _SOURCES, _LONGEST = 3, 12, 300


def link_players(root: etree._Element) -> None:
    """Replace each player of a tree by a link to it, with its title or the name of its host."""
    seen: set[str] = set()
    for player in list(root.iter("video", "audio", "iframe")):
        address = "" if _is_hidden(player) else next(filter(_leads_to_a_player, _addresses(player)), "")
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


def _addresses(player: etree._Element) -> Iterator[str]:
    yield address_of(written_address(player), "")
    for source in islice(player.iter(), 1, _SOURCES):
        if source.tag == "source":
            yield address_of(written_address(source), "")


def _leads_to_a_player(address: str) -> bool:
    try:
        return bool(address) and urlsplit(address).scheme in ("", "http", "https") and not _NO_PLAYER.search(address)
    except ValueError:
        return False


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
