"""Reports as the output of a notebook's cells. Pages and models find them by name, as their room imports none below."""

from __future__ import annotations

from scrapy_blockfilter.model import Cleaned, SiteModel
from scrapy_blockfilter.report.document import in_notebook
from scrapy_blockfilter.report.page_report import page_report
from scrapy_blockfilter.report.site_report import site_report


def page_cell(cleaned: Cleaned) -> str:
    """Return the report on a page."""
    return in_notebook(page_report(cleaned))


def site_cell(model: SiteModel) -> str:
    """Return the report on a site, if its model has the sample."""
    if model.sample is None:
        return f"<p>A model of {model.pages} pages, without its sample: see report.site_report(model, sample).</p>"
    return in_notebook(site_report(model, model.sample))
