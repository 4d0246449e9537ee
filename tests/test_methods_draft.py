"""Verdicts in the making: what is stripped stays so until it is saved, and what was gone before keeps its reason."""

from __future__ import annotations

import numpy as np

from scrapy_blockfilter.evidence.elements import without_content
from scrapy_blockfilter.evidence.tree import Tree
from scrapy_blockfilter.methods import Verdict
from scrapy_blockfilter.methods.draft import Draft, strip_by_structure, strip_links
from tests.segmenting import columns, document

STORY = "<p>" + "The harbour reopened on Monday, a week early. " * 7 + "</p>"
LINKS = "<p>" + " ".join(f"<a href=/{number}>Topic {number}</a>" for number in range(12)) + "</p>"
CHOICE = "<select><option>Monday</option></select>"


def draft(*keep: bool) -> Draft:
    return Draft([Verdict(stays, 0.9 if stays else 0.2, "so far") for stays in keep], np.array(keep, np.bool_))


def told(made: Draft) -> list[tuple[bool, float, str]]:
    assert [verdict.keep for verdict in made.verdicts] == made.keep.tolist()
    return [(verdict.keep, verdict.score, verdict.reason) for verdict in made.verdicts]


def test_what_stays_is_stripped_and_what_went_before_keeps_its_reason() -> None:
    made = draft(True, False, True)
    made.strip([0, 1], "a choice of a form")
    made.strip(range(2, 3), "line numbers", score=0.0)
    assert told(made) == [(False, 0.9, "a choice of a form"), (False, 0.2, "so far"), (False, 0.0, "line numbers")]


def test_what_is_saved_stays_with_the_reason_before_its_own() -> None:
    made = draft(True, False)
    made.save([1], "the headline")
    assert told(made) == [(True, 0.9, "so far"), (True, 0.2, "the headline; so far")]


def test_lines_of_links_go_beside_text_alone() -> None:
    page = columns(document(STORY, LINKS))
    for keep, left in (((True, True), [True, False]), ((False, True), [False, True])):
        made = draft(*keep)
        strip_links(made, page, np.ones(2, np.bool_))
        assert [stays for stays, _, _ in told(made)] == left
    made = draft(True, True)
    strip_links(made, page, np.array([True, False]))
    assert made.keep.all()


def test_elements_without_content_go_whatever_was_said() -> None:
    page = columns(document(STORY, CHOICE))
    made = draft(True, True)
    strip_by_structure(made, page, without_content(page, Tree(page)))
    assert told(made) == [(True, 0.9, "so far"), (False, 0.0, "a choice of a form")]
