"""Figures that the authors of the methods report, on their own data, now lost: sites of 2001 to 2009."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean


@dataclass(frozen=True)
class Reported:
    """Figures of a paper."""

    source: str
    data: str  # the sites they were measured on
    # Measure -> values in the order of its name, each the mean over the rows of the paper's table.
    figures: Mapping[str, Sequence[float]]


def _mean(*columns: Sequence[float]) -> tuple[float, ...]:
    return tuple(map(fmean, columns))


# Precision and recall per site.
_LIN_HO = _mean(
    (1, 0.979, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0.959, 0.530),
    (0.957, 1, 1, 0.956, 0.989, 1, 1, 1, 1, 0.760, 1, 1, 0.997),
)
_DEBNATH_LH = _mean(
    (0.811, 0.882, 0.834, 0.823, 0.856, 0.82, 0.822, 0.77, 0.793, 0.802, 0.730),
    (0.99, 0.99, 0.99, 1, 1, 1, 1, 0.95, 0.99, 1, 1),
)
_DEBNATH_CONTENT = _mean(
    (0.915, 0.997, 0.968, 0.972, 0.977, 0.967, 0.985, 0.911, 0.924, 0.980, 0.967),
    (0.99, 1, 1, 1, 1, 1, 1, 0.993, 0.981, 1, 1),
)
_DEBNATH_FEATURE = _mean(
    (1, 1, 1, 0.98, 0.98, 1, 1, 0.93, 0.96, 0.92, 1), (1, 1, 1, 0.977, 0.98, 0.99, 1, 0.99, 0.98, 1, 0.95)
)
_DEBNATH_K_NEWS = _mean(
    (1, 1, 1, 0.98, 0.98, 1, 1, 0.93, 0.96, 0.92, 1), (1, 1, 1, 0.977, 0.98, 0.99, 1, 1, 0.85, 1, 0.95)
)
_DEBNATH_SHOPS = _mean((0.20, 0.33, 0.28, 0.40, 0.5), (0.198, 0.32, 0.28, 0.38, 0.478))
_DEBNATH_K_SHOPS = _mean((1, 1, 1, 1, 1), (0.99, 0.967, 0.98, 0.968, 0.956))
_MA = _mean(
    (0.341, 0.181, 0.178, 0.193, 0.225, 0.541, 0.193, 0.293),
    (1, 0.86, 1, 1, 1, 1, 1, 1),
)

FEATURES, BLOCKS, LCS, ATF, TDR = "features P R", "blocks P R", "LCS P R F1", "atf", "tdr"

REPORTED: Mapping[str, Sequence[Reported]] = {
    "chunk_frequency": [Reported("Ma et al., table 2", "8 sites of 2003", {ATF: _MA[:1], TDR: _MA[1:]})],
    "entropy": [
        Reported("Lin & Ho, table 2", "13 news sites of 2002", {FEATURES: _LIN_HO}),
        Reported("Debnath et al., table 2 (LH)", "11 news sites of 2004", {BLOCKS: _DEBNATH_LH}),
    ],
    "ibdf": [Reported("Debnath et al., table 2", "11 news sites of 2004", {BLOCKS: _DEBNATH_CONTENT})],
    "feature_extractor": [
        Reported("Debnath et al., table 2", "11 news sites of 2004", {BLOCKS: _DEBNATH_FEATURE}),
        Reported("Debnath et al., table 3", "5 shops and review sites", {BLOCKS: _DEBNATH_SHOPS}),
    ],
    "k_feature_extractor": [
        Reported("Debnath et al., table 3", "11 news sites of 2004", {BLOCKS: _DEBNATH_K_NEWS}),
        Reported("Debnath et al., table 3", "5 shops and review sites", {BLOCKS: _DEBNATH_K_SHOPS}),
    ],
    "content_seeker": [
        Reported("Louvan, table 4 (LBS)", "14 news sources", {LCS: (0.940, 0.882, 0.905)}),
        Reported("Louvan, table 5 (LBS)", "80 blogs", {LCS: (0.905, 0.827, 0.834)}),
        Reported("Louvan, table 6 (TP)", "4 forums", {LCS: (0.870, 0.740, 0.754)}),
    ],
}
