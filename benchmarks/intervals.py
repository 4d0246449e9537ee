"""How far a mean over sites hangs on which sites there happen to be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.tables import share

_RESAMPLES, _SEED = 1_000, 21
# The middle 95 of a hundred.
_PERCENTILES = (2.5, 97.5)


def interval(groups: Sequence[Sequence[float]]) -> tuple[float, float]:
    """The bootstrap interval of the mean of groups' means, each of the figures of its sites.

    The sites of each group are drawn anew from those it has. The same figures give the same interval. For the
    difference between two things that were measured on the same sites, the figures are the sites' differences.
    """
    random = np.random.default_rng(_SEED)
    means = np.zeros(_RESAMPLES)
    for figures in groups:
        drawn = random.integers(len(figures), size=(_RESAMPLES, len(figures)))
        means += np.asarray(figures)[drawn].mean(axis=1)
    low, high = np.percentile(means / len(groups), _PERCENTILES).tolist()
    return low, high


def mean_with_interval(groups: Sequence[Sequence[float]]) -> str:
    """The mean of groups' means, and its interval: ``.922 (.912–.931)``."""
    mean = sum(sum(figures) / len(figures) for figures in groups) / len(groups)
    return f"{share(mean)} ({'–'.join(map(share, interval(groups)))})"
