"""Yi, Liu 2003: the compressed structure tree and its weights, worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scrapy_blockfilter import Options
from scrapy_blockfilter.extras.papers.structure_tree import node_importance, presentation_styles
from scrapy_blockfilter.methods import Verdict
from tests.support.pages import document, fitted, judged, kept, segmented

FIXED = Options(method="structure_tree", method_args={"threshold": 0.4})


def site(*stories: str, extra: tuple[str, ...] = ()) -> list[str]:
    """Pages of a menu and a story each, the first of them with something more in the BODY."""
    added = [*extra, *[""] * (len(stories) - len(extra))]
    return [
        document("<div class=menu>home news</div>", f"<div class=text>{story}</div>", more, language="xx")
        for story, more in zip(stories, added, strict=True)
    ]


def verdicts(pages: list[str], html: str, options: Options | None = None) -> dict[str, Verdict]:
    return dict(judged(fitted("structure_tree", pages, options or FIXED), html))


def test_the_importance_of_a_node_is_the_entropy_of_its_styles() -> None:
    # Four tag nodes of one style: 0. Of two styles, two each: 2 * 1/2 * log_4 2 = 1/2. Of four: 1. A single node: 1.
    # Of three nodes two alike: 2/3 log_3 3/2 + 1/3 log_3 3 = 1 - 2/3 log_3 2.
    elements = [0] * 4 + [1] * 4 + [2] * 4 + [3] + [4] * 3
    styles = [7, 7, 7, 7, 7, 8, 8, 7, 1, 2, 3, 4, 5, 6, 6, 9]
    importance = node_importance(np.array(elements), np.array(styles))
    assert importance == pytest.approx([0, 0.5, 1, 1, 1 - 2 / 3 * math.log(2, 3)])


def test_styles_are_equal_if_the_children_are_the_same_in_number_order_tag_and_attributes() -> None:
    alike = ("<p>a</p><hr>", "<p>b</p><hr>")
    unlike = ("<hr><p>a</p>", "<p>a</p>", "<p>a</p><hr><hr>", "<p class=x>a</p><hr>", "<h1>a</h1><hr>", "")
    page = segmented(document(*(f"<div>{box}</div>" for box in alike + unlike)))
    styles = [int(styles) for styles, tag in zip(presentation_styles(page), page.tags, strict=True) if tag == "div"]
    first, second, *others = styles
    assert first == second
    assert len({first, *others}) == 7


def test_a_block_weighs_the_mean_of_its_words_times_the_importance_of_its_place() -> None:
    # All pages have one style, so that the content alone makes a place important. "tale" is on all four pages (H = 1),
    # the other word on one (H = 0): both the place and the words of a story come to 1/2. The menu has nothing new.
    pages = site("tale apples", "tale pears", "tale plums", "tale figs")
    judged = verdicts(pages, pages[0])
    assert judged["tale apples"].score == pytest.approx(0.25)
    assert judged["tale apples"].reason == (
        "weight 0.25, threshold 0.40: importance 0.50 of its place, 0.50 of its words"
    )
    assert judged["home news"].score == 0
    assert not judged["home news"].keep


def test_a_word_on_half_of_the_pages_has_half_the_entropy() -> None:
    # "harbour" is on two of four pages: H = log_4 2 = 1/2. Of the eight words of the place six weigh 1 and two 1/2,
    # 7/8 in the mean; those of the first story 1 and 1/2, 3/4. 7/8 * 3/4.
    pages = site("harbour apples", "harbour pears", "plums cherries", "figs dates")
    judged = verdicts(pages, pages[0])
    assert judged["harbour apples"].score == pytest.approx(21 / 32)
    assert judged["harbour apples"].keep


def test_styles_that_change_make_what_is_below_important() -> None:
    # BODY has a further box on two of four pages: NodeImp 1/2. With the content's 1/2 a story's place comes to
    # 1 - 1/2 * 1/2 = 3/4, the words to 1/2. Menu: 1/2 by BODY, but no new word.
    pages = site("tale apples", "tale pears", "tale plums", "tale figs", extra=("<hr>", "<hr>"))
    judged = verdicts(pages, pages[3])
    assert judged["tale figs"].score == pytest.approx(0.375)
    assert judged["tale figs"].reason.endswith("importance 0.75 of its place, 0.50 of its words")
    assert (judged["home news"].score, judged["home news"].keep) == (0, False)
    assert "importance 0.50 of its place, 0.00 of its words" in judged["home news"].reason


@pytest.mark.parametrize(("threshold", "stays"), [(0.0, True), (0.24, True), (0.25, False), (1.0, False)])
def test_blocks_above_the_threshold_stay(threshold: float, stays: bool) -> None:
    pages = site("tale apples", "tale pears", "tale plums", "tale figs")
    options = Options(method="structure_tree", method_args={"threshold": threshold})
    assert verdicts(pages, pages[0], options)["tale apples"].keep == stays


def test_a_new_page_is_weighed_by_the_tree_and_what_it_has_beyond_it_stays() -> None:
    pages = site("harbour apples", "harbour pears", "plums cherries", "figs dates")
    new = document(
        "<div class=menu>home news</div><div class=text>melons grapes</div><div class=menu>shop</div>",
        "<section>home news</section>",
        language="xx",
    )
    assert kept(fitted("structure_tree", pages), new) == ["melons grapes", "home news"]
