"""Detect changes of a tree that someone else holds: the tree of a response's selector, or a user's.

Native code reads such a tree as it is, without a copy. Its owner may change it at any time, which changes its
fingerprint.
"""

from __future__ import annotations

from types import ModuleType
from typing import NamedTuple

from lxml import etree

from scrapy_blockfilter._native import load
from scrapy_blockfilter.html import native
from scrapy_blockfilter.html.page import Page
from scrapy_blockfilter.html.parse import build, is_read_otherwise, is_whole, own_copy


def shares_trees() -> bool:
    """Return whether trees that others hold are read as they are: native code must walk and compare them."""
    return native.WALK is not None and _native is not None


def fingerprint(root: etree._Element) -> int:
    """Return a number that differs, in this process, once a tree has changed. Ask :func:`shares_trees` before."""
    assert _native is not None, "native code is not built"
    return int(_native.fingerprint(root))


class SharedTree(NamedTuple):
    """The tree of a selector. Its owner may change it.

    Attributes:
        fingerprint: of the tree as it was taken; None if the tree must be copied, as nothing compares it.
    """

    root: etree._Element
    fingerprint: int | None

    @classmethod
    def of(cls, root: etree._Element) -> SharedTree:
        return cls(root, fingerprint(root) if shares_trees() else None)

    @property
    def readable(self) -> etree._Element:
        """The tree as it is, which native code reads, or a copy, which Python walks quicker."""
        return own_copy(self.root) if self.fingerprint is None else self.root


def is_parsed_alike(text: str, root: etree._Element) -> bool:
    """Return whether ``parse`` would give the tree that parsel has just made of a page's text."""
    has_mark = text.lstrip().startswith("\ufeff")
    # parsel makes an empty tree of a text without elements.
    return len(root) > 0 and not has_mark and is_whole(root) and not is_read_otherwise(root)


def has_changed(page: Page) -> bool:
    """Return whether the tree of a page is someone else's, who has changed it since the page was segmented."""
    return page.fingerprint is not None and page.root is not None and fingerprint(page.root) != page.fingerprint


def renew_changed_tree(page: Page, source: str) -> None:
    """If the tree of a page has changed since it was segmented, parse the source of the page again.

    Raises:
        RuntimeError: another tree comes of that, as the tree was not just parsed when it was segmented.
    """
    if not has_changed(page):
        return
    root = build(source.strip() if page.whole else source)
    elements = list(root.iter())
    ordinals = {element: ordinal for ordinal, element in enumerate(elements)}
    parents = [-1, *(ordinals[parent] for element in elements[1:] if (parent := element.getparent()) is not None)]
    if parents != list(page.element_parents) or list(page.tags) != [elements[at].tag for at in page.ordinals]:
        raise RuntimeError("the tree of the selector has changed since it was cleaned: clean it again")
    page.elements, page.root, page.fingerprint = elements, root, None


def _agrees(native: ModuleType) -> bool:
    """Return whether native code gives equal trees, and no others, equal fingerprints."""
    one, same, other = (etree.fromstring(f"<p a='b'>{text}<b/></p>", etree.HTMLParser()) for text in "ccd")
    return bool(native.fingerprint(one) == native.fingerprint(same) != native.fingerprint(other))


_native = load("fingerprint", _agrees)
