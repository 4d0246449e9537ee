"""Learn and clean a corpus on Spark: DataFrames of pages in, DataFrames of cleaned pages or of models out.

Needs the extra ``spark``. ``frames`` plans what :mod:`scrapy_blockfilter.batch` does in the tasks, and learns sites of
many pages first, so that their pages can be spread over all tasks. ``tasks`` is what runs in them.
``python -m scrapy_blockfilter.extras.spark`` runs a job.
"""

from scrapy_blockfilter.plugins import Library

SPARK = Library("pyarrow", "spark", "batches of Spark are read by pyarrow")

SPARK.require()  # before Arrow is imported

from scrapy_blockfilter.extras.spark.frames import clean, learn  # noqa: E402
from scrapy_blockfilter.extras.spark.web_archives import read_warc  # noqa: E402

__all__ = ["clean", "learn", "read_warc"]
