"""Files of ``learn``, ``clean`` and other commands beyond those of the core, to which ``formats`` adds them.

Files may be packed or at URLs (``places``), CSV or Parquet (``parquet``). A run that was stopped resumes its output
(``resumable_output``), and several processes share the work (``processes``).
"""

from scrapy_blockfilter.extras.files.formats import FORMATS

__all__ = ["FORMATS"]
