"""Learn and clean the pages of a corpus: rows of pages, samples of sites, and models fitted to them.

A page that comes with two contents counts once. A site has one sample here, and no further layouts: the layouts of a
crawl depend on the order in which it meets pages.

The first K pages of a sorted site *are* its sample, so a site is learnt from its first rows and cleaned as the rest
streams by. Memory holds one site's sample, K of its pages, and one model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain, groupby, repeat
from typing import NamedTuple

from scrapy_blockfilter.html import Page, UnfitPage
from scrapy_blockfilter.html.reader import HtmlInput, Reader, read_input
from scrapy_blockfilter.identity.site_keys import domain_of
from scrapy_blockfilter.methods import Reason, Verdict, get_method
from scrapy_blockfilter.model import Cleaned, SiteModel
from scrapy_blockfilter.model import fit as fit_model
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import SAMPLE_GROWTH, MergeError, PageRecord, SiteSample

ALONE = ("page", "domain", "pass")
# Pages of a site that are read once, to learn and to clean: all of a site with few. More would need much memory.
_READ_ONCE = 3
_NOT_JUDGED = Verdict(True, 1.0, Reason("other", "nothing is learnt of its site"))


class PageRow(NamedTuple):
    """A page of a corpus.

    Attributes:
        site: the key of its site, see :func:`scrapy_blockfilter.batch.site_key`; None if it belongs to none.
        page: see :func:`scrapy_blockfilter.batch.page_id`.
        html: text, bytes or a parsel selector.
        url: its address, which makes links absolute; "" if unknown.
        time: when it was fetched, as a whole number such as seconds.
    """

    site: str | None
    page: int
    html: HtmlInput
    url: str = ""
    time: int = 0


class CleanedRow(NamedTuple):
    """A page of a corpus, cleaned.

    Attributes:
        model: the model that judged it, whose ``digest`` is the same wherever it was learnt; None if none did.
    """

    row: PageRow
    cleaned: Cleaned
    model: SiteModel | None


def sample_of(rows: Iterable[PageRow], options: Options | None = None, *, epoch: int = 0) -> SiteSample:
    """Return the sample of a site's pages, the same for any order and repetition of them.

    Args:
        rows: pages of one site, read one at a time. Unreadable ones are skipped.
        options: how to learn, by default like a crawl.
        epoch: the crawl that the pages are of, such as 20260401. Samples of different epochs do not merge.
    """
    reader = Reader(options or Options())
    sample = new_sample(reader.options, epoch)
    for row in rows:
        if sample.wants(row.page, row.time):
            with suppress(UnfitPage):
                sample.add(row.page, reader.read(row.html), row.time)
    return sample


def new_sample(options: Options, epoch: int = 0) -> SiteSample:
    """Return an empty sample."""
    return SiteSample(SAMPLE_GROWTH * options.pages, epoch=epoch, segmenter=str(options.segmentation))


def merge(first: SiteSample, *others: SiteSample) -> SiteSample:
    """Return the sample of all pages of some samples of one site.

    Their order, grouping and repetition change nothing.

    Raises:
        MergeError: they belong to different epochs, sizes of sample, or segmenters.
    """
    if not isinstance(first, SiteSample):
        raise TypeError(f"samples are given one by one, as in merge(*samples), not as a {type(first).__name__}")
    merged = SiteSample(first.limit, epoch=first.epoch, segmenter=first.segmenter).merge(first)
    for sample in others:
        if sample.limit != first.limit:
            raise MergeError(f"samples of different limits do not merge: {first.limit} and {sample.limit}")
        merged = merged.merge(sample)
    return merged


def fit(sample: SiteSample, options: Options | None = None) -> SiteModel:
    """Return the model of a site: the same for equal samples and options, on every machine.

    Raises:
        ValueError: the sample has no page, or its blocks were made by another segmenter than the options name.
    """
    reader = Reader(options or Options())
    wanted = str(reader.options.segmentation)
    if sample.segmenter != wanted:
        raise ValueError(f"a sample of {sample.segmenter!r} blocks, where the options want {wanted!r}")
    return fitted(sample, reader)


def fitted(sample: SiteSample, reader: Reader) -> SiteModel:
    """Return the model of a site with the sample that it was fitted to."""
    model = fit_model(sample, reader)
    model.sample = sample
    return model


def clean_sorted(
    rows: Iterable[PageRow],
    options: Options | None = None,
    *,
    alone: str = "page",
    epoch: int = 0,
    models: Mapping[str, SiteModel] | None = None,
) -> Iterator[CleanedRow]:
    """Learn each site from its pages with the smallest identities, and clean all of them.

    Each page comes once: the newest of its rows, else the one with the smallest record. Unreadable pages come as soon
    as they are met, and pages alone on their site may come after others of their domain.

    Args:
        rows: sorted by site, then by page; with ``alone="domain"``, by :func:`domain_of` their site before that. Pages
            are read one at a time. A site that comes again, after others, is learnt anew.
        options: how to learn and clean, by default like a crawl.
        alone: the way with a page that is the only readable one of its site: "page" judges it by itself, "domain"
            together with other such pages of its registrable domain. "pass" leaves it as it is, with
            ``cleaned.unchanged`` "warmup".
        epoch: see :func:`sample_of`.
        models: models of known sites, which are not learnt anew.

    Raises:
        ValueError: the rows of a site are not sorted by page, or ``alone`` is no such choice.
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


