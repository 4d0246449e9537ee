"""Pages that were crawled earlier, read one after the other: HTML files, folders, items in JSON lines or CSV, WARC."""

from scrapy_blockfilter.commands.offline.files import InputError, InputFile, find_files
from scrapy_blockfilter.commands.offline.record import Record
from scrapy_blockfilter.commands.offline.records import read_records

__all__ = ["InputError", "InputFile", "Record", "find_files", "read_records"]
