"""Readers' comments below the content, told apart from all else and one by one, whether they are kept or not."""

from __future__ import annotations

import json

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.consensus.threads import are_comments, comments_of
from tests.support.networks import evidence, judged, stays
from tests.support.pages import document, segmented, texts

CONTENT = f"<p>{'The harbour reopened on Monday, a week early. ' * 6}</p>"
SAID = ("A fine harbour, I always say.", "Not before time, if you ask me.", "Who is going to pay for all this?")


def marked_thread(names: str = "", *, dated: bool = True, said: tuple[str, ...] = SAID) -> str:
    written = "".join(
        f"<div class=item><b>Reader</b>{f'<p>{number + 1} March 2009, 10:45</p>' if dated else ''}<p>{text}</p></div>"
        for number, text in enumerate(said)
    )
    return f"<div class='{names}'>{written}</div>"


def marked(html: str, *pages: str) -> list[str]:
    """Texts of the blocks that are comments."""
    marks = are_comments(evidence(html, *pages))
    assert len(marks) == len(segmented(html).keys)
    return [text for text, mark in zip(texts(segmented(html)), marks, strict=True) if mark]


def test_like_records_with_a_date_behind_the_content_are_comments() -> None:
    told = marked(document(CONTENT, marked_thread()))
    assert set(SAID) <= set(told)
    assert not any(text.startswith("The harbour") for text in told)


@pytest.mark.parametrize("names", ["comments", "reader-replies", "disqus_thread"])
def test_text_in_elements_named_so_behind_the_content_are_comments(names: str) -> None:
    assert set(SAID) <= set(marked(document(CONTENT, marked_thread(names, dated=False))))


def test_text_behind_the_content_in_no_thread_is_none() -> None:
    assert marked(document(CONTENT, marked_thread(dated=False))) == []
    assert marked(document(CONTENT, marked_thread(said=SAID[:1]))) == []


@pytest.mark.parametrize(
    "before", ["", "<p>Harbour reopens.</p>", f"<p><a href=/x>{'The harbour reopened. ' * 20}</a></p>"]
)
def test_without_content_before_them_there_are_none(before: str) -> None:
    # A page of a forum, or a list of news with dates.
    assert marked(document(before, marked_thread("comments"))) == []


def test_links_in_a_thread_are_none() -> None:
    reply = "<div class=comments><p><a href=/reply>Reply to this comment</a></p><p>I agree with all of it.</p></div>"
    assert marked(document(CONTENT, reply)) == ["I agree with all of it."]


def test_what_other_pages_have_too_is_none() -> None:
    rules = "<div class=comments><p>Be kind to each other.</p><p>I agree with all of it.</p></div>"
    other = document("<div class=comments><p>Be kind to each other.</p></div>")
    assert marked(document(CONTENT, rules), other) == ["I agree with all of it."]


_ARTICLE = "The harbour reopened on Monday, a week early. " * 6


def test_comments_stay_whatever_their_score_where_they_are_wanted() -> None:
    html = document(CONTENT, f"<div><h3>What readers say</h3>{marked_thread('comments')}</div>", "<p>Imprint</p>")
    scores = {_ARTICLE.strip(): 0.9}
    dropped, wanted = (judged(html, scores, comments=how) for how in ("drop", "keep"))
    assert stays(dropped) == {_ARTICLE.strip()}
    assert stays(wanted) >= {_ARTICLE.strip(), *SAID}
    assert "Imprint" not in stays(wanted)
    assert wanted[SAID[0]].reason.startswith("a reader's comment; ")
    assert (wanted[SAID[0]].kind, wanted[SAID[0]].score) == ("comments", 0)
    # The heading above them is that of text that stays.
    assert wanted["What readers say"].reason.startswith("the heading of text that stays; ")


def test_the_field_for_a_comment_is_none() -> None:
    field = "<form><textarea>Write what you think of it, and be kind.</textarea></form>"
    html = document(CONTENT, f"<div class=comments>{field}</div>", marked_thread())
    assert "Write what you think of it, and be kind." not in stays(judged(html, {}, comments="keep"))


# One by one.


def found(*body: str) -> list[tuple[list[str], list[str]]]:
    """Texts and dates of the comments."""
    html = document(CONTENT, *body)
    of_blocks = texts(segmented(html))
    return [
        ([of_blocks[block] for block in comment.texts], [of_blocks[block] for block in comment.dates])
        for comment in comments_of(segmented(html), evidence(html), are_comments(evidence(html)))
    ]


