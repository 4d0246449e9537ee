"""content-seeker (Louvan): features, segments and the segments taken, by handwritten trees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.trained import write_trees
from scrapy_blockfilter import OptionError, Options, learn
from scrapy_blockfilter.extras.papers.content_seeker import ContentSeeker, TreeError, load_trees, read_trees
from scrapy_blockfilter.extras.papers.segment_features import NAMES, VISUAL_NAMES, segment_features, visual_features
from scrapy_blockfilter.html import Page, Reader
from tests.support.boxes import at
from tests.support.made_sites import make_site
from tests.support.pages import document, judged, kept, recorded, segmented

PAGE = document(
    '<ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li></ul>',
    '<div id="story"><h1>Boats gone</h1><p>They were seen on Monday.</p><p>Not since.</p>'
    '<div><a href="/buy">Buy</a> a boat <img src="1.gif" alt=""></div></div>',
    "<form><table><tr><td>Search here <input></td></tr></table></form>",
    title="Boats",
)
# By hand: the outermost elements with no more than two below each other are segments, and content if they have more
# than 20 characters and at most a third of them in links.
SEGMENT: dict[str, Any] = {"feature": "height", "at_most": 2, "then": {"share": 0.9}, "else": {"share": 0.2}}
CONTENT: dict[str, Any] = {
    "feature": "anchored",
    "at_most": 1 / 3,
    "then": {"feature": "text", "at_most": 20, "then": {"share": 0.3}, "else": {"share": 0.8}},
    "else": {"share": 0.0},
}
TREES = read_trees(write_trees(SEGMENT, CONTENT, {}))


def boxed_page(html: str) -> Page:
    return Reader(Options()).read(html)


def keeping(html: str, **options: Any) -> list[str]:
    return kept(ContentSeeker(TREES).fit((), Options(method="content_seeker", **options)), html)


def test_features_of_an_element_by_hand() -> None:
    page = segmented(PAGE)
    features = dict(zip(NAMES, segment_features(page)[page.tags.index("h1") - 1].tolist(), strict=True))  # the story
    assert features == {
        "text": 10 + 25 + 10 + 10,
        "elements": 1 + 4 + 1 + 1,  # itself and h1, p, p, div; a link and an image
        "images": 1,
        "links": 1,
        "controls": 0,
        "stop words": 5,  # they, were, on, not, a
        "anchored": pytest.approx(3 / 55),
        "height": 1,
        "forms": 0,
        "table elements": 0,
        "lists": 0,
        "headings": 1,
        "paragraphs": 2,
    }


BOXED = (
    f"<html {at(0, 0, 1280, 900, '')}><body {at(8, 10, 1264, 880, '')}><div {at(0, 0, 300, 880, '')}>"
    f"<p {at(5, 5, 290, 20)}>At the left</p></div><div {at(320, 0, 900, 880, '')}><ul {at(5, 5, 890, 20)}><li>In line"
    "</ul><p>Hidden</p></div>"
)


def test_features_of_boxes_are_where_elements_are_shown_and_zeros_where_they_are_not() -> None:
    page = boxed_page(BOXED)
    features = visual_features(page)
    assert features is not None
    assert features[:, : len(NAMES)].tolist() == segment_features(page).tolist()
    shown = dict(zip(page.tags, features[:, len(NAMES) :].tolist(), strict=True))
    assert VISUAL_NAMES[len(NAMES) :] == ("left", "top", "box width", "box height")
    assert shown["body"] == [8, 10, 1264, 880]
    assert shown["div"] == [328, 10, 900, 880]
    assert shown["ul"] == shown["li"] == [333, 15, 890, 20]
    assert shown["p"] == [0, 0, 0, 0]
    assert visual_features(segmented(PAGE)) is None
    assert visual_features(recorded([PAGE])[0]) is None


def test_trees_of_a_file_look_at_boxes_where_pages_have_them(tmp_path: Path) -> None:
    left = {"feature": "left", "at_most": 300, "then": {"share": 0.1}, "else": {"share": 0.9}}
    path = tmp_path / "trees.json"
    path.write_text(write_trees({"share": 0.1}, left, {}, VISUAL_NAMES))
    options = Options(method="content_seeker", method_args={"trees": str(path), "heuristic": "table_pattern"})
    model = learn([], options)
    kept_blocks = [block.text for block in model.clean(BOXED).blocks if block.keep]
    assert kept_blocks == ["In line"]
    plain = learn([], Options(method="content_seeker", method_args={"heuristic": "table_pattern"}))
    page = make_site(pages=1).pages[0].html
    assert model.clean(page).html == plain.clean(page).html


def test_a_file_without_trees_stops_the_start(tmp_path: Path) -> None:
    path = tmp_path / "trees.json"
    for write in (lambda: None, lambda: path.write_text("{}"), lambda: path.write_bytes(b"\xff")):
        write()
        with pytest.raises(OptionError, match=r'METHOD_ARGS\["trees"\] is .*must be a file of trees'):
            ContentSeeker().fit((), Options(method="content_seeker", method_args={"trees": str(path)}))


def test_lbs_takes_the_strings_of_one_level() -> None:
    # Of the strings of the story, 10 + 25 + 10 and 7 beside the link: all children of the DIV. A quotation within
    # another element of theirs is a level of its own.
    html = PAGE.replace("</h1>", "</h1><blockquote><p>Gone!</p></blockquote>")
    story = ["Boats gone", "They were seen on Monday.", "Not since.", "Buy a boat"]
    assert keeping(html, method_args={"paper_defaults": True}) == ["Boats", *story]
    assert keeping(html)[2] == "Gone!"


def test_lbs_is_left_out_where_no_level_has_half_of_the_strings() -> None:
    parts = "".join(f"<div><p>Part {number} of a story in parts.</p></div>" for number in range(3))
    html = document(parts)
    assert len(keeping(html)) == 3


def test_tp_takes_the_pattern() -> None:
    posts = "".join(f"<li><p>A post of forty characters or so, number {number}.</p></li>" for number in range(3))
    html = document(f"<div><h1>A thread</h1><div>Some rules of this forum here</div></div><ul>{posts}</ul>")
    texts = keeping(html, method_args={"heuristic": "table_pattern"})
    assert texts == [f"A post of forty characters or so, number {number}." for number in range(3)]
    assert len(keeping(html)) > 3


def test_reasons_and_scores_tell_the_segment() -> None:
    verdicts = judged(ContentSeeker(TREES).fit((), Options()), PAGE)
    told = {text: (verdict.score, verdict.reason) for text, verdict in verdicts}
    assert told["Home"] == (0, "segment ul of 8 characters: noise, 0% likely content")
    assert told["Not since."] == (0.8, "segment div of 55 characters: content, 80% likely content")
    assert told["Search here"] == (0.3, "segment table of 11 characters: noise, 30% likely content")


def test_trees_that_ship_are_of_this_release_and_clean_a_page() -> None:
    trees = load_trees()
    assert {0, 1} >= {round(share) for share in trees.content.shares(segment_features(segmented(PAGE))).tolist()}
    site = make_site("div", pages=3, rich=True)
    model = learn([], Options(method="content_seeker"))
    for page in site.pages:
        cleaned = model.clean(page.html)
        assert not cleaned.unchanged
        assert page.content[1] in cleaned.text
        assert page.template[0] not in cleaned.text


STORED = json.loads(write_trees(SEGMENT, CONTENT, {}))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (json.dumps({**STORED, "version": 2}), "of version 2 and other features: this release has version 1"),
        (json.dumps({**STORED, "features": ["text"]}), "run python -m research.training.train_content_seeker"),
        (json.dumps({**STORED, "features": 5}), "not a file of decision trees"),
        (json.dumps({**STORED, "segment": {"share": 2}}), "not a valid number in a decision tree"),
        *((text, "not a file of decision trees") for text in ("", "[]", "{}", "3", '{"version": 1}')),
    ],
)
def test_trees_of_another_release_and_other_files_are_refused(text: str, message: str) -> None:
    with pytest.raises(TreeError, match=message):
        read_trees(text)
