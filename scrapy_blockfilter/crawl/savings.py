"""The tokens that a language model need not read after cleaning, by a site's model and with pages judged alone."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from statistics import median

import numpy as np
from scrapy.statscollectors import StatsCollector

from scrapy_blockfilter.crawl import stats
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.methods import get_method
from scrapy_blockfilter.methods.base import Verdict
from scrapy_blockfilter.model import Cleaned, SiteModel
from scrapy_blockfilter.model.losses import kept_flags, share_kept
from scrapy_blockfilter.model.one_thread import in_one_thread
from scrapy_blockfilter.model.tables_and_lists import verdicts_by
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import SiteSample

logger = logging.getLogger(__name__)

# Bytes of a token in a crawl, which counts bytes, and its characters in a sample.
_TOKEN = 4
# One page of a crawl in so many is judged alone, too: that takes longer than judging it by a model.
_EVERY = 25
# Most pages that are judged alone. A crawl with as many loses every second one, and takes half as many from then on.
_MOST = 20


def usual_kept(sample: SiteSample, model: SiteModel) -> float:
    """Return the share of its text that a usual page keeps, also by a method that learns nothing of a site."""
    return model.usual_kept if model.pages else _kept_alone(list(sample.pages()), model)


def tokens_saved(sample: SiteSample, model: SiteModel) -> dict[str, int]:
    """Return the tokens of a usual page that are stripped by the model of a sample, and by each page alone."""
    pages = list(sample.pages())
    alone = _kept_alone(pages, model)
    tokens = median(float(page.weights.sum()) for page in pages) / _TOKEN
    kept = {"tokens_saved": model.usual_kept if model.pages else alone, "tokens_saved_alone": alone}
    return {name: round((1 - share) * tokens) for name, share in kept.items()}


def _kept_alone(pages: Sequence[Page], model: SiteModel) -> float:
    """Return the median share of its text that a page keeps if each is judged by itself."""
    return median(share_kept(page, _judged_alone(page, model.options))[0] for page in pages[:_MOST])


@in_one_thread
def _judged_alone(page: Page, options: Options) -> Sequence[Verdict]:
    return verdicts_by(get_method(options.method).fit((page,), options), page, whole=True)


class Savings:
    """The text that a crawl strips, with a few pages, evenly spread, that are also judged alone."""

    def __init__(self, options: Options, stats: StatsCollector) -> None:
        self._options = options
        self._stats = stats
        self._pages = 0
        self._every = _EVERY
        # For each page judged alone: the bytes seen, and how many more it keeps alone.
        self._alone: list[tuple[int, int]] = []

    def note(self, cleaned: Cleaned) -> None:
        """Note the page of an item. A page that cannot be judged alone does not count."""
        self._pages += 1
        if self._pages % self._every or cleaned.page is None:
            return
        sizes = np.array(cleaned.page.sizes)
        with suppress(Exception):
            alone, kept = map(kept_flags, (_judged_alone(cleaned.page, self._options), cleaned.verdicts))
            self._alone.append((int(sizes.sum()), int(sizes[alone].sum() - sizes[kept].sum())))
        if len(self._alone) == _MOST:
            del self._alone[::2]
            self._every *= 2

    def tell(self) -> None:
        """Log how many tokens are stripped, and how many would be left if each page was judged alone."""
        seen, stripped = (self._stats.get_value(name, 0) for name in (stats.BYTES_SEEN, stats.BYTES_STRIPPED))
        if not seen:
            return
        message = "%.0f %% of the text of items was stripped: some %d tokens less to read, by bytes / 4; %d are left"
        left = seen - stripped
        values = [100 * stripped / seen, stripped // _TOKEN, left // _TOKEN]
        if of_alone := sum(seen for seen, _ in self._alone):
            message += ", and one page at a time would have left about %d (pages judged alone: %d)"
            more = seen * sum(more for _, more in self._alone) / of_alone
            values += [min(seen, max(0, left + more)) // _TOKEN, len(self._alone)]
        logger.info(message, *values)
