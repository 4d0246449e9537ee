"""Read pages that were crawled earlier, and learn from them or clean them.

An extra may replace the formats, workers and outputs of this room by its own.
"""

from scrapy_blockfilter.commands.offline.files import find_files, formats, read_records
from scrapy_blockfilter.commands.offline.records import InputFile, Record

__all__ = ["InputFile", "Record", "find_files", "formats", "read_records"]
