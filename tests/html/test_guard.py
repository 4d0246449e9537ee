"""What the parser would take long over is refused before it is parsed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_blockfilter.html import UnfitPage, guard
from scrapy_blockfilter.html.guard import check_tags


def reason(text: str) -> str:
    try:
        check_tags(text)
    except UnfitPage as unfit:
        return unfit.reason
    return ""


@given(
    st.lists(
        st.sampled_from(["<a", " ", "=", '"', "'", ">", "x", "<", "\n", '="', "='", "bc" * 4, " d" * 9]), max_size=120
    )
)
def test_no_heavy_hidden_tag_is_missed(parts: list[str]) -> None:
    text = "".join(parts)
    limit = 20
    try:
        guard._check_hidden_tags(text, limit)
    except UnfitPage:
        assert guard._may_have_heavy_tag(text, limit, limit)


@given(st.lists(st.sampled_from(["<a", "</b", " ", '"', "'", ">", "<", "bc" * 4, "d " * 9]), max_size=40))
def test_no_open_tag_is_missed(parts: list[str]) -> None:
    text = "".join(parts)
    limit = 20
    long = [tag for tag in re.findall("<[a-zA-Z][^<>]*", text) if len(guard._QUOTED.sub(" ", tag)) > limit + 1]
    try:
        guard._check_open_tags(text, limit)
    except UnfitPage:
        return
    assert long == []


def test_whole_pages_are_not_gone_through_for_hidden_tags() -> None:
    rows = "".join(f"<tr class='a' id=\"r{number}\"><td>it's {number}</td></tr>\n" for number in range(10_000))
    assert not guard._may_have_heavy_tag(f"<table>{rows}</table>", 20_000, 90_000)
    assert not guard._may_have_heavy_tag(rows.replace("'", ""), 20_000, 90_000)


@pytest.mark.parametrize(("value", "attributes"), [("", 4_000), ('=""', 4_000), ('=">"', 9_000), ("='<'", 9_000)])
def test_tags_of_thousands_of_attributes_each_within_the_limit_are_refused_together(
    value: str, attributes: int
) -> None:
    tag = "<p " + " ".join(f"a{number:x}{value}" for number in range(attributes)) + ">x</p>"
    assert reason(tag) == ("" if attributes < 7_000 else "long_tag")
    assert reason(tag * 40) == "long_tag"
    assert reason(tag.replace(" ", "") * 40) == ("long_tag" if '"' in value or "'" in value else "")


def test_prose_and_scripts_without_tags_are_no_attributes() -> None:
    assert reason("<p>" + "word and word " * 100_000) == ""
    assert reason("<script>if (a <b) { " + "x = y + z; " * 20_000 + "}</script>" + "text " * 20_000) == "long_tag"
    assert reason("<script>if (a < b) { " + "x = y + z; " * 20_000 + "}</script>") == ""
    assert reason("a <b " + "word " * 500) == ""


@pytest.mark.parametrize("tag", ["x", "b", "div"])
def test_end_tags_at_great_depth_are_refused(tag: str) -> None:
    assert reason("<div>" * 2_000 + f"</{tag}>" * 60_000) == ("" if tag == "div" else "too_deep")
    assert reason("<b>" + "<div>" * 2_000 + "</b>" * 60_000) == "too_deep"


def test_large_pages_of_real_kinds_pass() -> None:
    rows = "<tr><td><a href=x><b>a</b></a></td><td>b</td></tr>" * 40_000
    assert reason(f"<table>{rows}</table>") == ""
    assert reason("<ul>" + "<li>a<p>b<a href=x>c</a>" * 60_000 + "</ul>") == ""
