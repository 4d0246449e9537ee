"""Comments, lines of links and shared endings go where a page has content without them, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_blockfilter.evidence.clutter import comment_threads, lines_of_links, shared_endings
from tests.evidencing import evidence
from tests.segmenting import columns, document, segmented, texts

CONTENT = f"<p>{'The harbour reopened on Monday, a week early. ' * 10}</p>"
_SAID = (
    "A fine harbour, I always say, and finer than the one that we had when we were young and had none.",
    "Not before time, if you ask me, for the boats have waited since the storms of the last November.",
    "Who is going to pay for all this, I wonder, now that the fishing is gone and the yachts are here?",
)
_LINKS = tuple(f"<a href=/{number}>Another report from the harbour, number {number}</a>" for number in range(3))


def thread(names: str, said: tuple[str, ...] = _SAID) -> str:
    return f"<div class='{names}'>{''.join(f'<div><b>Reader</b><p>{text}</p></div>' for text in said)}</div>"


def in_threads(html: str, *, keep: bool = True) -> list[str]:
    page = columns(html)
    marks = comment_threads(page, evidence(html), np.full(len(page.keys), keep))
    return [text for text, mark in zip(texts(segmented(html)), marks, strict=True) if mark]


def in_lines(html: str, *, keep: bool = True) -> list[str]:
    page = columns(html)
    marks = lines_of_links(page, np.full(len(page.keys), keep))
    return [text for text, mark in zip(texts(segmented(html)), marks, strict=True) if mark]


@pytest.mark.parametrize("names", ["comments", "readers-opinie", "replies"])
def test_like_elements_named_for_comments_below_content_are_a_thread(names: str) -> None:
    found = in_threads(document(CONTENT, thread(names)))
    assert [text for text in found if text != "Reader"] == list(_SAID)
    assert found.count("Reader") == 3


def test_a_short_comment_goes_with_those_beside_it() -> None:
    assert "Agreed." in in_threads(document(CONTENT, thread("comments", (*_SAID, "Agreed."))))


@pytest.mark.parametrize(
    "html",
    [
        document(CONTENT, thread("story")),
        document(CONTENT, thread("comments", _SAID[:2])),
        document(CONTENT, thread("comments", ("Yes.", "No.", "Why?"))),
        document(thread("comments"), CONTENT),
        document("<p>Harbour reopens.</p>", thread("comments")),
        document(f"<p><a href=/x>{'The harbour reopened. ' * 40}</a></p>", thread("comments")),
        document(f"<div class=comments>{CONTENT}{thread('item')}</div>"),
    ],
    ids=["by no name", "two", "labels", "above", "below a line", "below a link", "all in a discussion"],
)
def test_other_elements_are_no_thread(html: str) -> None:
    assert in_threads(html) == []


def test_where_nothing_is_kept_there_is_nothing_to_strip() -> None:
    page = document(CONTENT, thread("comments"), f"<div>{'<br>'.join(_LINKS)}</div>")
    assert in_threads(page, keep=False) == in_lines(page, keep=False) == []


def test_lines_of_links_beside_content_are_found() -> None:
    (found,) = in_lines(document(CONTENT, f"<div>{'<br>'.join(_LINKS)}</div>"))
    assert found.count("Another report") == 3


def test_many_links_in_one_line_are_found() -> None:
    links = " ".join(f"<a href=/{number}>Report {number}</a>" for number in range(10))
    assert len(in_lines(document(CONTENT, f"<div>{links}</div>"))) == 1
    assert in_lines(document(CONTENT, f"<div>{links.replace('<a href=/9>Report 9</a>', '')}</div>")) == []


@pytest.mark.parametrize(
    "html",
    [
        document("<p>Harbour</p>", f"<div>{'<br>'.join(_LINKS)}</div>"),
        document(CONTENT, f"<div>{' '.join(_LINKS)}</div>"),
        document(CONTENT, f"<div>{_LINKS[0]}<br>told by those who were there at the time<br>{_LINKS[1]}</div>"),
        document(CONTENT, "<div><a href=/a>Home</a><br><a href=/b>Away</a><br><a href=/c>Help</a></div>"),
        document(CONTENT, "<div><a href=/poem>" + "<br>".join(_SAID) + "</a></div>"),
    ],
    ids=["a page of links", "one line", "with text", "labels", "one link"],
)
def test_other_links_are_none(html: str) -> None:
    assert in_lines(html) == []


_ENDING = f"<p>{'Follow us wherever you are, and be the first to hear of what is new. ' * 3}</p>"
_OTHERS = tuple(document(f"<p>Day {number}</p>", _ENDING) for number in range(3))


def endings(html: str, *others: str, keep: bool = True) -> list[int]:
    page = columns(html)
    return shared_endings(page, evidence(html, *(others or _OTHERS)), np.full(len(page.keys), keep))


def test_what_other_pages_have_too_is_found_at_the_end() -> None:
    assert endings(document(CONTENT, _ENDING)) == [1]
    assert endings(document(CONTENT, _ENDING, "<p>By a reader</p>", _ENDING, "<p>7 May</p>")) == [3, 1]


@pytest.mark.parametrize(
    "html",
    [
        document(_ENDING, CONTENT),
        document(CONTENT, _ENDING, f"<p>{_SAID[0]}</p>"),
        document("<p>Harbour</p>", _ENDING),
        document(CONTENT, "<p>Day 1</p>"),
        document(CONTENT),
        document(),
    ],
    ids=["before", "in the midst", "below a line", "a label", "no ending", "empty"],
)
def test_no_other_text_is_an_ending(html: str) -> None:
    assert endings(html) == []


def test_an_ending_is_on_several_other_pages_and_kept() -> None:
    html = document(CONTENT, _ENDING)
    assert endings(html, *_OTHERS[:1]) == []
    assert endings(html, keep=False) == []
