"""The settings that belong to single methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scrapy_blockfilter.options.converters import (
    boolean,
    file_path,
    number_between,
    one_of,
    one_of_plugins,
    optional,
    some_of,
    whole_number,
)
from scrapy_blockfilter.options.declare import option
from scrapy_blockfilter.plugins import Plugins

# Import path of each method below the package. A method is imported on first use.
METHODS = {
    "consensus": "consensus.method.Consensus",
    "majority": "methods.majority.Majority",
    "chunk_frequency": "methods.chunk_frequency.ChunkFrequency",
    "ibdf": "methods.ibdf.Ibdf",
    "entropy": "methods.entropy.Entropy",
    "feature_extractor": "methods.feature_extractor.FeatureExtractor",
    "k_feature_extractor": "methods.k_feature_extractor.KFeatureExtractor",
    "structure_tree": "methods.structure_tree.StructureTree",
    "informative_blocks": "methods.informative_blocks.InformativeBlocks",
    "tag_ratio": "methods.tag_ratio.TagRatio",
    "largest_block_string": "methods.largest_block_string.LargestBlockString",
    "string_length_smoothing": "methods.string_length_smoothing.StringLengthSmoothing",
    "table_pattern": "methods.table_pattern.TablePattern",
    "content_seeker": "methods.content_seeker.ContentSeeker",
}
METHOD_PLUGINS = Plugins("methods", "method", METHODS)
CLUSTERS = ("structure",)
STRIP = ("boilerplate", "safe", "template")
COMMENTS = ("drop", "keep")
# Features of a block: text outside links, and numbers of elements.
FEATURES = ("text", "paragraphs", "headings", "lists", "images", "links", "controls", "scripts")
# What the papers say, where the default is another value. What they leave open keeps its default. Debnath et al. call a
# block redundant that is on two pages, and take one desired feature against all others.
PAPER_DEFAULTS: Mapping[str, Any] = {
    "ibdf_threshold": 0.5,
    "desired_features": ("text",),
    "counted_features": FEATURES,
}
HEURISTICS = ("largest_block_string", "table_pattern")


@dataclass(frozen=True)
class MethodOptions:
    """The choice of method, and the settings of single methods."""

    method: str = option(
        "consensus",
        lambda: f"one of {', '.join(METHOD_PLUGINS.names())}",
        one_of_plugins(METHOD_PLUGINS),
        "The method that separates content from boilerplate.",
    )
    paper_defaults: bool = option(
        False,
        "True or False",
        boolean,
        "Methods of papers work as the papers say, also where another form or value is better on the pages of today. "
        "Settings with another value than the default keep it.",
    )
    cluster: str | None = option(
        None,
        'None or "structure"',
        optional(one_of(CLUSTERS)),
        'Clusters of pages to learn from apart, for sites of several templates: "structure", or None for none.',
    )
    strip: str = option(
        "boilerplate",
        '"boilerplate", "safe" or "template"',
        one_of(STRIP),
        '"boilerplate" strips all that is not content, "safe" what is surely not content, "template" only '
        "what the site repeats.",
        "consensus",
    )
    comments: str = option(
        "drop",
        '"drop" or "keep"',
        one_of(COMMENTS),
        '"drop" or "keep" readers\' comments below the content.',
        "consensus",
    )
    df_share: float = option(
        0.3,
        "a number from 0 to 1",
        number_between(0, 1),
        "chunk_frequency, ibdf: a block is template if it is on at least this share of the sample's pages.",
    )
    df_count: int = option(
        2,
        "a whole number from 2 to 1000",
        whole_number(2, 1000),
        "chunk_frequency, ibdf: and on at least this many pages.",
    )
    ibdf_threshold: float | None = option(
        None,
        "None or a number from 0 to 1",
        optional(number_between(0, 1)),
        "blocks with an IBDF (1 / pages with the same block) above this stay; None: use DF_SHARE and DF_COUNT.",
        "ibdf",
    )
    entropy_threshold: float | None = option(
        None,
        "None or a number from 0 to 1",
        optional(number_between(0, 1)),
        "blocks with an entropy above this are template; None: find the threshold per site.",
        "entropy",
    )
    tag_ratio_radius: int = option(
        4,
        "a whole number from 0 to 50",
        whole_number(0, 50),
        "number of lines on each side for smoothing tag ratios.",
        "tag_ratio",
    )
    string_length_smoothing_radius: int = option(
        5,
        "a whole number from 0 to 50",
        whole_number(0, 50),
        "number of strings and structural tags on each side for smoothing lengths.",
        "string_length_smoothing",
    )
    content_seeker_heuristic: str = option(
        "largest_block_string",
        '"largest_block_string" or "table_pattern"',
        one_of(HEURISTICS),
        'how to choose from the content segments; "table_pattern" is for forums.',
        "content_seeker",
    )
    content_seeker_trees: str | None = option(
        None,
        "the path of a file, or None",
        optional(file_path),
        "a file of other decision trees, of one kind of page or with boxes. None: the package's.",
        "content_seeker",
    )
    desired_features: Sequence[str] = option(
        ("text", "paragraphs"),
        f"a list of some of {', '.join(FEATURES)}",
        some_of(FEATURES),
        "the features of which the blocks to keep have most.",
        "feature_extractor",
        "k_feature_extractor",
    )
    counted_features: Sequence[str] = option(
        ("text", "paragraphs", "links", "controls"),
        f"a list of some of {', '.join(FEATURES)}",
        some_of(FEATURES),
        "all features that count; the desired ones must outweigh the others.",
        "feature_extractor",
        "k_feature_extractor",
    )
    weight_threshold: float | None = option(
        None,
        "None or a number from 0 to 1",
        optional(number_between(0, 1)),
        "blocks with a weight above this stay; None: find the threshold per site.",
        "structure_tree",
    )
    informative_feature: str = option(
        "text",
        '"text" or "links"',
        one_of(("text", "links")),
        'what to look for: the "text" of articles, or the "links" of tables of contents.',
        "informative_blocks",
    )
    informative_count: int = option(
        1,
        "a whole number from 1 to 1000",
        whole_number(1, 1000),
        "k, the number of blocks to find on a page.",
        "informative_blocks",
    )
    structure_index: float = option(
        0.5,
        "a number from 0 to 1",
        number_between(0, 1),
        "ST, how evenly the feature must be spread over the children of a block.",
        "informative_blocks",
    )
    content_index: float = option(
        0.3,
        "a number from 0 to 1",
        number_between(0, 1),
        "texts in a block are stripped if their terms are less informative than this.",
        "informative_blocks",
    )
