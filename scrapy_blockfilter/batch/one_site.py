"""Learn and clean pages of one site, without a crawl and without a store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, TypeAlias

from scrapy_blockfilter.batch.corpus import fitted, new_sample
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.boxes import without_boxes
from scrapy_blockfilter.html.reader import PageInput, Reader, read_named
from scrapy_blockfilter.model import SiteModel, fit
from scrapy_blockfilter.model.cleaned import Cleaned
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.plugins import TEACHING
from scrapy_blockfilter.storable.hashing import hash64

Teacher: TypeAlias = Callable[[Any], Iterable[int]]


def learn(pages: Iterable[PageInput], options: Options | None = None, teacher: Teacher | None = None) -> SiteModel:
    """Learn the template of a site.

    Args:
        pages: HTML pages of one site, as text, bytes, parsel selectors or responses. Pages are read one at a time.
            Equal pages count once, and unreadable pages are skipped.
        options: how to learn, by default like a crawl.
        teacher: names the blocks of a few pages that are content: see :mod:`scrapy_blockfilter.extras.teacher`.

    Raises:
        ValueError: no page can be read, although the method needs pages; or a page is a URL, the name of a file or
            other text without a tag.
        TypeError: a page is of another type.
    """
    if isinstance(pages, str | bytes | Mapping) or not isinstance(pages, Iterable):
        raise TypeError(f"pages must be several, as a list of their HTML, not one {type(pages).__name__}")
    if teacher is not None:
        pages = list(pages)
        return TEACHING.load("learn")(learn(pages, options), pages, teacher)  # type: ignore[no-any-return]
    reader = Reader(options or Options())
    sample = new_sample(reader.options)
    for page in pages:
        source, tree, _ = read_named(page, with_tags=True)
        page_hash = content_hash(source)
        if page_hash not in sample.records and sample.wants(page_hash):
            with suppress(UnfitPage):
                sample.add(page_hash, reader.read(source, tree))
    return fitted(sample, reader)


def clean(page: PageInput, url: str = "", options: Options | None = None) -> Cleaned:
    """Clean a page that is alone of its site, by a model of itself.

    A model of several pages of the site does better, see :func:`learn`.

    Args:
        page: HTML as text, bytes, a parsel selector or a response. A page that cannot be read comes back unchanged,
            with the reason in :attr:`Cleaned.unchanged`.
        url: its address, which links are relative to; a response has its own.

    Raises:
        ValueError: the page is a URL, the name of a file or other text without a tag.
        TypeError: the page is of another type.
    """
    reader = Reader(options or Options())
    source, tree, own_url = read_named(page, with_tags=True)
    url = url or own_url
    try:
        read = reader.read(source, tree)
    except UnfitPage as unfit:
        return Cleaned(source, None, (), unfit.reason, url)
    sample = new_sample(reader.options)
    sample.add(content_hash(source), read)
    return fit(sample, reader).clean_page(source, read, url)


def content_hash(source: str) -> int:
    """Identify a page without a URL by its content."""
    return hash64(without_boxes(source).encode("utf-8", "replace"))
