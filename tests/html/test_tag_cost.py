"""Text that the parser would take too long over is refused before it is parsed."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.tag_cost import attribute_pairs, check_tags


def reason(text: str) -> str:
    try:
        check_tags(text)
    except UnfitPage as unfit:
        return unfit.reason
    return ""


def true_tags(text: str) -> list[tuple[int, int]]:
    """The characters of each tag, read one by one to its true end, and its attributes."""
    tags = []
    place = 0
    while opening := re.compile("<[a-zA-Z]").search(text, place):
        place, outside = opening.end(), opening[0]
        while place < len(text) and text[place] != ">":
            value = re.compile(r"=\s*(\"[^\"]*\"|'[^']*')").match(text, place)
            outside += " " if value else text[place]
            place = value.end() if value else place + 1
        tags.append((place - opening.start(), len(re.findall(r"[^\s/]+", outside))))
    return tags


@given(
    st.lists(
        st.sampled_from(["<a", " ", "=", '"', "'", ">", "x", "<", "\n", '=">"', "='<'", "=' '", '="', "='", "bc" * 4]),
        max_size=120,
    )
)
def test_no_heavy_hidden_tag_is_missed(parts: list[str]) -> None:
    text = "".join(parts)
    size, most = 21, 3
    if sum(attributes**2 for length, attributes in true_tags(text) if length > size) > most:
        assert attribute_pairs(text, size, size, most) > most


@given(st.lists(st.sampled_from(["<a", "</b", " ", "=", '="', '"', "'", ">", "<", "bc" * 4, "d " * 9]), max_size=40))
@example(["<a", "<a", " ", " ", "d " * 9])
def test_no_open_tag_is_missed(parts: list[str]) -> None:
    text = "".join(parts)
    quoted = re.compile("=\\s*(\"[^\"]*\"|'[^']*')")
    tags = [tag for tag in re.findall("<[a-zA-Z][^<>]*", text) if len(tag) > 21]
    attributes = [len(re.findall(r"[^\s/]+", quoted.sub(" ", tag))) for tag in tags]
    assert attribute_pairs(text, 20, len(text) + 1) >= sum(number**2 for number in attributes)


def test_a_quote_in_the_name_of_an_attribute_begins_no_value() -> None:
    many = "b " * 20_000
    assert reason(f'<figure class="a" webp" srcset="{many}">') == ""
    assert reason(f'<figure class="a" "{many}">') == "long_tag"


def test_a_long_tag_of_few_attributes_passes() -> None:
    assert reason("<script>if (a <b && " + "functionName(argument,other);" * 9_000 + "}</script>") == ""
    assert reason(f"<p {'a' * 100_000}=b title='{'c' * 100_000} > d'>") == ""


@pytest.mark.parametrize("hiding", ['b="<"', 'b=">"', "b='<>' c='<'"])
def test_many_hidden_tags_are_refused_together(hiding: str) -> None:
    for size, times in ((9_000, 150), (4_000, 400)):
        tag = f"<a {hiding} " + " ".join(f"a{number:x}" for number in range(size)) + ">x</a>"
        assert reason(tag * times) == "long_tag"


@pytest.mark.slow
@pytest.mark.parametrize(("value", "attributes"), [("", 4_000), ('=""', 4_000), ('=">"', 9_000), ("='<'", 9_000)])
def test_tags_of_many_attributes_each_within_the_limit_are_refused_together(value: str, attributes: int) -> None:
    tag = "<p " + " ".join(f"a{number:x}{value}" for number in range(attributes)) + ">x</p>"
    assert reason(tag) == ""
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
