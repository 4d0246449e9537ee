"""What was learnt of a site, asked to clean its pages."""

from scrapy_blockfilter.model.cleaned import Cleaned, JudgedBlock
from scrapy_blockfilter.model.site_model import SiteModel, fit

__all__ = ["Cleaned", "JudgedBlock", "SiteModel", "fit"]
