"""The published methods, by the names that ``BLOCKFILTER_METHOD`` takes. Pure: samples in, verdicts out."""

from __future__ import annotations

from scrapy_blockfilter.methods.base import FittedMethod, Method, Verdict
from scrapy_blockfilter.methods.chunk_frequency import ChunkFrequency
from scrapy_blockfilter.methods.consensus import Consensus
from scrapy_blockfilter.methods.content_seeker import ContentSeeker
from scrapy_blockfilter.methods.entropy import Entropy
from scrapy_blockfilter.methods.feature_extractor import FeatureExtractor
from scrapy_blockfilter.methods.ibdf import Ibdf
from scrapy_blockfilter.methods.informative_blocks import InformativeBlocks
from scrapy_blockfilter.methods.k_feature_extractor import KFeatureExtractor
from scrapy_blockfilter.methods.largest_block_string import LargestBlockString
from scrapy_blockfilter.methods.majority import Majority
from scrapy_blockfilter.methods.string_length_smoothing import StringLengthSmoothing
from scrapy_blockfilter.methods.structure_tree import StructureTree
from scrapy_blockfilter.methods.table_pattern import TablePattern
from scrapy_blockfilter.methods.tag_ratio import TagRatio

_METHODS: tuple[Method, ...] = (
    ChunkFrequency(),
    Ibdf(),
    Entropy(),
    Majority(),
    Consensus(),
    TagRatio(),
    LargestBlockString(),
    StringLengthSmoothing(),
    TablePattern(),
    FeatureExtractor(),
    KFeatureExtractor(),
    ContentSeeker(),
    StructureTree(),
    InformativeBlocks(),
)

METHOD_NAMES = tuple(method.name for method in _METHODS)

__all__ = ["METHOD_NAMES", "FittedMethod", "Method", "Verdict", "get_method"]


def get_method(name: str) -> Method:
    """The method of a name in ``METHOD_NAMES``. Raises KeyError for another."""
    return {method.name: method for method in _METHODS}[name]
