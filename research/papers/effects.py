"""Effects that the papers report, measured on other sites: the figures of one site at a time.

Methods learn from the first pages of a site, and are judged on its pages, parsed once. :mod:`.effects_report` draws
conclusions from the figures of many sites.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks.corpus import Site
from benchmarks.scoring import Score, mean
from benchmarks.template import actual_template, discovered_template
from benchmarks.timing import clock, without_collector
from research.papers.measures import readable
from scrapy_blockfilter import Options
from scrapy_blockfilter.html.caches import PageCaches
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.methods import METHOD_NAMES, get_method
from scrapy_blockfilter.methods.entropy import FittedEntropy
from scrapy_blockfilter.model import SiteModel, fit
from scrapy_blockfilter.render import render_text
from scrapy_blockfilter.sample import PageRecord, SiteSample

# Numbers of pages to learn from, on sites with at least the largest (Lin & Ho, figure 7: 5 to 40; Ma et al., figure 4).
TRAINING = (3, 5, 9, 15, 20)
# Ma et al., on 13 pages of Amazon: chunks on 4 pages are template by their count; a threshold of 3 finds too many.
DF_PAGES, DF_ACTUAL = 13, 4
DF_THRESHOLDS = (2, 3, 4, 5, 6, 8, 10)
# Numbers of pages to compare run-times on.
TIMED = (5, 10, 20)
ENTROPY_THRESHOLDS = tuple(number / 10 for number in range(1, 10))
EXTRACTORS = ("feature_extractor", "k_feature_extractor")


@dataclass(frozen=True)
class SiteEffects:
    """Figures of one site; empty where it has too few pages, or the method is missing.

    Attributes:
        training: number of pages learnt from -> precision and recall of features by ``entropy``, and *tdr* by
            ``chunk_frequency`` with a threshold of 4 pages.
        df_thresholds: document frequency threshold, of 13 pages -> *tdr* by ``chunk_frequency``.
        seconds: number of pages -> seconds to fit and judge them, by ``ibdf`` and by ``entropy``.
        one, several: precision, recall and F1 of containers by ``feature_extractor`` and ``k_feature_extractor``, on
            pages with one container of main text and with several.
        counts: number of pages with one container, and with several.
        threshold: the threshold that ``entropy`` finds for the site.
        adaptive: F1 of features with this threshold.
        fixed: threshold -> F1 of features.
    """

    set_name: str
    site: str
    training: dict[int, tuple[float, float, float | None]] = field(default_factory=dict)
    df_thresholds: dict[int, float] = field(default_factory=dict)
    seconds: dict[int, tuple[float, float]] = field(default_factory=dict)
    one: tuple[Score, ...] = ()
    several: tuple[Score, ...] = ()
    counts: tuple[int, int] = (0, 0)
    threshold: float = 0.0
    adaptive: float = 0.0
    fixed: dict[float, float] = field(default_factory=dict)


class _Pages:
    """The pages of a site, and models learnt from its first pages."""

    def __init__(self, site: Site) -> None:
        self.known = PageCaches()
        self.judged = [judged for _, judged in readable(site.pages(), self.known)]
        self._records: list[PageRecord] = [PageRecord.of(judged.page) for judged in self.judged]

    def sample(self, count: int) -> SiteSample:
        sample = SiteSample(count)
        sample.add_rows(enumerate(self._records[:count]))
        return sample

    def model(self, count: int, options: Options) -> SiteModel:
        return fit(self.sample(count), Reader(options))

    def keeps(self, model: SiteModel, count: int | None = None) -> list[list[bool]]:
        return [[verdict.keep for verdict in model.judge(judged.page)] for judged in self.judged[:count]]

    def features(self, model: SiteModel) -> Score:
        keeps = zip(self.judged, self.keeps(model), strict=True)
        return mean(judged.features(render_text(judged.page, keep)) for judged, keep in keeps)

    def discovery_ratio(self, learnt: int, judged: int, threshold: int) -> float | None:
        """Return *tdr* on the first pages, with a document frequency threshold in pages."""
        pages = [page.page for page in self.judged[:judged]]
        actual = actual_template(pages, [page.is_gold for page in self.judged[:judged]], DF_ACTUAL)
        model = self.model(
            learnt, Options(method="chunk_frequency", method_args={"df_share": 0, "df_count": threshold})
        )
        found = discovered_template(pages, self.keeps(model, judged))
        return len(found) / len(actual) if actual else None


def effects_of(site: Site) -> SiteEffects:
    """Measure every effect on one site."""
    pages = _Pages(site)
    size = len(pages.judged)
    result = SiteEffects(site.set_name, site.name)
    if size < 2:
        return result
    if size >= TRAINING[-1]:
        for count in TRAINING:
            found = pages.features(pages.model(count, Options(method="entropy")))
            ratio = pages.discovery_ratio(count, TRAINING[-1], min(count, DF_ACTUAL))
            result.training[count] = (found.precision, found.recall, ratio)
    if size >= DF_PAGES:
        for least in DF_THRESHOLDS:
            ratio = pages.discovery_ratio(DF_PAGES, DF_PAGES, least)
            if ratio is not None:
                result.df_thresholds[least] = ratio
    for count in TIMED:
        if size >= count:
            result.seconds[count] = (_seconds(pages, "ibdf", count), _seconds(pages, "entropy", count))
    learnt = min(size, 10)
    one, several, counts = _by_number_of_blocks(pages, learnt)
    threshold, adaptive, fixed = _thresholds(pages, learnt)
    return SiteEffects(
        site.set_name,
        site.name,
        result.training,
        result.df_thresholds,
        result.seconds,
        one,
        several,
        counts,
        threshold,
        adaptive,
        fixed,
    )


def _seconds(pages: _Pages, name: str, count: int) -> float:
    """Return the best of three times to learn from pages and judge them.

    Blocks and terms are ready in the records, so it is the time of the method alone.
    """
    records = list(pages.sample(count).pages())
    times = []
    for _ in range(3):
        with without_collector():
            start = clock()
            fitted = get_method(name).fit(records, Options())
            for record in records:
                fitted.judge(record, whole=True)
            times.append(clock() - start)
    return min(times)


def _by_number_of_blocks(pages: _Pages, learnt: int) -> tuple[tuple[Score, ...], tuple[Score, ...], tuple[int, int]]:
    if not set(EXTRACTORS) <= set(METHOD_NAMES):
        return (), (), (0, 0)
    kinds = [judged.main_containers for judged in pages.judged]
    one, several = ([number for number, kind in enumerate(kinds) if is_of(kind)] for is_of in (_is_one, _is_several))
    scores = []
    for name in EXTRACTORS:
        keeps = pages.keeps(pages.model(learnt, Options(method=name)))
        scores.append([judged.containers(keep) for judged, keep in zip(pages.judged, keeps, strict=True)])
    return _means(scores, one), _means(scores, several), (len(one), len(several))


def _is_one(blocks: int) -> bool:
    return blocks == 1


def _is_several(blocks: int) -> bool:
    return blocks > 1


def _means(scores: Sequence[Sequence[Score]], numbers: Sequence[int]) -> tuple[Score, ...]:
    return tuple(mean(of_method[number] for number in numbers) for of_method in scores) if numbers else ()


def _thresholds(pages: _Pages, learnt: int) -> tuple[float, float, dict[float, float]]:
    """Return the entropy threshold found for the site, F1 with it, and F1 with each fixed threshold."""
    found = get_method("entropy").fit(list(pages.sample(learnt).pages()), Options())
    assert isinstance(found, FittedEntropy)
    adaptive = pages.features(pages.model(learnt, Options(method="entropy"))).f1
    fixed = {
        threshold: pages.features(
            pages.model(learnt, Options(method="entropy", method_args={"threshold": threshold}))
        ).f1
        for threshold in ENTROPY_THRESHOLDS
    }
    return found.threshold, adaptive, fixed
