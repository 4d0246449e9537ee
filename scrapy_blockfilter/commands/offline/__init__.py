"""Read pages that were crawled earlier, and learn from them or clean them.

An extra may put other formats, workers and outputs in the place of those here.
"""

from scrapy_blockfilter.commands.offline.files import find_files, formats, read_records
from scrapy_blockfilter.commands.offline.records import InputFile, Record

__all__ = ["InputFile", "Record", "find_files", "formats", "read_records"]
