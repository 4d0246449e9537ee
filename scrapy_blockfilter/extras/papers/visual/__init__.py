"""Have a browser write where it shows the elements of a page, for the segmenters "vips" and "combined".

``SCRIPT`` writes the attribute that ``boxes`` reads. The script is an expression: the ``evaluate`` of Playwright, the
``execute_script`` of Selenium and the like run it as it is, once the page has loaded. With scrapy-playwright, the
``middleware`` has every page do so. ``segmenters`` has the two, and ``vips`` the method.
"""

from __future__ import annotations

from importlib.resources import files

__all__ = ["HEIGHT", "SCRIPT", "WIDTH"]

SCRIPT = files(__package__).joinpath("annotate.js").read_text(encoding="utf-8")
# Pixels of the window. With another width, a page has another layout, so its blocks are others.
WIDTH, HEIGHT = 1280, 720
