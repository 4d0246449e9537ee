"""What every published method says of the blocks of a site's pages, and ``consensus``, whose weights never saw it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
import numpy.typing as npt

from benchmarks.corpus import CorpusPage, Site
from benchmarks.folds import LEARNT, network_without
from benchmarks.labels import label_blocks
from benchmarks.scoring import score_of, token_list
from scrapy_blockfilter import Options, SiteSample
from scrapy_blockfilter.evidence.site import different_pages
from scrapy_blockfilter.hashing import hash64
from scrapy_blockfilter.html import Page, UnfitPage
from scrapy_blockfilter.html.reading import segment_source
from scrapy_blockfilter.methods import METHOD_NAMES, FittedMethod, Verdict, get_method
from scrapy_blockfilter.methods.consensus import Consensus, FittedConsensus
from scrapy_blockfilter.methods.units import BY_REPETITION, BY_SCORE, Rescues, whole_units
from scrapy_blockfilter.sample import RecordedPage, record_page
from scrapy_blockfilter.terms import TermMaker

# Not "majority", which is three of these.
SIGNALS = tuple(name for name in METHOD_NAMES if name not in ("consensus", "majority"))
_OPTIONS = Options()

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class PageVerdicts:
    """A page with what all methods say of its blocks.

    Attributes:
        labels: of each block the share of it that is gold.
        sizes: of each block the length of its text; 0 for the TITLE, which is in no text.
        logits: of each block the score of ``consensus``, as a logit.
        keep: of each block what ``consensus`` decides.
        by_repetition: of each block what it decides where too little of the page would be left.
        scores, verdicts: of each block those of each method, (blocks, methods).
        tokens: of each token of the page the number of its block, and its own number, (2, tokens).
        gold: how often the gold has each token, by its number.
    """

    page: RecordedPage
    labels: Floats
    sizes: Floats
    logits: Floats
    keep: Flags
    by_repetition: Flags
    scores: Floats
    verdicts: Floats
    tokens: npt.NDArray[np.int32]
    gold: npt.NDArray[np.int32]

    def f1(self, keep: Flags, least: float) -> float:
        """That of what a site's model would keep, if its method kept this.

        Args:
            least: the share of its text that must be kept.
        """
        kept = self.in_whole_units(keep)
        if self.share(kept) <= least:
            kept = self.in_whole_units(self.by_repetition, BY_REPETITION)
            if self.share(kept) <= least:
                kept = np.ones_like(kept)
        blocks, numbers = self.tokens
        found = np.bincount(numbers[kept[blocks]], minlength=len(self.gold))
        return score_of(int(np.minimum(found, self.gold).sum()), int(found.sum()), int(self.gold.sum())).f1

    def share(self, keep: Flags) -> float:
        total = self.sizes.sum()
        return float(self.sizes[keep].sum() / total) if total else 0.0

    def in_whole_units(self, keep: Flags, rescues: Rescues = BY_SCORE) -> Flags:
        scores = 1 / (1 + np.exp(-self.logits))
        verdicts = [Verdict(kept, score, "") for kept, score in zip(keep.tolist(), scores.tolist(), strict=True)]
        verdicts = whole_units(self.page, verdicts, rescues)
        return np.array([verdict.keep for verdict in verdicts], np.bool_)


@dataclass(frozen=True)
class SiteVerdicts:
    """A site's pages that can be read.

    Attributes:
        failures: how many cannot; they count with no text.
        least: the share of its text that a page must keep.
    """

    site: Site
    pages: list[PageVerdicts]
    failures: int
    least: float

    def f1s(self, keeps: Iterable[Flags]) -> Floats:
        """Of each page that of keeping these of its blocks."""
        return np.array([page.f1(keep, self.least) for page, keep in zip(self.pages, keeps, strict=True)])

    def mean(self, f1s: Floats) -> float:
        return float(f1s.sum()) / (len(f1s) + self.failures)


def verdicts_of(site: Site, networks: Path) -> SiteVerdicts:
    """Fit every method to the first pages of a site, and ask it about all."""
    pages = site.pages()
    terms = TermMaker()
    sample = SiteSample(LEARNT)
    segmented: list[tuple[CorpusPage, Page]] = []
    for number, page in enumerate(pages):
        try:
            segmented.append((page, segment_source(page.html, None, terms)))
        except UnfitPage:
            continue
        if number < LEARNT:
            sample.add(hash64(page.html.encode("utf-8", "replace")), segmented[-1][1])
    learnt = list(sample.pages())
    different = [learnt[number] for number in different_pages([page.columns for page in learnt])]
    methods = [get_method(name) for name in SIGNALS]
    fitted = [method.fit(() if method.single_page else different, _OPTIONS) for method in methods]
    consensus = Consensus(network_without(site, networks)).fit(learnt, _OPTIONS)
    assert isinstance(consensus, FittedConsensus)
    judged = [_judge(page, of, consensus, fitted) for page, of in segmented]
    shares = [page.share(page.in_whole_units(page.keep)) for page in judged[: len(learnt)]]
    return SiteVerdicts(site, judged, len(pages) - len(judged), _OPTIONS.min_kept * (median(shares) if shares else 1.0))


def _judge(
    page: CorpusPage, segmented: Page, consensus: FittedConsensus, fitted: Sequence[FittedMethod]
) -> PageVerdicts:
    recorded = record_page(segmented).decode()
    texts = ["" if block.tag == "title" else block.text for block in segmented.blocks]
    own, by_repetition = (judge(segmented, whole=True) for judge in (consensus.judge, consensus.judge_by_repetition))
    others = [method.judge(segmented, whole=True) for method in fitted]
    probabilities = np.clip([verdict.score for verdict in own], 1e-6, 1 - 1e-6)
    words = [(number, token) for number, text in enumerate(texts) for token in token_list(text)]
    gold = Counter(token_list(page.gold))
    numbers = {token: number for number, token in enumerate(dict.fromkeys([*gold, *(token for _, token in words)]))}
    return PageVerdicts(
        recorded,
        label_blocks(texts, page.gold).astype(np.float64),
        np.array([block.chars if text else 0 for block, text in zip(segmented.blocks, texts, strict=True)], np.float64),
        np.log(probabilities / (1 - probabilities)),
        *(np.array([verdict.keep for verdict in of], np.bool_) for of in (own, by_repetition)),
        np.array([[verdict.score for verdict in of] for of in others]).T,
        np.array([[verdict.keep for verdict in of] for of in others], np.float64).T,
        np.array([(block, numbers[token]) for block, token in words], np.int32).reshape(-1, 2).T,
        np.array([gold[token] for token in numbers], np.int32),
    )
