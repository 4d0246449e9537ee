"""Hints of class and id names, in groups of words, and of tags."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_blockfilter.html.class_hints import CONTAINERS, GROUPS, hints_of
from scrapy_blockfilter.html.paths import style_label


def groups(tag: str, classes: str = "", identifier: str = "") -> set[str]:
    hints = hints_of(tag, style_label(tag, classes, identifier))
    return {group for place, group in enumerate(GROUPS) if hints >> place & 1}


@pytest.mark.parametrize(
    ("names", "group"),
    [
        ("main-menu", "navigation"),
        ("breadcrumbs", "navigation"),
        ("site-footer", "footer"),
        ("masthead", "header"),
        ("sidebar", "sidebar"),
        ("comment-list", "comments"),
        ("replies", "comments"),
        ("related-stories", "related"),
        ("social-share", "sharing"),
        ("byline", "byline"),
        ("cookie-consent", "advert"),
        ("article__body", "content"),
        ("headline", "title"),
        ("photo", "caption"),
        ("highlight-python", "data"),
    ],
)
def test_words_in_class_and_id_hint_at_their_group(names: str, group: str) -> None:
    assert group in groups("div", names)
    assert group in groups("div", "", names)
    assert group in groups("div", names.upper())
    assert group in groups("div", f"x1 {names} z")


@pytest.mark.parametrize(
    ("names", "group"),
    [
        ("mainsidebar", "sidebar"),
        ("sidebars-left", "sidebar"),
        ("commentlist", "comments"),
        ("postComments", "comments"),
        ("postComments", "content"),
        ("js-commentForm", "comments"),
        ("commentaires", "comments"),
        ("nav-links", "navigation"),
        ("mainNavigation", "navigation"),
        ("pagefooter", "footer"),
        ("productDetail", "product"),
        ("priceBox", "product"),
        ("post_navi0", "navigation"),
        ("tags", "byline"),
        ("ads", "advert"),
    ],
)
def test_a_word_in_camel_case_or_a_long_one_at_the_start_or_end_of_a_name_hints(names: str, group: str) -> None:
    assert group in groups("div", names)
    assert group in groups("div", "", names)


@pytest.mark.parametrize(
    ("names", "group"),
    [
        ("corresponding-functions", "comments"),  # respond
        ("correspondent", "comments"),
        ("responsive", "comments"),
        ("spreadsheet", "comments"),
        ("unresponsiveness", "comments"),
        ("gradient", "advert"),
        ("download", "advert"),
        ("adsorption", "advert"),
        ("table", "navigation"),  # tab
        ("tocsin", "navigation"),
        ("navel", "navigation"),
        ("staged", "byline"),  # tag
        ("pages", "byline"),
        ("mandate", "byline"),
        ("update", "byline"),
        ("codec", "data"),
        ("barcode", "data"),
        ("special", "data"),
        ("bishop", "product"),
        ("cartoon", "product"),
        ("insides", "sidebar"),
        ("trail", "sidebar"),
        ("anymore", "related"),
        ("textbox", "related"),
        ("almost", "related"),
        ("incommentable", "comments"),
        ("barefoot", "footer"),
        ("nobody", "content"),
        ("context", "content"),
        ("unlike", "sharing"),
    ],
)
def test_a_short_word_in_another_or_a_long_one_in_its_middle_hints_at_nothing(names: str, group: str) -> None:
    assert group not in groups("div", names)
    assert group not in groups("div", "", names)


@pytest.mark.parametrize("rank", range(1, 7))
def test_the_id_of_a_heading_says_nothing_and_its_class_does(rank: int) -> None:
    assert groups(f"h{rank}", "", "comments") == set()
    assert groups(f"h{rank}", "comments", "sidebar") == {"comments"}
    assert groups("header", "", "comments") == {"header", "comments"}


@pytest.mark.parametrize("names", ["ad", "ads", "top-ad", "ad_0", "ads-2"])
def test_a_short_word_by_itself_or_beside_digits_and_dashes_hints(names: str) -> None:
    assert "advert" in groups("div", names)


@pytest.mark.parametrize(
    ("tag", "container"),
    [
        ("table", "table"),
        ("ul", "list"),
        ("dl", "list"),
        ("p", "paragraph"),
        ("blockquote", "quote"),
        ("pre", "quote"),
        ("select", "form"),
        ("main", "article"),
        ("div", None),
        ("td", None),
        ("li", None),
    ],
)
def test_an_element_is_a_container_by_its_tag(tag: str, container: str | None) -> None:
    hints = hints_of(tag, style_label(tag, "table form article", "")) >> len(GROUPS)
    assert [name for place, name in enumerate(CONTAINERS) if hints >> place & 1] == ([container] if container else [])


def test_the_names_of_body_are_those_of_the_page_and_say_nothing() -> None:
    assert groups("body", "single-post sidebar") == set()


@given(
    st.lists(st.sampled_from(["nav", "post-0", "leftside", "right", "col", "ad", "s", "comment", "x", ""]), max_size=4)
)
def test_names_hint_at_what_each_of_them_hints_at(names: list[str]) -> None:
    hints = 0
    for name in names:
        hints |= hints_of("div", style_label("div", name, ""))
    assert hints_of("div", style_label("div", " ".join(names), "")) == hints
