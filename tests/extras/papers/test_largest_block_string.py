"""LBS (Louvan, section 2.3.1): the largest block of strings at one level, worked out by hand."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.options import Options
from tests.support.pages import document, fitted, judged, kept

STORY = (
    "<h1>Boats gone</h1>"  # 10 characters
    "<p>Police were told on Monday.</p>"  # 27
    '<div class="ad"><a href="/buy">Buy a boat</a></div>'
    "<p>See <a href='/map'>our map</a> for more.</p>"  # 21, 14 of them outside of the link
    "<ul><li>oars</li><li>a <b>sail</b></li></ul>"  # 4 and 6
)
PAGE = document(
    '<ul><li><a href="/">Home and news and sport and shops</a></li><li>Weather today</li></ul>',
    f'<div id="story">{STORY}</div>',
    "<div>Imprint and contact</div>",  # 19
    title="Boats gone from the harbour on Monday",
)
STRINGS = ["Boats gone", "Police were told on Monday.", "See our map for more."]


def test_the_method_keeps_the_block_and_the_title() -> None:
    title = "Boats gone from the harbour on Monday"
    ours, papers = (
        kept(fitted("largest_block_string", [], Options(method_args={"paper_defaults": as_paper})), PAGE)
        for as_paper in (False, True)
    )
    assert (ours, papers) == ([title, *STRINGS, "oars", "a sail"], [title, *STRINGS])


@pytest.mark.parametrize("body", ["", '<p><a href="/">Home</a></p>', "<img src=harbour.jpg alt=Harbour>"])
def test_a_page_without_text_outside_of_links_has_no_block(body: str) -> None:
    assert kept(fitted("largest_block_string", []), document(body, title="Map")) == ["Map"]


def test_reasons_and_scores_name_the_sizes() -> None:
    verdicts = judged(fitted("largest_block_string", []), PAGE)
    told: dict[str, object] = {text: (verdict.score, verdict.reason) for text, verdict in verdicts}
    assert told["Boats gone"] == (1, "block string of 51 characters, in the largest, which has 51")
    assert told["Imprint and contact"] == (
        pytest.approx(19 / 51 / 2),
        "block string of 19 characters, outside of the largest, which has 51",
    )
    assert told["Buy a boat"] == (0, "block string of 0 characters: no text outside of links")
