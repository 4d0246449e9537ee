"""Text that the parser would take too long over is refused before it is parsed."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_blockfilter.html import UnfitPage, guard
from scrapy_blockfilter.html.guard import check_tags
from scrapy_blockfilter.html.limits import Limits


def reason(text: str) -> str:
    try:
        check_tags(text)
    except UnfitPage as unfit:
        return unfit.reason
    return ""


def lengths_of_tags(text: str) -> list[int]:
    """The characters of each tag, read one by one to its true end; a quoted value counts as one."""
    lengths = []
    place = 0
    while opening := re.compile("<[a-zA-Z]").search(text, place):
        place, length = opening.end(), 2
        while place < len(text) and text[place] != ">":
            value = re.compile(r"=\s*(\"[^\"]*\"|'[^']*')").match(text, place)
            place, length = value.end() if value else place + 1, length + 1
        lengths.append(length)
    return lengths


@settings(max_examples=500)
@given(
    st.lists(
        st.sampled_from(["<a", " ", "=", '"', "'", ">", "x", "<", "\n", '=">"', "='<'", "=' '", '="', "='", "bc" * 4]),
        max_size=120,
    )
)
def test_no_heavy_hidden_tag_is_missed(parts: list[str]) -> None:
    text = "".join(parts)
    limit = 7
    # Angle brackets in values can hide a tag up to three times the limit.
    if max(lengths_of_tags(text), default=0) > 3 * limit:
        with pytest.raises(UnfitPage):
            check_tags(text, Limits(tag_characters=limit))


@given(st.lists(st.sampled_from(["<a", "</b", " ", "=", '="', '"', "'", ">", "<", "bc" * 4, "d " * 9]), max_size=40))
def test_no_open_tag_is_missed(parts: list[str]) -> None:
    text = "".join(parts)
    limit = 20
    quoted = re.compile("=\\s*(\"[^\"]*\"|'[^']*')")
    if any(len(quoted.sub(" ", tag)) > limit + 1 for tag in re.findall("<[a-zA-Z][^<>]*", text)):
        with pytest.raises(UnfitPage):
            check_tags(text, Limits(tag_characters=limit))


@pytest.mark.parametrize("native", [True, False])
def test_a_quote_in_the_name_of_an_attribute_begins_no_value(native: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not native:
        monkeypatch.setattr(guard, "_native", None)
    assert reason(f'<figure class="a" webp" srcset="{40_000 * "b"}">') == ""
    assert reason(f'<figure class="a" "{40_000 * "b"}">') == "long_tag"


@pytest.mark.parametrize("left_out", ["", "'"])
def test_whole_pages_are_not_gone_through_for_hidden_tags(left_out: str) -> None:
    rows = "".join(f"<tr class='a' id=\"r{number}\"><td>it's {number}</td></tr>\n" for number in range(10_000))
    text = f"<table>{rows}</table>".replace(left_out, "")
    tag = re.compile("<[a-zA-Z](?:\"[^\"]*\"|'[^']*'|[^>\"'])*")
    assert best_time(lambda: check_tags(text)) < best_time(lambda: tag.findall(text)) / 2


def best_time(work: Callable[[], object]) -> float:
    """The least processor time of five tries."""
    times = []
    for _ in range(5):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


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


_PARTS = [
    "<a",
    " ",
    "=",
    '"',
    "'",
    ">",
    "x",
    "<",
    "\n",
    '=">"',
    "='<'",
    "=' '",
    "bc" * 4,
    "\u2003",
    "\u0416",
    "\U0001f600",
]


@pytest.mark.skipif(guard._native is None, reason="native code is not built")
@settings(max_examples=500)
@given(
    st.lists(st.sampled_from([*_PARTS, "</b>", " " * 120]), max_size=120),
    st.sampled_from([2, 3, 7, 20, 40]),
    st.sampled_from([3, 20, 1_000]),
)
def test_native_code_judges_as_python_does(parts: list[str], characters: int, elements: int) -> None:
    limits = Limits(tag_characters=characters, elements=elements)
    native = message("".join(parts), limits)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(guard, "_native", None)
        assert message("".join(parts), limits) == native


def message(text: str, limits: Limits) -> str:
    try:
        check_tags(text, limits)
    except UnfitPage as unfit:
        return f"{unfit.reason}: {unfit}"
    return ""


@pytest.mark.parametrize("native", [guard._native, None] if guard._native else [None])
@pytest.mark.parametrize(
    "part",
    ["<", "<a", '"', "='", '="', '=" ', "= ", " ", "a=", "a='>' ", "<a b", "/", "x", "</a>", "\u2003", "<a b='>"],
)
def test_the_time_is_linear_in_the_text(part: str, native: ModuleType | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "_native", native)
    limits = Limits(characters=1 << 40, elements=1 << 40)
    times = []
    for size in (200_000, 1_600_000):
        text = f"<p>{part * (size // len(part))}"
        times.append(best_time(lambda text=text: message(text, limits)))  # type: ignore[misc]
    assert times[1] < 40 * max(times[0], 0.002)
