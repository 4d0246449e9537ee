"""The names of the published methods."""

from __future__ import annotations

from tests.support.pages import SITE_METHODS

PUBLISHED = (
    *("feature_extractor", "k_feature_extractor", "structure_tree", "informative_blocks", "tag_ratio"),
    *("largest_block_string", "string_length_smoothing", "table_pattern", "content_seeker"),
)
SINGLE = [name for name in PUBLISHED if name not in SITE_METHODS]
