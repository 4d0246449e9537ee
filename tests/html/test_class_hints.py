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


# Of each group names whose words hint at it: whole, in camel case, or long and at the start or end of a name.
HINTING = {
    "navigation": ["main-menu", "breadcrumbs", "nav-links", "mainNavigation", "post_navi0"],
    "footer": ["site-footer", "pagefooter"],
    "header": ["masthead"],
    "sidebar": ["sidebar", "mainsidebar", "sidebars-left"],
    "comments": ["comment-list", "replies", "commentlist", "postComments", "js-commentForm", "commentaires"],
    "related": ["related-stories"],
    "sharing": ["social-share"],
    "byline": ["byline", "tags"],
    "advert": ["cookie-consent", "ad", "ads", "top-ad", "ad_0", "ads-2"],
    "content": ["article__body", "postComments"],
    "title": ["headline"],
    "caption": ["photo"],
    "data": ["highlight-python"],
    "product": ["productDetail", "priceBox"],
}
# Names that have a short word of the group in another word, or a long one in its middle.
SILENT = {
    "comments": ["corresponding-functions", "responsive", "spreadsheet", "unresponsiveness", "incommentable"],
    "advert": ["gradient", "download", "adsorption"],
    "navigation": ["table", "tocsin", "navel"],  # tab, toc, nav
    "byline": ["staged", "pages", "mandate", "update"],  # tag, date
    "data": ["codec", "barcode", "special"],
    "product": ["bishop", "cartoon"],
    "sidebar": ["insides", "trail"],
    "related": ["anymore", "textbox", "almost"],
    "footer": ["barefoot"],
    "content": ["nobody", "context"],
    "sharing": ["unlike"],
}


@pytest.mark.parametrize(("names", "group"), [(name, group) for group, names in HINTING.items() for name in names])
def test_words_in_class_and_id_hint_at_their_group(names: str, group: str) -> None:
    assert group in groups("div", names)
    assert group in groups("div", "", names)
    assert group in groups("div", f"x1 {names} z")


@pytest.mark.parametrize("name", ["main-menu", "masthead", "article__body", "replies"])
def test_case_of_whole_words_does_not_matter(name: str) -> None:
    assert groups("div", name.upper()) == groups("div", name)


@pytest.mark.parametrize(("names", "group"), [(name, group) for group, names in SILENT.items() for name in names])
def test_a_short_word_in_another_or_a_long_one_in_its_middle_hints_at_nothing(names: str, group: str) -> None:
    assert group not in groups("div", names)
    assert group not in groups("div", "", names)


@pytest.mark.parametrize("rank", range(1, 7))
def test_the_id_of_a_heading_says_nothing_and_its_class_does(rank: int) -> None:
    assert groups(f"h{rank}", "", "comments") == set()
    assert groups(f"h{rank}", "comments", "sidebar") == {"comments"}
    assert groups("header", "", "comments") == {"header", "comments"}


@pytest.mark.parametrize(
    ("container", "tags"),
    [
        *[("table", "table"), ("list", "ul dl"), ("paragraph", "p"), ("quote", "blockquote pre"), ("form", "select")],
        *[("article", "main"), (None, "div td li")],
    ],
)
def test_an_element_is_a_container_by_its_tag(container: str | None, tags: str) -> None:
    for tag in tags.split():
        hints = hints_of(tag, style_label(tag, "table form article", "")) >> len(GROUPS)
        found = [name for place, name in enumerate(CONTAINERS) if hints >> place & 1]
        assert found == ([container] if container else [])


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
