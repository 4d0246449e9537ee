"""lxml and the libxml2 in it: the facts about HTML trees that reading and writing pages are built on."""

from __future__ import annotations

import pytest
from lxml import etree


def tree_of(html: str, *, huge: bool = True) -> etree._Element:
    return etree.fromstring(html.encode(), etree.HTMLParser(recover=True, encoding="utf-8", huge_tree=huge))


def depth(html: str) -> int:
    deepest = 0
    level = 0
    for event, _ in etree.iterwalk(tree_of(html), events=("start", "end")):
        level += 1 if event == "start" else -1
        deepest = max(deepest, level)
    return deepest


def test_a_huge_tree_has_2040_levels_and_nothing_of_it_is_lost() -> None:
    assert depth("<div>" * 2_040 + "a") >= 2_040
    assert "".join(tree_of("<div>" * 2_040 + "last").itertext()) == "last"
    assert depth("<div>" * 5_000) <= 2_048  # deeper pages are refused before, as the rest of them would be lost


def test_raw_text_is_read_as_the_standard_says() -> None:
    root = tree_of("<p>a<script>if (b < c) '</p>'</script><style>d > e</style><textarea><b></textarea>f")
    assert [element.text for element in root.iter("script", "style", "textarea")] == [
        "if (b < c) '</p>'",
        "d > e",
        "<b>",
    ]
    assert root.find(".//b") is None


def test_texts_and_tails_are_joined_in_order() -> None:
    root = tree_of("<p>a<b>c</b>d<!-- e -->f</p>g")
    etree.strip_elements(root, etree.Comment, with_tail=False)
    assert root.find(".//b").tail == "df"  # type: ignore[union-attr]
    assert "".join(root.itertext()) == "acdfg"


def test_a_walk_leaves_out_what_is_skipped_and_ends_it() -> None:
    walk = etree.iterwalk(tree_of("<div><p><b>a</b></p><i>c</i></div>"), events=("start", "end"))
    seen = []
    for event, element in walk:
        seen.append((event, element.tag))
        if element.tag == "p" and event == "start":
            walk.skip_subtree()
    assert ("start", "b") not in seen
    assert seen[3:6] == [("start", "p"), ("end", "p"), ("start", "i")]


@pytest.mark.parametrize("text", ["\x01", "\x0b", "\ufffe", "\ud800"])
def test_text_that_xml_does_not_have_cannot_be_set(text: str) -> None:
    with pytest.raises(ValueError, match=r"XML compatible|surrogates"):
        tree_of("<p>a")[0][0].text = text


def test_names_may_be_changed_to_upper_case_which_no_page_has() -> None:
    root = tree_of("<GONE>a</GONE>b")
    assert root.find(".//gone") is not None
    root.find(".//gone").tag = "GONE"  # type: ignore[union-attr]
    etree.strip_elements(root, "GONE", with_tail=False)
    assert "".join(root.itertext()) == "b"


def test_a_page_without_elements_has_no_root() -> None:
    parser = etree.HTMLParser(recover=True, encoding="utf-8")
    assert etree.fromstring(b"<!-- a -->", parser) is None


def test_html_is_written_as_it_was_read() -> None:
    written = '<p class="a">b &amp; c<br>d</p>'
    assert etree.tostring(tree_of(written)[0][0], encoding="unicode", method="html") == written


def test_elements_after_the_end_are_a_tree_of_their_own() -> None:
    root = tree_of("<html><body><p>a</p></body></html><!-- b --><p>c</p>")
    behind = [node for node in root.itersiblings() if isinstance(node.tag, str)]
    assert ["".join(node.itertext()) for node in behind] == ["c"]
    assert "".join(root.itertext()) == "a"


def test_wrong_paths_raise_one_error() -> None:
    with pytest.raises(etree.XPathError):
        etree.XPath("//p[")
