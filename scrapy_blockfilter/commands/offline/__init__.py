"""Read pages that were crawled earlier, and learn from them or clean them.

``files`` finds the files, ``packing`` opens packed and distant ones, and ``records`` reads them (``warc`` archives,
``parquet``), as a stream of ``record``. ``batches`` splits the stream, and ``workers`` spreads it over processes.
``teacher`` learns from a record, and ``record_cleaner`` cleans it.
``resumable_output`` writes the result to a ``target``, under a ``file_lock``, and ``progress`` shows how far it is.
"""

from scrapy_blockfilter.commands.offline.files import InputError, InputFile, find_files
from scrapy_blockfilter.commands.offline.record import Record
from scrapy_blockfilter.commands.offline.records import read_records

__all__ = ["InputError", "InputFile", "Record", "find_files", "read_records"]
