"""Notes stay with the text that refers to them, whatever their score."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.consensus.notes import notes
from tests.support.networks import case, judged
from tests.support.pages import document
from tests.support.work import work_of

TEXT = "The mill on the brook grinds spelt again, as it did for three hundred years {} and sells flour on Fridays {}."
FIRST, SECOND = "Miller, A. (2001). Flour and water.", "Smith, J. (2014). Mills of the valley."
NOTES = "<ol><li id=n1>{}</li><li id=n2>{}</li></ol>"
ANCHORED = "<ul><li><a id=n1 href=#r1>^</a> {}</li><li><p><a name=n2 href=#r2>^</a> {}</p></li></ul>"
ADDRESS = "http://mills.example/brook"


def kept_notes(first: str, second: str, notes: str) -> list[bool]:
    """Whether each text of a list stays, if the score keeps the text before it alone."""
    text = TEXT.format(f"<a href='{first}'>1</a>", f"<sup><a href='{second}'><b>2</b></a></sup>")
    html = document(f"<p>{text}</p>", notes.format(FIRST, SECOND))
    verdicts = judged(html, {TEXT.format(1, 2): 0.9})
    return [verdict.keep for said, verdict in verdicts.items() if FIRST in said or SECOND in said]


@pytest.mark.parametrize(
    ("first", "second", "notes", "stay"),
    [
        ("#n1", "#n2", NOTES, [True, True]),
        ("#n1", "#n2", ANCHORED, [True, True]),
        ("#n1", "#n2", NOTES.replace("{}", "<a href=/a>{}</a>"), [True, True]),
        (f"{ADDRESS}#n1", f"{ADDRESS}#n2", NOTES, [True, True]),
        ("#n1", "#n2", "<div class=fn><sup id=n1>1</sup> {}</div><aside id=n2><p>2</p><p>{}</p></aside>", [True, True]),
        ("#n1", "#n2", "<table><tr id=n1><td>1<td>{}<tr id=n2><td>2<td>{}</table>", [True, True]),
        # Marks that lead to half of a list keep it whole; to less, their own items.
        ("#n1", "/other", NOTES, [True, True]),
        ("#n1", "#n9", "<ol><li id=n1>{}</li><li id=n2>{}</li><li id=n3>Others</li></ol>", [True, False]),
        # What the text does not refer to, and a list of contents, are for the score to judge.
        ("/other", "#", NOTES, [False, False]),
        ("/a", "/b", "<ol><li id=n1><a href=#n1>#</a> {}</li><li id=n2><a href=#n2>#</a> {}</li></ol>", [False, False]),
        ("/a", "/b", f"<p><a href=#n1>1</a> <a href=#n2>2</a></p>{NOTES}", [False, False]),
        ("#n1", "#n1", f"<div id=n1>{'<p>Menu</p>' * 20}<p>{{}}</p><p>{{}}</p></div>", [False, False]),
    ],
)
def test_notes_that_marks_in_kept_text_lead_to_stay(first: str, second: str, notes: str, stay: list[bool]) -> None:
    assert kept_notes(first, second, notes) == stay


def test_links_in_words_make_no_note() -> None:
    text = "See <a href=#more>more on mills</a>, as told by many an old miller of the valley for three hundred years."
    html = document(f"<p>{text}</p><div id=more><p>Offers of the week</p></div>")
    verdicts = judged(
        html, {"See more on mills, as told by many an old miller of the valley for three hundred years.": 0.9}
    )
    assert not verdicts["Offers of the week"].keep


def test_lists_nested_in_a_list_of_notes_are_looked_at_once() -> None:
    def looked_at(count: int) -> int:
        marks = "".join(f"<a href=#a{number}>1</a> " for number in range(count))
        nested = "".join(f"<ol><li id=a{number}>word" for number in range(count))
        page = case(document(f"<p>{TEXT}{marks}</p>{nested}"))
        page.keep[2:] = False
        return sum(len(blocks) for blocks, _ in notes(page))

    assert 0 < looked_at(200) <= 200


@pytest.mark.parametrize(
    "item", ["<li id=a{0}>word</li>", "<li id=a{0}>word<ul><li>word", "<li id=a{0}><a href=#a{0}>word</a>, so"]
)
def test_notes_are_found_in_linear_time(item: str) -> None:
    def work(count: int) -> int:
        links = "".join(f"<a href=#a{number}>1</a>" for number in range(count))
        items = "".join(item.format(number) for number in range(count))
        html = document(f"<p>{TEXT}{links}</p><ol>{items}</ol>")
        return work_of(lambda: judged(html, {}))

    assert work(400) < 2.5 * work(200)
