"""The default: what most of the published methods say of a block."""

from __future__ import annotations

from collections.abc import Sequence

from scrapy_blockfilter.methods.base import FittedMethod, Method, Verdict
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.sample import PageFeatures


class Consensus:
    """A majority of methods. Their number is odd, so there is always one."""

    name = "consensus"

    def __init__(self, methods: Sequence[Method]) -> None:
        self._methods = tuple(methods)

    def fit(self, pages: Sequence[PageFeatures], options: Options) -> FittedConsensus:
        return FittedConsensus({method.name: method.fit(pages, options) for method in self._methods})


class FittedConsensus:
    def __init__(self, fitted: dict[str, FittedMethod]) -> None:
        self._fitted = fitted

    def judge(self, page: PageFeatures, *, whole: bool) -> list[Verdict]:
        opinions = [method.judge(page, whole=whole) for method in self._fitted.values()]
        return [self._majority(verdicts) for verdicts in zip(*opinions, strict=True)]

    def _majority(self, verdicts: tuple[Verdict, ...]) -> Verdict:
        kept = sum(verdict.keep for verdict in verdicts)
        keep = 2 * kept > len(verdicts)
        score = sum(verdict.score for verdict in verdicts) / len(verdicts)
        reasons = [
            f"{verdict.reason} ({name})"
            for name, verdict in zip(self._fitted, verdicts, strict=True)
            if verdict.keep == keep
        ]
        return Verdict(keep, score, "; ".join(reasons))
