"""Learn the template of each site from its first pages, and strip boilerplate from the items of a Scrapy crawl.

The method in six steps, with the packages that hold them:

1. Segment: cut each page into blocks, the text between two structural tags (``html``, ``text``).
2. Sample: record the first pages of a site, with the key, place and features of every block (``sample``).
3. Store: keep sample and model in a SQLite file, for later crawls and other processes (``store``).
4. Fit: learn a model from N records. The default method scores each block by its text, its place on the page, and how
   its slot behaves over the pages (``consensus``). Published methods can take its place (``methods``).
5. Judge: give every block of a page a verdict with a reason. Lists and tables stay or go as a whole, and a guard keeps
   pages from losing nearly all of their text (``model``).
6. Render: write the kept blocks as HTML, plain text or Markdown (``render``).

In a crawl, :class:`Addon` does this for every item. Items wait until their site has a model (``crawl``, ``warmup``).
Without a crawl::

    model = learn(pages)
    model.clean(page).text
    clean(page).text  # of a page that is alone of its site

For a corpus of many sites, and on many machines, ``batch`` has the same as pure functions of rows and bytes::

    for row, cleaned, model in clean_sorted(rows):
        cleaned.text
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from scrapy_blockfilter.addon import Addon
from scrapy_blockfilter.batch import CleanedRow, PageRow, clean_sorted, fit, merge, sample_of
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.boxes import without_boxes
from scrapy_blockfilter.html.reader import HtmlInput, Reader, read_input
from scrapy_blockfilter.identity import page_id, site_key
from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.model import fit as fit_model
from scrapy_blockfilter.model.cleaned import Cleaned, JudgedBlock
from scrapy_blockfilter.options import OptionError, Options
from scrapy_blockfilter.plugins import TEACHING
from scrapy_blockfilter.release import __version__ as __version__
from scrapy_blockfilter.sample import SAMPLE_GROWTH, MergeError, SiteSample
from scrapy_blockfilter.storable.hashing import hash64

Teacher: TypeAlias = Callable[[Any], Iterable[int]]
__all__ = [
    "Addon",
    "Cleaned",
    "CleanedRow",
    "JudgedBlock",
    "MergeError",
    "OptionError",
    "Options",
    "PageRow",
    "SiteModel",
    "SiteSample",
    "clean",
    "clean_sorted",
    "fit",
    "learn",
    "merge",
    "page_id",
    "sample_of",
    "site_key",
]


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


def learn(pages: Iterable[HtmlInput], options: Options | None = None, teacher: Teacher | None = None) -> SiteModel:
    """Learn the template of a site.

    Args:
        pages: HTML pages of one site, as text, bytes or parsel selectors. They are read one at a time. Equal pages
            count once, and unreadable pages are skipped.
        options: how to learn, by default like a crawl.
        teacher: says of a few pages which blocks are content: see :mod:`scrapy_blockfilter.extras.teacher`.

    Raises:
        ValueError: no page can be read, although the method needs pages.
        TypeError: a page is of another type.
    """
    if isinstance(pages, str | bytes):
        raise TypeError(f"pages must be several, not one {type(pages).__name__}")
    if teacher is not None:
        pages = list(pages)
        return TEACHING.load("learn")(learn(pages, options), pages, teacher)  # type: ignore[no-any-return]
    reader = Reader(options or Options())
    sample = _sample_for(reader.options)
    for page in pages:
        source, tree = read_input(page)
        page_hash = _hash_of(source)
        if page_hash not in sample.records and sample.wants(page_hash):
            try:
                sample.add(page_hash, reader.read(source, tree))
            except UnfitPage:
                continue
    model = fit_model(sample, reader)
    model.sample = sample
    return model


def clean(page: HtmlInput, url: str = "", options: Options | None = None) -> Cleaned:
    """Clean a page that is alone of its site, by a model of itself.

    A model of several pages of the site does better, see :func:`learn`.

    Args:
        page: HTML as text, bytes or a parsel selector. A page that cannot be read comes back unchanged, with the
            reason in :attr:`Cleaned.unchanged`.
        url: its address, which links are relative to.

    Raises:
        TypeError: the page is of another type.
    """
    reader = Reader(options or Options())
    source, tree = read_input(page)
    try:
        read = reader.read(source, tree)
    except UnfitPage as unfit:
        return Cleaned(source, None, (), unfit.reason, url)
    sample = _sample_for(reader.options)
    sample.add(_hash_of(source), read)
    return fit_model(sample, reader).clean_page(source, read, url)


def _sample_for(options: Options) -> SiteSample:
    return SiteSample(SAMPLE_GROWTH * options.pages, segmenter=str(options.segmentation))


def _hash_of(source: str) -> int:
    return hash64(without_boxes(source).encode("utf-8", "replace"))
