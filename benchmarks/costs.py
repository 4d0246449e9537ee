"""Cost of learning and cleaning on sampled pages, next to other extractors on the same pages in the same rounds."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import parsel

from benchmarks.corpus import CorpusPage, find_sites
from benchmarks.generate import GeneratedSite
from benchmarks.peers import Extract, quiet
from benchmarks.timing import BASELINE, Stopwatch
from scrapy_blockfilter import Cleaned, Options, SiteModel, SiteSample
from scrapy_blockfilter.html import Reader, UnfitPage
from scrapy_blockfilter.html.reader import HtmlInput
from scrapy_blockfilter.model import fit
from scrapy_blockfilter.sample import SAMPLE_GROWTH

ADD = "learn: add a page"
# What is made from what -> whether the page comes as a tree that is parsed already, and what is taken of the result.
FORMS: Mapping[str, tuple[bool, Callable[[Cleaned], str]]] = {
    "HTML from text": (False, lambda cleaned: cleaned.html),
    "text from text": (False, lambda cleaned: cleaned.text),
    "HTML from the spider's tree": (True, lambda cleaned: cleaned.html),
    "text from the spider's tree": (True, lambda cleaned: cleaned.text),
}

# Number of the site, "learnt" or "cleaned", number of the page.
Item = tuple[int, str, int]

# Characters of generated pages, from small to large; the median real page has 60,000.
GENERATED_SIZES = (12_000, 30_000, 60_000, 60_000, 120_000, 300_000)


@dataclass(frozen=True)
class SampledSite:
    """A site's pages: some to learn from, others to clean."""

    name: str
    learnt: tuple[CorpusPage, ...]
    cleaned: tuple[CorpusPage, ...]


def sample_sites(corpus: Path | None, sites_of_set: int) -> list[SampledSite]:
    """Take sites evenly spaced over each set of a corpus; without a corpus, generate them."""
    if corpus is None:
        return [_generated(number) for number in range(sites_of_set)]
    sampled: list[SampledSite] = []
    for _, group in groupby(find_sites(corpus), lambda site: site.set_name):
        sites = [site for site in group if site.has_enough_pages()]
        sampled.extend(
            _halved(f"{site.set_name}/{site.name}", [page for page in site.pages() if is_fit(page)])
            for site in sites[:: max(1, len(sites) // sites_of_set)][:sites_of_set]
        )
    return [site for site in sampled if site.learnt and site.cleaned]


def measure_pages(
    sites: Sequence[SampledSite], methods: Sequence[str], peers: Mapping[str, Extract], rounds: int
) -> Stopwatch:
    """Do all work on all pages, once per round; each round is a crawl of its own and stems words anew."""
    watch = Stopwatch()
    for turn in range(rounds):
        gc.collect()
        reader = Reader(Options())
        with quiet():
            for number, site in enumerate(sites):
                models = _learn(watch, number, site, methods, reader)
                for index, page in enumerate(site.cleaned):
                    item = (number, "cleaned", index)
                    watch.baseline(item, page.html)
                    for method, model in models.items():
                        _clean(watch, item, method, model, page.html, turn)
                    for name, extract in peers.items():
                        watch.measure(name, item, partial(_attempt, extract, page))
    return watch


def clean_name(method: str, form: str) -> str:
    return f"clean: {form}, {method}"


def fit_name(method: str) -> str:
    return f"learn: fit, {method}"


def fit_cost(watch: Stopwatch, sites: Sequence[SampledSite], method: str) -> dict[str, Any]:
    """Return the cost of fitting: milliseconds per site, and per page learnt as a multiple of parse + serialise."""
    seconds = watch.seconds(fit_name(method))
    pages = sum(len(site.learnt) for site in sites)
    base = sum(
        watch.seconds(BASELINE)[number, "learnt", index]
        for number, site in enumerate(sites)
        for index in range(len(site.learnt))
    )
    total = sum(seconds.values())
    return {"ms_a_site": 1000 * total / len(sites), "ms_a_page": 1000 * total / pages, "ratio": total / base}


def _learn(
    watch: Stopwatch, number: int, site: SampledSite, methods: Sequence[str], reader: Reader
) -> dict[str, SiteModel]:
    sample = SiteSample(SAMPLE_GROWTH * Options().pages)
    for index, page in enumerate(site.learnt):
        item = (number, "learnt", index)
        watch.baseline(item, page.html)
        watch.measure(ADD, item, partial(_take_in, sample, index, page.html, reader))
    return {
        method: watch.measure(fit_name(method), number, partial(fit, sample, Reader(Options(method=method))))
        for method in methods
    }


def _clean(watch: Stopwatch, item: Item, method: str, model: SiteModel, html: str, turn: int) -> None:
    """Clean a page to each form. Another form is first in each turn, as the first finds the processor's cache cold."""
    forms = list(FORMS.items())
    first = turn % len(forms)
    for form, (has_tree, output) in forms[first:] + forms[:first]:
        # A tree of its own for each, whose parsing is not timed: what one piece of work leaves in it serves no other.
        page = parsel.Selector(text=html) if has_tree else html
        watch.measure(clean_name(method, form), item, partial(_made, model, page, output))


def _made(model: SiteModel, page: HtmlInput, output: Callable[[Cleaned], str]) -> str:
    return output(model.clean(page))


def _take_in(sample: SiteSample, page_hash: int, html: str, reader: Reader) -> None:
    sample.add(page_hash, reader.read(html))


def _attempt(extract: Extract, page: CorpusPage) -> str:
    try:
        return extract(page)
    except Exception:
        return ""


def _halved(name: str, pages: Sequence[CorpusPage]) -> SampledSite:
    half = min(Options().pages, len(pages) // 2)
    return SampledSite(name, tuple(pages[:half]), tuple(pages[half : 2 * half]))


def is_fit(page: CorpusPage) -> bool:
    """Tell whether a page can be read."""
    try:
        Reader(Options()).read(page.html)
    except UnfitPage:
        return False
    return True


def _generated(number: int) -> SampledSite:
    site = GeneratedSite(number)
    made = [site.page(index, GENERATED_SIZES[index % len(GENERATED_SIZES)]) for index in range(2 * Options().pages)]
    return _halved(f"generated/{number}", [CorpusPage(page.html, page.gold, "English") for page in made])
