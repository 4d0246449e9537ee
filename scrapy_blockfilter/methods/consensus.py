"""The default: one score a block from all that is known of it, its surroundings and its site.

The published methods each look at one thing: that a text repeats, or that its terms do. Here their evidence is put
together with what else a site shows: how a slot behaves over the pages (links and short texts that change on every page
are template as well), what a container holds, which records are alike. A small network, trained on labelled pages of
many sites, weighs it (:mod:`scrapy_blockfilter.evidence`).

``BLOCKFILTER_STRIP = "template"`` and fragments of pages, whose blocks have lost their surroundings, are judged by
repetition alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, repeat
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from scrapy_blockfilter.evidence.agreement import SlotScores
from scrapy_blockfilter.evidence.comments import are_comments
from scrapy_blockfilter.evidence.features import NAMES, Evidence, evidence_of
from scrapy_blockfilter.evidence.network import Network, load_network
from scrapy_blockfilter.evidence.reasons import Reasons
from scrapy_blockfilter.evidence.site import SiteStatistics, different_pages
from scrapy_blockfilter.evidence.tree import Floats
from scrapy_blockfilter.html.columns import CHARS, LINK_CHARS, PageColumns
from scrapy_blockfilter.methods.base import FittedMethod, Verdict
from scrapy_blockfilter.methods.chunk_frequency import ChunkFrequency
from scrapy_blockfilter.methods.majority import Majority
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import PageFeatures

# Blocks above this score stay. It hardly matters: with .35 or .55 the mean F1 of six sets, cross-validated over sites,
# differed by .002 at most.
THRESHOLD = 0.45
# On at least this share of the pages learnt from, and this many, there are further H1 headings below the H1 that agrees
# with the TITLE: the site puts further articles behind each. With headings of any level, sections of documentation are
# taken for articles (postgres-docs from 3 pages: F1 .997 -> .851).
_RIVAL_SHARE, _RIVAL_PAGES = 0.5, 3
# A page was cleaned before if it would lose hardly any of the template blocks that a page of its site usually loses
# (this share of at least so many), and keep most of its text and blocks, while this share of its style paths is the
# site's. Of 217 real pages that were cleaned, a second cleaning changes 1, and without this 26 (`make bench-twice`); of
# the pages as they come so few are taken for one that F1 of no set falls by .001.
_FEW_STRIPPED, _LEAST_STRIPPED, _KNOWN_PATHS = 0.1, 2, 0.1
_MOST_OF_TEXT, _MOST_OF_BLOCKS = 0.85, 0.5
# On this share of the other pages, and two, a block is of the template: the default of DF_SHARE.
_TEMPLATE_SHARE = 0.3
# Characters from which a text on several pages may be one that they quote, those of scripts without spaces counted as
# three; and the share of the other pages that quote it at the most. Of the first ten pages of 118 sites 355 blocks are
# such: 84 are kept, of them 57 gold, and 271 stripped, of them 9 gold. None of these has kept text like it beside it.
QUOTATION, _QUOTED_SHARE = 200, 0.8
_BELOW_RIVAL = NAMES.index("text: below a rival headline")
_BEHIND_HEADLINE = NAMES.index("text: before or after the headline")
_H1 = NAMES.index("tag: h1")


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
            return Majority().fit([pages[number] for number in different_pages(columns)], options)
        network = self._network or load_network()
        site = SiteStatistics(columns)
        learnt = [evidence_of(columns[number], site) for number in site.kept]
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
            WeakKeyDictionary(zip([columns[number] for number in site.kept], scored, strict=True)),
            usually_stripped=float(
                np.mean([_stripped_of_template(page.evidence, page.scores > THRESHOLD) for page in scored])
            ),
            has_further_articles=_has_further_articles(learnt),
            keeps_comments=options.comments == "keep",
        )


class FittedConsensus:
    """What the network is asked with on one site.

    Attributes:
        repetition: what judges where the surroundings of blocks are lost, or too little of a page would be left.
    """

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
        has_further_articles: bool,
        keeps_comments: bool,
    ) -> None:
        self._site = site
        self._network = network
        self._slot_impressions = slot_impressions
        self._slot_scores = slot_scores
        self.repetition = repetition
        self._learnt = (
            learnt  # as long as the pages are there: a model judges them once to know what pages usually keep
        )
        self._usually_stripped = usually_stripped
        self._has_further_articles = has_further_articles
        self._keeps_comments = keeps_comments

    def judge(self, page: PageFeatures, *, whole: bool) -> list[Verdict]:
        if not whole:
            return self.repetition.judge(page, whole=False)
        columns = page.columns
        evidence, own, scores = self._learnt.get(columns) or self._judged(columns)
        keep = scores > THRESHOLD
        if self._was_cleaned_before(evidence, keep):
            return [Verdict(True, score, _CLEANED_BEFORE) for score in scores.tolist()]
        by_slot = (own > THRESHOLD) != keep
        reasons = Reasons(columns, evidence, self._network, self._slot_impressions, by_slot)
        verdicts: list[Verdict] = list(map(_Scored, keep.tolist(), scores.tolist(), count(), repeat(reasons)))
        if self._keeps_comments:
            for block in np.flatnonzero(are_comments(evidence) & ~keep):
                verdicts[block] = verdicts[block].kept("a reader's comment")
        for quoted in _quoted_in_content(columns, evidence, keep):
            verdicts[quoted] = verdicts[quoted].kept("a text that pages quote, in the midst of what is kept")
        if self._has_further_articles:
            for block in np.flatnonzero((evidence.matrix[:, _BELOW_RIVAL] > 0) & keep):
                verdicts[block] = Verdict(False, verdicts[block].score, "below the headline of another article")
        return verdicts

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


_CLEANED_BEFORE = "what its site repeats is not on the page, so it was cleaned before"


def _stripped_of_template(page: Evidence, keep: npt.NDArray[np.bool_]) -> int:
    """How many of the blocks that go are on so many other pages that they are of the template."""
    return int(np.count_nonzero((page.pages_with >= max(2, _TEMPLATE_SHARE * page.others)) & ~keep))


def _quoted_in_content(page: PageColumns, evidence: Evidence, keep: npt.NDArray[np.bool_]) -> list[int]:
    """The long texts that other pages have, too, beside kept ones of the same kind that fewer pages have."""
    shared = evidence.pages_with
    is_text = 2 * page.numbers[:, LINK_CHARS] < page.numbers[:, CHARS]
    is_shared = (shared > 0) & (shared <= _QUOTED_SHARE * evidence.others)
    quoted = []
    for block in np.flatnonzero(~keep & is_text & is_shared & (page.weights >= QUOTATION)).tolist():
        node = page.nodes[block]
        for beside in (block - 1, block + 1):
            if 0 <= beside < len(keep) and keep[beside] and shared[beside] < shared[block]:
                other = page.nodes[beside]
                if page.tags[node] == page.tags[other] and page.parents[node] == page.parents[other]:
                    quoted.append(block)
                    break
    return quoted


def _has_further_articles(pages: Sequence[Evidence]) -> bool:
    """Whether the site puts further articles behind each article."""
    having = sum(map(_has_rival, pages))
    return having >= max(_RIVAL_PAGES, _RIVAL_SHARE * len(pages))


def _has_rival(page: Evidence) -> bool:
    behind = np.flatnonzero(page.matrix[:, _BEHIND_HEADLINE] > 0)  # the headline is the first of them
    return bool(len(behind) and page.matrix[behind[0], _H1] and page.matrix[behind[-1], _BELOW_RIVAL])
