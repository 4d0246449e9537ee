"""What else ``learn``, ``clean`` and other commands read and write: ``formats`` adds it to the core's own.

Files may be packed or at URLs (``places``), CSV or Parquet (``tables``). A run that was stopped resumes its output
(``resumable_output``), and several processes share the work (``processes``).
"""

from scrapy_blockfilter.extras.files.formats import FORMATS

__all__ = ["FORMATS"]
