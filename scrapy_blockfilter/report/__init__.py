"""Report what was decided on a page or learnt of a site, and why: as plain values, and as one HTML file.

``survey`` counts what a model strips from the pages it was learnt from. ``page_facts`` and ``site_facts`` turn results
into plain values, for JSON (``plain_json``) and the terminal. ``block_corrections`` proposes what a person may type.

``page_report`` and ``site_report`` make the HTML from these, with ``viewer``, ``plots`` and ``document``. It is
self-contained, loads nothing, and may show hostile pages. ``markup`` escapes every text; ``frame``
rewrites a page from lists of what is allowed, for a frame without scripts.
"""

from scrapy_blockfilter.report.document import in_notebook
from scrapy_blockfilter.report.page_facts import page_facts
from scrapy_blockfilter.report.page_report import page_report
from scrapy_blockfilter.report.site_facts import site_facts
from scrapy_blockfilter.report.site_report import site_report

__all__ = ["in_notebook", "page_facts", "page_report", "site_facts", "site_report"]
