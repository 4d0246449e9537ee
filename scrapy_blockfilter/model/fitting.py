"""Fit the model of a site to its sample."""

from __future__ import annotations

from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.methods import Method, get_method
from scrapy_blockfilter.model.learnt import Learnt
from scrapy_blockfilter.model.one_thread import in_one_thread
from scrapy_blockfilter.model.site_model import SiteModel
from scrapy_blockfilter.options.methods import CLUSTERS, EveryMethod
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.sample.copies import SampledPages, differ_by_a_line


@in_one_thread
def fit(sample: SiteSample, reader: Reader, method: Method | None = None) -> SiteModel:
    """Fit the model of a site to its sample.

    Args:
        reader: reads the pages that the model will clean; its options say how to fit.
        method: fitted in place of the method that the options name.

    Raises:
        ValueError: the sample has no page, and the method needs some.
    """
    options = reader.options
    method = method or get_method(options.method)
    if method.single_page:
        fitted = method.fit((), options)
        return SiteModel(reader, fitted, Learnt.of(fitted, (), SampledPages(), options))
    if cluster := options.arguments(EveryMethod).cluster:
        method = CLUSTERS.load(cluster)(method)
    pages = SampledPages(sample.pages(reader.known))
    if not pages:
        raise ValueError("there is no page to learn from")
    # Copies of a page count once: twenty session ids of one page are no repetition.
    different = pages.different
    if differ_by_a_line(different):
        different = SampledPages(different[:1])
        fitted = method.fit(different, options)
    else:
        fitted = method.fit(pages if method.tells_copies else different, options)
    return SiteModel(reader, fitted, Learnt.of(fitted, pages, different, options))
