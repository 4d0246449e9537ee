"""Strip what a site repeats, by majority vote of chunk frequency, IBDF and entropy.

``BLOCKFILTER_STRIP = "template"`` strips by this vote, too. With fewer pages than the vote needs, a text may be on
several by accident, and near-equal texts and evenly spread terms say little. Then only exact texts count, if they are
on so many pages that chance can be ruled out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import comb

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.methods.base import FittedMethod, FrequencyArguments, Method, Reason, Verdict
from scrapy_blockfilter.methods.chunk_frequency import ChunkFrequency
from scrapy_blockfilter.methods.entropy import Entropy, FittedEntropy
from scrapy_blockfilter.methods.ibdf import Ibdf
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.storable.array_bytes import ArrayReader, Values, parts


class Majority(Method):
    name = "majority"
    arguments = FrequencyArguments

    def fit(self, pages: Sequence[Page], options: Options) -> FittedMajority:
        first, second = ChunkFrequency().fit(pages, options), Ibdf().fit(pages, options)
        return FittedMajority(first, second, Entropy().fit(pages, options))

    def restored(self, state: ArrayReader, options: Options) -> FittedMajority:
        first = ChunkFrequency().restored(state.part("first"), options)
        second = Ibdf().restored(state.part("second"), options)
        return FittedMajority(first, second, Entropy().restored(state.part("third"), options))


class FittedMajority(FittedMethod):
    """Chunk frequency and IBDF vote. Entropy, which costs most, judges only the blocks on which they disagree.

    Entropy judges single blocks here, not groups as the method does by itself. This makes hardly any difference.
    """

    def __init__(self, first: FittedMethod, second: FittedMethod, third: FittedEntropy) -> None:
        self._first = first
        self._second = second
        self._third = third

    def state(self) -> Values | None:
        first, second = self._first.state(), self._second.state()
        if first is None or second is None:
            return None
        return parts(first=first, second=second, third=self._third.state())

    def judge(self, page: Page, *, whole: bool) -> list[Verdict]:
        agreed: dict[tuple[Verdict, Verdict], Verdict] = {}  # a method gives many blocks the same verdict
        verdicts = []
        ballots = zip(self._first.judge(page, whole=whole), self._second.judge(page, whole=whole), strict=True)
        for block, votes in zip(page.blocks, ballots, strict=True):
            if votes[0].keep != votes[1].keep:
                verdict = _majority(*votes, self._third.judge_block(block))
            elif votes in agreed:
                verdict = agreed[votes]
            else:
                verdict = agreed[votes] = _majority(*votes)
            verdicts.append(verdict)
        return verdicts


def _majority(*votes: Verdict) -> Verdict:
    keep = 2 * sum(vote.keep for vote in votes) > len(votes)
    strongest = (max if keep else min)((vote for vote in votes if vote.keep == keep), key=lambda vote: vote.score)
    return Verdict(keep, sum(vote.score for vote in votes) / len(votes), partial(_reasons, votes, keep, strongest))


def _reasons(votes: Sequence[Verdict], keep: bool, strongest: Verdict) -> Reason:
    return Reason(strongest.kind, "; ".join(dict.fromkeys(vote.reason for vote in votes if vote.keep == keep)))


# With fewer pages, the majority strips more main text than the rule by chance.
_ENOUGH_PAGES = 10
# A text on _SHARE of a site's pages is stripped with no more than this probability. A larger one costs more main text.
# To require all pages would cost less, but then a single page of another kind would save nearly the whole template.
_SHARE, _BY_ACCIDENT = 0.1, 0.0002


def template_of(pages: Sequence[Page], options: Options) -> FittedMethod:
    """Fit a method that strips the template of a site, given its different pages."""
    if len(pages) >= _ENOUGH_PAGES:
        return Majority().fit(pages, options)
    count = max(options.arguments(FrequencyArguments).df_count, surely_repeated(len(pages)))
    arguments = {**options.method_args, "df_count": count}
    return ChunkFrequency().fit(pages, replace(options, method_args=arguments))


def restored_template(state: ArrayReader, options: Options) -> FittedMethod:
    """Return what :func:`template_of` fitted, given its state."""
    method: Method = Majority() if state.has("third") else ChunkFrequency()
    return method.restored(state, options)


def surely_repeated(pages: int) -> int:
    """Return the number of pages from which a text is no accident, at least two and at most all.

    >>> [surely_repeated(pages) for pages in range(1, 10)]
    [2, 2, 3, 4, 5, 5, 5, 6, 6]
    """
    at_least = 0.0  # the probability of this many pages or more
    count = pages + 1
    while count > 2:
        at_least += comb(pages, count - 1) * _SHARE ** (count - 1) * (1 - _SHARE) ** (pages - count + 1)
        if at_least > _BY_ACCIDENT:
            break
        count -= 1
    return max(2, min(count, pages))
