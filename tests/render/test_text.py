"""The text of kept blocks: what makes a line, what gets a mark, and what shares a line."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

import scrapy_blockfilter as bf
from scrapy_blockfilter.render import render_markdown, render_text
from tests.support.pages import document, segmented, texts


def text_of(html: str, *stripped: str) -> str:
    """The text of a page, without the blocks of the texts given; each must be there."""
    page = segmented(html)
    assert set(stripped) <= set(texts(page))
    return render_text(page, [text not in stripped for text in texts(page)])


def test_a_block_is_a_line_and_the_title_is_none() -> None:
    html = document("<h1>one <b>two</b></h1><p>three</p><img src=/i/pier.jpg><div>four<p>five</p>six</div>", title="t")
    assert text_of(html) == "one two\nthree\nfour\nfive\nsix"
    assert text_of(html, "three", "five") == "one two\nfour\nsix"
    assert text_of("<p>x</p>", "x") == ""


def test_a_paragraph_that_nobody_sees_is_no_line() -> None:
    unseen = "<p>&#x200b;</p><p>&#x200d;<br>&shy;</p><h2><b>&#xfeff;</b></h2><div><i>&#xe03b;</i></div>"
    assert text_of(f"<p>one</p>{unseen}<p>two&#x200b;</p>") == "one\ntwo\u200b"
    assert render_markdown(f"<p>one</p>{unseen}<p>two</p>") == "one\n\ntwo"
    assert text_of("<table><tr><td>&#x200b;<td>one<td>two</table>") == "\tone\ttwo"


def test_an_item_that_has_its_number_or_sign_itself_has_it_once() -> None:
    items = "<ol><li><span>1)</span> one<li><b>2.</b> two<li>5. five<pre>  6</pre><ul><li>• six<li>- 7</ul></ol>"
    assert text_of(items) == "1) one\n2. two\n3. 5. five\n    6\n  - six\n  - - 7"
    markdown = "1. one\n2. **2.** two\n3. 5\\. five\n\n   ```\n     6\n   ```\n\n   - six\n   - \\- 7"
    assert render_markdown(items) == markdown


BROKEN = [
    ("<p>one<br>two</p>", "one\ntwo"),
    ("<p>one<br><br>two<br></p>", "one\n\ntwo"),
    ("<pre>def f():\n    return 1 \n\n\nf()  </pre>", "def f():\n    return 1 \n\n\nf()"),
    ("<p>one</p>", "one"),
    ("<pre>one </pre>", "one"),
]


def test_line_ends_in_a_block_can_be_told_from_those_between_blocks() -> None:
    html = "".join(f"{markup}<p>between {number}</p>" for number, (markup, _) in enumerate(BROKEN))
    blocks = re.split(r"(?<! )\n", text_of(html))
    assert [block.replace(" \n", "\n") for block in blocks[::2]] == [text for _, text in BROKEN]
    assert blocks[1::2] == [f"between {number}" for number in range(len(BROKEN))]


def test_what_is_left_of_a_list_has_the_marks_it_had() -> None:
    html = "<ol><li>one<li><b>two</b><p>more<li>three</ol>"
    assert text_of(html, "one") == "2. two\n  more\n3. three"
    assert text_of(html, "two") == "1. one\n2. more\n3. three"


def test_a_cell_that_is_stripped_leaves_its_place() -> None:
    html = "<table><tr><td>a<td>b<td>c<tr><td>d<td>e<td>f</table>"
    assert text_of(html, "b", "d") == "a\t\tc\n\te\tf"


@pytest.mark.parametrize("make", ["<ul><li>a".__mul__, lambda n: "<table><tr><td>" * (n // 2) + "a", "<td>a".__mul__])
def test_text_grows_with_its_page_and_no_more(make: Callable[[int], str]) -> None:
    small, large = (len(text_of(f"<table><tr><td>{make(size)}")) for size in (150, 600))
    assert large < 8 * small


def test_rows_of_many_tables_and_gaps_do_not_outgrow_their_page() -> None:
    html = "<table><tr>" + "<td><td>a<td>b<td><table><tr><td>c</table>" * 300 + "</table>"
    assert len(text_of(html)) < len(html)


PAGES = [
    f"<ul><li>Home<li>News</ul><table><tr><td>Mon<td>Tue</table><h1>On {word}</h1><p>All of {word}.</p>"
    for word in ("mills", "locks", "weirs", "dykes")
]


def test_a_text_field_that_is_such_a_text_loses_the_same_lines_as_another() -> None:
    model = bf.learn(PAGES)
    field = "- Home\n* News\n1. On mills\nMon\tTue\nMon\tSun\n-Home\n1.5 Home\n2) Home"
    assert model.clean_text(field) == "1. On mills\nMon\tSun\n-Home\n1.5 Home\n"
