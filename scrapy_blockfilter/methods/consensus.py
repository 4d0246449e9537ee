"""The default: one score a block from all that is known of it, its surroundings and its site.

The published methods each look at one thing: that a text repeats, or that its terms do. Here their evidence is put
together with what else a site shows: how a slot behaves over the pages (links and short texts that change on every page
are template as well), what a container holds, which records are alike. A small network, trained on labelled pages of
many sites, weighs it (:mod:`scrapy_blockfilter.evidence`).

Fragments of pages, whose blocks have lost their surroundings, and all with ``BLOCKFILTER_STRIP = "template"``
(:mod:`scrapy_blockfilter.methods.template`) are judged by repetition alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, count, repeat
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.evidence.agreement import SlotScores
from scrapy_blockfilter.evidence.articles import HeadlineSlots, are_of_others, follow
from scrapy_blockfilter.evidence.clutter import comment_threads, lines_of_links
from scrapy_blockfilter.evidence.comments import are_comments
from scrapy_blockfilter.evidence.copies import CopySlots
from scrapy_blockfilter.evidence.elements import without_content
from scrapy_blockfilter.evidence.features import NAMES, Evidence, evidence_of
from scrapy_blockfilter.evidence.line_numbers import LINE_NUMBERS, line_numbers
from scrapy_blockfilter.evidence.network import Network, load_network
from scrapy_blockfilter.evidence.quotations import quoted_in_content
from scrapy_blockfilter.evidence.reasons import Reasons
from scrapy_blockfilter.evidence.repetition import are_on_nearly_all, are_repeated
from scrapy_blockfilter.evidence.site import SiteStatistics, different_pages
from scrapy_blockfilter.evidence.tree import Floats, Tree
from scrapy_blockfilter.html.columns import PageColumns
from scrapy_blockfilter.methods.base import TITLE_STAYS, FittedMethod, Verdict
from scrapy_blockfilter.methods.chunk_frequency import ChunkFrequency
from scrapy_blockfilter.methods.template import template_of
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import PageFeatures

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


class Consensus:
    """The method of this module.

    Args:
        network: what to score with; None: the one that ships with the package.
    """

    name = "consensus"
    single_page = False

    def __init__(self, network: Network | None = None) -> None:
        self._network = network

    def fit(self, pages: Sequence[PageFeatures], options: Options) -> FittedMethod:
        columns = [page.columns for page in pages]
        if options.strip == "template":
            return template_of([pages[number] for number in different_pages(columns)], options)
        network = self._network or load_network()
        site = SiteStatistics(columns)
        kept = [columns[number] for number in site.kept]
        learnt = [evidence_of(page, site) for page in kept]
        impressions = network.slot_impressions(learnt, site.slots)
        own = [network.scores(page, impressions) for page in learnt]
        slot_scores = SlotScores(zip(learnt, own, strict=True), site.slots)
        scored = [
            _Judged(page, scores, slot_scores.put_right(page, scores)) for page, scores in zip(learnt, own, strict=True)
        ]
        return FittedConsensus(
            site,
            network,
            impressions,
            slot_scores,
            ChunkFrequency().fit([pages[number] for number in site.kept], options),
            WeakKeyDictionary(zip(kept, scored, strict=True)),
            usually_stripped=float(
                np.mean([_stripped_of_template(page.evidence, page.scores > THRESHOLD) for page in scored])
            ),
            headlines=HeadlineSlots(list(zip(kept, learnt, strict=True))),
            copies=CopySlots(
                (page, judged.evidence, judged.scores > THRESHOLD) for page, judged in zip(kept, scored, strict=True)
            ),
            keeps_comments=options.comments == "keep",
        )


class FittedConsensus:
    """What the network is asked with on one site."""

    def __init__(
        self,
        site: SiteStatistics,
        network: Network,
        slot_impressions: Floats,
        slot_scores: SlotScores,
        repetition: FittedMethod,
        learnt: WeakKeyDictionary[PageColumns, _Judged],
        *,
        usually_stripped: float,
        headlines: HeadlineSlots,
        copies: CopySlots,
        keeps_comments: bool,
    ) -> None:
        self._site = site
        self._network = network
        self._slot_impressions = slot_impressions
        self._slot_scores = slot_scores
        self._repetition = repetition
        self._learnt = (
            learnt  # as long as the pages are there: a model judges them once to know what pages usually keep
        )
        self._usually_stripped = usually_stripped
        self._headlines = headlines
        self._copies = copies
        self._keeps_comments = keeps_comments

    def judge(self, page: PageFeatures, *, whole: bool) -> list[Verdict]:
        if not whole:
            return self.judge_by_repetition(page, whole=False)
        columns = page.columns
        evidence, own, scores = self._learnt.get(columns) or self._judged(columns)
        keep = scores > THRESHOLD
        if self._was_cleaned_before(evidence, keep):
            return [Verdict(True, score, _CLEANED_BEFORE) for score in scores.tolist()]
        by_slot = (own > THRESHOLD) != keep
        reasons = Reasons(columns, evidence, self._network, self._slot_impressions, by_slot)
        verdicts: list[Verdict] = list(map(_Scored, keep.tolist(), scores.tolist(), count(), repeat(reasons)))
        if self._keeps_comments:
            for block in np.flatnonzero(are_comments(evidence) & ~keep).tolist():
                verdicts[block] = verdicts[block].kept("a reader's comment")
        for block in (quoted := quoted_in_content(columns, evidence, keep)):
            verdicts[block] = verdicts[block].kept("a text that pages quote, in the midst of what is kept")
        keep[quoted] = True
        for block in self._copies.blocks_in(columns, evidence, keep):
            verdicts[block] = Verdict(False, verdicts[block].score, _SHOWN_BEFORE)
        for block in np.flatnonzero(self._of_other_articles(columns, evidence) & keep).tolist():
            verdicts[block] = Verdict(False, verdicts[block].score, "below the headline of another article")
        for block in np.flatnonzero(are_on_nearly_all(evidence)).tolist():
            if verdicts[block].keep:
                frequency = int(evidence.pages_with[block])
                verdicts[block] = Verdict(False, 0.0, f"on {frequency} of {evidence.others} other pages")
        _strip_by_structure(verdicts, columns, evidence.tree)
        is_title = evidence.matrix[:, _IS_TITLE] > 0
        self._strip_clutter(verdicts, columns, evidence, ~is_title)
        for block in np.flatnonzero(is_title).tolist():
            verdicts[block] = TITLE_STAYS
        return verdicts

    def judge_by_repetition(self, page: PageFeatures, *, whole: bool) -> list[Verdict]:
        """What is left to say where the surroundings of blocks are lost, or too little of a page would be left."""
        verdicts = list(self._repetition.judge(page, whole=whole))
        if whole:
            _strip_by_structure(verdicts, page.columns, Tree(page.columns))
        return verdicts

    def _strip_clutter(
        self, verdicts: list[Verdict], columns: PageColumns, evidence: Evidence, counts: npt.NDArray[np.bool_]
    ) -> None:
        """Strip what is kept and is clutter beside the rest; ``counts``: which blocks may be content."""
        keep = np.fromiter((verdict.keep for verdict in verdicts), np.bool_, len(verdicts)) & counts
        if not self._keeps_comments:
            comments = comment_threads(columns, evidence, keep) & keep
            for block in np.flatnonzero(comments).tolist():
                verdicts[block] = Verdict(False, 0.0, "one of several comments below the content")
            keep &= ~comments
        for block in np.flatnonzero(lines_of_links(columns, keep) & keep).tolist():
            verdicts[block] = Verdict(False, 0.0, "lines of links, and nothing else")

    def _of_other_articles(self, columns: PageColumns, evidence: Evidence) -> npt.NDArray[np.bool_]:
        if self._headlines.usual:
            return self._headlines.below_others(columns, evidence)
        return are_of_others(evidence) & follow(columns, evidence)

    def _judged(self, page: PageColumns) -> _Judged:
        evidence = evidence_of(page, self._site)
        own = self._network.scores(evidence, self._slot_impressions)
        return _Judged(evidence, own, self._slot_scores.put_right(evidence, own))

    def _was_cleaned_before(self, page: Evidence, keep: npt.NDArray[np.bool_]) -> bool:
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


def _strip_by_structure(verdicts: list[Verdict], columns: PageColumns, tree: Tree) -> None:
    """Strip what is kept and no content by what it is."""
    found: Iterable[tuple[Iterable[int], str]] = chain(
        [(line_numbers(columns), LINE_NUMBERS)], without_content(columns, tree)
    )
    for blocks, reason in found:
        for block in blocks:
            if verdicts[block].keep:
                verdicts[block] = Verdict(False, 0.0, reason)


def _stripped_of_template(page: Evidence, keep: npt.NDArray[np.bool_]) -> int:
    """How many of the blocks that go are on so many other pages that they are of the template."""
    return int(np.count_nonzero(are_repeated(page) & ~keep))
