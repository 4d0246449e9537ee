"""Evidence of pages, and small networks, for the tests of the default method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from scrapy_blockfilter.consensus import Consensus, Evidence, Network, SiteStatistics, evidence_of
from scrapy_blockfilter.consensus.case import Case
from scrapy_blockfilter.consensus.features.evidence import NAMES
from scrapy_blockfilter.consensus.network import CONTEXTS
from scrapy_blockfilter.consensus.weights import ARRAYS
from scrapy_blockfilter.methods import Verdict
from scrapy_blockfilter.options import Options
from tests.support.pages import document, recorded, segmented, texts

# For tests of single pages: a page that has nothing in common with others.
ELSEWHERE = document("<aside>elsewhere</aside>", language="xx")


def statistics(*pages: str) -> SiteStatistics:
    return SiteStatistics([segmented(html) for html in pages])


def evidence(html: str, *pages: str) -> Evidence:
    """Return the evidence of a page on a site of ``pages``."""
    return evidence_of(segmented(html), statistics(*(pages or (ELSEWHERE,))))


def feature(found: Evidence, name: str) -> list[float]:
    """Return a feature's value for all blocks."""
    return [round(float(value), 5) for value in found.matrix[:, NAMES.index(name)]]


def network(seed: int = 0, *, hidden: int = 8, impressions: int = 3, second: int = 6, third: int = 5) -> Network:
    """Return a network with random weights, always the same for a seed."""
    made = np.random.default_rng(seed)

    def array(*shape: int, more: float = 0.0, times: float = 1.0) -> np.ndarray:
        # Scaled so that sums over many inputs are no larger than over few; with the precision of a file of weights.
        spread = times / shape[-2] ** 0.5 if len(shape) > 1 and shape[-2] > 1 else 0.2
        return (made.normal(0, spread, shape) + more).astype(np.float16).astype(np.float32)

    size = len(NAMES)
    w4 = array(third, 1, times=3)
    return Network(
        mean=array(size, more=0.5),
        scale=np.abs(array(size)),
        w1=array(size, hidden, times=3),
        b1=array(hidden, more=1),  # so that hardly any number is 0 for all blocks
        we=array(hidden, impressions),
        be=array(impressions),
        w2=array(hidden + CONTEXTS * impressions, second, times=2),
        b2=array(second, more=1),
        wf=array(second, impressions),
        bf=array(impressions),
        w3=array(second + CONTEXTS * impressions, third, times=2),
        b3=array(third, more=1),
        w4=(w4 - w4.mean()).astype(np.float16).astype(np.float32),  # scores around .5
        b4=array(1),
    )


def with_bias(made: Network, bias: float) -> Network:
    """Return the network with this bias of its scores."""
    return with_array(made, "b4", np.array([bias], np.float32))


def with_array(made: Network, name: str, array: np.ndarray) -> Network:
    """Return the network with one array replaced."""
    return Network(**{**{known: getattr(made, known) for known in ARRAYS}, name: array})


def only(name: str, sign: float) -> Network:
    """Return a network whose score has the feature, times the sign, as its log-odds."""
    made = network(hidden=1, impressions=1, second=1, third=1)
    weights = {array: np.zeros_like(getattr(made, array)) for array in ARRAYS}
    weights["scale"] += np.float32(0.1)
    weights["w1"][NAMES.index(name)] = 10
    weights["w2"][0] = weights["w3"][0] = 1
    weights["w4"][0] = sign
    return Network(**weights)


class Scored:
    """Stands in for a network: gives fixed scores to texts."""

    def __init__(self, html: str, scores: Mapping[str, float], others: float) -> None:
        self._scores = np.array([scores.get(text, others) for text in texts(segmented(html))], np.float32)
        self._others = others

    def learn(self, pages: Sequence[Evidence], slots: int, native: Any = None) -> tuple[None, list[np.ndarray]]:
        """Return nothing, as no impressions are needed."""
        return None, [self.scores(page, None) for page in pages]

    def scores(self, page: Evidence, slots: None, native: Any = None) -> np.ndarray:
        """Return the given scores on the page it was made for, and one score for all texts of other pages."""
        if len(page.matrix) != len(self._scores):
            return np.full(len(page.matrix), self._others, np.float32)
        return self._scores


def judged(
    html: str, scores: Mapping[str, float], *pages: str, others: float = 0.0, **options: Any
) -> dict[str, Verdict]:
    """Return the default method's verdicts on a page, one of the ``pages`` of its site, whose texts have these scores.

    Args:
        others: the score of all other texts.
        options: settings.
    """
    made: Any = Scored(html, scores, others)
    page = segmented(html)
    assert set(scores) <= set(texts(page)), "scores of texts that are not on the page"
    fitted = Consensus(made).fit(recorded([html, *pages]), Options(**options))
    return dict(zip(texts(page), fitted.judge(page, whole=True), strict=True))


def stays(verdicts: Mapping[str, Verdict]) -> set[str]:
    """Return the texts that stay."""
    return {text for text, verdict in verdicts.items() if verdict.keep}


def case(html: str, *, keep: bool = True) -> Case:
    """Return a page before the steps, with all or none of its blocks kept."""
    found = evidence(html)
    return Case(
        segmented(html), found, np.full(len(found.matrix), keep), False, np.full(len(found.matrix), 0.5, np.float32)
    )
