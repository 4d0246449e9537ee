"""What an element does to the run of text around it."""

from __future__ import annotations

from lxml import etree

from scrapy_blockfilter.html.tags import COMMON_INLINE, CONTROLS, OPAQUE, STRUCTURAL, is_structural

# Nothing, count as a feature of the block, be a link, end the block, or hide its content. The native walk numbers them
# in the same way.
IN_LINE, IS_COUNTED, IS_LINK, DIVIDES, HIDES, UNLISTED = range(6)
KINDS: dict[object, int] = {
    etree.Comment: HIDES,  # only the text after it counts
    "a": IS_LINK,
    **dict.fromkeys(COMMON_INLINE, IN_LINE),
    **dict.fromkeys({"br", "img", "option"} | CONTROLS, IS_COUNTED),
    **dict.fromkeys(STRUCTURAL, DIVIDES),
    **dict.fromkeys(OPAQUE, HIDES),
}


def kind_of_unlisted(tag: object) -> int:
    """Return what an element does whose tag is not in ``KINDS``."""
    return HIDES if not isinstance(tag, str) else DIVIDES if is_structural(tag) else IN_LINE
