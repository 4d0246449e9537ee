"""Raw text is written as it was read."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.render import render_html
from tests.support.pages import document, segmented, texts


def without_menu(html: str) -> str:
    page = segmented(html)
    return render_html(page, [text != "Menu" for text in texts(page)], html)


@pytest.mark.parametrize(
    "markup",
    [
        '<iframe src="x"><p>No frames & so on</p></iframe>',
        "<xmp>if a < b && c > d: <p></xmp>",
        "<noframes><p>a & b</p></noframes>",
        "<noembed><img src=x></noembed>",
        "<iframe>a & b</iframe><p>Text</p><xmp><</xmp><iframe><b></iframe>",
        "<div>a<template><iframe><b></iframe></template></div>",
        "<script>if (a < b && c) document.write('<p>')</script>",
    ],
)
def test_raw_text_is_not_escaped(markup: str) -> None:
    assert without_menu(f"<p>Menu</p>{markup}<p>Text</p>") == f"{markup}<p>Text</p>"
    assert f"{markup}<p>Text</p>" in without_menu(document("<p>Menu</p>", markup, "<p>Text</p>"))


def test_what_looks_like_a_mark_is_text() -> None:
    html = "<p>Menu</p><xmp>&</xmp><p>raw0_0_ raw_end0_</p>"
    assert without_menu(html) == "<xmp>&</xmp><p>raw0_0_ raw_end0_</p>"


def test_nothing_is_written_behind_plain_text_that_the_end_of_the_page_ends() -> None:
    assert without_menu("<p>Menu</p><div>a<plaintext><p>b & c") == "<div>a<plaintext><p>b & c"


def test_nothing_is_written_behind_a_script_that_the_end_of_the_page_ends() -> None:
    html = "<p>Menu</p><div>a<script><!-- <script> b"
    assert without_menu(html) == "<div>a<script><!-- <script> b"
    closed = "<p>Menu</p><div>a<script><!-- <script> b --></script>c</div>"
    assert without_menu(closed) == closed.removeprefix("<p>Menu</p>")


def test_a_comment_around_the_page_is_not_written_behind_plain_text() -> None:
    html = without_menu("<html><body><p>Menu</p></html><!-- beside - it --><div>a<plaintext>b")
    assert html.endswith("<plaintext>b")
    assert texts(segmented(html)) == ["a", "b"]
