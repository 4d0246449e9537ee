"""parsel: a selector of HTML has a root of lxml that others may read, and takes XPath and CSS."""

from __future__ import annotations

import parsel
from lxml import etree


def test_a_selector_of_html_has_a_root_of_lxml() -> None:
    selector = parsel.Selector("<html><body><p>a</p></body></html>")
    assert selector.type == "html"
    assert isinstance(selector.root, etree._Element)
    assert selector.root.tag == "html"
    assert selector.css("p::text").get() == selector.xpath("//p/text()").get() == "a"
    assert isinstance(selector.css("p")[0].root, etree._Element)


def test_a_text_without_elements_gives_an_empty_tree() -> None:
    assert len(parsel.Selector(" ").root) == 0


def test_a_selector_of_json_has_another_root() -> None:
    selector = parsel.Selector('{"a": 1}', type="json")
    assert not isinstance(selector.root, etree._Element)
