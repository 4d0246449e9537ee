"""Whether a page still looks like the pages that a model was fitted to, and what to make of those that do not.

What half of a site's pages share, texts and style paths, is the signature of its template. A page that shows less than
half of it, as measured by what the pages learnt from show, does not fit: the site was redesigned, or it is of another
section, of a variant under test, or a wall in front of the real page. Such misfits are collected, and when N different
ones look alike they are a layout of their own, to be learnt beside the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scrapy_blockfilter.html.page import Page
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.sample.copies import differ_by_a_line, different_pages
from scrapy_blockfilter.sample.signature import FITS, Signature, marks_of

# Misfits are alike when the median page has this share of what half of them have. The first pages of 95 % of 118 sites
# are, and of 200 mixtures of two sites, five pages each, 1 % at the most.
_ALIKE = 0.65
# A layout is not told from fewer pages, however small N.
_LEAST_PAGES = 3


class Misfits:
    """Pages that fit no layout of their site, until enough of them look alike.

    Args:
        sample: those that were collected before.
        enough: N, the number of different pages that make a layout.
        known: the layouts of the site, some of them perhaps learnt since.

    Attributes:
        sample: what is collected.
        is_unsaved: whether there are some that were not there at first.
    """

    def __init__(self, sample: SiteSample, enough: int, known: Sequence[Signature] = ()) -> None:
        self._enough = max(_LEAST_PAGES, enough)
        self.sample = sample
        self.is_unsaved = False
        self._marks = dict(zip(sorted(sample.records), map(marks_of, sample.pages()), strict=True))
        self._keep(
            page_hash
            for page_hash, marks in self._marks.items()
            if all(signature.fit(marks) < FITS for signature in known)
        )

    def take(self, page_hash: int, page: Page) -> bool:
        """Take a page in; False if it is in. Where there is no room, all that were collected go: they were of many
        kinds, and what comes now tells more of the site than they."""
        if page_hash in self._marks:
            return False
        if len(self.sample) >= self.sample.limit:
            self._keep([])
        self.sample.add(page_hash, page)
        self._marks[page_hash] = marks_of(page)
        self.is_unsaved = True
        return True

    def layout(self) -> SiteSample | None:
        """The pages of a new layout, which are no misfits from then on; None while too few different ones are alike."""
        if len(self._marks) < self._enough:
            return None
        signature = Signature(list(self._marks.values()))
        if not signature.tells or signature.usual < _ALIKE:
            return None
        alike = [page_hash for page_hash, marks in self._marks.items() if signature.fit(marks) >= FITS]
        if len(alike) < self._enough:
            return None
        found = _part(self.sample, alike)
        pages = list(found.pages())
        different = [0] if differ_by_a_line(pages) else different_pages([page.columns for page in pages])
        if len(different) < self._enough:  # of a page that came again and again one is enough
            once = [sorted(alike)[number] for number in different]
            self._keep([*once, *(self._marks.keys() - set(alike))])
            return None
        self._keep(self._marks.keys() - set(alike))
        return found

    def _keep(self, page_hashes: Iterable[int]) -> None:
        self.sample = _part(self.sample, page_hashes)
        self._marks = {page_hash: self._marks[page_hash] for page_hash in self.sample.records}


def _part(sample: SiteSample, page_hashes: Iterable[int]) -> SiteSample:
    """The sample of some of its pages, with their texts."""
    part = SiteSample(sample.limit)
    records = {page_hash: sample.records[page_hash] for page_hash in page_hashes}
    keys = set().union(*(record.block_keys() for record in records.values()))
    part.add_rows(records.items(), {key: text for key, text in sample.texts.items() if key in keys}, sample.steps)
    return part
