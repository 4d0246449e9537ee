"""The settings that belong to single methods."""

from __future__ import annotations

from dataclasses import dataclass

from scrapy_blockfilter.options.converters import number_between, one_of, optional, some_of, whole_number
from scrapy_blockfilter.options.declare import option

# Where each method is, below the package: imported when it is asked for.
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
STRIP = ("boilerplate", "safe", "template")
COMMENTS = ("drop", "keep")
TAG_RATIO_FORMS = ("k_means", "threshold")
BLOCK_STRING_EXTENTS = ("subtree", "strings")
PATTERN_ELEMENTS = ("any", "table")
# Of a block: text outside of links, elements of a kind, and what is counted in it.
FEATURES = ("text", "paragraphs", "headings", "lists", "images", "links", "controls", "scripts")
HEURISTICS = ("largest_block_string", "table_pattern")


@dataclass(frozen=True)
class MethodOptions:
    """Which method, and what one or another can be told."""

    method: str = option(
        "consensus", f"one of {', '.join(METHODS)}", one_of(tuple(METHODS)), "How template is told from content."
    )
    strip: str = option(
        "boilerplate",
        '"boilerplate", "safe" or "template"',
        one_of(STRIP),
        'consensus: "boilerplate" strips all that is not content, "safe" what is surely none, "template" only what the '
        "site repeats.",
    )
    comments: str = option(
        "drop",
        '"drop" or "keep"',
        one_of(COMMENTS),
        'consensus: whether what readers wrote below the content is stripped: "drop" or "keep".',
    )
    df_share: float = option(
        0.3,
        "a number from 0 to 1",
        number_between(0, 1),
        "chunk_frequency, ibdf: a block on at least this share of the pages learnt from is template.",
    )
    df_count: int = option(
        2,
        "a whole number from 2 to 1000",
        whole_number(2, 1000),
        "chunk_frequency, ibdf: and on at least this many pages.",
    )
    block_similarity: float = option(
        0.9,
        "a number from 0.9 to 1",
        number_between(0.9, 1),
        "ibdf: blocks whose feature vectors have a cosine above this count as the same.",
    )
    ibdf_threshold: float | None = option(
        None,
        "None or a number from 0 to 1",
        optional(number_between(0, 1)),
        "ibdf: blocks with an IBDF (1 / pages with a like block) above this stay; None: by DF_SHARE and DF_COUNT.",
    )
    entropy_threshold: float | None = option(
        None,
        "None or a number from 0 to 1",
        optional(number_between(0, 1)),
        "entropy: blocks with an entropy above this are template; None: found for each site.",
    )
    entropy_step: float = option(
        0.1,
        "a number from 0.01 to 0.5",
        number_between(0.01, 0.5),
        "entropy, structure_tree: steps in which the threshold is looked for.",
    )
    tag_ratio_form: str = option(
        "k_means",
        '"k_means" or "threshold"',
        one_of(TAG_RATIO_FORMS),
        'tag_ratio: "k_means": lines not in the cluster of the origin stay; "threshold": those above a threshold.',
    )
    tag_ratio_dimensions: int = option(
        2,
        "1 or 2",
        whole_number(1, 2),
        "tag_ratio: 1: lines are told by their tag ratio, 2: also by how much it changes behind them.",
    )
    tag_ratio_radius: int = option(
        4,
        "a whole number from 0 to 50",
        whole_number(0, 50),
        "tag_ratio: lines on each side that a tag ratio is smoothed with.",
    )
    tag_ratio_clusters: int = option(
        2, "a whole number from 2 to 10", whole_number(2, 10), "tag_ratio: clusters of the k-means form."
    )
    tag_ratio_threshold: float = option(
        1.0,
        "a number from 0 to 100",
        number_between(0, 100),
        "tag_ratio: threshold of the other form, in standard deviations of the smoothed tag ratios.",
    )
    largest_block_string_extent: str = option(
        "subtree",
        '"subtree" or "strings"',
        one_of(BLOCK_STRING_EXTENTS),
        'largest_block_string, content_seeker: the "strings" of one level stay, or all in its "subtree".',
    )
    string_length_smoothing_radius: int = option(
        5,
        "a whole number from 0 to 50",
        whole_number(0, 50),
        "string_length_smoothing: strings and structural tags on each side that a length is smoothed with.",
    )
    string_length_smoothing_threshold: float = option(
        1.0,
        "a number from 0 to 100",
        number_between(0, 100),
        "string_length_smoothing: threshold in standard deviations of the smoothed lengths.",
    )
    table_pattern_elements: str = option(
        "any",
        '"any" or "table"',
        one_of(PATTERN_ELEMENTS),
        'table_pattern, content_seeker: "table": a pattern is tables of the same names; "any": boxes of the same tags.',
    )
    content_seeker_heuristic: str = option(
        "largest_block_string",
        '"largest_block_string" or "table_pattern"',
        one_of(HEURISTICS),
        'content_seeker: what is taken of the segments of content; "table_pattern" is for forums.',
    )
    desired_features: tuple[str, ...] = option(
        ("text", "paragraphs"),
        f"a list of some of {', '.join(FEATURES)}",
        some_of(FEATURES),
        "feature_extractor, k_feature_extractor: the features that blocks are looked for with.",
    )
    counted_features: tuple[str, ...] = option(
        ("text", "paragraphs", "links", "controls"),
        f"a list of some of {', '.join(FEATURES)}",
        some_of(FEATURES),
        "feature_extractor, k_feature_extractor: the features that count; the desired ones must outweigh the rest.",
    )
    feature_clusters: int = option(
        2,
        "a whole number from 2 to 10",
        whole_number(2, 10),
        "k_feature_extractor: clusters of the blocks found, of which all but the lowest stay.",
    )
    weight_threshold: float | None = option(
        None,
        "None or a number from 0 to 1",
        optional(number_between(0, 1)),
        "structure_tree: blocks with a weight above this stay; None: found for each site.",
    )
    informative_feature: str = option(
        "text",
        '"text" or "links"',
        one_of(("text", "links")),
        'informative_blocks: what they have most of: "text" of articles or "links" of tables of contents.',
    )
    informative_count: int = option(
        1,
        "a whole number from 1 to 1000",
        whole_number(1, 1000),
        "informative_blocks: k, so many of them are looked for in a page.",
    )
    structure_index: float = option(
        0.5,
        "a number from 0 to 1",
        number_between(0, 1),
        "informative_blocks: ST, how evenly what they have is spread over their children.",
    )
    content_index: float = option(
        0.3,
        "a number from 0 to 1",
        number_between(0, 1),
        "informative_blocks: texts in them whose terms are less informative than this are stripped.",
    )
