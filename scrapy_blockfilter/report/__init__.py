"""Report the verdicts on a page or the template of a site, and why: as plain values, and as one HTML file.

The HTML is self-contained, loads nothing, and may show hostile pages. ``markup`` escapes every text; ``frame`` rewrites
a page from lists of allowed tags and attributes, for a frame without scripts.
"""

from scrapy_blockfilter.report.document import in_notebook
from scrapy_blockfilter.report.page_facts import page_facts
from scrapy_blockfilter.report.page_report import page_report
from scrapy_blockfilter.report.site_facts import site_facts
from scrapy_blockfilter.report.site_report import site_report

__all__ = ["in_notebook", "page_facts", "page_report", "site_facts", "site_report"]
