"""The settings that belong to single methods."""

from __future__ import annotations

from dataclasses import dataclass

from scrapy_blockfilter.rules import option
from scrapy_blockfilter.values import number_between, one_of, optional, some_of, whole_number

METHODS = (
    "consensus",
    "majority",
    "chunk_frequency",
    "ibdf",
    "entropy",
    "feature_extractor",
    "k_feature_extractor",
    "structure_tree",
    "informative_blocks",
)
STRIP = ("boilerplate", "template")
COMMENTS = ("drop", "keep")
# Of a block: text outside of links, elements of a kind, and what is counted in it.
FEATURES = ("text", "paragraphs", "headings", "lists", "images", "links", "controls", "scripts")


@dataclass(frozen=True)
class MethodOptions:
    """Which method, and what one or another can be told."""

    method: str = option(
        "consensus", f"one of {', '.join(METHODS)}", one_of(METHODS), "How template is told from content."
    )
    strip: str = option(
        "boilerplate",
        '"boilerplate" or "template"',
        one_of(STRIP),
        'consensus: "boilerplate" strips all that is not content, "template" only what the site repeats.',
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
