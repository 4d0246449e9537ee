"""The benchmark of copies: made reprints, and what is counted."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from benchmarks.copies import MEASURES, WAYS, about, copies_table, measure
from benchmarks.reprints import OWN, QUOTES, REPRINTS, reprints
from scrapy_blockfilter.extras.copies.keys import words_of


def shared_words(changed: float) -> list[float]:
    """Return the shares of its original's words that each reprint has."""
    prints = reprints(6, changed)
    by_article: dict[int, list[set[str]]] = {}
    for page in prints:
        by_article.setdefault(page.article, []).append(set(words_of(page.html)))
    return [len(one & other) / len(one | other) for one, other in (of for of in by_article.values() if len(of) > 1)]


def test_each_publisher_has_its_articles_and_reprints_of_others() -> None:
    prints = reprints(6, 0.1)
    assert len(prints) == len({page.url for page in prints}) == 6 * (OWN + REPRINTS + QUOTES)
    assert prints == reprints(6, 0.1)
    twice = [page.article for page in prints]
    assert sum(twice.count(article) > 1 for article in set(twice)) == 6 * REPRINTS


def test_reprints_share_less_where_more_is_changed() -> None:
    low, high = (sum(shared_words(changed)) for changed in (0.0, 0.4))
    assert low > high


@pytest.mark.slow
@pytest.mark.skipif(find_spec("datasketch") is None, reason="no datasketch")
def test_unchanged_reprints_are_found_and_quotations_are_none() -> None:
    figures = measure(6, 10, 0.0)
    assert set(figures) == set(WAYS)
    for way in list(WAYS)[1:3]:
        assert figures[way]["recall"]["mean"] > 0.9
        assert figures[way]["precision"]["mean"] > 0.9
    made = {"publishers": 6, "pages": 120, "learnt": 10, "changed": {"0.0": figures}}
    assert "30 reprints" in about(made)
    assert [copies_table(measured, made).count("\n") for measured in MEASURES] == [2, 2]
