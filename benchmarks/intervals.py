"""Confidence intervals of means over sites: how much the choice of sites changes the mean."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.tables import share

_RESAMPLES, _SEED = 1_000, 21
# The middle 95 %.
_PERCENTILES = (2.5, 97.5)


def interval(groups: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return the bootstrap interval of the mean over groups, each group being the mean over its sites.

    Each draw resamples the sites of every group. The same figures give the same interval. To compare two methods
    measured on the same sites, pass the differences per site.
    """
    random = np.random.default_rng(_SEED)
    means = np.zeros(_RESAMPLES)
    for figures in groups:
        drawn = random.integers(len(figures), size=(_RESAMPLES, len(figures)))
        means += np.asarray(figures)[drawn].mean(axis=1)
    low, high = np.percentile(means / len(groups), _PERCENTILES).tolist()
    return low, high


def mean_with_interval(groups: Sequence[Sequence[float]]) -> str:
    """Return the mean over groups with its interval: ``.922 (.912–.931)``."""
    mean = sum(sum(figures) / len(figures) for figures in groups) / len(groups)
    return f"{share(mean)} ({'–'.join(map(share, interval(groups)))})"
