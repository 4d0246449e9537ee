"""Learn in parts: a sample of some rows, samples merged, a model fitted to what came of it.

A site has one sample here, and no further layouts: those of a crawl depend on the order in which it meets pages.
"""

from __future__ import annotations

from collections.abc import Iterable

from scrapy_blockfilter.batch.rows import PageRow
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.model import fit as fit_model
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import SAMPLE_GROWTH, MergeError, SiteSample


def sample_of(rows: Iterable[PageRow], options: Options | None = None, *, epoch: int = 0) -> SiteSample:
    """Return the sample of a site's pages, the same for any order and repetition of them.

    Args:
        rows: pages of one site, read one at a time. Unreadable ones are skipped.
        options: how to learn, by default like a crawl.
        epoch: the crawl that the pages are of, such as 20260401. Samples of different epochs do not merge.
    """
    options = options or Options()
    sample = new_sample(options, epoch)
    reader = Reader(options)
    for row in rows:
        if sample.wants(row.page, row.time):
            try:
                sample.add(row.page, reader.read(row.html), row.time)
            except UnfitPage:
                continue
    return sample


def new_sample(options: Options, epoch: int = 0) -> SiteSample:
    """Return an empty sample."""
    return SiteSample(SAMPLE_GROWTH * options.pages, epoch=epoch, segmenter=str(options.segmentation))


def merge(first: SiteSample, *others: SiteSample) -> SiteSample:
    """Return the sample of all pages of some samples of one site.

    Their order, grouping and repetition change nothing.

    Raises:
        MergeError: they belong to different epochs, sizes of sample, or segmenters.
    """
    merged = SiteSample(first.limit, epoch=first.epoch, segmenter=first.segmenter).merge(first)
    for sample in others:
        if sample.limit != first.limit:
            raise MergeError(f"samples of different limits do not merge: {first.limit} and {sample.limit}")
        merged = merged.merge(sample)
    return merged


def fit(sample: SiteSample, options: Options | None = None) -> SiteModel:
    """Return the model of a site: the same for equal samples and options, on every machine.

    Raises:
        ValueError: the sample has no page, or its blocks were made by another segmenter than the options name.
    """
    options = options or Options()
    wanted = str(options.segmentation)
    if sample.segmenter != wanted:
        raise ValueError(f"a sample of {sample.segmenter!r} blocks, where the options want {wanted!r}")
    model = fit_model(sample, Reader(options))
    model.sample = sample
    return model
