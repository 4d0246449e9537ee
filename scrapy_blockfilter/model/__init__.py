"""The model of a site: what was learnt of it, and how it cleans pages.

``site_model`` fits a method to a site's sample, and judges pages with it. ``tables_and_lists`` then keeps
tables and lists whole, and ``selection`` applies the user's selectors. ``losses`` checks whether the page lost far
more than others do. ``cleaned`` holds the result and its forms.
"""

from scrapy_blockfilter.model.cleaned import Cleaned, JudgedBlock
from scrapy_blockfilter.model.site_model import SiteModel, fit

__all__ = ["Cleaned", "JudgedBlock", "SiteModel", "fit"]