def distinct(rows: Iterable[PageRow], reader: Reader) -> Iterator[PageRow]:
    """Yield one row for each page of rows that are sorted by page: the newest, else the one with the smallest record.

    A content that cannot be read has no record, and stays only if there is no other.

    Raises:
        ValueError: the rows are not sorted.
    """
    best: PageRow | None = None
    for row in rows:
        if best is None or row.page != best.page:
            if best is not None:
                if row.page < best.page:
                    raise ValueError(f"rows of the site {row.site!r} are not sorted by page: {row.page}, {best.page}")
                yield best
            best = row
        elif row.time > best.time or (row.time == best.time and _is_smaller(row, best, reader)):
            best = row
    if best is not None:
        yield best


def _is_smaller(row: PageRow, other: PageRow, reader: Reader) -> bool:
    source, other_source = (read_input(each.html)[0] for each in (row, other))
    return source != other_source and _rank(source, reader) < _rank(other_source, reader)


def _rank(source: str, reader: Reader) -> tuple[bool, bytes, bytes, bytes]:
    content = source.encode("utf-8", "surrogatepass")
    try:
        record = PageRecord.of(reader.read(source))
    except UnfitPage:
        return True, b"", b"", content
    return False, record.keys, record.body, content


def first_pages(
    pages: Iterator[PageRow], sample: SiteSample, reader: Reader
) -> Iterator[tuple[PageRow, Page | UnfitPage]]:
    """Add pages in their order to a sample until it is full. Yield each as it was read, or why it is unreadable."""
    for row in pages:
        try:
            page = reader.read(row.html)
            sample.add(row.page, page, row.time)
        except UnfitPage as unfit:
            yield row, unfit
            continue
        yield row, page
        if len(sample) == sample.limit:
            return


class _Job:
    """State of :func:`clean_sorted` while the rows go by."""

    def __init__(self, options: Options, alone: str, epoch: int) -> None:
        self.reader = Reader(options)
        self._alone = alone
        self._epoch = epoch
        # A method that looks at each page by itself has one model for all sites.
        single_page = get_method(options.method).single_page
        self._of_all = fit_model(new_sample(options), self.reader) if single_page else None
        # Pages alone on their site, of the domain at hand: those that wait for a model, then the model.
        self._lone: list[tuple[PageRow, SiteSample]] = []
        self._lone_model: SiteModel | None = None

    def clean_site(self, pages: Iterator[PageRow], model: SiteModel | None) -> Iterator[CleanedRow]:
        """Clean the pages of a site, by a model if it is known."""
        waiting: list[PageRow] = []
        read: list[Page] = []
        model = model or self._of_all
        if model is None:
            sample = new_sample(self.reader.options, self._epoch)
            for row, page in first_pages(pages, sample, self.reader):
                if isinstance(page, UnfitPage):
                    yield _unread(row, page)
                    continue
                waiting.append(row)
                if len(read) < _READ_ONCE:
                    read.append(page)
            if len(waiting) == 1 and self._alone != "page":
                yield from self._clean_alone(waiting[0], sample)
                return
            if not waiting:
                return
            model = fitted(sample, self.reader)
        for row, known in zip(chain(waiting, pages), chain(read, repeat(None)), strict=False):
            yield self.cleaned(row, model, page=known)

    def clean_lone(self) -> Iterator[CleanedRow]:
        """Clean the pages that waited for others of their domain, and forget the domain."""
        yield from self._clean_waiting()
        self._lone_model = None

    def _clean_waiting(self) -> Iterator[CleanedRow]:
        waiting, self._lone = self._lone, []
        if waiting:
            self._lone_model = fitted(merge(*(sample for _, sample in waiting)), self.reader)
        for row, _ in waiting:
            yield self.cleaned(row, self._lone_model)

    def _clean_alone(self, row: PageRow, sample: SiteSample) -> Iterator[CleanedRow]:
        if self._alone == "pass":
            yield self.cleaned(row, None, "warmup")
        elif self._lone_model is not None:
            yield self.cleaned(row, self._lone_model)
        else:
            self._lone.append((row, sample))
            if len(self._lone) == sample.limit:
                yield from self._clean_waiting()

    def cleaned(self, row: PageRow, model: SiteModel | None, why: str = "", page: Page | None = None) -> CleanedRow:
        """Return a page, read if it is, as a model judges it; without a model as it is, with the reason."""
        source, tree = read_input(row.html)
        try:
            page = page or self.reader.read(source, tree)
        except UnfitPage as unfit:
            return _unread(row, unfit)
        if model is not None:
            return CleanedRow(row, model.clean_page(source, page, row.url), model)
        verdicts = [_NOT_JUDGED] * len(page.blocks)
        most = self.reader.options.chunk_characters
        return CleanedRow(row, Cleaned(source, page, verdicts, why, row.url, chunk_characters=most), None)


def _unread(row: PageRow, unfit: UnfitPage) -> CleanedRow:
    return CleanedRow(row, Cleaned(read_input(row.html)[0], None, (), unfit.reason, row.url), None)