def date(number: int) -> str:
    return f"{number + 1} March 2009, 10:45"


def thread(before: str, after: str, names: str = "") -> str:
    items = (before.format(date(number)) + f"<p>{text}</p>" + after for number, text in enumerate(SAID))
    return f"<div class='{names}'>{''.join(items)}</div>"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<div class=item><b>Reader</b><p>{}</p>", "</div>"),
        ("<li><div class=meta><div>Reader</div><div>{}</div></div><div class=body>", "</div></li>"),
        ("<article><header><h4>Reader</h4><time>{}</time></header>", "</article>"),
        ("<table><tr><td>Reader<td>{}</table><blockquote>", "</blockquote>"),
    ],
)
def test_each_comment_has_its_text_and_its_date(before: str, after: str) -> None:
    comments = found(thread(f"<section>{before}", f"{after}</section>"))
    assert [of_comment for _, of_comment in comments] == [[date(number)] for number in range(len(SAID))]
    assert [said[-1] for said, _ in comments] == list(SAID)
    assert all(said[:-1] in ([], ["Reader"]) for said, _ in comments)


def test_paragraphs_of_one_comment_are_one_comment() -> None:
    comments = found(thread("<li><p>{}</p>", "<p>And that is that, in the end.</p></li>"))
    assert [said for said, _ in comments] == [[text, "And that is that, in the end."] for text in SAID]


def test_a_short_comment_is_one_as_well() -> None:
    comments = found(thread("<li><p>{}</p>", "</li>").replace(SAID[1], "Nice!"))
    assert [said for said, _ in comments] == [[SAID[0]], ["Nice!"], [SAID[2]]]


def test_replies_inside_of_what_they_reply_to_are_comments_of_their_own() -> None:
    reply = f"<ul><li><p>{date(7)}</p><p>I could not agree any more.</p></li></ul>"
    items = "".join(f"<li><p>{date(number)}</p><p>{text}</p>{reply}</li>" for number, text in enumerate(SAID))
    comments = found(f"<ul>{items}</ul>")
    assert [said for said, _ in comments] == [
        said for text in SAID for said in ([text], ["I could not agree any more."])
    ]


def test_comments_without_dates_are_told_apart_by_like_elements() -> None:
    items = "".join(f"<div><b>Reader</b><p>{text}</p><p>And so on.</p></div>" for text in SAID)
    comments = found(f"<div class=comments>{items}</div>")
    assert [(said[-2], dates) for said, dates in comments] == [(text, []) for text in SAID]


def test_a_page_without_comments_has_none() -> None:
    assert found("<p>More about it tomorrow.</p>") == []


def site() -> list[str]:
    words = ("mills", "locks", "weirs", "moles", "quays", "docks", "piers", "canals", "ports", "wharves")
    pages = []
    for number, word in enumerate(words):
        said = "".join(
            f"<li><b>Reader {word} {reader}</b><p>{date((number + reader) % 28)}</p>"
            f"<p>What I think of {word} is {reader} times what others say.</p></li>"
            for reader in range(3)
        )
        article = "".join(f"<p>{f'All there is about {word}, in part {part}. ' * 6}</p>" for part in range(3))
        pages.append(
            document(
                f"<div id=nav>Home News Shop</div><h1>{word}</h1>{article}<ul class=comments>{said}</ul>", title=word
            )
        )
    return pages


@pytest.mark.parametrize("comments", ["drop", "keep"])
def test_a_cleaned_page_lists_its_comments_kept_or_not(comments: str) -> None:
    pages = site()
    cleaned = bf.learn(pages, bf.Options(comments=comments)).clean(pages[3])
    listed = json.loads(json.dumps(cleaned.comments))
    assert [comment["date"] for comment in listed] == [date(3), date(4), date(5)]
    for reader, comment in enumerate(listed):
        assert comment["text"].endswith(f"What I think of moles is {reader} times what others say.")
        assert cleaned.blocks[comment["block"]].text in (comment["text"].splitlines()[0], comment["date"])
    assert ("What I think of moles is 2 times" in cleaned.text) == (comments == "keep")


@pytest.mark.parametrize("options", [bf.Options(method="chunk_frequency"), bf.Options(strip="template")])
def test_methods_that_cannot_tell_comments_list_none(options: bf.Options) -> None:
    pages = site()
    assert bf.learn(pages, options).clean(pages[3]).comments == []
