"""Text to tree within limits: pages that would take long or lose content are refused."""

from __future__ import annotations

import parsel
import pytest
from lxml import etree

from scrapy_blockfilter.html import UnfitPage, parse
from scrapy_blockfilter.html.parse import check_text, is_whole
from scrapy_blockfilter.options import DEFAULT_LIMITS


def test_the_longest_page_passes_and_one_character_more_does_not() -> None:
    check_text("a" * DEFAULT_LIMITS.characters)
    with pytest.raises(UnfitPage) as refused:
        check_text("a" * (DEFAULT_LIMITS.characters + 1))
    assert refused.value.reason == "too_large"


def test_a_tag_with_a_long_quoted_value_passes() -> None:
    data = "data:image/png;base64," + "iVBORw0KGgo" * 100_000
    for tag in (f'<img src="{data}">', f"<img src='{data}' alt=\"it's\">", f'<img alt="a > b" src="{data}">'):
        check_text(f"<p>before</p>{tag}<p>after</p>")
    (image,) = parse(f'<p><img src="{data}">after</p>').iter("img")
    assert image.get("src") == data


@pytest.mark.parametrize(
    "text", ["", "\n\t ", "\u00a0\u3000", "<!-- a -->", "<!DOCTYPE html>", "</p>", "<?php ?>", "\x00", "\x00 \x00"]
)
def test_a_page_without_an_element_is_empty(text: str) -> None:
    with pytest.raises(UnfitPage) as refused:
        parse(text)
    assert refused.value.reason == "empty"


def test_html_and_body_are_supplied_as_parsel_does() -> None:
    root = parse("plain <b>text</b>")
    assert root.tag == "html"
    assert [child.tag for child in root] == ["body"]
    assert "".join(root.itertext()) == "plain text"


def test_the_text_decides_whatever_encoding_it_declares() -> None:
    root = parse('<?xml version="1.0" encoding="koi8-r"?><meta charset="latin1"><p>Öl и 水</p>')
    assert "".join(root.itertext()) == "Öl и 水"


def test_entities_of_a_document_type_are_not_expanded() -> None:
    bomb = '<!DOCTYPE p [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/hostname">]>'
    assert len("".join(parse(f"{bomb}<p>&b;&f;</p>").itertext())) < 40


def test_text_beyond_ten_million_bytes_of_utf8_is_whole() -> None:
    text = "水" * 3_400_000
    assert parse(f"<p>{text}</p>").findtext(".//p") == text


@pytest.mark.parametrize(
    ("html", "behind"),
    [
        ("<html><body><p>a</p></body></html>tail <b>x</b>", "tail x"),
        ("<html><body><p>a</p></body></html><p>b</p>t<div>c</div>", "btc"),
        ("<p>a</p></html>tail<p>more", "tailmore"),
        (
            "<html><head></head><body><p>a</p></body></html><html><head><title>b</title></head><body>c</body></html>d",
            "bcd",
        ),
        ("<html><frameset><frame></frameset></html><p>b</p>", "b"),
        ("<html><body><p>a</p></body></html>" + "x</html>" * 2_000, "x" * 2_000),
        ("<body>a</body>b</html>c<body>d<head>e</html>f", "abcdef"),
    ],
)
def test_what_stands_behind_the_end_of_the_document_is_not_lost(html: str, behind: str) -> None:
    root = parse(html)
    assert is_whole(root)
    assert "".join(root.itertext()).endswith(behind)
    assert max(sum(1 for _ in root.iter(tag)) for tag in ("body", "head")) <= 1


def test_comments_behind_the_end_of_the_document_are_not_moved() -> None:
    root = parse("<html><body><p>a</p></body></html><!-- b -->")
    assert is_whole(root)
    assert root.getnext() is not None


def test_a_tree_of_parsel_tells_whether_it_is_whole() -> None:
    assert is_whole(parsel.Selector(text="<p>a</p>").root)
    root = parsel.Selector(text="<html><body>a</body></html><p>b</p>").root
    assert is_whole(root) == ("b" in "".join(root.itertext()))


def test_parsing_is_parsels() -> None:
    # The tree of response.selector and our own must have the same elements, or a page would get other blocks.
    text = "<p>a<p>b<table><tr><td>c<li>d</table>e<a><div>f</a>g</div>\x00h<br/><br></br><p/>i &amp; &nbsp; &#150;"
    theirs = parsel.Selector(text=text).root
    assert etree.tostring(parse(text)) == etree.tostring(theirs)


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<html><head><title>News library-->\n<script>x()</script><p>a</p></body></html>", "News library-->\n"),
        ("<head><TITLE lang=en>1 < 2<!-- c --><p>a</p>", "1 < 2"),
        ("<title><body><p>a</p></body>", ""),
        ("<title/><p>a</p>", ""),
    ],
    ids=["scripts", "comment", "empty", "closed as in XML"],
)
def test_a_title_that_nothing_ends_does_not_take_the_page(html: str, title: str) -> None:
    root = parse(html)
    assert root.findtext("head/title") == title
    assert root.findtext(".//p") == "a"
    assert is_whole(root)


@pytest.mark.parametrize("html", ["<title>1 &lt; 2 <b>a</b></title>", "<title>1 < 2</title>", "<title>a", "<p>a</p>"])
def test_a_page_of_a_title_and_nothing_else_stays_as_it_is(html: str) -> None:
    assert "".join(parse(html).itertext()) == "".join(etree.HTML(html).itertext())


def test_nul_in_the_name_of_an_element_hides_it_from_nothing() -> None:
    tree = parse("<p>a</p><svg\0><div>b</div><p>c")
    assert tree.xpath("string(//body/div)") == "b"
    assert tree.find(".//svg//p") is None
