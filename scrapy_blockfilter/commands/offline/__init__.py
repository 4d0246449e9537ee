"""Read pages that were crawled earlier, and learn from them or clean them.

``files`` finds the files, and ``records`` reads them. ``batches`` splits this stream, and ``tally`` counts what became
of it. ``plain`` has the worker and the output. An extra may put other formats, workers and outputs into their place.
"""

from scrapy_blockfilter.commands.offline.files import find_files, formats, read_records
from scrapy_blockfilter.commands.offline.records import InputFile, Record

__all__ = ["InputFile", "Record", "find_files", "formats", "read_records"]
