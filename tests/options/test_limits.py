"""Limits: a page at a limit passes, and a page with one more does not."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from scrapy_blockfilter import Options, SiteModel, learn
from scrapy_blockfilter.html import Limits, PageCaches, UnfitPage, parse, segment
from scrapy_blockfilter.options import DEFAULT_LIMITS


def reason(html: str, limits: Limits) -> str:
    try:
        segment(parse(html, limits), PageCaches(), limits=limits)
    except UnfitPage as unfit:
        return unfit.reason
    return ""


@pytest.mark.parametrize(
    ("limits", "html", "more", "expected"),
    [
        (Limits(characters=20), "<p>abcdefghijklm</p>", "<p>abcdefghijklmn</p>", "too_large"),
        (Limits(elements=6), "<p><b>x</b></p><br><br>", "<p><b>x</b></p><br><br><br>", "too_many_elements"),
        (Limits(elements=6), "x</x></x>" * 6, "x</x></x>" * 7, "too_many_elements"),
        (Limits(blocks=2), "<p>a<p>b", "<p>a<p>b<p>c", "too_many_blocks"),
        (Limits(depth=3), "<div><div>x</div></div>", "<div><div><div>x</div></div></div>", "too_deep"),
    ],
)
def test_a_page_at_a_limit_passes_and_one_beyond_does_not(limits: Limits, html: str, more: str, expected: str) -> None:
    assert reason(html, limits) == ""
    assert reason(more, limits) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a" * 20, ""), ("a" * 21, "too_large"), ("a\nb\nc", ""), ("a\nb\u2028c\x85", "too_many_blocks"), ("", "")],
)
def test_a_text_has_characters_and_lines(text: str, expected: str) -> None:
    assert Limits(characters=20, blocks=3).exceeded_by(text) == expected


def test_the_error_of_a_page_beyond_a_limit_goes_from_one_process_to_another() -> None:
    with (
        ProcessPoolExecutor(1, get_context("spawn")) as processes,
        pytest.raises(UnfitPage, match="8 characters") as found,
    ):
        processes.submit(parse, "<p>a</p>", Limits(characters=5)).result()
    assert found.value.reason == "too_large"


@pytest.fixture
def model() -> SiteModel:
    pages = [f"<p>Menu</p><p>Story {number} of the day</p><p>Told by {number}</p>" for number in range(4)]
    return learn(pages, Options(method="chunk_frequency", max_characters=500_000))


def test_a_text_beyond_a_limit_is_left_as_it_is(model: SiteModel) -> None:
    assert model.clean_text("Menu\nstory\n") == "story\n"
    for long in ("a\n" * DEFAULT_LIMITS.blocks, "a" * 500_000):
        assert model.clean_text(f"Menu\n{long}") == f"Menu\n{long}"


def test_pages_beyond_a_limit_are_not_learnt_from() -> None:
    with pytest.raises(ValueError, match="no page to learn from"):
        learn(["<p>a</p><p>b</p>"] * 3, Options(max_characters=10))


def test_limits_of_a_model_are_those_of_its_options(model: SiteModel) -> None:
    page = "<p>Menu</p><p>Story</p>"
    assert model.clean(page).html == "<p>Story</p>"
    for more, reason in (("<p>x" * DEFAULT_LIMITS.blocks, "too_many_blocks"), ("x" * 500_000, "too_large")):
        cleaned = model.clean(page + more)
        assert (cleaned.unchanged, cleaned.html) == (reason, page + more)
