"""Adaptive k-means: assign points to the nearest centroid, move centroids to the mean of their points, and repeat."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

# Lloyd's algorithm ends by itself, after about a dozen rounds for real pages. A page made to need more rounds gets the
# clusters after this many.
_MAX_ROUNDS = 100


def k_means(
    points: npt.NDArray[np.float64], centroids: npt.NDArray[np.float64], *, fixed: int = 0
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.float64]]:
    """Cluster points by Euclidean distance. The same input gives the same clusters.

    Args:
        points: shape (n, dimensions).
        centroids: starting centroids, shape (k, dimensions).
        fixed: number of leading centroids that never move.

    Returns:
        The number of each point's cluster, shape (n,), and the final centroids. A point equally near to several
        centroids goes to the first. A cluster that loses all its points keeps its centroid.
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
