"""The quality of every method and peer on one site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from benchmarks.corpus import CorpusPage, Site
from benchmarks.peers import load_peers, quiet
from benchmarks.scoring import Score, mean, score, tokens
from benchmarks.template import site_template_fraction
from scrapy_blockfilter import Cleaned, Options, learn
from scrapy_blockfilter.html import Page, UnfitPage, parse, segment
from scrapy_blockfilter.terms import TermMaker


@dataclass(frozen=True)
class Job:
    """A site, what to evaluate on it, and from how many of its pages to learn."""

    site: Site
    methods: tuple[str, ...]
    peers: tuple[str, ...]
    learnt: int


@dataclass
class Result:
    """What one method or peer reached on one site.

    Attributes:
        score: mean over the pages.
        failures: pages on which it raised; they count with no text.
        unchanged: why pages came back unchanged -> how many.
    """

    score: Score
    failures: int = 0
    unchanged: dict[str, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {**self.score._asdict(), "failures": self.failures, "unchanged": self.unchanged}


@dataclass
class SiteResult:
    set_name: str
    site: str
    pages: int
    learnt: int
    atf: float | None
    results: dict[str, Result]

    def as_json(self) -> dict[str, Any]:
        results = {name: result.as_json() for name, result in self.results.items()}
        return {**asdict(self), "results": results}


def evaluate(job: Job) -> SiteResult:
    """Learn from the first pages of a site without their gold, clean all of them, and score what is left."""
    pages = job.site.pages()
    gold = [tokens(page.gold) for page in pages]
    results = {method: _evaluate_method(method, pages, gold, job.learnt) for method in job.methods}
    with quiet():
        for name, extract in load_peers(job.peers).items():
            results[name] = _evaluate_peer(extract, pages, gold)
    atf = _template_fraction(pages[: job.learnt]) if "chunk_frequency" in job.methods else None
    return SiteResult(job.site.set_name, job.site.name, len(pages), min(job.learnt, len(pages)), atf, results)


def _evaluate_method(method: str, pages: Sequence[CorpusPage], gold: Sequence[Counter[str]], learnt: int) -> Result:
    options = Options(method=method, pages=learnt)
    try:
        model = learn([page.html for page in pages[:learnt]], options)
    except ValueError:  # none of the pages can be read
        return Result(mean(score(Counter(), right) for right in gold), failures=len(pages))
    cleaned: list[Cleaned] = [model.clean(page.html) for page in pages]
    scores = [score(tokens(page.text), right) for page, right in zip(cleaned, gold, strict=True)]
    return Result(mean(scores), unchanged=dict(Counter(page.unchanged for page in cleaned if page.unchanged)))


def _evaluate_peer(
    extract: Callable[[str, str], str], pages: Sequence[CorpusPage], gold: Sequence[Counter[str]]
) -> Result:
    scores, failures = [], 0
    for page, right in zip(pages, gold, strict=True):
        try:
            found = extract(page.html, page.language)
        except Exception:
            found = ""
            failures += 1
        scores.append(score(tokens(found), right))
    return Result(mean(scores), failures)


def _template_fraction(pages: Sequence[CorpusPage]) -> float:
    terms = TermMaker()
    segmented: list[Page] = []
    for page in pages:
        try:
            segmented.append(segment(parse(page.html), terms))
        except UnfitPage:
            continue
    return site_template_fraction(segmented, Options(method="chunk_frequency"))
