"""TP (Louvan, section 2.3.3): the pattern of a forum's posts, on handmade pages."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.extras.papers.table_pattern import pattern_rows
from scrapy_blockfilter.options import Options
from tests.support.pages import document, fitted, kept, segmented

POSTS = ["Has anyone seen my boat?", "No, but I saw an oar.", "It was mine, thank you!"]
CLASSIC = document(
    '<table class="nav"><tr><td><a href="/">Home</a></td><td>Search the forum here</td></tr></table>',
    *(f'<table class="post"><tr><td>user{n}</td><td>{post}</td></tr></table>' for n, post in enumerate(POSTS)),
    '<table class="foot"><tr><td>Powered by a long line of forum software, version 3, all rights</td></tr></table>',
)
MODERN = document(
    '<ul><li><a href="/">Home</a></li><li><a href="/new">New</a></li></ul>',
    "<main><h1>My boat</h1>",
    *(f'<article class="by-{post[:2]}"><div>user{n}</div><p>{post}</p></article>' for n, post in enumerate(POSTS)),
    "</main><footer>Imprint</footer>",
)
USERS_AND_POSTS = [text for n, post in enumerate(POSTS) for text in (f"user{n}", post)]


def keeping(html: str, as_paper: bool = False) -> list[str]:
    return kept(fitted("table_pattern", [], Options(method_args={"paper_defaults": as_paper})), html)


def test_tables_of_one_class_are_the_pattern() -> None:
    assert keeping(CLASSIC, as_paper=True) == USERS_AND_POSTS


def test_posts_in_other_boxes_are_found_by_their_tags_whatever_their_names() -> None:
    assert keeping(MODERN) == USERS_AND_POSTS


@pytest.mark.parametrize("as_paper", [True, False])
def test_two_elements_make_a_pattern_and_one_makes_none(as_paper: bool) -> None:
    post = "<table class=post><tr><td>{}</td></tr></table>"
    rest = "<p>A longer text than both posts have together, in no table.</p>"
    one, two = (document(*(post.format(text) for text in POSTS[:count]), rest) for count in (1, 2))
    assert keeping(two, as_paper) == POSTS[:2]
    assert len(keeping(one, as_paper)) == 2, "without a pattern all stays"


@pytest.mark.parametrize(
    ("length", "pattern"),
    [
        (4, ["article"] * 3),  # the items have 3 * 2 * 4 of 3 * (9 + 2 * 4) characters: less than half
        (5, ["li"] * 6),  # 30 of 57
    ],
)
def test_of_patterns_in_each_other_the_innermost_with_half_of_the_text_counts(length: int, pattern: list[str]) -> None:
    items = f"<li>{'a' * length}</li>" * 2
    page = segmented(document(f"<article><p>nine text</p><ul>{items}</ul></article>" * 3))
    rows = pattern_rows(page, range(len(page.blocks)), tables_alone=False)
    assert [page.tags[node] for node, _, _ in rows] == pattern


def test_the_reason_counts_the_pattern() -> None:
    page = segmented(MODERN)
    verdicts = fitted("table_pattern", []).judge(page, whole=True)
    size = sum(map(len, USERS_AND_POSTS))
    assert [verdict.reason for verdict in (verdicts[0], verdicts[3])] == [
        f"pattern: outside of 3 similar article elements, which have {size} characters",
        f"pattern: in one of 3 similar article elements, which have {size} characters",
    ]
    assert (verdicts[0].score, verdicts[3].score) == (0, 1)
