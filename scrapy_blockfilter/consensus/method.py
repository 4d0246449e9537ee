"""The default method: fit it to the pages of a site, and it returns verdicts.

Repetition alone judges fragments, whose blocks have lost their surroundings, and everything under ``BLOCKFILTER_STRIP =
"template"`` (:mod:`scrapy_blockfilter.methods.chunk_frequency`).
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
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
        site = SiteStatistics(pages, native.built())
        learnt = [pages[number] for number in site.kept]
        repetition = ChunkFrequency().fit(learnt, options)
        return FittedConsensus(site, self._network or load_network(), learnt, repetition, options)

    def restored(self, state: ArrayReader, options: Options) -> FittedMethod:
        if options.strip == "template":
            return ChunkFrequency().restored(state, options)
        return FittedConsensus.restored(state, self._network or load_network(), options)

    def strips_by_one_page(self, options: Options) -> bool:
        return options.strip != "template"

    def weights(self) -> str:
        return weights_digest() if self._network is None else digest_of(self._network)


class FittedConsensus(FittedMethod):
    """The method fitted to one site.

    Args:
        learnt: the pages learnt from; only weak references to them are kept.
        repetition: judges where the network has nothing to go by.
    """

    # Half of the text of a list or table must be kept on its own merit. Tables need as much as lists, because old pages
    # are laid out by tables of short cells. A block with a score below the second number is surely boilerplate and not
    # rescued.
    rescues = Rescues(Rescue(0.5, 0.05), Rescue(0.5, 0.05))

    def __init__(
        self,
        site: SiteStatistics,
        network: Network,
        learnt: Sequence[Page],
        repetition: FittedChunkFrequency,
        options: Options,
    ) -> None:
        self._site = site
        self._network = network
        self._repetition = repetition
        self._choose(options)
        self._labels = labels_of(learnt)
        evidence = [evidence_of(page, site, native.built()) for page in learnt]
        self._slots, scores = network.learn(evidence, site.slots, native.built())
        scored = list(zip(evidence, scores, strict=True))
        # Kept as long as the pages exist: a model judges them once more to know what pages usually keep.
        self._scored = WeakKeyDictionary(zip(learnt, scored, strict=True))
        template = [_stripped_template(of_page, of_blocks > self._threshold) for of_page, of_blocks in scored]
        self._usual_template = statistics.median(template)

    @classmethod
    def restored(cls, state: ArrayReader, network: Network, options: Options) -> FittedConsensus:
        """Return the fitted method with this :meth:`state`."""
        fitted = cls.__new__(cls)
        fitted._site = SiteStatistics.restored(state.part("site"))
        fitted._network = network
        fitted._repetition = ChunkFrequency().restored(state.part("repetition"), options)
        fitted._choose(options)
        fitted._slots = SlotImpressions.restored(state.part("impressions"), fitted._site.slots, network)
        fitted._scored = WeakKeyDictionary()
        fitted._labels = frozenset(state.integers("labels", None).tolist())
        fitted._usual_template = state.number("usual_template", 0, MAX_BYTES)
        return fitted

    @property
    def multiplies(self) -> bool:
        return native.built() is None

    def pages_compared(self) -> int:
        return self._site.pages

    def state(self) -> Values:
        learnt = parts(site=self._site.state(), repetition=self._repetition.state(), impressions=self._slots.state())
        return learnt | {"usual_template": self._usual_template, "labels": np.array(sorted(self._labels), np.int64)}

    def _choose(self, options: Options) -> None:
        self._threshold = THRESHOLDS[options.strip]
        self._keeps_comments = options.comments == "keep"

    def judge(self, page: Page, *, whole: bool) -> Sequence[Verdict]:
        if not whole:
            return self.repetition(page, whole=False)
        evidence, scores = self._score(page)
        keep = kept_by(scores, evidence, self._threshold)
        if self._was_cleaned_before(evidence, keep):
            return Verdicts(np.ones_like(keep), scores, lambda block, stays: _CLEANED_BEFORE)
        return _with_steps(Case(page, evidence, keep, self._keeps_comments, scores, self._labels))

    def repetition(self, page: Page, *, whole: bool) -> Sequence[Verdict]:
        return self._repetition.judge(page, whole=whole)

    def comments(self, page: Page) -> Sequence[Comment]:
        evidence, scores = self._score(page)
        # A block that scores as content is never a comment, wherever it stands.
        return comments_of(page, evidence, are_comments(evidence) & (scores <= self._threshold))

    def hidden_parts(self, page: Page, keep: Sequence[bool]) -> Sequence[int]:
        return hidden_parts(page, keep) if page.marked else ()

    def _score(self, page: Page) -> tuple[Evidence, Floats]:
        if scored := self._scored.get(page):
            return scored
        evidence = evidence_of(page, self._site, native.built())
        return evidence, self._network.scores(evidence, self._slots, native.built())

    def _was_cleaned_before(self, page: Evidence, keep: Flags) -> bool:
        """Whether the page has already lost its template, and with it the context that its blocks are judged in."""
        lost = len(keep) - np.count_nonzero(keep)
        if self._usual_template < _LEAST_TEMPLATE or lost > min(len(keep) / 2, max(1, _FEW * self._usual_template)):
            return False
        style_rows, _ = page.all_rows
        return bool(lost and np.count_nonzero(style_rows >= 0) >= _KNOWN_PLACES * len(style_rows))


def _with_steps(case: Case) -> Verdicts:
    """Return the verdicts after the steps, in order. A block that one step strips is kept by no later step.

    The TITLE is no part of the text: it takes no part in the steps and always stays.
    """
    keep = case.keep.copy()
    titles = case.evidence.column("tag: title").nonzero()[0].tolist()
    case.keep[titles] = False
    made: list[tuple[int, Step, str]] = []
    stripped: set[int] = set()
    for step in STEPS:
        for blocks, words in step.changes(case):
            if not step.keep:
                stripped.update(blocks)
            for block in blocks:
                if case.keep[block] != step.keep and not (step.keep and block in stripped):
                    case.keep[block] = step.keep
                    made.append((block, step, words))
    verdicts = Verdicts(keep, case.scores, partial(reason_of, case.page, case.evidence))
    for block, step, words in made:
        reason = Reason(step.kind, words)
        verdicts[block] = verdicts[block].kept(words, step.kind) if step.keep else Verdict(False, 0.0, reason)
    for block in titles:
        verdicts[block] = TITLE_STAYS
    return verdicts


def _stripped_template(page: Evidence, keep: Flags) -> int:
    """Count the stripped blocks that are template because enough other pages have them."""
    return int(np.count_nonzero(page.are_repeated & ~keep))
