"""Learns each site from its first pages, and strips what is not content from the items of a Scrapy crawl.

The method in steps:

1. A page is cut into blocks, the text between two structural tags (``html``).
2. Of the first N pages of a site a record is kept: of each block its identity, place and features (``sample``).
3. A method is fitted to the records (``methods``): by default one score from all that is known of a block, of its slot
   over the pages and of what is around it (``evidence``), or one of the literature: document frequency of text chunks,
   inverse block document frequency with near-equal blocks, entropy of features against a threshold, their majority,
   weights of words in a tree of all pages, or the parts of a page with most of a desired feature or most information.
4. The model gives every block of a later page a verdict with a reason (``model``); the kept blocks are written again,
   as HTML or as text.

In a crawl, :class:`Addon` does this for every item. Without one::

    model = learn(pages)
    model.clean(page).text
"""

from __future__ import annotations

from collections.abc import Iterable

from scrapy_blockfilter.addon import Addon
from scrapy_blockfilter.hashing import hash64
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.known import Known
from scrapy_blockfilter.html.reading import HtmlInput, read_input, segment_source
from scrapy_blockfilter.model import SiteModel, fit
from scrapy_blockfilter.model.cleaned import Cleaned, JudgedBlock
from scrapy_blockfilter.options import OptionError, Options
from scrapy_blockfilter.sample import SAMPLE_GROWTH, SiteSample

__all__ = ["Addon", "Cleaned", "JudgedBlock", "OptionError", "Options", "SiteModel", "SiteSample", "learn"]
__version__ = "0.1.0"


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


def learn(pages: Iterable[HtmlInput], options: Options | None = None) -> SiteModel:
    """Learn the template of a site.

    Args:
        pages: HTML of pages, all of one site, as text, bytes or parsel selectors; read one at a time. The same page
            twice counts once. Pages that cannot be read are passed over.
        options: how to learn; the defaults are those of a crawl.

    Raises:
        ValueError: none of the pages can be read, and the method needs some.
        TypeError: a page is of another type.
    """
    if isinstance(pages, str | bytes):
        raise TypeError(f"pages must be several, not one {type(pages).__name__}")
    options = options or Options()
    known = Known()
    sample = SiteSample(SAMPLE_GROWTH * options.pages)
    for page in pages:
        source, root = read_input(page)
        page_hash = hash64(source.encode("utf-8", "replace"))
        if sample.wants(page_hash):
            try:
                segmented = segment_source(source, root, known, limits=options.limits, segmenter=options.segmentation)
                sample.add(page_hash, segmented)
            except UnfitPage:
                continue
    model = fit(sample, options, known)
    model.sample = sample
    return model
