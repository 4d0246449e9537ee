"""The meaning of tags: delimiters of blocks, tags that hide their content, and others."""

from __future__ import annotations

from lxml import etree

TABLE_TAGS = frozenset({"table", "caption", "colgroup", "thead", "tbody", "tfoot", "tr", "td", "th"})
ROWS = frozenset({"tr"})
CELLS = frozenset({"td", "th"})
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
LISTS = frozenset({"ul", "ol", "dl", "menu", "dir"})
UNITS = LISTS | {"table"}  # kept together
CONTROLS = frozenset({"input", "button", "select", "textarea"})

# Elements that a browser lays out as boxes of their own. An inline element that contains one counts as structural, too.
_STRUCTURAL = (
    "html head title body address article aside blockquote center dd details dialog div dt fieldset figcaption "
    "figure footer form frameset header hgroup hr legend li main marquee nav noembed noframes noscript object p "
    "plaintext pre search section select summary textarea xmp"
)
STRUCTURAL = TABLE_TAGS | HEADINGS | LISTS | frozenset(_STRUCTURAL.split())

# Elements whose content is not text of the page. It is never read, and stays or goes with the element around it.
_OPAQUE = "script style template svg math audio video canvas applet embed iframe meta link"
OPAQUE = frozenset(_OPAQUE.split())

# The most frequent inline elements, listed so that they need no further check.
_COMMON_INLINE = "b cite code em font i ins label small span strong sup time u"


def is_structural(tag: str) -> bool:
    """Return whether an element divides text: a box of its own, or a custom element."""
    return tag in STRUCTURAL or "-" in tag


# Effects of an element on the run of text around it: none, counted as a feature of the block, a link, the end of the
# block, or hidden content. The native walk numbers them in the same way.
IN_LINE, IS_COUNTED, IS_LINK, DIVIDES, HIDES = range(5)
KINDS: dict[object, int] = {
    etree.Comment: HIDES,  # only the text after it counts
    "a": IS_LINK,
    **dict.fromkeys(_COMMON_INLINE.split(), IN_LINE),
    **dict.fromkeys({"br", "img", "option"} | CONTROLS, IS_COUNTED),
    **dict.fromkeys(STRUCTURAL, DIVIDES),
    **dict.fromkeys(OPAQUE, HIDES),
}


def kind_of_unlisted(tag: object) -> int:
    """Return what an element does whose tag is not in ``KINDS``."""
    return HIDES if not isinstance(tag, str) else DIVIDES if is_structural(tag) else IN_LINE
