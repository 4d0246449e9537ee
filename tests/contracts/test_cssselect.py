"""cssselect: the owner's selectors become XPath that works on lower-case HTML, and wrong ones raise one error."""

from __future__ import annotations

import pytest
from cssselect import HTMLTranslator, SelectorError
from lxml import etree, html


def test_selectors_of_html_become_xpath() -> None:
    root = html.fromstring("<div><p class='a b' id=x>One</p><p>Two</p></div>")
    for selector in ("P.a", "#x", "div > p:first-child", "p[class~=b]"):
        found = etree.XPath(HTMLTranslator().css_to_xpath(selector))(root)
        assert [element.text for element in found] == ["One"]
    assert HTMLTranslator().css_to_xpath("p", prefix="//") == "//p"


@pytest.mark.parametrize("selector", ["p[", "::", "p:nonsense", ""])
def test_wrong_selectors_raise_one_error(selector: str) -> None:
    with pytest.raises(SelectorError):
        HTMLTranslator().css_to_xpath(selector)
