"""Write the learnt rules of a site as text: to review, to keep under version control, to use elsewhere.

``site_rules`` writes and reads everything that cleaning takes, as JSON lines.
``correction_lines`` writes and reads what a person has corrected, to be edited.
"""

from scrapy_blockfilter.extras.exchange.correction_lines import is_corrections, read_corrections, write_corrections
from scrapy_blockfilter.extras.exchange.site_rules import Rules, RulesError, read_rules, write_rules

__all__ = [
    "Rules",
    "RulesError",
    "is_corrections",
    "read_corrections",
    "read_rules",
    "write_corrections",
    "write_rules",
]
