"""Adaptive k-means: points go to the nearest centroid, centroids to the mean of their points, until nothing moves."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

# Rounds. Lloyd's algorithm ends by itself; blocks and lines of pages need a dozen rounds, and a page made to need
# more gets what these give.
_MAX_ROUNDS = 100


def k_means(
    points: npt.NDArray[np.float64], centroids: npt.NDArray[np.float64], *, fixed: int = 0
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.float64]]:
    """Clusters of points by Euclidean distance; the same for the same input.

    Args:
        points: shape (n, dimensions).
        centroids: where the centroids start, shape (k, dimensions).
        fixed: so many of the first centroids stay where they are.

    Returns:
        The number of each point's cluster, shape (n,), the first of those equally near, and the centroids at the end.
        A cluster that loses all its points keeps its centroid.
    """
    centroids = np.array(centroids, np.float64)
    members = np.zeros(len(points), np.intp)
    for _ in range(_MAX_ROUNDS):
        members = np.argmin(((points[:, None, :] - centroids[None, :, :]) ** 2).sum(axis=2), axis=1)
        moved = centroids.copy()
        for cluster in range(fixed, len(centroids)):
            of_cluster = points[members == cluster]
            if len(of_cluster):
                moved[cluster] = of_cluster.mean(axis=0)
        if np.array_equal(moved, centroids):
            break
        centroids = moved
    return members, centroids


def spread_evenly(values: npt.NDArray[np.float64], k: int) -> npt.NDArray[np.float64]:
    """Starting centroids for numbers: those at equal distances in their sorted list (Debnath et al. 2005, section 3.2).

    Returns:
        Shape (k, 1), ascending.

    Raises:
        ValueError: there are no values, or k is below 1.
    """
    if not len(values) or k < 1:
        raise ValueError(f"{k} centroids cannot be spread over {len(values)} values")
    places = np.round(np.linspace(0, len(values) - 1, k)).astype(np.intp)
    return np.sort(values)[places].reshape(k, 1)
