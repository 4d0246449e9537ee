"""How often the kind of a page is told right: F1 by kind, on sites that the networks were not trained with.

Labels are the kinds of the corpora's pages, in larger groups. Where a page has none, it is that of its set, if all of
the set are of one. A page at the root of its site is a home page, whatever its label.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.corpus import CorpusPage, Site
from benchmarks.digest import digest_of
from benchmarks.parts import REPORT, sites_of
from benchmarks.tables import environment, share, table
from benchmarks.workers import mapped
from scrapy_blockfilter import learn
from scrapy_blockfilter.extras.kinds import KINDS, features_of
from scrapy_blockfilter.extras.kinds.network import KindNetwork, load_kind_network
from scrapy_blockfilter.extras.kinds.said import is_root
from scrapy_blockfilter.html import UnfitPage, parse, segment
from scrapy_blockfilter.html.caches import PageCaches

HOME = "home"
# Kinds of the corpora. A page of a catalogue is the record of a thing, and "landing" are pages of an organisation about
# itself, none at the root of a site.
LABELS: Mapping[str, tuple[str, ...]] = {
    "article": ("blog", "news", "recipe", "release"),
    "product": ("product",),
    "listing": ("listing",),
    "thread": ("forum",),
    "reference": ("doc", "reference", "wiki", "text", "legal", "faq", "catalogue"),
    "profile": ("profile",),
    HOME: (),
    "other": ("landing", "service", "event", "job"),
}
_OF_LABEL = {label: kind for kind, labels in LABELS.items() for label in labels}
# Sets without labels whose pages are of one kind.
_OF_SET = {
    **dict.fromkeys(("daniel", "dragnet", "l3s-gn1", "scrapinghub-aeb", "single-chaos"), "article"),
    "docs": "reference",
}
LEARNT = 10
WITHOUT = "without address"
_RESAMPLES, _SEED, _PERCENTILES = 1_000, 21, (2.5, 97.5)

Matrix = npt.NDArray[np.int64]


class Sample(NamedTuple):
    """A labelled page.

    Attributes:
        features: as of :func:`scrapy_blockfilter.extras.kinds.features_of`, with its address and without.
    """

    kind: str
    features: npt.NDArray[np.float64]
    without_address: npt.NDArray[np.float64]


def label_of(set_name: str, page: CorpusPage) -> str:
    """Return the kind of a page, "" if it is not known."""
    if is_root(page.url):
        return HOME
    return _OF_LABEL.get(page.kind, "") if page.kind else _OF_SET.get(set_name, "")


def samples_of(site: Site) -> list[Sample]:
    """Return the labelled pages of a site, after learning it from its first pages and cleaning them."""
    pages = site.pages()
    labels = [label_of(site.set_name, page) for page in pages]
    if not any(labels):
        return []
    try:
        model = learn([page.html for page in pages[:LEARNT]])
    except ValueError:  # no page can be read
        return []
    known = PageCaches()
    samples = []
    for page, label in zip(pages, labels, strict=True):
        try:
            root = parse(page.html)
            segmented = segment(root, known)
        except UnfitPage:
            continue
        if label:
            keep = [block.keep for block in model.clean_page(page.html, segmented).blocks]
            both = (features_of(segmented, keep, root, url) for url in (page.url, ""))
            samples.append(Sample(label, *both))
    return samples


def measure(corpora: Sequence[Path], processes: int = 1, part: str = REPORT) -> dict[str, Any]:
    """Return figures of all labelled pages of a part."""
    found = [samples for samples in mapped(samples_of, sites_of(part, corpora), processes) if samples]
    return {"environment": environment(), "corpus": digest_of(*corpora), "part": part, **figures_of(found)}


def figures_of(sites: Sequence[Sequence[Sample]], network: KindNetwork | None = None) -> dict[str, Any]:
    """Return figures of the pages of sites.

    Args:
        network: None for the one that ships.
    """
    network = network or load_kind_network()
    sites_with = Counter(kind for site in sites for kind in {sample.kind for sample in site})
    pages = Counter(sample.kind for site in sites for sample in site)
    with_address = _confusion(network, sites, [[sample.features for sample in site] for site in sites])
    without = _confusion(network, sites, [[sample.without_address for sample in site] for site in sites])
    return {
        "sites": len(sites),
        "pages": sum(pages.values()),
        "counts": {kind: {"sites": sites_with[kind], "pages": pages[kind]} for kind in KINDS},
        "f1": _with_intervals(with_address),
        WITHOUT: _with_intervals(without),
        "right": float(np.trace(with_address.sum(axis=0)) / max(1, with_address.sum())),
    }


def kinds_table(figures: Mapping[str, Any]) -> str:
    counted = figures["counts"]
    rows = [
        [kind, f"{counted[kind]['sites']}, {counted[kind]['pages']}", *(_cell(figures[of], kind) for of in _COLUMNS)]
        for kind in KINDS
        if counted[kind]["pages"]
    ]
    rows.append(["mean", f"{figures['sites']}, {figures['pages']}", *(_cell(figures[of], "mean") for of in _COLUMNS)])
    return table(["kind", "sites, pages", *_COLUMNS.values()], rows)


def report(figures: Mapping[str, Any]) -> str:
    """Return the figures as text for people."""
    title = f"Kinds of pages, on the part {figures['part']}: {share(figures['right'])} of the pages are told right."
    return f"{title}\n\n{kinds_table(figures)}"


_COLUMNS = {"f1": "F1", WITHOUT: "F1 without address"}


def _cell(of: Mapping[str, Any], kind: str) -> str:
    return f"{share(of[kind]['f1'])} ({'–'.join(map(share, of[kind]['interval']))})"


def _confusion(
    network: KindNetwork, sites: Sequence[Sequence[Sample]], features: Sequence[Sequence[npt.NDArray[np.float64]]]
) -> Matrix:
    """Count, for each site, the pages of each kind that are told as each kind."""
    counts = np.zeros((len(sites), len(KINDS), len(KINDS)), np.int64)
    for number, (samples, rows) in enumerate(zip(sites, features, strict=True)):
        for sample, row in zip(samples, rows, strict=True):
            counts[number, KINDS.index(sample.kind), int(network.probabilities(row).argmax())] += 1
    return counts


def _with_intervals(counts: Matrix) -> dict[str, Any]:
    """Return the F1 of each kind that there is, and their mean, with bootstrap intervals over sites."""
    random = np.random.default_rng(_SEED)
    there = np.flatnonzero(counts.sum(axis=(0, 2)))
    drawn = random.integers(len(counts), size=(_RESAMPLES, len(counts)))
    values = np.array([_f1(counts[sites].sum(axis=0))[there] for sites in drawn])
    own = _f1(counts.sum(axis=0))[there]
    # A draw without a site of a kind says nothing of that kind.
    figures = {KINDS[kind]: _figure(own[place], values[:, place]) for place, kind in enumerate(there)}
    return {**figures, "mean": _figure(own.mean(), np.nanmean(values, axis=1))}


def _figure(value: float, drawn: npt.NDArray[np.float64]) -> dict[str, Any]:
    return {"f1": float(value), "interval": np.nanpercentile(drawn, _PERCENTILES).tolist()}


def _f1(counts: Matrix) -> npt.NDArray[np.float64]:
    right = np.diag(counts).astype(np.float64)
    of_kind = counts.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        f1 = 2 * right / (of_kind + counts.sum(axis=0))
    return np.where(of_kind > 0, f1, np.nan)
