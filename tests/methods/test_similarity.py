"""SIM, the cosine of Debnath et al. 2005, and a search for partners that does not compare all pairs."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_blockfilter.methods.ibdf import MAX_COMPARED, FeatureVector, SimilarBlocks, cosine


def vector(numbers: tuple[float, ...], terms: Iterable[int]) -> FeatureVector:
    return FeatureVector(numbers, frozenset(terms))


def of_pages(stored: dict[int, FeatureVector], threshold: float) -> SimilarBlocks:
    """Each vector is on a page of its own."""
    return SimilarBlocks([(1 << key, one) for key, one in stored.items()], threshold)


def found(stored: dict[int, FeatureVector], one: FeatureVector, threshold: float = 0.9) -> set[int]:
    """Keys of the vectors that count as the same."""
    pages = of_pages(stored, threshold).pages_of(one)
    return {key for key in stored if pages >> key & 1}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (range(10), range(1, 11), False),  # 9 / 10: .9 is not above .9
        (range(81), range(100), False),  # 81 / sqrt(8100) = .9
        (range(82), range(100), True),  # 82 / sqrt(8200) = .9055
        (range(20), range(1, 21), True),  # 19 / 20
        (range(9), range(1, 10), False),  # 8 / 9 = .889
        (range(9), range(10), True),  # 9 / sqrt(90) = .949
    ],
)
def test_blocks_are_the_same_above_a_cosine_of_nine_tenths(one: range, other: range, same: bool) -> None:
    stored = {1: vector((), one)}
    assert found(stored, vector((), other)) == ({1} if same else set())


_NUMBERS = st.tuples(*[st.sampled_from([0.0, 0.05, 0.5, 1.0]) | st.floats(0, 1)] * 8)


@st.composite
def _vectors(draw: st.DrawFn) -> list[FeatureVector]:
    """Vectors of which many are near each other: variations of a few, and some of their own."""
    length = draw(st.integers(0, 8))
    patterns = draw(
        st.lists(st.tuples(_NUMBERS, st.sets(st.integers(0, 60), min_size=1, max_size=25)), min_size=1, max_size=3)
    )
    made = []
    for numbers, terms in draw(st.lists(st.sampled_from(patterns), min_size=2, max_size=12)):
        left_out = draw(st.sets(st.sampled_from(sorted(terms)), max_size=3))
        added = draw(st.sets(st.integers(0, 80), max_size=3))
        changed = draw(st.booleans())
        own = draw(_NUMBERS) if changed else numbers
        made.append(FeatureVector(own[:length], frozenset(terms - left_out | added) or frozenset({99})))
    return made


@pytest.mark.slow
@given(_vectors(), st.sampled_from([0.9, 0.93, 0.95, 0.99]))
def test_the_search_finds_what_comparing_all_pairs_finds(vectors: list[FeatureVector], threshold: float) -> None:
    stored = dict(enumerate(vectors[: len(vectors) // 2 + 1]))
    similar = of_pages(stored, threshold)
    for one in vectors:
        expected = {key for key, other in stored.items() if cosine(one, other) > threshold}
        assert found(stored, one, threshold) == expected
        assert similar.may_find(one.terms) or not expected


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[FeatureVector]:
    """The vectors that a given one is compared with from now on."""
    others: list[FeatureVector] = []

    def counting(one: FeatureVector, other: FeatureVector) -> float:
        others.append(other)
        return cosine(one, other)

    monkeypatch.setattr("scrapy_blockfilter.methods.ibdf.cosine", counting)
    return others


def test_few_strangers_are_compared(compared: list[FeatureVector]) -> None:
    # 3,000 blocks of 20 terms, 10 of them common to all: all pairs would be 9 million comparisons.
    stored = {key: vector((), range(1_000 + 10 * key, 1_010 + 10 * key)) for key in range(3_000)}
    stored = {key: FeatureVector((), one.terms | set(range(10))) for key, one in stored.items()}
    assert found(stored, stored[7]) == {7}
    assert len(compared) < 20


def test_rows_that_are_all_alike_are_not_compared_with_each_other(compared: list[FeatureVector]) -> None:
    # 400 rows on each of 10 pages, that differ in one term of twelve.
    stored = {key: vector((), [*range(11), 100 + key]) for key in range(4_000)}
    similar = SimilarBlocks([(1 << key // 400, one) for key, one in stored.items()], 0.8)
    assert similar.pages_of(stored[5], 1) == 2**10 - 1
    assert len(compared) == 9


def test_comparisons_for_a_block_are_bounded(compared: list[FeatureVector]) -> None:
    # Each meets the asked one in a term, and none is similar.
    stored = {key: vector((), [*range(5), *range(100 + 9 * key, 109 + 9 * key)]) for key in range(2_000)}
    similar = of_pages(stored, 0.9)
    assert similar.pages_of(vector((), range(5))) == 0
    assert len(compared) <= MAX_COMPARED
