"""The estimate of what a selector costs: never far below what libxml2 does, and low for what people write."""

from __future__ import annotations

import time

import pytest
from lxml import html

from scrapy_blockfilter.model.selector_cost import PageSize, SelectorCost
from scrapy_blockfilter.options.selectors import compiled_selector

PAGE = PageSize(elements=10_000, levels=30, children=1_000, mean_levels=12, mean_siblings=70)
BUDGET = 50_000_000


def cost(selector: str, page: PageSize = PAGE) -> int:
    return SelectorCost(compiled_selector(selector).path).on(page)


@pytest.mark.parametrize(
    "selector",
    [
        "h1",
        "#main > .card:has(a)",
        "article div p a b",
        "ul li:nth-child(2n+1):not(.x)",
        ".a ~ .b .c, .d + .e",
        "//div[@class='x'][.//a]/p | //table[count(.//tr) > 2 and not(ancestor::main)]",
        "(//main)[1][not(//article)]/ancestor-or-self::*/preceding-sibling::*",
        "//a[contains(., '//b[//c[//d]]')]",
        "//div[contains(.., 'Advert')] | //p[normalize-space() = 'Advert' or string-length(.) < 3]",
        "//li[a/@href = ../@data-href]/..",
        "p:contains('Advert'), .a.b:not(.c), ul:has(a)",
    ],
)
def test_what_people_write_is_cheap(selector: str) -> None:
    assert cost(selector) < BUDGET / 5


@pytest.mark.parametrize(
    "selector",
    [
        "//*[count(//*[count(//*)>5])>5]",
        "//*[//*[//*]]",
        "//*[..//*[..//*]]",
        "//*[count(../..//*[count(ancestor::*//*)>1])>5]",
        "//*/following::*/preceding::*",
        "//*[preceding::*[preceding::*]]",
        "//*[count(// div //*[count(/ descendant :: div)>1]) > 5]",
        "//*[1 * count(//*[2 div count(//*) > 1]) > 1]",
        "//*[" * 40 + "//b" + "]" * 40,
        "//*[count(ancestor::*//*)>5]",
        "//*" * 300,
        "//*[count(../*[count(../*)>5])>5]",
        "//*[count(following-sibling::*[count(following-sibling::*)>5])>5]",
        "//a[contains(/, 'x')]",
        "//a[string-length(/html) > 10]",
        "//a[string(/html/body | .) = 'x']",
        "//a['x' = /]",
        "//a[//p = //b]",
        "//a[//@href = //@src]",
        "//a[//p[contains(., ..)] = 'x']",
    ],
)
def test_searches_within_searches_are_dear(selector: str) -> None:
    assert cost(selector) > BUDGET


@pytest.mark.parametrize(
    "selector",
    [
        "//*",
        "//*[count(//*)>5]",
        "//*[count(../..//*)>5]",
        "//*[count(../*[count(../*)>5])>5]",
        "//*[count(ancestor::*//*)>5]",
        "//*//*//*",
        "p ~ p",
        "//*[contains(/, 'x')]",
        "//*[contains(., 'x')]",
        "//*[contains(.., 'x')]",
        "//a[//b = //a]",
        "//a[//b = 'x']",
    ],
)
def test_time_stays_within_the_estimate(selector: str) -> None:
    root = html.document_fromstring("<div>" + "<ul>" + "<li><a><b>x</b></a></li>" * 130 + "</ul>" + "<p>" * 100)
    families = [len(element) for element in root.iter() if len(element)]
    number = sum(1 for _ in root.iter())
    size = PageSize(number, 7, max(families), 6, sum(family**2 for family in families) // number)
    find = compiled_selector(selector)
    start = time.process_time()
    find(root)
    # A visit takes some nanoseconds. The first ones take longer.
    assert time.process_time() - start < 0.05 + 100e-9 * cost(selector, size)
