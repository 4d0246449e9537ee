"""The keys under which layouts are stored."""

from __future__ import annotations

from scrapy_blockfilter.options.segmenter import CHUNKS, Segmenter, is_segmenter

# Most layouts of a site. Pages of further layouts are judged by the layout that they fit best.
MAX_LAYOUTS = 8


def layout_key(site: str, number: int) -> str:
    """Return the key of a layout's sample: the site's own key for the first. No site key has a tab in it.

    >>> layout_key("example.com", 1), layout_key("example.com", 2)
    ('example.com', 'example.com\\tlayout 2')
    """
    return site if number == 1 else f"{site}\tlayout {number}"


def misfits_key(site: str) -> str:
    """Return the key of the pages that fit none of the layouts."""
    return f"{site}\tmisfits"


def is_misfits(stored: str) -> bool:
    """Return whether a stored key is that of pages that fit none of the layouts.

    >>> is_misfits(stored_key(misfits_key("example.com"), "dom")), is_misfits("example.com")
    (True, False)
    """
    return split_stored_key(stored)[0].endswith("\tmisfits")


def stored_key(key: str, segmenter: Segmenter | str) -> str:
    """Return the key under which a sample is stored. Samples of different segmenters never mix.

    >>> stored_key("example.com", Segmenter()), stored_key("example.com", Segmenter("dom"))
    ('example.com', 'example.com\\tdom')
    """
    return key if str(segmenter) == CHUNKS else f"{key}\t{segmenter}"


def split_stored_key(key: str) -> tuple[str, str]:
    """Split a stored key into the key of a layout or of misfits, and the segmenter.

    >>> split_stored_key("example.com\\tlayout 2\\tdom"), split_stored_key("example.com\\tlayout 2")
    (('example.com\\tlayout 2', 'dom'), ('example.com\\tlayout 2', 'chunks'))
    """
    rest, _, last = key.rpartition("\t")
    is_layout = last == "misfits" or last.startswith("layout ")
    return (rest, last) if rest and not is_layout and is_segmenter(last) else (key, CHUNKS)


def main_site(key: str) -> str:
    """Return the site that a key of a layout or of misfits belongs to.

    >>> main_site("example.com\\tlayout 2"), main_site("example.com")
    ('example.com', 'example.com')
    """
    return key.partition("\t")[0]
