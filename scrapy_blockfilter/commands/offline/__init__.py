"""Read pages that were crawled earlier, and learn from them or clean them.

``files`` finds the files, ``records`` reads them (``warc`` archives), as a stream of ``record``. ``batches`` splits the
stream, and ``workers`` spreads it over processes. ``record_cleaner`` cleans a record, ``resumable_output`` writes the
result, under a ``file_lock``, and ``progress`` shows how far it is.
"""

from scrapy_blockfilter.commands.offline.files import InputError, InputFile, find_files
from scrapy_blockfilter.commands.offline.record import Record
from scrapy_blockfilter.commands.offline.records import read_records

__all__ = ["InputError", "InputFile", "Record", "find_files", "read_records"]
