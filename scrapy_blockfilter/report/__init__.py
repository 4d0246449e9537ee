"""What was decided on a page or learnt of a site, and why: as plain values for JSON and the terminal, and as one HTML
file for a browser.

The HTML is self-contained, loads nothing, and shows pages that may be hostile: every text is escaped in ``markup``, a
page is written anew from lists of what is allowed in ``frame``, and shown in a frame without scripts.
"""

from scrapy_blockfilter.report.document import in_notebook
from scrapy_blockfilter.report.page_facts import page_facts
from scrapy_blockfilter.report.page_report import page_report
from scrapy_blockfilter.report.site_facts import site_facts
from scrapy_blockfilter.report.site_report import site_report

__all__ = ["in_notebook", "page_facts", "page_report", "site_facts", "site_report"]
