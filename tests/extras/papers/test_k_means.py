"""Adaptive k-means: clusters, starting centroids, and the same result each time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from scrapy_blockfilter.extras.papers.k_means import k_means, spread_evenly


def test_two_heaps_of_numbers_are_two_clusters() -> None:
    values = np.array([0.1, 0.9, 0.2, 1.0, 0.15])
    members, centroids = k_means(values[:, None], spread_evenly(values, 2))
    assert members.tolist() == [0, 1, 0, 1, 0]
    np.testing.assert_allclose(centroids.ravel(), [0.15, 0.95])


def test_a_fixed_centroid_stays_at_the_origin() -> None:
    points = np.array([[1.0, 1.0], [2.0, 0.0], [10.0, 10.0], [12.0, 12.0]])
    members, centroids = k_means(points, np.array([[0.0, 0.0], [9.0, 9.0]]), fixed=1)
    assert members.tolist() == [0, 0, 1, 1]
    assert centroids.tolist() == [[0.0, 0.0], [11.0, 11.0]]


def test_a_cluster_without_points_keeps_its_centroid() -> None:
    members, centroids = k_means(np.array([[0.0], [1.0]]), np.array([[0.0], [50.0]]))
    assert members.tolist() == [0, 0]
    assert centroids.tolist() == [[0.5], [50.0]]


def test_centroids_start_at_equal_distances_in_the_sorted_list() -> None:
    values = np.array([0.5, 9.0, 1.0, 7.0, 3.0])
    assert spread_evenly(values, 3).ravel().tolist() == [0.5, 3.0, 9.0]
    assert spread_evenly(values, 2).ravel().tolist() == [0.5, 9.0]
    assert spread_evenly(values[:1], 3).ravel().tolist() == [0.5, 0.5, 0.5]


@pytest.mark.parametrize(("count", "k"), [(0, 2), (3, 0)])
def test_centroids_of_nothing_are_refused(count: int, k: int) -> None:
    with pytest.raises(ValueError, match=f"{k} centroids cannot be spread over {count} values"):
        spread_evenly(np.zeros(count), k)


@given(hnp.arrays(np.float64, st.integers(1, 60), elements=st.floats(0, 1e6)), st.integers(1, 4))
def test_every_point_is_in_its_nearest_cluster_and_the_answer_is_the_same_again(
    values: np.ndarray[tuple[int], np.dtype[np.float64]], k: int
) -> None:
    points = values[:, None]
    members, centroids = k_means(points, spread_evenly(values, k))
    again, same = k_means(points, spread_evenly(values, k))
    assert members.tolist() == again.tolist()
    assert centroids.tolist() == same.tolist()
    distances = np.abs(points - centroids.T)
    nearest = distances.min(axis=1)
    np.testing.assert_allclose(distances[np.arange(len(values)), members], nearest, atol=1e-6 * max(1.0, values.max()))
