"""Readers' comments below the content, told apart from all else."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.consensus.threads import are_comments
from tests.support.networks import evidence, judged, stays
from tests.support.pages import document, segmented, texts

CONTENT = f"<p>{'The harbour reopened on Monday, a week early. ' * 6}</p>"
_SAID = ("A fine harbour, I always say.", "Not before time, if you ask me.", "Who is going to pay for all this?")


def thread(names: str = "", *, dated: bool = True, said: tuple[str, ...] = _SAID) -> str:
    written = "".join(
        f"<div class=item><b>Reader</b>{f'<p>{number + 1} March 2009, 10:45</p>' if dated else ''}<p>{text}</p></div>"
        for number, text in enumerate(said)
    )
    return f"<div class='{names}'>{written}</div>"


def found(html: str, *pages: str) -> list[str]:
    """Texts of the blocks that are comments."""
    marks = are_comments(evidence(html, *pages))
    assert len(marks) == len(segmented(html).keys)
    return [text for text, mark in zip(texts(segmented(html)), marks, strict=True) if mark]


def test_like_records_with_a_date_behind_the_content_are_comments() -> None:
    marked = found(document(CONTENT, thread()))
    assert set(_SAID) <= set(marked)
    assert not any(text.startswith("The harbour") for text in marked)


@pytest.mark.parametrize("names", ["comments", "reader-replies", "disqus_thread"])
def test_text_in_elements_named_so_behind_the_content_are_comments(names: str) -> None:
    assert set(_SAID) <= set(found(document(CONTENT, thread(names, dated=False))))


def test_text_behind_the_content_in_no_thread_is_none() -> None:
    assert found(document(CONTENT, thread(dated=False))) == []
    assert found(document(CONTENT, thread(said=_SAID[:1]))) == []


@pytest.mark.parametrize(
    "before", ["", "<p>Harbour reopens.</p>", f"<p><a href=/x>{'The harbour reopened. ' * 20}</a></p>"]
)
def test_without_content_before_them_there_are_none(before: str) -> None:
    # A page of a forum, or a list of news with dates.
    assert found(document(before, thread("comments"))) == []


def test_links_in_a_thread_are_none() -> None:
    reply = "<div class=comments><p><a href=/reply>Reply to this comment</a></p><p>I agree with all of it.</p></div>"
    assert found(document(CONTENT, reply)) == ["I agree with all of it."]


def test_what_other_pages_have_too_is_none() -> None:
    rules = "<div class=comments><p>Be kind to each other.</p><p>I agree with all of it.</p></div>"
    other = document("<div class=comments><p>Be kind to each other.</p></div>")
    assert found(document(CONTENT, rules), other) == ["I agree with all of it."]


_ARTICLE = "The harbour reopened on Monday, a week early. " * 6


def test_comments_stay_whatever_their_score_where_they_are_wanted() -> None:
    html = document(CONTENT, f"<div><h3>What readers say</h3>{thread('comments')}</div>", "<p>Imprint</p>")
    scores = {_ARTICLE.strip(): 0.9}
    dropped, wanted = (judged(html, scores, comments=how) for how in ("drop", "keep"))
    assert stays(dropped) == {_ARTICLE.strip()}
    assert stays(wanted) >= {_ARTICLE.strip(), *_SAID}
    assert "Imprint" not in stays(wanted)
    assert wanted[_SAID[0]].reason.startswith("a reader's comment; ")
    assert (wanted[_SAID[0]].kind, wanted[_SAID[0]].score) == ("comments", 0)
    # The heading above them is that of text that stays.
    assert wanted["What readers say"].reason.startswith("the heading of text that stays; ")


def test_the_field_for_a_comment_is_none() -> None:
    field = "<form><textarea>Write what you think of it, and be kind.</textarea></form>"
    html = document(CONTENT, f"<div class=comments>{field}</div>", thread())
    assert "Write what you think of it, and be kind." not in stays(judged(html, {}, comments="keep"))
