"""The tokens that a crawl spares a language model, and those that pages judged one at a time would spare it."""

from __future__ import annotations

import logging
from contextlib import suppress

from scrapy.statscollectors import StatsCollector

from scrapy_blockfilter.batch.one_site import clean
from scrapy_blockfilter.crawl import stats
from scrapy_blockfilter.model import Cleaned
from scrapy_blockfilter.options import Options

logger = logging.getLogger(__name__)

# One page of so many is judged alone, too: that takes a few times as long as judging it by a model.
_EVERY = 25
# Most pages of the sample. A full sample loses every second page, and grows half as fast from then on.
_MOST = 20


class Savings:
    """The text that a crawl strips, with a sample of its pages, evenly spread, that are also judged alone."""

    def __init__(self, options: Options, stats: StatsCollector) -> None:
        self._options = options
        self._stats = stats
        self._pages = 0
        self._every = _EVERY
        # Of each page of the sample the bytes seen, and how many more it would keep if it were judged alone.
        self._sample: list[tuple[int, int]] = []

    def note(self, cleaned: Cleaned) -> None:
        """Note the page of an item. A page that cannot be judged alone is left out of the sample."""
        self._pages += 1
        if self._pages % self._every:
            return
        with suppress(Exception):
            seen, kept = _sizes(cleaned)
            self._sample.append((seen, _sizes(clean(cleaned.source, options=self._options))[1] - kept))
        if len(self._sample) == _MOST:
            del self._sample[::2]
            self._every *= 2

    def tell(self) -> None:
        """Log how many tokens are stripped, at four bytes a token, and how many pages judged alone would keep."""
        seen, stripped = (self._stats.get_value(name, 0) for name in (stats.BYTES_SEEN, stats.BYTES_STRIPPED))
        if not seen:
            return
        message = "%.0f %% of the text of items was stripped: some %d tokens less to read, by bytes / 4"
        values = [100 * stripped / seen, stripped // 4]
        if of_sample := sum(seen for seen, _ in self._sample):
            message += "; %d are left, and one page at a time would have left about %d, by %d pages judged alone"
            more = seen * sum(more for _, more in self._sample) / of_sample
            left = seen - stripped
            values += [left // 4, min(seen, max(0, left + more)) // 4, len(self._sample)]
        logger.info(message, *values)


def _sizes(cleaned: Cleaned) -> tuple[int, int]:
    """Return the bytes of a page's text, and of the text that it keeps."""
    sizes = list(cleaned.sizes())
    return sum(size for size, _ in sizes), sum(size for size, keep in sizes if keep)
