"""Clean the pages of many sites in one pass over rows that are sorted by site, then by page.

The first K pages of a sorted site *are* its sample, so a site is learnt from its first rows and cleaned as the rest
streams by. Memory holds one site's sample, K of its pages, and one model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, groupby

from scrapy_blockfilter.batch.rows import CleanedRow, PageRow, distinct
from scrapy_blockfilter.batch.samples import new_sample
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.reader import Reader, read_input
from scrapy_blockfilter.identity.site_keys import domain_of
from scrapy_blockfilter.methods import Reason, Verdict, get_method
from scrapy_blockfilter.model import Cleaned, SiteModel, fit
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import SiteSample

ALONE = ("page", "domain", "pass")
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
    read comes as soon as it is met, and pages alone on their site may come after others of their domain.

    Args:
        rows: sorted by site, then by page; with ``alone="domain"``, by :func:`domain_of` their site before that. They
            are read one at a time.
        options: how to learn and clean, by default like a crawl.
        alone: what to do with a page that is the only readable one of its site: "page" judges it by itself, "domain"
            together with other such pages of its registrable domain. "pass" leaves it as it is, with
            ``cleaned.unchanged`` "warmup".
        epoch: see :func:`sample_of`.
        models: models of sites that are known already, which are not learnt anew.

    Raises:
        ValueError: the rows are not sorted, or ``alone`` is no such choice.
    """
    options = options or Options()
    if alone not in ALONE:
        raise ValueError(f"alone is {alone!r}, but must be one of {', '.join(ALONE)}")
    job = _Job(options, alone, epoch)
    ordered = (row if isinstance(row, PageRow) else PageRow(*row) for row in rows)
    group_of = domain_of if alone == "domain" else str
    for _, of_group in groupby(ordered, key=lambda row: group_of(row.site or "")):
        for site, of_site in groupby(of_group, key=lambda row: row.site):
            pages = distinct(of_site, job.reader)
            if site:
                yield from job.clean_site(pages, None if models is None else models.get(site))
            else:
                yield from (job.cleaned(row, None, "no_site") for row in pages)
        yield from job.clean_lone()


def first_pages(
    pages: Iterator[PageRow], sample: SiteSample, reader: Reader
) -> Iterator[tuple[PageRow, UnfitPage | None]]:
    """Add pages in their order to a sample until it is full. Yield each, with the error of one that is unreadable."""
    for row in pages:
        try:
            sample.add(row.page, reader.read(row.html), row.time)
        except UnfitPage as unfit:
            yield row, unfit
            continue
        yield row, None
        if len(sample) == sample.limit:
            return


def samples_sorted(
    rows: Iterable[PageRow], options: Options | None = None, *, epoch: int = 0
) -> Iterator[tuple[str, SiteSample]]:
    """Return the sample of each site that has a readable page, from rows that are sorted by site, then by page."""
    options = options or Options()
    reader = Reader(options)
    for site, of_site in groupby(rows, key=lambda row: row.site):
        if site:
            sample = new_sample(options, epoch)
            for _ in first_pages(distinct(of_site, reader), sample, reader):
                pass
            if len(sample):
                yield site, sample


class _Job:
    """State of :func:`clean_sorted` while the rows go by."""

    def __init__(self, options: Options, alone: str, epoch: int) -> None:
        self.reader = Reader(options)
        self._options = options
        self._alone = alone
        self._epoch = epoch
        # A method that looks at each page by itself has one model for all sites.
        single_page = get_method(options.method).single_page
        self._of_all = fit(new_sample(options), self.reader) if single_page else None
        # Pages alone on their site, of the domain at hand: those that wait for a model, then the model.
        self._lone: list[PageRow] = []
        self._lone_sample = new_sample(options, epoch)
        self._lone_model: SiteModel | None = None

    def clean_site(self, pages: Iterator[PageRow], model: SiteModel | None) -> Iterator[CleanedRow]:
        """Clean the pages of a site, by a model if it is known."""
        waiting: list[PageRow] = []
        model = model or self._of_all
        if model is None:
            sample = new_sample(self._options, self._epoch)
            for row, unfit in first_pages(pages, sample, self.reader):
                if unfit is None:
                    waiting.append(row)
                else:
                    yield _unread(row, unfit)
            if len(waiting) == 1 and self._alone != "page":
                yield from self._clean_alone(waiting[0], sample)
                return
            if not waiting:
                return
            model = self._fit(sample)
        for row in chain(waiting, pages):
            yield self.cleaned(row, model)

    def clean_lone(self) -> Iterator[CleanedRow]:
        """Clean the pages that waited for others of their domain, and forget the domain."""
        if self._lone:
            model = self._fit(self._lone_sample)
            for row in self._lone:
                yield self.cleaned(row, model)
        self._lone = []
        self._lone_sample = new_sample(self._options, self._epoch)
        self._lone_model = None

    def _clean_alone(self, row: PageRow, sample: SiteSample) -> Iterator[CleanedRow]:
        if self._alone == "pass":
            yield self.cleaned(row, None, "warmup")
        elif self._lone_model is not None:
            yield self.cleaned(row, self._lone_model)
        else:
            self._lone.append(row)
            self._lone_sample = self._lone_sample.merge(sample)
            if len(self._lone) == sample.limit:
                self._lone_model = self._fit(self._lone_sample)
                waiting, self._lone = self._lone, []
                for each in waiting:
                    yield self.cleaned(each, self._lone_model)

    def _fit(self, sample: SiteSample) -> SiteModel:
        model = fit(sample, self.reader)
        model.sample = sample
        return model

    def cleaned(self, row: PageRow, model: SiteModel | None, why: str = "") -> CleanedRow:
        """Return a page as a model judges it; without a model as it is, with the reason."""
        source, tree = read_input(row.html)
        try:
            page = self.reader.read(source, tree)
        except UnfitPage as unfit:
            return _unread(row, unfit)
        if model is not None:
            return CleanedRow(row, model.clean_page(source, page, row.url), model)
        verdicts = [_NOT_JUDGED] * len(page.blocks)
        most = self._options.chunk_characters
        return CleanedRow(row, Cleaned(source, page, verdicts, why, row.url, chunk_characters=most), None)


def _unread(row: PageRow, unfit: UnfitPage) -> CleanedRow:
    return CleanedRow(row, Cleaned(read_input(row.html)[0], None, (), unfit.reason, row.url), None)
