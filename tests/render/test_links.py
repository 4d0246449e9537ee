"""The links in the kept blocks: text, absolute address and block."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from scrapy_blockfilter.methods import Reason, Verdict
from scrapy_blockfilter.model import Cleaned
from tests.support.any_html import ANY_HTML
from tests.support.pages import document, segmented

URL = "https://news.example/2026/harbour.html"


def cleaned(*body: str, url: str = URL) -> Cleaned:
    html = document(*body, title="Name")
    page = segmented(html)
    verdicts = [Verdict("Menu" not in block.text, 0.5, Reason("other", "so")) for block in page.blocks]
    return Cleaned(html, page, verdicts, "", url)


def links(body: str, url: str = URL) -> list[tuple[str, str]]:
    return [(link["text"], link["url"]) for link in cleaned(body, url=url).links]


def test_links_have_text_absolute_address_and_block() -> None:
    result = cleaned("<p><a href=/>Menu</a></p><p>Of <a href='mole.html?a=1&b=2'>the <b>mole</b></a>, and more.</p>")
    (link,) = result.links
    assert link == {"text": "the mole", "url": "https://news.example/2026/mole.html?a=1&b=2", "block": 2}
    assert result.blocks[link["block"]].text == "Of the mole, and more."
    assert links("<p><a href='mole.html'>Mole</a></p>", url="") == [("Mole", "mole.html")]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("<base href=/archive/><p><a href=mole>Mole</a></p>", "Mole archive/mole"),
        ("<p><a href=/b>One</a> <a href=/a>Two</a></p><p><a href=/b>Three</a></p>", "One b, Two a, Three b"),
        ("<p>See <a href=/x><img src=/i/old-harbour.jpg alt='The harbour'></a></p>", "The harbour x"),
        ("<p>See</p><a href=/x><img src=17.png><img alt=Logo src=2.png></a><template><a href=/y><img>", "Logo x"),
        ("<a href=/x><i class=badge>New</i><b class=name><u>Mole</u></b>s <s>5 €</s>4 €</a>", "New Moles 5 € 4 € x"),
        ("<a href=/x><h2>Mole</h2><p>Menu</p><p>Reopens<br>today</p></a>", "Mole Reopens today x"),  # a block goes
    ],
)
def test_links_are_those_of_kept_text(body: str, found: str) -> None:
    assert ", ".join(f"{text} {url.removeprefix('https://news.example/')}" for text, url in links(body)) == found


@pytest.mark.parametrize("address", ["#a", " #a", "javascript:a()", "java\nscript:a()", "data:,x", "http://[", ""])
def test_links_that_lead_nowhere_are_left_out(address: str) -> None:
    assert links(f"<p>Go <a href='{address}'>on</a>.</p>") == []


@pytest.mark.parametrize("address", ["mailto:a@b.example", "tel:+49", "ftp://a.example/b", "https://x.example/#part"])
def test_links_to_elsewhere_are_not(address: str) -> None:
    assert links(f"<p>Go <a href='{address}'>on</a>.</p>") == [("on", address)]


def test_links_are_the_same_after_the_page_was_written() -> None:
    body = "<p><a href=/>Menu</a></p> <a href=/a>One</a> <div>Menu</div>of <a href=/b>Two</a><div>Menu</div> <i>.</i>"
    first, second = cleaned(body), cleaned(body)
    assert first.html
    assert first.links == second.links != []


@given(ANY_HTML)
def test_links_are_in_kept_blocks_and_have_text_of_them(html: str) -> None:
    page = segmented(f"<div>x{html}</div>")
    verdicts = [Verdict(number % 2 == 0, 0.5, Reason("other", "so")) for number in range(len(page.blocks))]
    result = Cleaned(f"<div>x{html}</div>", page, verdicts, "", URL)
    found: list[dict[str, Any]] = result.links
    assert [link["block"] for link in found] == sorted(link["block"] for link in found)
    for link in found:
        block = result.blocks[link["block"]]
        assert block.keep
        assert link["url"]
        kept = "".join(part.text for part in result.blocks if part.keep)  # the text of a link may go on in later blocks
        assert all(word in kept for word in link["text"].split()) or block.images
