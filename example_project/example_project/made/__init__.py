"""Two sites that code makes up, a newspaper and a shop, with the clutter that such sites have.

The same code always makes the same pages. It knows of each page what its readers came for, so that the demo can count
what the filter kept of it.
"""

from example_project.made.news import news_site
from example_project.made.shop import shop_site
from example_project.made.site import MadePage, MadeSite

__all__ = ["MadePage", "MadeSite", "news_site", "shop_site"]
