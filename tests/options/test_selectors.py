"""Selectors of others: the usual ones are taken, and those that would search a page for too long are refused."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.options.selectors import why_slow


@pytest.mark.parametrize(
    "selector",
    [
        "h1",
        "#main > .card:has(a)",
        "article div p a b",
        "ul li:nth-child(2n+1):not(.x)",
        ".a ~ .b .c, .d + .e",
        "//div[@class='x'][.//a]/p | //table[count(.//tr) > 2 and not(ancestor::main)]",
        "((//main)[1][not(//article)][not(//p)]/ancestor-or-self::*/preceding-sibling::* | //b)",
        "//a[contains(., '//b[//c[//d]]')]",
        "//p[normalize-space() = 'Advert' or string-length(.) < 3]",
        "//li[a/@href = ../@data-href]/..",
        "//section[div/h2 = 'Advert'][*/p]",
        "p:contains('Advert'), .a.b:not(.c), ul:has(a)",
    ],
)
def test_what_people_write_is_taken(selector: str) -> None:
    assert why_slow(selector) == ""


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
        "//*[" * 9 + ".//b" + "]" * 9,
        "//*[count(ancestor::*//*)>5]",
        "//*" * 300,
        "//*" * 6,
        "|".join(["//*"] * 21),
        "//*[count(../*[count(../*)>5])>5]",
        "//*[count(following-sibling::*[count(following-sibling::*)>5])>5]",
        "//a[contains(/, 'x')]",
        "//a[string-length(/html) > 10]",
        "//a[string(/html/body | .) = 'x']",
        "//a['x' = /]",
        "//a[//p = //b]",
        "//a[.//p = .//b]",
        "//a[//@href = //@src]",
        "//a[//p[contains(., ..)] = 'x']",
        "//a[1 div//b]",
        "//a[1 div/html = 'x']",
        "//a[1or/html = 'x']",
        "//a[2*/html = 'x']",
        "//a[1.//b]",
        "//a[contains(id('x'), 'y')]",
        "(//a)[1][//b[//c]]",
        "//a[(//b)[1][//c]]",
    ],
)
def test_searches_within_searches_are_refused(selector: str) -> None:
    assert why_slow(selector)
