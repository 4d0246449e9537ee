"""The default method: fit it to the pages of a site, and it returns verdicts.

Repetition alone judges fragments, whose blocks have lost their surroundings, and everything under ``BLOCKFILTER_STRIP =
"template"`` (:mod:`scrapy_blockfilter.methods.chunk_frequency`).
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from weakref import WeakKeyDictionary

import numpy as np

from scrapy_blockfilter.consensus import native
from scrapy_blockfilter.consensus.case import Case, Step
from scrapy_blockfilter.consensus.features.evidence import Evidence, evidence_of
from scrapy_blockfilter.consensus.features.of_site import SiteStatistics
from scrapy_blockfilter.consensus.marked import hidden_parts
from scrapy_blockfilter.consensus.network import Network, SlotImpressions
from scrapy_blockfilter.consensus.reasons import reason_of
from scrapy_blockfilter.consensus.steps import STEPS
from scrapy_blockfilter.consensus.teasers import labels_of
from scrapy_blockfilter.consensus.threads import are_comments, comments_of
from scrapy_blockfilter.consensus.thresholds import THRESHOLDS, kept_by
from scrapy_blockfilter.consensus.weights import load_network, weights_digest
from scrapy_blockfilter.html import Page
from scrapy_blockfilter.html.subtrees import Floats
from scrapy_blockfilter.methods.base import (
    TITLE_STAYS,
    Comment,
    FittedMethod,
    Flags,
    FrequencyArguments,
    Method,
    Reason,
    Rescue,
    Rescues,
    Verdict,
    Verdicts,
)
from scrapy_blockfilter.methods.chunk_frequency import ChunkFrequency, FittedChunkFrequency, template_of
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample.copies import SampledPages
from scrapy_blockfilter.storable.array_bytes import MAX_BYTES, ArrayReader, Values, parts
from scrapy_blockfilter.storable.hashing import digest_of

# A page was cleaned before if it loses one block, or up to this share of the template blocks that its site's pages
# usually lose, and no more than half of its own: a page of another design loses a template of its own. The second one
# is the least number that must be usual, the third the share of its places that must be known.
_FEW, _LEAST_TEMPLATE, _KNOWN_PLACES = 0.4, 2, 0.3
_CLEANED_BEFORE = Reason("content", "the page lacks what its site repeats, so it was cleaned before")


class Consensus(Method):
    """The default method.

    Args:
        network: scores the blocks; None for the network that ships with the package.
    """

    name = "consensus"
    arguments = FrequencyArguments
    tells_copies = True

    def __init__(self, network: Network | None = None) -> None:
        self._network = network

    def fit(self, pages: Sequence[Page], options: Options) -> FittedMethod:
        if options.strip == "template":
            return template_of(SampledPages.of(pages).different, options)
        site, network = SiteStatistics(pages, native.built()), self._network or load_network()
        learnt = [pages[number] for number in site.kept]
        evidence = [evidence_of(page, site, native.built()) for page in learnt]
        slots, scores = network.learn(evidence, site.slots, native.built())
        threshold = THRESHOLDS[options.strip]
        template = [
            int(np.count_nonzero(of_page.are_repeated & (of_blocks <= threshold)))
            for of_page, of_blocks in zip(evidence, scores, strict=True)
        ]
        repetition = ChunkFrequency().fit(learnt, options)
        scored = WeakKeyDictionary(zip(learnt, zip(evidence, scores, strict=True), strict=True))
        usual = statistics.median(template)
        choices = threshold, options.comments == "keep"
        return FittedConsensus(site, network, repetition, slots, labels_of(learnt), usual, *choices, scored)

    def restored(self, state: ArrayReader, options: Options) -> FittedMethod:
        if options.strip == "template":
            return ChunkFrequency().restored(state, options)
        site, network = SiteStatistics.restored(state.part("site")), self._network or load_network()
        repetition = ChunkFrequency().restored(state.part("repetition"), options)
        slots = SlotImpressions.restored(state.part("impressions"), site.slots, network)
        labels = frozenset(state.integers("labels", None).tolist())
        usual = state.number("usual_template", 0, MAX_BYTES)
        choices = THRESHOLDS[options.strip], options.comments == "keep"
        return FittedConsensus(site, network, repetition, slots, labels, usual, *choices)

    def strips_by_one_page(self, options: Options) -> bool:
        return options.strip != "template"

    def weights(self) -> str:
        return weights_digest() if self._network is None else digest_of(self._network)


@dataclass(frozen=True, eq=False)
class FittedConsensus(FittedMethod):
    """The method fitted to one site."""

    # Half of the text of a list or table must be kept on its own merit. Tables need as much as lists, because old pages
    # are laid out by tables of short cells. A block with a score below the second number is surely boilerplate and not
    # rescued.
    rescues = Rescues(Rescue(0.5, 0.05), Rescue(0.5, 0.05))

    site: SiteStatistics
    network: Network
    repetition_alone: FittedChunkFrequency  # judges where the network has nothing to go by
    slots: SlotImpressions  # what the network has seen in the slots of the site
    labels: frozenset[int]  # hashes of the site's labels of lines that lead to other pages
    usual_template: float  # how many template blocks its pages usually lose
    threshold: float
    keeps_comments: bool
    # Evidence and scores of the pages learnt from, as long as these exist: a model judges the pages once more.
    scored: WeakKeyDictionary[Page, tuple[Evidence, Floats]] = field(default_factory=WeakKeyDictionary)

    @property
    def multiplies(self) -> bool:
        return native.built() is None

    def pages_compared(self) -> int:
        return self.site.pages

    def state(self) -> Values:
        learnt = parts(site=self.site.state(), repetition=self.repetition_alone.state(), impressions=self.slots.state())
        return learnt | {"usual_template": self.usual_template, "labels": np.array(sorted(self.labels), np.int64)}

    def judge(self, page: Page, *, whole: bool) -> Sequence[Verdict]:
        if not whole:
            return self.repetition(page, whole=False)
        evidence, scores = self._score(page)
        keep = kept_by(scores, evidence, self.threshold)
        if self._was_cleaned_before(evidence, keep):
            return Verdicts(np.ones_like(keep), scores, lambda block, stays: _CLEANED_BEFORE)
        return _with_steps(Case(page, evidence, keep, self.keeps_comments, scores, self.labels))

    def repetition(self, page: Page, *, whole: bool) -> Sequence[Verdict]:
        return self.repetition_alone.judge(page, whole=whole)

    def comments(self, page: Page) -> Sequence[Comment]:
        evidence, scores = self._score(page)
        # A block that scores as content is never a comment, wherever it stands.
        return comments_of(page, evidence, are_comments(evidence) & (scores <= self.threshold))

    def hidden_parts(self, page: Page, keep: Sequence[bool]) -> Sequence[int]:
        return hidden_parts(page, keep) if page.marked else ()

    def _score(self, page: Page) -> tuple[Evidence, Floats]:
        if scored := self.scored.get(page):
            return scored
        evidence = evidence_of(page, self.site, native.built())
        return evidence, self.network.scores(evidence, self.slots, native.built())

    def _was_cleaned_before(self, page: Evidence, keep: Flags) -> bool:
        """Whether the page has already lost its template, and with it the context that its blocks are judged in."""
        lost = len(keep) - np.count_nonzero(keep)
        if self.usual_template < _LEAST_TEMPLATE or lost > min(len(keep) / 2, max(1, _FEW * self.usual_template)):
            return False
        style_rows, _ = page.all_rows
        return bool(lost and np.count_nonzero(style_rows >= 0) >= _KNOWN_PLACES * len(style_rows))


def _with_steps(case: Case) -> Verdicts:
    """Return the verdicts after the steps, in order. A block that one step strips is kept by no later step.

    The TITLE is no part of the text: it takes no part in the steps and always stays.
    """
    keep, scores = case.keep.copy(), case.scores.copy()
    titles = case.evidence.column("tag: title").nonzero()[0].tolist()
    case.keep[titles] = False
    made: list[tuple[int, Step, str]] = []
    stripped: set[int] = set()
    for step in STEPS:
        for blocks, words in step.changes(case):
            if not step.keep:
                stripped.update(blocks)
                if step.is_stated:
                    scores[blocks] = 0.0
            for block in blocks:
                if case.keep[block] != step.keep and not (step.keep and block in stripped):
                    case.keep[block] = step.keep
                    made.append((block, step, words))
    verdicts = Verdicts(keep, scores, partial(reason_of, case.page, case.evidence))
    for block, step, words in made:
        reason = Reason(step.kind, words)
        verdicts[block] = verdicts[block].kept(words, step.kind) if step.keep else Verdict(False, 0.0, reason)
    for block in titles:
        verdicts[block] = TITLE_STAYS
    return verdicts
