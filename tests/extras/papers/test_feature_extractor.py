"""Debnath, Mitra, Giles 2005: FeatureExtractor and K-FeatureExtractor, worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from scrapy_blockfilter import Options, learn
from scrapy_blockfilter.methods import Verdict
from tests.support.pages import document, fitted, judged, kept

TEXT = Options(
    method="feature_extractor",
    method_args={"desired_features": ("text",), "counted_features": ("text", "images", "links", "scripts")},
)


def block(text: str, *, images: int = 0, links: int = 0, scripts: int = 0, paragraphs: int = 0) -> str:
    """A DIV with so much of each; links have no text of their own."""
    return (
        f"<div>{text}{'<img src=spacer.gif>' * images}{'<a href=x></a>' * links}{'<script></script>' * scripts}"
        f"{'<p>' * paragraphs}</div>"
    )


def verdicts(pages: list[str], html: str, options: Options) -> dict[str, Verdict]:
    return dict(judged(fitted("feature_extractor", pages, options), html))


def test_features_are_scaled_by_their_maximum_as_in_the_example_of_the_paper() -> None:
    # Section 3.2.1: 1000 of at most 2000 words, 2 of 4 images, 3 of 50 links, 1 of 3 applets (scripts here, and
    # characters) are 1/2, 1/2, 3/50 and 1/3. Text is outweighed: 1/2 against 67/75, and Pr = .5 / (.5 + 67/75).
    example = block("e" * 1_000, images=2, links=3, scripts=1)
    most = block("m" * 2_000), block("i", images=4), block("l", links=50), block("s", scripts=3)
    verdict = verdicts([document(example, *most)], document(example), TEXT)["e" * 1_000]
    assert not verdict.keep
    assert verdict.score == pytest.approx(0.5 / (0.5 + 67 / 75))
    assert verdict.reason == "text 0.50 against 0.89 of images and links and scripts"


def test_the_best_block_of_the_winner_basket_stays() -> None:
    # Text 1, .6 and .1 against links .05, 0 and 1: the menu does not come into the basket, and the first has most.
    page = document(block("a" * 100, links=1), block("b" * 60), block("c" * 10, links=20))
    judged = verdicts([page], page, TEXT)
    assert {text[0]: verdict.keep for text, verdict in judged.items()} == {"a": True, "b": False, "c": False}
    assert [verdict.score for verdict in judged.values()] == pytest.approx([1.0, 0.5 + 0.6 / 2, 0.1 / 1.1])
    assert judged["b" * 60].reason == "text 0.60 relative to the best of the page; blocks from 1.00 on stay"


def test_values_of_the_basket_are_computed_anew() -> None:
    # Text and paragraphs, by the site's most of 100 and 40: 1 + 1/40 against .6 + 4/40. By the most of the basket,
    # 100 and 4: 1 + 1/4 against .6 + 1. The second block wins.
    page = document(block("a" * 100, paragraphs=1), block("b" * 60, paragraphs=4))
    options = Options(method="feature_extractor", method_args={"desired_features": ("text", "paragraphs")})
    pages = [page, document(block("x", paragraphs=40))]
    judged = verdicts(pages, page, options)
    assert {text[0]: verdict.keep for text, verdict in judged.items()} == {"a": False, "b": True}
    assert "text and paragraphs 1.25 relative to the best" in judged["a" * 100].reason
    assert "from 1.60 on" in judged["a" * 100].reason


@pytest.mark.parametrize(
    ("desired", "found"), [("text", "story"), ("links", "menu"), ("images", "gallery"), ("lists", "items")]
)
def test_the_desired_feature_decides_what_is_found(desired: str, found: str) -> None:
    page = document(
        f"<div>story {'s' * 500}</div>",
        f"<div>menu{'<a href=x></a>' * 30}</div>",
        f"<div>gallery{'<img src=x.png>' * 9}</div>",
        f"<div><ul><li>items</ul>{'<ul></ul>' * 5}</div>",
    )
    options = Options(
        method="feature_extractor",
        method_args={"desired_features": (desired,), "counted_features": ("text", "links", "images", "lists")},
    )
    assert [text.split()[0] for text in kept(fitted("feature_extractor", [page], options), page)] == [found]


def test_a_block_is_what_a_container_holds_with_its_headings_paragraphs_and_lists() -> None:
    content = "<h1>Ships</h1><p>of the harbour</p><section><ul><li>Ada</li><li>Eva</li></ul></section>"
    page = document(f"<div>{content}</div><table><tr><td>a</td><td>table</td></tr></table><div>the rest</div>")
    method = fitted("feature_extractor", [page])
    assert kept(method, page) == ["Ships", "of the harbour", "Ada", "Eva"]


def test_blocks_that_are_alike_stay_together() -> None:
    page = document("<div>alike</div><div>twin.</div><div>less</div>")
    assert kept(fitted("feature_extractor", [page], TEXT), page) == ["alike", "twin."]


def test_of_a_fragment_all_stays_that_is_in_the_basket() -> None:
    page = document(block("a" * 100), block("b" * 60), block("c" * 10, links=20))
    fragment = block("b" * 60) + block("d" * 10) + block("c" * 10, links=20)
    method = fitted("feature_extractor", [page], TEXT)
    assert kept(method, fragment) == ["b" * 60, "d" * 10]


def test_where_nothing_is_in_the_basket_nothing_is_kept_but_the_title() -> None:
    pages = [document(block("a" * 100), block("menu", links=20))]
    menu = document(block("menu", links=20), title="Map")
    assert kept(fitted("feature_extractor", pages, TEXT), menu) == ["Map"]
    cleaned = learn(pages, Options(method="feature_extractor")).clean(menu)
    assert (cleaned.unchanged, cleaned.html) == ("too_little_kept", menu)


# K-FeatureExtractor


@pytest.mark.parametrize(
    ("lengths", "letters"),
    [
        ((100, 10, 95, 20, 30), "ac"),  # the centroids start at 10 and 100, and end at 20 and 97.5
        ((4, 1, 30, 5, 6), "c"),  # from 1 and 30 all but 30 go to the first (the mean is 4), and stay there
        ((9, 1, 8, 11, 2, 10), "acdf"),  # from 1 and 11; 2 goes to the first, 8 to the second
    ],
)
def test_the_cluster_of_high_values_stays(lengths: tuple[int, ...], letters: str) -> None:
    blocks = (f"<div>{chr(ord('a') + number) * length}</div>" for number, length in enumerate(lengths))
    html = document(block("menu", links=50), *blocks)
    arguments: dict[str, Any] = {"desired_features": ("text",), "counted_features": ("text", "links")}
    assert "".join(text[0] for text in kept(fitted("k_feature_extractor", [html], **arguments), html)) == letters
