"""Evidence of pages of a site, and small networks, as the tests of the default method need them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from scrapy_blockfilter.evidence.features import NAMES, Evidence, evidence_of
from scrapy_blockfilter.evidence.network import ARRAYS, CONTEXTS, Network
from scrapy_blockfilter.evidence.site import SiteStatistics
from tests.segmenting import columns, document

# Where no site is of interest: a page that has nothing in common with others.
ELSEWHERE = document("<aside>elsewhere</aside>", language="xx")


def statistics(*pages: str) -> SiteStatistics:
    return SiteStatistics([columns(html) for html in pages])


def evidence(html: str, *pages: str) -> Evidence:
    """Evidence of a page as one of a site of ``pages``."""
    return evidence_of(columns(html), statistics(*(pages or (ELSEWHERE,))))


def feature(found: Evidence, name: str) -> list[float]:
    """A feature of all blocks."""
    return [round(float(value), 5) for value in found.matrix[:, NAMES.index(name)]]


def network(seed: int = 0, *, networks: int = 2, hidden: int = 5, impressions: int = 3, second: int = 4) -> Network:
    """A network of random weights: it judges at random, but always the same."""
    made = np.random.default_rng(seed)

    def array(*shape: int) -> np.ndarray:
        # As a file of weights holds them.
        return made.normal(0, 0.5, shape).astype(np.float16).astype(np.float32)

    size = len(NAMES)
    return Network(
        mean=array(size),
        scale=np.abs(array(size)),
        w1=array(size, networks * hidden),
        b1=array(networks * hidden),
        we=array(networks, hidden, impressions),
        be=array(networks, 1, impressions),
        w2=array(networks, hidden + CONTEXTS * impressions, second),
        b2=array(networks, 1, second),
        w3=array(networks, second, 1),
        b3=array(networks, 1, 1),
    )


def with_biases(made: Network, biases: Iterable[float]) -> Network:
    """The network with these biases of its scores, one for each network in it."""
    return with_array(made, "b3", np.array(list(biases), np.float32).reshape(-1, 1, 1))


def with_array(made: Network, name: str, array: np.ndarray) -> Network:
    """The network with another array in the place of one."""
    return Network(**{**{known: getattr(made, known) for known in ARRAYS}, name: array})


def only(name: str, sign: float) -> Network:
    """A network whose score has the feature, times the sign, as its logarithm of odds."""
    made = network(networks=1, hidden=1, impressions=1, second=1)
    weights = {
        array: np.zeros_like(getattr(made, array)) for array in ("mean", "w1", "b1", "we", "be", "w2", "b2", "b3")
    }
    weights["w1"][NAMES.index(name)] = 10
    weights["w2"][0, 0] = 1
    return Network(**weights, scale=np.full_like(made.scale, 0.1), w3=np.full_like(made.w3, sign))
