"""Blocks, their identity and their place: what stays the same as pages differ."""

from __future__ import annotations

import pytest

from tests.support.pages import segmented


def key(html: str) -> int:
    (block,) = segmented(html).blocks
    return block.key


@pytest.mark.parametrize(
    "html",
    [
        "<div>Main  menu</div>",
        "<p>\n Main\tmenu\n</p>",
        "<p>Main&nbsp;menu</p>",
        "<p>Main&#32;<b>me</b>nu</p>",
        "<p>Main<br>menu</p>",
        "<pre>Main\n   menu</pre>",
        "<p class=x><a href=/a>Main</a> menu<script>1</script></p>",
        "<p>Main menu<img src=spacer.gif></p>",
    ],
)
def test_markup_and_white_space_do_not_change_what_a_block_is(html: str) -> None:
    assert key(html) == key("<p>Main menu</p>")


@pytest.mark.parametrize(
    "html", ["<p>Main menus</p>", "<p>main menu</p>", "<p>Mainmenu</p>", "<p>Main menu<img src=/i/pier.jpg></p>"]
)
def test_another_text_or_image_is_another_block(html: str) -> None:
    assert key(html) != key("<p>Main menu</p>")


def test_composed_and_decomposed_letters_are_the_same() -> None:
    assert key("<p>Caf\u00e9</p>") == key("<p>Cafe\u0301</p>") == key("<p>Caf&eacute;</p>")


def test_text_is_not_mistaken_for_the_words_of_an_image() -> None:
    assert key("<p><img src=/i/pier.jpg></p>") != key("<p>pier</p>")
    assert key("<p>old<img src=/i/pier.jpg></p>") != key("<p>old pier</p>")


def test_the_style_path_folds_digits_of_names_and_leaves_out_what_names_the_page() -> None:
    one = segmented('<html><body class="page-12"><div class="post  post-812" id="p812"><h2>A</h2></div></body></html>')
    other = segmented('<html><body class="page-9"><div class="post post-3" id="p3"><h2>B</h2></div></body></html>')
    (block,), (same) = one.blocks, other.blocks[0]
    assert block.path == "html/body/div.post.post-0#p0/h2"
    assert (block.path, block.slot, block.tag_path) == (same.path, same.slot, same.tag_path)


def test_a_label_with_a_lone_surrogate_can_be_hashed() -> None:
    # No parser gives one, but a tree built by hand may.
    page = segmented("<p class='\ud800'>A</p>")
    assert isinstance(page.blocks[0].slot, int)


def test_the_nearest_element_of_some_tags_counts_itself() -> None:
    page = segmented("<table><tr><td><p>A</table><div>B</div>").remembered(2)
    assert page.tags == ("html", "body", "table", "tr", "td", "p", "div")
    assert page.nearest(frozenset({"table"})) == [-1, -1, 2, 2, 2, 2, -1]
    assert page.nearest(frozenset({"table", "td"})) == [-1, -1, 2, 2, 4, 4, -1]
    assert page.nearest(frozenset({"html"})) == [0] * 7
    assert page.nearest(frozenset()) == [-1] * 7


def test_the_language_is_guessed_where_none_is_declared() -> None:
    german = "<p>Der Rat hat sich für das neue Haus am Markt und die Brücke über den Fluss entschieden.</p>"
    assert segmented(german).language == "de"
    assert segmented(f'<html lang="nl"><body>{german}</body></html>').language == "nl"
    assert segmented("<p>12 34</p>").language == ""
