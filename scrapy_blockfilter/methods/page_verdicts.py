"""The first step of the default method: verdicts by the scores of a page's blocks and by what the page itself shows."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count, repeat
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from scrapy_blockfilter.evidence.agreement import SlotScores
from scrapy_blockfilter.evidence.articles import HeadlineSlots, are_of_others, follow
from scrapy_blockfilter.evidence.clutter import comment_threads, shared_endings
from scrapy_blockfilter.evidence.comments import are_comments
from scrapy_blockfilter.evidence.copies import CopySlots
from scrapy_blockfilter.evidence.elements import without_content
from scrapy_blockfilter.evidence.features import NAMES, Evidence, evidence_of
from scrapy_blockfilter.evidence.main_element import below_content
from scrapy_blockfilter.evidence.network import Network
from scrapy_blockfilter.evidence.own_kind import of_its_own_kind
from scrapy_blockfilter.evidence.quotations import quoted_in_content
from scrapy_blockfilter.evidence.reasons import Reasons
from scrapy_blockfilter.evidence.repetition import are_on_nearly_all, are_repeated
from scrapy_blockfilter.evidence.site import SiteStatistics
from scrapy_blockfilter.evidence.tree import Floats
from scrapy_blockfilter.html.columns import PageColumns
from scrapy_blockfilter.methods.base import TITLE_STAYS, Verdict
from scrapy_blockfilter.methods.draft import Draft, Flags, strip_by_structure, strip_links

# Blocks above this score stay. It hardly matters: with .35 or .55 the mean F1 of six sets, cross-validated over sites,
# differed by .002 at most.
THRESHOLD = 0.45
# A page was cleaned before if it would lose hardly any of the template blocks that a page of its site usually loses
# (this share of at least so many), and keep most of its text and blocks, while this share of its style paths is the
# site's. Of 217 real pages that were cleaned, a second cleaning changes 1, and without this 18 (`make bench-twice`); of
# the pages as they come so few are taken for one that F1 of no set falls by .001.
_FEW_STRIPPED, _LEAST_STRIPPED, _KNOWN_PATHS = 0.1, 2, 0.1
_MOST_OF_TEXT, _MOST_OF_BLOCKS = 0.85, 0.5
_IS_TITLE = NAMES.index("tag: title")


class _Scored(Verdict):
    """A verdict on a block, by its number, whose reason is worked out when it is asked for."""

    __slots__ = ("_block", "_reasons")

    def __init__(self, keep: bool, score: float, block: int, reasons: Reasons) -> None:
        self.keep = keep
        self.score = score
        self._block = block
        self._reasons = reasons

    @property
    def reason(self) -> str:
        return self._reasons.of(self._block, self.keep)


class _Judged(NamedTuple):
    """A page with the scores of its blocks: their own, and with what their slots say."""

    evidence: Evidence
    own: Floats
    scores: Floats


class Decided(NamedTuple):
    """What the first step says of a page.

    Attributes:
        by_score: which blocks go by their score, whatever the page shows.
        may_go: which blocks may be stripped: all but the TITLE.
        was_cleaned_before: whether the verdicts are final, as the page has lost its template already.
    """

    evidence: Evidence
    draft: Draft
    by_score: Flags
    may_go: Flags
    was_cleaned_before: bool

    @property
    def keep(self) -> Flags:
        """Which of the blocks that may go stay so far."""
        return self.draft.keep & self.may_go

    @property
    def judged(self) -> Flags:
        """Which of the blocks that may go stay so far, or go by their score."""
        return (self.draft.keep | self.by_score) & self.may_go


class PageVerdicts:
    """What the network is asked with on one site, and what else is known by which a single page is judged.

    Args:
        pages: those learnt from.
    """

    def __init__(
        self, site: SiteStatistics, network: Network, pages: Iterable[PageColumns], *, keeps_comments: bool
    ) -> None:
        self._site = site
        self._network = network
        self._keeps_comments = keeps_comments
        learnt = [(page, evidence_of(page, site)) for page in pages]
        self._slot_impressions = network.slot_impressions([evidence for _, evidence in learnt], site.slots)
        own = [network.scores(evidence, self._slot_impressions) for _, evidence in learnt]
        self._slot_scores = SlotScores(
            ((evidence, scores) for (_, evidence), scores in zip(learnt, own, strict=True)), site.slots
        )
        judged = [
            (page, _Judged(evidence, scores, self._slot_scores.put_right(evidence, scores)))
            for (page, evidence), scores in zip(learnt, own, strict=True)
        ]
        # As long as the pages are there, to which nothing here may hold on: a model judges them once more to know what
        # pages usually keep.
        self._learnt = WeakKeyDictionary(judged)
        self._headlines = HeadlineSlots(learnt)
        scored = [(page, found.evidence, found.scores > THRESHOLD) for page, found in judged]
        self._copies = CopySlots(scored)
        self._usually_stripped = float(np.mean([_stripped_of_template(evidence, keep) for _, evidence, keep in scored]))

    def of(self, columns: PageColumns) -> Decided:
        """Verdicts on the blocks of a page."""
        judged = self._learnt.get(columns) or self._judged(columns)
        evidence, scores = judged.evidence, judged.scores
        keep = scores > THRESHOLD
        may_go = evidence.matrix[:, _IS_TITLE] <= 0
        if self._was_cleaned_before(evidence, keep):
            stays: list[Verdict] = [Verdict(True, score, _CLEANED_BEFORE) for score in scores.tolist()]
            return Decided(evidence, Draft(stays, np.ones(len(keep), np.bool_)), ~keep, may_go, True)
        draft = self._by_score(columns, judged, keep.copy())
        empty = list(without_content(columns, evidence.tree))
        draft.save(of_its_own_kind(columns, evidence, keep, _without(may_go, empty)), _OF_ITS_OWN_KIND)
        quoted = quoted_in_content(columns, evidence, keep)
        draft.save(quoted, "a text that pages quote, in the midst of what is kept")
        draft.strip(self._copies.blocks_in(columns, evidence, draft.keep), _SHOWN_BEFORE)
        draft.strip(np.flatnonzero(self._of_other_articles(columns, evidence)).tolist(), _OF_ANOTHER)
        if self._keeps_comments:
            draft.save(np.flatnonzero(are_comments(evidence) & ~keep).tolist(), "a reader's comment")
        for block in np.flatnonzero(are_on_nearly_all(evidence) & draft.keep).tolist():
            draft.strip([block], _on_others(evidence, block), score=0.0)
        strip_by_structure(draft, columns, empty)
        self._strip_clutter(draft, columns, judged, may_go, quoted)
        for block in np.flatnonzero(~may_go).tolist():
            draft.verdicts[block] = TITLE_STAYS
            draft.keep[block] = True
        return Decided(evidence, draft, ~keep, may_go, False)

    def _by_score(self, columns: PageColumns, judged: _Judged, keep: Flags) -> Draft:
        by_slot = (judged.own > THRESHOLD) != keep
        reasons = Reasons(columns, judged.evidence, self._network, self._slot_impressions, by_slot)
        return Draft(list(map(_Scored, keep.tolist(), judged.scores.tolist(), count(), repeat(reasons))), keep)

    def _strip_clutter(
        self, draft: Draft, columns: PageColumns, judged: _Judged, may_go: Flags, quoted: list[int]
    ) -> None:
        """Strip what stays and is clutter beside the rest."""
        evidence = judged.evidence
        if not self._keeps_comments:
            comments = comment_threads(columns, evidence, draft.keep & may_go)
            draft.strip(np.flatnonzero(comments & may_go).tolist(), _COMMENTS, score=0.0)
        strip_links(draft, columns, may_go)
        keep = draft.keep & may_go
        keep[quoted] = False
        for block in shared_endings(columns, evidence, keep):
            draft.strip([block], f"{_on_others(evidence, block)}, and the last on this", score=0.0)
        by_score = draft.keep & may_go & (judged.scores > THRESHOLD)
        if self._keeps_comments:
            by_score &= ~are_comments(evidence)
        draft.strip(below_content(columns, evidence.tree, judged.scores * may_go, by_score), _BELOW_CONTENT)

    def _of_other_articles(self, columns: PageColumns, evidence: Evidence) -> Flags:
        if self._headlines.usual:
            return self._headlines.below_others(columns, evidence)
        return are_of_others(evidence) & follow(columns, evidence)

    def _judged(self, page: PageColumns) -> _Judged:
        evidence = evidence_of(page, self._site)
        own = self._network.scores(evidence, self._slot_impressions)
        return _Judged(evidence, own, self._slot_scores.put_right(evidence, own))

    def _was_cleaned_before(self, page: Evidence, keep: Flags) -> bool:
        """Whether the page has lost its template already, and so what is around its content, by which to judge that."""
        if keep.all() or self._usually_stripped < _LEAST_STRIPPED:
            return False
        style_rows, weights = page.all_rows[0], page.weights
        if np.count_nonzero(style_rows >= 0) < _KNOWN_PATHS * len(style_rows):
            return False
        if weights[keep].sum() < _MOST_OF_TEXT * weights.sum() or keep.mean() < _MOST_OF_BLOCKS:
            return False
        return _stripped_of_template(page, keep) <= _FEW_STRIPPED * self._usually_stripped


_SHOWN_BEFORE = "shown before on the page, as on most pages of its site"
_CLEANED_BEFORE = "what its site repeats is not on the page, so it was cleaned before"
_OF_ANOTHER = "below the headline of another article"
_OF_ITS_OWN_KIND = "in slots that few other pages have, as much of this page is"
_COMMENTS = "one of several comments below the content"
_BELOW_CONTENT = "below the element that holds the content, and not sure to be any"


def _without(flags: Flags, runs: Iterable[tuple[range, str]]) -> Flags:
    """The flags with none in the runs of blocks."""
    left = flags.copy()
    for blocks, _ in runs:
        left[blocks.start : blocks.stop] = False
    return left


def _on_others(page: Evidence, block: int) -> str:
    return f"on {int(page.pages_with[block])} of {page.others} other pages"


def _stripped_of_template(page: Evidence, keep: Flags) -> int:
    """How many of the blocks that go are on so many other pages that they are of the template."""
    return int(np.count_nonzero(are_repeated(page) & ~keep))
