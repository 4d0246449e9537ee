"""The effects on many sites: for each a table, whether it is found, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean, median
from typing import NamedTuple

from benchmarks.scoring import Score, mean
from benchmarks.tables import share, table
from research.papers.effects import (
    DF_ACTUAL,
    DF_PAGES,
    DF_THRESHOLDS,
    ENTROPY_THRESHOLDS,
    EXTRACTORS,
    TIMED,
    TRAINING,
    SiteEffects,
)

# This share of a template is most of it.
_MOST = 0.75
# Smaller changes of a mean count as none.
_CHANGE = 0.02
# Smaller changes of a site's precision count as none.
_CHANGE_OF_SITE = 0.05


class Summary(NamedTuple):
    """An effect that a paper reports, next to the figures measured here.

    Attributes:
        claim: the paper's claim, and where it makes it.
        figures: a table of the figures.
        found: whether they show the effect.
        why: the conclusion from the figures.
    """

    name: str
    claim: str
    figures: str
    found: bool
    why: str

    @property
    def text(self) -> str:
        verdict = "Found" if self.found else "Not found"
        return f"**{self.name}.** {self.claim}\n\n{self.figures}\n\n{verdict}: {self.why}"


def summaries(results: Sequence[SiteEffects]) -> list[Summary]:
    """Summarise every effect that some sites have figures for."""
    made = (_training(results), _discovery(results), _df_threshold(results), _run_time(results))
    return [summary for summary in (*made, _several_blocks(results), _thresholds(results)) if summary is not None]


def _training(results: Sequence[SiteEffects]) -> Summary | None:
    sites = [result.training for result in results if result.training]
    if not sites:
        return None
    precisions = [fmean(site[count][0] for site in sites) for count in TRAINING]
    recalls = [fmean(site[count][1] for site in sites) for count in TRAINING]
    first, last = TRAINING[1], TRAINING[-1]
    lower = sum(site[last][0] < site[first][0] - _CHANGE_OF_SITE for site in sites)
    higher = sum(site[last][0] > site[first][0] + _CHANGE_OF_SITE for site in sites)
    change = recalls[-1] - recalls[1]
    return Summary(
        "Number of training pages, entropy (Lin & Ho, figure 7)",
        "With 5 to 40 pages recall hardly changes, and precision falls on a few sites as pages are added.",
        table(
            [f"{len(sites)} sites, pages", *map(str, TRAINING)],
            [["precision", *map(share, precisions)], ["recall", *map(share, recalls)]],
        ),
        abs(change) <= _CHANGE and lower > 0,
        f"from {first} to {last} pages recall changes by {change:+.3f}; precision falls by more than "
        f"{share(_CHANGE_OF_SITE)} on {lower} of the sites and rises by as much on {higher}. Mean precision changes by "
        f"{precisions[-1] - precisions[1]:+.3f}: more pages show more of what they share.",
    )


def _discovery(results: Sequence[SiteEffects]) -> Summary | None:
    sites = [
        {count: values[2] for count, values in result.training.items() if values[2] is not None}
        for result in results
        if result.training
    ]
    sites = [site for site in sites if site]
    if not sites:
        return None
    ratios = [fmean(site[count] for site in sites) for count in TRAINING]
    found = TRAINING.index(9)
    return Summary(
        "Number of training pages, chunk_frequency (Ma et al., figure 4)",
        "9 of 13 pages of Amazon give 86 % of the template tables, 9 of 41 pages of eBay all of them (threshold 4).",
        table([f"{len(sites)} sites, pages", *map(str, TRAINING)], [["tdr", *map(share, ratios)]]),
        _MOST <= ratios[found] <= ratios[-1],
        f"9 of {TRAINING[-1]} pages give {share(ratios[found])} of the template, all of them {share(ratios[-1])}. The "
        f"threshold is {DF_ACTUAL} pages, or all pages where there are fewer.",
    )


def _df_threshold(results: Sequence[SiteEffects]) -> Summary | None:
    sites = [result.df_thresholds for result in results if result.df_thresholds]
    if not sites:
        return None
    ratios = [fmean(site[threshold] for site in sites) for threshold in DF_THRESHOLDS]
    at_actual = ratios[DF_THRESHOLDS.index(DF_ACTUAL)]
    return Summary(
        "Document frequency threshold, chunk_frequency (Ma et al., figure 3)",
        "For 13 pages tdr is 1 at a threshold of 4, and 1.17 at 3: lower thresholds take other text for template.",
        table(
            [f"{len(sites)} sites of {DF_PAGES} pages, threshold", *map(str, DF_THRESHOLDS)],
            [["tdr", *map(share, ratios)]],
        ),
        ratios == sorted(ratios, reverse=True) and ratios[0] > 1 >= ratios[-1],
        f"tdr falls from {ratios[0]:.2f} to {ratios[-1]:.2f} as the threshold rises, and is {at_actual:.2f} at "
        f"{DF_ACTUAL} pages. The excess over 1 there is main text that repeats.",
    )


def _run_time(results: Sequence[SiteEffects]) -> Summary | None:
    rows, faster = [], []
    for count in TIMED:
        pairs = [result.seconds[count] for result in results if count in result.seconds]
        if pairs:
            ibdf, entropy = (1000 * fmean(pair[method] for pair in pairs) / count for method in (0, 1))
            faster.append(sum(first < second for first, second in pairs) / len(pairs))
            ratio = median(second / first for first, second in pairs)
            cells = (str(len(pairs)), f"{ibdf:.2f}", f"{entropy:.2f}", f"{ratio:.1f}", f"{100 * faster[-1]:.0f} %")
            rows.append([str(count), *cells])
    if not rows:
        return None
    return Summary(
        "Run-time of ContentExtractor and InfoDiscoverer (Debnath et al., figure 2)",
        "ContentExtractor takes less time than InfoDiscoverer on the same pages.",
        table(
            [
                "pages",
                "sites",
                "ibdf, ms per page",
                "entropy, ms per page",
                "median of entropy / ibdf",
                "ibdf is faster on",
            ],
            rows,
        ),
        min(faster) > 0.5,
        "time to fit and judge the pages, with blocks and terms at hand. Here the time of both grows with the pages. "
        "An index of rare terms finds near-equal blocks, where algorithm 1 compares all pairs. All entropies are "
        "computed at once.",
    )


def _several_blocks(results: Sequence[SiteEffects]) -> Summary | None:
    kinds = [(name, [getattr(result, name) for result in results]) for name in ("one", "several")]
    means = {name: _by_method([scores for scores in of_sites if scores]) for name, of_sites in kinds}
    if not all(means.values()):
        return None
    counts = [sum(result.counts[kind] for result in results) for kind in (0, 1)]
    rows = [
        [f"{label}, {count} pages", *(" ".join(map(share, score)) for score in means[name])]
        for name, label, count in zip(means, ("one container of main text", "several containers"), counts, strict=True)
    ]
    gains = {name: after.recall - before.recall for name, (before, after) in means.items()}
    f1 = {name: after.f1 - before.f1 for name, (before, after) in means.items()}
    return Summary(
        "K-FeatureExtractor and FeatureExtractor by number of blocks (Debnath et al., table 3)",
        "On pages with several content blocks K-FeatureExtractor raises precision from .20-.50 to 1.00 and recall from "
        ".20-.48 to .96-.99; on news there is next to no difference.",
        table(["containers: precision recall F1", *EXTRACTORS], rows),
        gains["several"] > _CHANGE and gains["several"] > gains["one"] and f1["several"] > 0,
        f"recall changes by {gains['several']:+.3f} on pages with several containers of main text and by "
        f"{gains['one']:+.3f} on those with one, F1 by {f1['several']:+.3f} and {f1['one']:+.3f}.",
    )


def _by_method(of_sites: Sequence[Sequence[Score]]) -> list[Score]:
    return [mean(scores) for scores in zip(*of_sites, strict=True)]


def _thresholds(results: Sequence[SiteEffects]) -> Summary | None:
    sites = [result for result in results if result.fixed]
    if not sites:
        return None
    found = Counter(round(result.threshold, 1) for result in sites)
    best = Counter(max(result.fixed, key=lambda threshold: (result.fixed[threshold], -threshold)) for result in sites)
    fixed = [fmean(result.fixed[threshold] for result in sites) for threshold in ENTROPY_THRESHOLDS]
    adaptive = fmean(result.adaptive for result in sites)
    oracle = fmean(max(result.fixed.values()) for result in sites)
    return Summary(
        "Thresholds that differ by site, entropy (Lin & Ho, table 2)",
        "The best threshold is between .1 and .7, another one for each site.",
        table(
            [f"{len(sites)} sites, threshold", *map(share, ENTROPY_THRESHOLDS)],
            [
                ["sites where it is found", *(str(found[threshold]) for threshold in ENTROPY_THRESHOLDS)],
                ["sites where it is best", *(str(best[threshold]) for threshold in ENTROPY_THRESHOLDS)],
                ["F1 of features with it on all sites", *map(share, fixed)],
            ],
        ),
        len(best) > 2 and oracle > max(fixed) + _CHANGE,
        f"the best threshold is one of {len(best)} values. F1 with the best one for each site is {share(oracle)}, with "
        f"the best one for all {share(max(fixed))}, with the one that the greedy rule finds {share(adaptive)}.",
    )
