"""K-FeatureExtractor: keep all blocks of a page with a high share of desired features.

Sandip Debnath, Prasenjit Mitra, C. Lee Giles: Automatic Extraction of Informative Blocks from Webpages, SAC 2005,
section 3.2.

Adaptive k-means clusters the winner basket of :mod:`scrapy_blockfilter.methods.feature_extractor` by the values scaled
within the basket. Centroids start at equal distances in the sorted list of values. The paper keeps "the high
probability cluster(s)". Here k is 2, and the higher one stays. That does slightly better than two of three clusters.
"""

from __future__ import annotations

from collections.abc import Sequence

from scrapy_blockfilter.html import Page
from scrapy_blockfilter.methods.base import Method
from scrapy_blockfilter.methods.feature_extractor import FeatureArguments, FittedFeatureExtractor, most_of_each
from scrapy_blockfilter.methods.tools.container_features import Floats
from scrapy_blockfilter.methods.tools.k_means import k_means, spread_evenly
from scrapy_blockfilter.options import Options


class KFeatureExtractor(Method):
    name = "k_feature_extractor"
    arguments = FeatureArguments

    def fit(self, pages: Sequence[Page], options: Options) -> FittedKFeatureExtractor:
        return FittedKFeatureExtractor(most_of_each(pages), options)


class FittedKFeatureExtractor(FittedFeatureExtractor):
    def least_that_wins(self, values: Floats) -> float:
        """Return the smallest value of the higher cluster, or in the only cluster."""
        members, centroids = k_means(values[:, None], spread_evenly(values, 2))
        heights = centroids[members, 0]
        above = values[heights > heights.min()]
        return float(above.min() if len(above) else values.min())
