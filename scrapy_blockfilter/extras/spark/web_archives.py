"""Read the pages of web archives into a DataFrame, one archive a task."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import pyarrow as pa

from scrapy_blockfilter.extras.spark.tasks import ROWS
from scrapy_blockfilter.plugins import Library
from scrapy_blockfilter.text.normal_form import encodable

SPARK_WARC = Library("warcio", "spark,warc", "WARC files are read by warcio")

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

logger = logging.getLogger(__name__)

_PAGES = "url string, html string, time bigint"
_ARROW = pa.schema([("url", pa.string()), ("html", pa.string()), ("time", pa.int64())])


def read_warc(session: SparkSession, paths: Sequence[str]) -> DataFrame:
    """Return the HTML pages with status 200 of some WARC files: ``url``, ``html`` and ``time``, in seconds since 1970.

    Pages are decoded as in a crawl. Unreadable pages are left out, and named in the log of the task.

    Args:
        paths: files that every worker sees, or addresses such as ``s3://…`` for fsspec.

    Raises:
        ImportError: warcio is missing; the extra ``warc`` installs it.
    """
    SPARK_WARC.require()
    paths = [str(path) for path in paths]
    numbers = session.range(0, len(paths), 1, max(1, len(paths)))
    return numbers.mapInArrow(partial(read_archives, paths), _PAGES)


def read_archives(paths: Sequence[str], batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the pages of the archives with these numbers."""
    for path in (paths[number] for batch in batches for number in batch.column(0).to_pylist()):
        with _opened(path) as stream:
            rows = _rows(path, stream)
            while some := list(islice(rows, ROWS)):
                yield pa.RecordBatch.from_pylist(some, _ARROW)


def _rows(path: str, stream: IO[bytes]) -> Iterator[dict[str, Any]]:
    from scrapy_blockfilter.batch.archives import archived_responses  # of the extra ``warc``

    for page in archived_responses(stream):
        if page.error:
            logger.warning("%s:%d: %s", path, page.number, page.error)
        elif page.html is not None:
            yield {"url": page.url, "html": encodable(page.html), "time": page.time}


def _opened(path: str) -> IO[bytes]:
    if "://" not in path:
        return Path(path).open("rb")
    import fsspec  # of the extra ``files``

    opened: IO[bytes] = fsspec.open(path, "rb").open()
    return opened
