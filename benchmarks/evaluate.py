"""Quality of every method and peer on one site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from benchmarks.corpus import CorpusPage, Site
from benchmarks.harm import Expected, Harm, expected_of
from benchmarks.kinds import usual_kind
from benchmarks.peers import Extract, load_peers, quiet
from benchmarks.scoring import Score, mean, score, tokens
from scrapy_blockfilter import Options, learn
from scrapy_blockfilter.consensus.weights import WeightsError
from scrapy_blockfilter.model import SiteModel


@dataclass(frozen=True)
class Job:
    """A site, the methods and peers to evaluate on it, and the number of pages to learn from."""

    site: Site
    methods: tuple[str, ...]
    peers: tuple[str, ...]
    learnt: int


@dataclass
class Result:
    """Figures of one method or peer on one site.

    Attributes:
        score: mean over the pages.
        failures: number of pages on which it raised; they are scored as empty text.
        unchanged: reason -> number of pages that came back unchanged.
        harm: losses of all pages together.
    """

    score: Score
    failures: int = 0
    unchanged: dict[str, int] = field(default_factory=dict)
    harm: Harm = Harm()

    def as_json(self) -> dict[str, Any]:
        what_went_wrong = {"failures": self.failures, "unchanged": self.unchanged, "harm": self.harm.as_json()}
        return {**self.score._asdict(), **what_went_wrong}


@dataclass
class SiteResult:
    """Figures of all methods and peers on one site.

    Attributes:
        kind: the most frequent kind of its pages, "" where unknown.
    """

    set_name: str
    site: str
    pages: int
    learnt: int
    results: dict[str, Result]
    kind: str = ""

    def as_json(self) -> dict[str, Any]:
        results = {name: result.as_json() for name, result in self.results.items()}
        return {**asdict(self), "results": results}


def evaluate(job: Job) -> SiteResult:
    """Learn from the first pages of a site without their gold, clean all its pages, and score the text kept."""
    pages = job.site.pages()
    expected = expected_of(pages)
    results = {
        method: evaluate_options(Options(method=method, pages=job.learnt), pages, expected) for method in job.methods
    }
    results.update(evaluate_peers(job.peers, pages, expected))
    learnt = min(job.learnt, len(pages))
    return SiteResult(job.site.set_name, job.site.name, len(pages), learnt, results, usual_kind(pages))


def result_of_texts(texts: Iterable[str], expected: Sequence[Expected]) -> Result:
    """Score the cleaned texts of pages, and count the harm."""
    scores, harm = [], Harm()
    for text, right in zip(texts, expected, strict=True):
        scores.append(score(tokens(text), right.tokens))
        harm += right.harm(text)
    return Result(mean(scores), harm=harm)


def result_of_model(model: SiteModel | None, pages: Sequence[CorpusPage], expected: Sequence[Expected]) -> Result:
    """Evaluate a site's model on its pages; without a model every page counts as failed."""
    if model is None:
        return replace(result_of_texts([""] * len(pages), expected), failures=len(pages))
    cleaned = [model.clean(page.html) for page in pages]
    unchanged = Counter(page.unchanged for page in cleaned if page.unchanged)
    return replace(result_of_texts((page.text for page in cleaned), expected), unchanged=dict(unchanged))


def evaluate_peers(
    names: Sequence[str], pages: Sequence[CorpusPage], expected: Sequence[Expected]
) -> dict[str, Result]:
    """Evaluate other extractors on the pages of a site."""
    with quiet():
        return {name: _evaluate_peer(extract, pages, expected) for name, extract in load_peers(names).items()}


def peer_texts(extract: Extract, pages: Iterable[CorpusPage]) -> list[str | None]:
    """Return the text that an extractor finds on each page, None for a page on which it raises."""
    texts: list[str | None] = []
    for page in pages:
        try:
            texts.append(extract(page))
        except Exception:
            texts.append(None)
    return texts


def evaluate_options(options: Options, pages: Sequence[CorpusPage], expected: Sequence[Expected]) -> Result:
    """Learn by some options from the first pages of a site, and evaluate on all of them."""
    try:
        model = learn([page.html for page in pages[: options.pages]], options)
    except WeightsError:
        raise
    except ValueError:  # no page can be read
        model = None
    return result_of_model(model, pages, expected)


def _evaluate_peer(extract: Extract, pages: Sequence[CorpusPage], expected: Sequence[Expected]) -> Result:
    texts = peer_texts(extract, pages)
    return replace(result_of_texts((text or "" for text in texts), expected), failures=texts.count(None))
