"""Say where an image is, by one rule for all forms: pages show placeholders until scripts put images in their place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from lxml import etree

from scrapy_blockfilter.html.nearby import few_nodes, text_of

IMAGES_OF_AMP = ("amp-img", "amp-anim")
# Attributes from which scripts take the address, and the sizes, of an image that is loaded late.
_LATE = re.compile(r"\A(?:[a-z\d]+-)+[a-z]*src\Z|\Adata-(?:[a-z]+-)*(?:original|url|image|img|lazy|echo|deferred)\Z")
_LATE_SIZES = re.compile(r"\A(?:[a-z\d]+-)+[a-z]*srcset\Z")
_PLACEHOLDER = re.compile(
    r"(?i)(?:^|[/_-])(?:spacer|blank|clear|dot_clear|pixel|transparent|trans|1x1|placeholder|loading|loader|lazy|lazyload|grey|gray"
    r"|white|empty|default)(?:[-_]?(?:image|img|\d+x\d+))?\.(?:gif|png|svg|jpe?g|webp)(?:[?#].*)?\Z"
)
_SPACER = re.compile(r"(?i)(?:^|/)(?:spacer|blank|clear|dot_clear|pixel|transparent|trans|1x1)\.(?:gif|png)\Z")
# A candidate of a srcset (HTML standard, 4.8.4.2.1): an address, which may hold commas, and a width or density. It
# matches wherever an address begins, so that no character is read twice.
_CANDIDATE = re.compile(r"([^\s,](?:\S*[^\s,])?)(?:\s+(?:(\d+(?:\.\d+)?)[wx])?[^,]*)?(?:,|\Z)")
# Characters: a longer value of an attribute is no address, or too many of them.
_LONGEST = 8_000
# Characters at the end of an address in which the name of its file is.
_MOST_NAME = 200
# Elements around an image, and siblings before it, that may have its sizes.
_NEAR = 8


def written_address(image: etree._Element) -> str:
    """Return the address of an image as its page writes it, in its largest size; "" for an image without any address.

    An address of a placeholder gives way to any other that the IMG, its PICTURE or its NOSCRIPT twin has.
    """
    source = image.get("src", "").strip()
    if source and not _is_placeholder(image, source):
        return source
    return next(filter(None, _others(image)), "" if source.startswith("data:") else source)


def is_spacer(image: etree._Element) -> bool:
    """Return whether an image only takes up space, by its size or its name, and stands for no other."""
    if not (sizes_of(image) <= {"0", "1", "2"} or _SPACER.search(image.get("src", "")[-_MOST_NAME:])):
        return False
    return written_address(image) in ("", image.get("src", "").strip())


def _is_placeholder(image: etree._Element, source: str) -> bool:
    return (
        source.startswith(("data:", "about:", "#"))
        or _PLACEHOLDER.search(source[-_MOST_NAME:]) is not None
        or sizes_of(image) == {"1"}
        or (
            "lazy" in image.get("class", "").lower()
            and any(_LATE.match(name) or _LATE_SIZES.match(name) for name, _ in image.items())
        )
    )


def sizes_of(image: etree._Element) -> set[str]:
    """Return the width and height of an image as its page writes them. AMP's are a ratio, and no size."""
    return {image.get(side, "") if image.tag == "img" else "" for side in ("width", "height")}


def _others(image: etree._Element) -> Iterator[str]:
    yield from (_address(value) for name, value in image.items() if _LATE.match(name))
    yield largest(image.get("srcset", ""))
    yield from (largest(value) for name, value in image.items() if _LATE_SIZES.match(name))
    for source in _sources(image):
        yield largest(source.get("srcset", "") or source.get("data-srcset", "")) or _address(source.get("src", ""))
    if (twin := _twin(image)) is not None:
        yield _address(twin.get("src", ""))
        yield largest(twin.get("srcset", ""))


def largest(sizes: str) -> str:
    """Return the address of the largest image of a ``srcset``, of several the first; "" for an empty set.

    >>> largest("/s,1.jpg 400w, /l.jpg 1200w"), largest("a.png, a@2x.png 2x"), largest("")
    ('/l.jpg', 'a@2x.png', '')
    """
    found = [(float(size or 1), address) for address, size in _CANDIDATE.findall(sizes[:_LONGEST])]
    return max(found, key=lambda candidate: candidate[0])[1] if found else ""


def _address(value: str) -> str:
    """Return a value that may be an address, else "": attributes of such names also hold JSON and numbers."""
    value = value.strip()
    is_one = bool(value) and len(value) <= _LONGEST and not any(map(str.isspace, value)) and value[0] not in "{[<#"
    return value if is_one and ("/" in value or "." in value) and not value.startswith("data:") else ""


def _sources(image: etree._Element) -> Iterator[etree._Element]:
    """Yield the SOURCEs of an image's PICTURE: parsers put the IMG beside or into them."""
    around = image.getparent()
    for _ in range(_NEAR):
        if around is None or around.tag != "source" or image.getprevious() is not None:
            break
        yield around
        image, around = around, around.getparent()
    beside = list(islice(around, _NEAR + 1)) if around is not None and around.tag == "picture" else []
    if len(beside) <= _NEAR:
        yield from (source for source in beside if source.tag == "source")


def _twin(image: etree._Element) -> etree._Element | None:
    """Return the image in the NOSCRIPT right behind an image or the element that holds it alone."""
    is_alone = image.getprevious() is None and image.getnext() is None
    for element in (image, image.getparent() if is_alone else None):
        beside = None if element is None else element.getnext()
        if beside is not None and beside.tag == "noscript":
            return next((child for child in few_nodes(beside, _NEAR) if child.tag == "img"), None)
    return None


def drop_twins(noscript: etree._Element, gone: str) -> None:
    """Mark a NOSCRIPT as gone if it has nothing but images that the element right before or behind it shows, too."""
    nodes = few_nodes(noscript, _NEAR)
    written = {written_address(node) for node in nodes if node.tag == "img"}
    if not written or text_of(nodes).strip():
        return
    beside = (near for near in (noscript.getprevious(), noscript.getnext()) if near is not None)
    shown = {node: written_address(node) for near in beside for node in few_nodes(near, _NEAR) if node.tag == "img"}
    if written <= set(shown.values()):
        for image, address in shown.items():
            image.set("src", address)  # that of a placeholder may be known by its twin alone
        noscript.tag = gone
