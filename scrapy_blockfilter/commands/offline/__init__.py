"""Read pages that were crawled earlier, and learn from them or clean them.

``files`` finds and opens the files, and ``records`` reads them (``parquet``, too). ``batches`` splits this stream, and
``workers`` spreads it over processes. ``resumable_output`` writes the result.
"""

from scrapy_blockfilter.commands.offline.files import InputFile, find_files
from scrapy_blockfilter.commands.offline.records import Record, read_records

__all__ = ["InputFile", "Record", "find_files", "read_records"]
