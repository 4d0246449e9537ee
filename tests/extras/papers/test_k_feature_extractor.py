"""Debnath, Mitra, Giles 2005: K-FeatureExtractor, worked out by hand."""

from __future__ import annotations

import pytest

from scrapy_blockfilter import Options, learn
from tests.support.pages import document, fitted, kept


def page_of(*lengths: int) -> str:
    """A page of blocks of so many characters each, and a menu."""
    blocks = (f"<div>{chr(ord('a') + number) * length}</div>" for number, length in enumerate(lengths))
    return document(f"<div>menu{'<a href=x></a>' * 50}</div>", *blocks)


def found(html: str) -> str:
    """The letters of the blocks that stay."""
    options = Options(
        method="k_feature_extractor", method_args={"desired_features": ("text",), "counted_features": ("text", "links")}
    )
    return "".join(text[0] for text in kept(fitted("k_feature_extractor", [html], options), html))


def test_the_cluster_of_high_values_stays() -> None:
    # Of 100, 10, 95, 20 and 30 the centroids start at 10 and 100, and end at 20 and 97.5.
    assert found(page_of(100, 10, 95, 20, 30)) == "ac"


def test_clusters_are_made_until_nothing_moves() -> None:
    # 1, 4, 5, 6, 30: from 1 and 30 all but 30 go to the first (the mean is 4), and stay there.
    assert found(page_of(4, 1, 30, 5, 6)) == "c"
    # 1, 2, 8, 9, 10, 11: from 1 and 11; 2 goes to the first, 8 to the second.
    assert found(page_of(9, 1, 8, 11, 2, 10)) == "acdf"


def test_several_content_blocks_stay_where_the_best_alone_is_one_of_them() -> None:
    # As on the shops of table 3: six offers of like length.
    page = page_of(300, 310, 305, 290, 298, 302, 12, 9)
    options = Options(
        method="k_feature_extractor", method_args={"desired_features": ("text",), "counted_features": ("text", "links")}
    )
    best = kept(fitted("feature_extractor", [page], options), page)
    assert [text[0] for text in best] == ["b"]
    assert found(page) == "abcdef"


def test_the_reason_says_which_value_keeps_a_block() -> None:
    page = page_of(100, 10, 95)
    model = learn([page], Options(method="k_feature_extractor", method_args={"desired_features": ("text",)}))
    blocks = {block.text[0]: block for block in model.clean(page).blocks}
    assert blocks["c"].reason == "text 0.95 relative to the best of the page; blocks from 0.95 on stay"
    assert not blocks["b"].keep
    assert blocks["b"].score == pytest.approx(0.5 + 0.1 / 2)
    assert blocks["b"].reason == "text 0.10 relative to the best of the page; blocks from 0.95 on stay"
    assert not blocks["m"].keep
