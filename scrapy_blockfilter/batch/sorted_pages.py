"""Clean the pages of many sites in one pass over rows that are sorted by site, then by page.

The first K pages of a sorted site *are* its sample, so a site is learnt from its first rows and cleaned as the rest
streams by. What is in memory is one site's sample, K of its pages, and one model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, groupby

from scrapy_blockfilter.batch.reader import Reader
from scrapy_blockfilter.batch.rows import CleanedRow, PageRow, distinct
from scrapy_blockfilter.batch.samples import new_sample
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.methods import Reason, Verdict, get_method
from scrapy_blockfilter.model import Cleaned, SiteModel, fit
from scrapy_blockfilter.options import Options

ALONE = ("page", "pass")
_NOT_JUDGED = Verdict(True, 1.0, Reason("other", "nothing is learnt of its site"))


def clean_sorted(
    rows: Iterable[PageRow],
    options: Options | None = None,
    *,
    alone: str = "page",
    epoch: int = 0,
    models: Mapping[str, SiteModel] | None = None,
) -> Iterator[CleanedRow]:
    """Learn each site from its pages with the smallest identities, and clean all of them.

    Yields one row for each page, the newest of several, else the one with the smallest record. A page that cannot be
    read comes as soon as it is met, all others in their order.

    Args:
        rows: sorted by site, then by page. They are read one at a time.
        options: how to learn and clean, by default like a crawl.
        alone: what to do with a page that is the only readable one of its site: "page" judges it by itself, "pass"
            leaves it as it is, with ``cleaned.unchanged`` "warmup".
        epoch: see :func:`sample_of`.
        models: models of sites that are known already, which are not learnt anew.

    Raises:
        ValueError: the rows are not sorted, or ``alone`` is no such choice.
    """
    options = options or Options()
    if alone not in ALONE:
        raise ValueError(f"alone is {alone!r}, but must be one of {', '.join(ALONE)}")
    job = _Job(options, alone, epoch)
    for site, of_site in groupby((PageRow(*row) for row in rows), key=lambda row: row.site):
        pages = distinct(of_site, job.reader)
        if not site:
            yield from (job.passed(row, "no_site") for row in pages)
        else:
            yield from job.clean_site(pages, (models or {}).get(site))


class _Job:
    def __init__(self, options: Options, alone: str, epoch: int) -> None:
        self.reader = Reader(options)
        self._options = options
        self._alone = alone
        self._epoch = epoch
        # A method that looks at each page by itself has one model for all sites.
        single_page = get_method(options.method).single_page
        self._of_all = fit(new_sample(options), options, self.reader.known) if single_page else None

    def clean_site(self, pages: Iterator[PageRow], model: SiteModel | None) -> Iterator[CleanedRow]:
        waiting: list[PageRow] = []
        model = model or self._of_all
        if model is None:
            sample = new_sample(self._options, self._epoch)
            for row in pages:
                try:
                    sample.add(row.page, self.reader.page(row.html), row.time)
                except UnfitPage as unfit:
                    yield self._unread(row, unfit)
                    continue
                waiting.append(row)
                if len(sample) == sample.limit:
                    break
            if not waiting:
                return
            if len(waiting) == 1 and self._alone == "pass":
                yield self.passed(waiting[0], "warmup")
                return
            model = fit(sample, self._options, self.reader.known)
            model.sample = sample
        for row in chain(waiting, pages):
            yield self._cleaned(row, model)

    def _cleaned(self, row: PageRow, model: SiteModel) -> CleanedRow:
        try:
            source, page = self.reader.read(row.html)
        except UnfitPage as unfit:
            return self._unread(row, unfit)
        return CleanedRow(row, model.clean_page(source, page, row.url), model)

    def passed(self, row: PageRow, why: str) -> CleanedRow:
        """Return a page that is not judged."""
        try:
            source, page = self.reader.read(row.html)
        except UnfitPage as unfit:
            return self._unread(row, unfit)
        verdicts = [_NOT_JUDGED] * len(page.blocks)
        most = self._options.chunk_characters
        return CleanedRow(row, Cleaned(source, page, verdicts, why, row.url, chunk_characters=most), None)

    def _unread(self, row: PageRow, unfit: UnfitPage) -> CleanedRow:
        return CleanedRow(row, Cleaned(self.reader.source(row.html), None, (), unfit.reason, row.url), None)
