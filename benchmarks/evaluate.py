"""Quality of the default method, and of other extractors, on one site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.corpus import CorpusPage, Site
from benchmarks.harm import Expected, Harm, expected_of
from benchmarks.kinds import usual_kind
from benchmarks.peers import Extract, load_peers, quiet
from benchmarks.scoring import Score, mean, score, tokens
from benchmarks.unshipped import model_of, network_for
from scrapy_blockfilter import Options, SiteModel
from scrapy_blockfilter.consensus import Network


@dataclass
class Result:
    """Figures of one row on one site."""

    score: Score  # mean over the pages
    failures: int = 0  # number of pages on which it raised; they are scored as empty text
    unchanged: dict[str, int] = field(default_factory=dict)  # reason -> number of pages that came back unchanged
    harm: Harm = Harm()  # losses of all pages together

    def as_json(self) -> dict[str, Any]:
        what_went_wrong = {"failures": self.failures, "unchanged": self.unchanged, "harm": self.harm.as_json()}
        return {**self.score._asdict(), **what_went_wrong}


@dataclass
class SiteResult:
    """Figures of all rows on one site."""

    set_name: str
    site: str
    pages: int
    results: dict[str, Result]
    kind: str = ""  # the most frequent kind of its pages, "" where unknown

    def as_json(self) -> dict[str, Any]:
        results = {name: result.as_json() for name, result in self.results.items()}
        return {**asdict(self), "results": results}


def evaluate(
    site: Site, rows: Mapping[str, Options], network: Network | Path | None = None, peers: Sequence[str] = ()
) -> SiteResult:
    """Learn from the first pages of a site without their gold, clean all its pages, and score the text kept.

    Args:
        rows: name -> options of the default method.
        network: as for :func:`benchmarks.unshipped.network_for`.
        peers: other extractors to evaluate.
    """
    pages = site.pages()
    expected = expected_of(pages)
    judge = network_for(network)
    results = {row: _of_model(model_of(pages, judge, options), pages, expected) for row, options in rows.items()}
    for name, texts in texts_of_peers(peers, pages).items():
        results[name] = replace(result_of_texts((text or "" for text in texts), expected), failures=texts.count(None))
    return SiteResult(site.set_name, site.name, len(pages), results, usual_kind(page.kind for page in pages))


def result_of_texts(texts: Iterable[str], expected: Sequence[Expected]) -> Result:
    """Score the cleaned texts of pages, and count the harm."""
    scores, harm = [], Harm()
    for text, right in zip(texts, expected, strict=True):
        scores.append(score(tokens(text), right.tokens))
        harm += right.harm(text)
    return Result(mean(scores), harm=harm)


def texts_of_peers(names: Sequence[str], pages: Sequence[CorpusPage]) -> dict[str, list[str | None]]:
    """Return the text that each extractor finds on each page, None for a page on which it raises."""
    with quiet():
        return {name: [_text_by(extract, page) for page in pages] for name, extract in load_peers(names).items()}


def _text_by(extract: Extract, page: CorpusPage) -> str | None:
    try:
        return extract(page)
    except Exception:
        return None


def _of_model(model: SiteModel | None, pages: Sequence[CorpusPage], expected: Sequence[Expected]) -> Result:
    """Evaluate a site's model on its pages; without a model every page counts as failed."""
    if model is None:
        return replace(result_of_texts([""] * len(pages), expected), failures=len(pages))
    cleaned = [model.clean(page.html) for page in pages]
    unchanged = Counter(page.unchanged for page in cleaned if page.unchanged)
    return replace(result_of_texts((page.text for page in cleaned), expected), unchanged=dict(unchanged))
