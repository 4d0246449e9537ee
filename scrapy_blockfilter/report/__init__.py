"""What was decided on a page, and why: as plain values for JSON and the terminal, and as one HTML file for a browser.

The HTML is self-contained, loads nothing, and shows pages that may be hostile: every text is escaped in ``markup``, a
page is written anew from lists of what is allowed in ``frame``, and shown in a frame without scripts.
"""

from scrapy_blockfilter.report.facts import page_facts
from scrapy_blockfilter.report.page import page_report

__all__ = ["page_facts", "page_report"]
