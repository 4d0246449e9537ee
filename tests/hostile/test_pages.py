"""Broken and hostile pages by every method: none raises, hangs, or loses kept content.

:mod:`stress.invariants` lists what must hold for each page.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_blockfilter import Options, SiteModel, learn
from stress.hostile import FRAGMENTS, KINDS, TAGS, mutated, soup
from stress.invariants import broken
from tests.support.made_sites import make_site
from tests.support.pages import EVERY_METHOD, is_subsequence

pytestmark = pytest.mark.slow

SITE = make_site(pages=14, rich=True, seed=8)
LEARNT_FROM, TRIED = SITE.pages[:10], SITE.pages[10:]
# Pages for each method, and pages of tags in no order, each tried with a menu before it, behind it and without one.
# Every method has others. `python -m stress.fault_inputs` changes as many as are wanted.
_CHANGED, _SOUPS = 40, 20


def learnt(**options: Any) -> SiteModel:
    return learn((page.html for page in LEARNT_FROM), replace(Options(), **options))


@pytest.fixture(scope="module", params=EVERY_METHOD)
def model(request: pytest.FixtureRequest) -> SiteModel:
    return learnt(method=request.param)


@pytest.fixture(scope="module")
def alone() -> SiteModel:
    """A model that judges each block by itself."""
    return learnt(method="chunk_frequency")


def test_pages_changed_at_random_are_cleaned(model: SiteModel) -> None:
    cleaned = 0
    for number in range(_CHANGED):
        random = Random(f"{model.options.method} {number}")
        html = mutated(random.choice(TRIED).html, random, random.choice((1, 2, 4, 8, 16)))
        assert broken(model, html) == [], html
        cleaned += not model.clean(html).unchanged
    assert cleaned > _CHANGED / 2


def test_tags_in_no_order_are_cleaned(model: SiteModel) -> None:
    menu = "".join(f"<p>{text}</p>" for text in SITE.pages[0].template)
    for number in range(_SOUPS):
        random = Random(f"soup {model.options.method} {number}")
        html = soup(random, random.choice((3, 30, 100)))
        for page in (html, menu + html, html + menu):
            assert broken(model, page) == [], page


_PIECES = st.sampled_from([*FRAGMENTS, *(f"<p>{text}</p>" for text in SITE.pages[0].template)]) | st.builds(
    "<{}{}>".format, st.sampled_from(["", "/"]), st.sampled_from(TAGS)
)


@given(st.lists(_PIECES | st.text(max_size=5), max_size=25).map("".join))
def test_any_pieces_of_html_are_cleaned(alone: SiteModel, html: str) -> None:
    assert broken(alone, html) == []


@given(
    st.lists(st.text(max_size=8) | st.sampled_from(SITE.pages[0].template), max_size=12),
    st.sampled_from("\n\r\x0b\x85"),
)
def test_of_any_text_whole_lines_are_left(alone: SiteModel, lines: list[str], end: str) -> None:
    text = end.join(lines)
    cleaned = alone.clean_text(text)
    assert is_subsequence(cleaned.splitlines(keepends=True), text.splitlines(keepends=True))
    assert alone.clean_text(cleaned) == cleaned


@pytest.mark.parametrize("kind", KINDS)
def test_one_thing_repeated_in_a_page_is_cleaned_or_passes(alone: SiteModel, kind: str) -> None:
    html = KINDS[kind](20_000)
    before, content, behind = TRIED[0].html.partition('<div class="content">')
    assert broken(alone, f"{before}{content}{html}{behind}") == []


# Beyond the limits, or just within them: minutes, where a way through a page took quadratic time.
HUGE = {
    "a million attributes": ("<p " + " ".join(f"a{number:x}" for number in range(1_000_000)) + ">x", "long_tag"),
    "half a million siblings": ("<p>x</p>" * 500_000, "too_many_elements"),
    "siblings": ("<p>x</p>" * 60_000, "too_many_blocks"),
    "end tags at a great depth": ("<div>" * 2_000 + "</x>" * 400_000, "too_deep"),
    "a flood of entities": ("&amp;" * 1_500_000, "nothing_to_strip"),
    "eight megabytes in one line": ("word " * 1_600_000, "nothing_to_strip"),
    "a title of megabytes": (f"<title>{'word ' * 600_000}</title>" + "<p>no such</p>" * 40_000, "nothing_to_strip"),
}


def test_huge_pages_pass_as_they_are(alone: SiteModel) -> None:
    for name, (html, reason) in HUGE.items():
        cleaned = alone.clean(html)
        assert cleaned.unchanged == reason, name
        assert cleaned.html == html
        assert not cleaned.stripped


def test_spaces_between_very_many_stripped_blocks_cost_no_quadratic_time() -> None:
    model = learnt(method="chunk_frequency", min_kept=0)
    menu = SITE.pages[0].template[0]
    html = f"<div>{f'<p>{menu}</p>{chr(10) * 60}' * 45_000}<p>{TRIED[0].content[1]}</p></div>"
    cleaned = model.clean(html)
    assert menu not in cleaned.html
    assert cleaned.html.count("\n") == 60 * 45_000
