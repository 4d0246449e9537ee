"""Texts of boxes side by side are apart in every form, and parts of a word are not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import scrapy_blockfilter as bf

pytestmark = pytest.mark.usefixtures("implementation")

PROSE = "<p>{} how boats moor in the old harbour of the town, and why they do so at night.</p>"
PLACES = ("{}", "<div class=box>{}</div>", "<ul><li>{}</li></ul>", "<table><tr><td>{}</td></tr></table>")
CASES: dict[str, list[str]] = json.loads(Path(__file__).with_name("side_by_side.json").read_text("utf-8"))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("tag", ["p", "div"])
@pytest.mark.parametrize("boxes", [*CASES["apart"], *CASES["together"]])
def test_boxes_are_apart_and_parts_of_a_word_together(boxes: str, tag: str, place: str) -> None:
    html, expected = boxes.split("|")
    page = f"<h1>Boats</h1>{PROSE.format('Said')}{place.format(html.format(tag))}{PROSE.format('Again')}"
    cleaned = bf.learn([page], bf.Options(keep=["body"])).clean(page)
    for form in (cleaned.text, "\n".join(chunk["text"] for chunk in cleaned.chunks)):
        assert form.split("\n")[2].removeprefix("- ") == expected
    plain = cleaned.markdown.translate(str.maketrans("", "", "*_`[]|~")).replace("(/a)", "").replace("(/b)", "")
    assert expected in [line.strip(" -") for line in plain.split("\n")]
