"""CETR (Shinde et al. 2013, section 4): tag ratios of lines, worked out by hand."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.extras.papers.tag_ratio import lines
from scrapy_blockfilter.options import Options
from tests.support.pages import document, fitted, kept, segmented

MENU = "".join(f"<li><a href=/{name}>{name}</a></li>" for name in ("home", "news", "sport", "shop", "help", "about"))
STORY = [f"<p>Police were told on {day} that boats had gone. Nobody knows where they are.</p>" for day in "ABCDEF"]
PAGE = document(f"<ul>{MENU}</ul>", "<div>", *STORY, "</div>", f"<ul>{MENU}</ul>", title="Boats gone")


def keeping(html: str, radius: int = 4, as_paper: bool = False) -> list[str]:
    options = Options(method="tag_ratio", method_args={"radius": radius, "paper_defaults": as_paper})
    return kept(fitted("tag_ratio", [], options), html)


def test_a_line_is_a_block_with_the_tags_before_and_in_it() -> None:
    page = segmented(
        document(
            '<div id="topnav"><div id="author">James Smith</div>Police were told.<br><br>Jones had.<hr>',
            '<form><a href="/a">one</a> <a href="/b">two</a> <img src="harbour.jpg" alt=""><input></form></div>',
        )
    )
    # html, head, body, topnav and author are open by the first line. The second opens nothing and has two breaks, the
    # third opens hr and form, and has two links of two tags each, an image and a control.
    chars, tags = lines(page)
    assert chars.tolist() == [11, 29, 7]
    assert tags.tolist() == [5, 2, 2 + 4 + 1 + 1]


@pytest.mark.parametrize("radius", [0, 1])
def test_the_paper_keeps_what_reaches_a_standard_deviation(radius: int) -> None:
    # Ratios 40, 10 and 4: the first line opens body as well as p and html. Standard deviation 15.7 (mean 18,
    # deviations 22, 8, 14: squares 484, 64, 196, of which the mean is 248).
    html = "<html><body>" + "".join(f"<p>{'a' * size}</p>" for size in (120, 10, 4)) + "</body></html>"
    # Smoothed by one: 50 / 3 = 16.7, 54 / 3 = 18, 14 / 3 = 4.7; standard deviation 6.0.
    assert [len(text) for text in keeping(html, radius, as_paper=True)] == ([120] if radius == 0 else [120, 10])


@pytest.mark.parametrize("as_paper", [False, True])
def test_both_forms_tell_a_story_from_menus(as_paper: bool) -> None:
    texts = keeping(PAGE, radius=1, as_paper=as_paper)
    assert texts[0] == "Boats gone"  # the TITLE
    assert [text for text in texts if text.startswith("Police")] == [story[3:-4] for story in STORY]
    assert len(texts) <= len(STORY) + 3  # smoothing takes a line at each end with it


def test_the_reason_names_the_ratio_and_what_it_is_compared_with() -> None:
    page = segmented("<html><body>" + "".join(f"<p>{'a' * size}</p>" for size in (120, 10, 4)) + "</body></html>")
    options = Options(method="tag_ratio", method_args={"radius": 0})
    reasons = [verdict.reason for verdict in fitted("tag_ratio", [], options).judge(page, whole=True)]
    assert reasons[1] == "tag ratio 10.0, with its neighbours 10.4, content's centroid at 45.7"
    options = Options(method="tag_ratio", method_args={"radius": 0, "paper_defaults": True})
    verdict = fitted("tag_ratio", [], options).judge(page, whole=True)[0]
    assert verdict.reason == "tag ratio 40.0, with its neighbours 40.0, threshold 15.7"
    assert verdict.score == pytest.approx(40 / (40 + 15.748), abs=1e-4)
