"""Whether a page still looks like the pages that a model was fitted to, and what to make of those that do not.

What half of a site's pages share, texts and style paths, is the signature of its template. A page that shows less than
half of it, as measured by what the pages learnt from show, does not fit: the site was redesigned, or it is of another
section, of a variant under test, or a wall in front of the real page. Such misfits are collected, and when N different
ones look alike they are a layout of their own, to be learnt beside the others.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence

from scrapy_blockfilter.consensus.features.of_site import LINE, different_pages
from scrapy_blockfilter.html.page import Page
from scrapy_blockfilter.sample import PageFeatures, SiteSample

# A page fits from this share of what is usual on. Learnt from the first pages of 118 sites, 93 % of their other pages
# do, the rest being of other sections and kinds; of pages of other sites 1 in 2,000. Of three publishers' pages of
# other years none: they reach .17, .42 and, in a template of 16 marks, .90 (.62 of .69).
FITS = 0.5
# What stands on this share of the pages is of the template. With .8 a third as many pages of the same site do not fit,
# but five times as many of other sites do.
_COMMON = 0.5
# Misfits are alike when the median page has this share of what half of them have. The first pages of 95 % of 118 sites
# are, and of 200 mixtures of two sites, five pages each, 1 % at the most.
_ALIKE = 0.65
# A layout is not told from fewer pages, however small N.
_LEAST_PAGES = 3
# With fewer marks than this in common, pages tell no layout.
_LEAST_MARKS = 3
_OF_ANY_PAGE = frozenset({"html", "head", "title", "body"})


def marks_of(page: PageFeatures) -> frozenset[int]:
    """What a page can share with others: the keys of its blocks and the style paths of its elements, without those that
    every page has."""
    columns = page.columns
    slots = [slot for slot, tag in zip(columns.slots.tolist(), columns.tags, strict=True) if tag not in _OF_ANY_PAGE]
    return frozenset(columns.keys.tolist()).union(slots)


def differ_by_a_line(pages: Sequence[PageFeatures]) -> bool:
    """Whether pages have no more of their own than one short text, as a wall with a reference number has, or a page
    that says when it was made: nothing tells what of them is template, and without the rest next to nothing is left."""
    on_pages = Counter(key for page in pages for key in set(page.columns.keys.tolist()))
    own_texts, own_lengths = [], []
    for page in pages:
        columns = page.columns
        own = [number for number, key in enumerate(columns.keys.tolist()) if on_pages[key] == 1]
        own_texts.append(len(own))
        own_lengths.append(float(columns.weights[own].sum()))
    return len(pages) > 1 and statistics.median(own_texts) <= 1 and statistics.median(own_lengths) < LINE


class Signature:
    """What the pages of one layout have in common. Immutable.

    Attributes:
        marks: what stands on at least half of the pages.
        usual: the share of them that a page of the layout has, the median.
    """

    __slots__ = ("marks", "usual")

    def __init__(self, pages: Sequence[frozenset[int]]) -> None:
        on_pages = Counter(mark for marks in pages for mark in marks)
        least = max(2, _COMMON * len(pages))
        self.marks = frozenset(mark for mark, count in on_pages.items() if count >= least)
        self.usual = statistics.median(map(self._share, pages)) if pages else 0.0

    @property
    def tells(self) -> bool:
        """Whether there is enough in common to tell a layout by."""
        return len(self.marks) >= _LEAST_MARKS

    def fit(self, marks: frozenset[int]) -> float:
        """How much of the template a page shows, 1.0 being as much as is usual, and 1.0 where nothing can be told."""
        return self._share(marks) / self.usual if self.tells else 1.0

    def _share(self, marks: frozenset[int]) -> float:
        return len(self.marks & marks) / len(self.marks) if self.marks else 0.0


def is_of(signature: Signature, sample: SiteSample) -> bool:
    """Whether most pages of a sample fit a layout."""
    return statistics.median(signature.fit(marks_of(page)) for page in sample.pages()) >= FITS


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
