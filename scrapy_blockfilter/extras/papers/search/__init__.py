"""The command ``search``: pages by page and by block (Shinde, Bolli, Kulkarni 2013, section 6; Cai, Yu, Wen, Ma 2004).

The ``command`` makes a document with passages of an item's page. ``words`` turns its text, and a query, into words to
look up, and chooses what to show of a passage. ``search_index`` keeps documents in a file, and ranks them.
"""

from scrapy_blockfilter.extras.papers.search.search_index import BY, Document, Found, Result, SearchIndex

__all__ = ["BY", "Document", "Found", "Result", "SearchIndex"]
