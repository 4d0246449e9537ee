"""Under which key the store has each layout of a site."""

from __future__ import annotations

from scrapy_blockfilter.html.segmenters import CHUNKS, SEGMENTERS, Segmenter

# Of a site. When it has shown as many, further ones are judged by the layout that they fit best.
MAX_LAYOUTS = 8


def layout_key(site: str, number: int) -> str:
    """Under which key the sample of a layout is kept: the site's own for the first. No site key has a tab in it.

    >>> layout_key("example.com", 1), layout_key("example.com", 2)
    ('example.com', 'example.com\\tlayout 2')
    """
    return site if number == 1 else f"{site}\tlayout {number}"


def misfits_key(site: str) -> str:
    """The same for the pages that fit none of the layouts."""
    return f"{site}\tmisfits"


def stored_key(key: str, segmenter: Segmenter | str) -> str:
    """Under which key a sample is stored: blocks of one segmenter are never learnt with those of another.

    >>> stored_key("example.com", Segmenter()), stored_key("example.com", Segmenter("dom"))
    ('example.com', 'example.com\\tdom')
    """
    return key if str(segmenter) == CHUNKS else f"{key}\t{segmenter}"


def split_stored_key(key: str) -> tuple[str, str]:
    """The key of a layout or of misfits, and the segmenter, that a stored key is made of.

    >>> split_stored_key("example.com\\tlayout 2\\tdom"), split_stored_key("example.com\\tlayout 2")
    (('example.com\\tlayout 2', 'dom'), ('example.com\\tlayout 2', 'chunks'))
    """
    rest, _, last = key.rpartition("\t")
    return (rest, last) if rest and last.partition(" ")[0] in SEGMENTERS else (key, CHUNKS)


def main_site(key: str) -> str:
    """The site that a key of a layout or of misfits belongs to.

    >>> main_site("example.com\\tlayout 2"), main_site("example.com")
    ('example.com', 'example.com')
    """
    return key.partition("\t")[0]


def keys_of_site(site: str) -> tuple[str, str, str]:
    """All keys of a site: the first, and those between the second and the third in the order of their characters."""
    return site, f"{site}\t", f"{site}\n"
