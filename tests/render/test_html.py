"""Rendering: stripped blocks are gone, kept ones are unchanged, and the page's own tree is not touched."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from lxml import etree

from scrapy_blockfilter.html import Page, is_document, parse
from scrapy_blockfilter.render import render_html, render_text
from tests.support.pages import document, segmented, texts
from tests.support.random_pages import random_page

pytestmark = pytest.mark.usefixtures("implementation")


def without(html: str, *stripped: str, page: Page | None = None) -> str:
    """HTML without the blocks of the texts given; each must be there."""
    page = page or segmented(html)
    assert set(stripped) <= set(texts(page))
    return render_html(page, [text not in stripped for text in texts(page)], html)


RICH = [
    '<table class="data" border=1><caption>Depths</caption><thead><tr><th scope="col">Pier</th><th>m</th></tr></thead>'
    '<tbody><tr><td rowspan="2">North</td><td>3&nbsp;&frac12;</td></tr><tr><td></td></tr></tbody></table>',
    '<ul><li>One<ul><li>One A</li><li><ol start="3"><li>deep</li></ol></li></ul></li><li>Two</li></ul>',
    "<dl><dt>Term</dt><dd>Means <dfn>this</dfn></dd></dl>",
    '<pre><code class="language-python">def f(x):\n    if x &lt; 1 and "a" &gt; 2:\n\n        return x</code></pre>',
    "<pre>\n\n  two leading line ends</pre>",
    '<p>Plain <b>bold <i>both</i></b> H<sub>2</sub>O <a href="/a?b=c&amp;d=e#f" title="&quot;Quoted&quot; &amp; more" '
    'data-x="1" rel="nofollow">a link</a> <code>a &amp;&amp; b</code><br>and <kbd>Ctrl</kbd>&#8230; caf&eacute;.</p>',
    '<figure><img src="/i/harbour.jpg" alt="The harbour" srcset="h.jpg 2x"><figcaption>At dawn</figcaption></figure>',
    '<div class="embed"><script type="application/json">{"a": "</p>", "b": 1 < 2}</script>'
    "<style>p > b { color: red }</style><noscript>No script</noscript>Chart</div>",
    '<form action="/vote" method="post"><label>Yes <input type="radio" name="v" value="1" checked></label>'
    '<select name="s"><option value="">Choose</option><option selected>One</option></select>'
    "<textarea>as &lt;typed&gt;</textarea><button disabled>Send</button></form>",
    '<p>before<!-- a comment --><svg viewBox="0 0 1 1"><path d="M0 0"/><text>label</text></svg>after</p>',
    '<blockquote cite="/x"><p>Quoted</p>\n  <p>Twice</p> <footer>Someone</footer></blockquote>',
    '<a class="card" href="/card"><div><h3>Card</h3></div>with text</a>',
    "<my-card size='2'>Custom <my-part>element</my-part></my-card>",
    "<details open><summary>More</summary>Hidden</details>",
    "<div><iframe src=x><p>a & b</p></iframe><xmp>c < d</xmp><noembed><img src=x></noembed></div>",
]


def body_of(html: str) -> etree._Element:
    (body,) = parse(html).iter("body")
    return body


def canonical(element: etree._Element) -> object:
    """All that an element is."""
    return (element.tag, sorted(element.attrib.items()), element.text, [(canonical(e), e.tail) for e in element])


@pytest.mark.parametrize("wrap", [lambda body: document(*body, title="t"), "".join], ids=["document", "fragment"])
def test_what_is_inside_kept_blocks_is_as_it_was(wrap: Callable[[Iterable[str]], str]) -> None:
    html = wrap(f"<p>Menu {number}</p>{markup}" for number, markup in enumerate(RICH))
    cleaned = without(html, *(f"Menu {number}" for number in range(len(RICH))))
    assert "Menu" not in cleaned
    expected = [canonical(e) for e in body_of(html) if not (e.text or "").startswith("Menu")]
    assert [canonical(element) for element in body_of(cleaned)] == expected
    assert len(expected) == len(RICH)


# What is written as libxml2 writes it stays byte for byte.
CLEANED = json.loads(Path(__file__).with_name("cleaned_cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", CLEANED)
def test_stripped_blocks_go_and_fragments_stay_what_they_are(name: str) -> None:
    html, cleaned = CLEANED[name]
    assert without(html, "Menu") == (html.replace("<p>Menu</p>", "") if cleaned is None else cleaned)


@pytest.mark.parametrize(
    "address", ["/a b", "/wiki/Öl", "/?q={x}|y", "/水?q=é", "mailto:a@b.c?subject=a b", "javascript:f('a b')"]
)
def test_addresses_stay_as_they_were(address: str) -> None:
    for attribute in ("href", "src", "action", "title", "data-url"):
        cleaned = without(f'<p>Menu</p><p><a {attribute}="{address}">link</a></p>', "Menu")
        # libxml2 escapes spaces and other letters in addresses, as for parsel; the address is the same.
        (link,) = parse(cleaned).iter("a")
        assert unquote(link.get(attribute, "")) == address


@pytest.mark.parametrize("wrap", [document, str], ids=["document", "fragment"])
def test_white_space_that_browsers_pass_over_is_no_part_of_an_address(wrap: Callable[[str], str]) -> None:
    html = wrap("<p>Menu</p><p><a href='\t/a \n b \r\n'>link</a><img src=' /i\x01.png  '><a name='n '>1</a></p>")
    written = without(html, "Menu")
    assert '<a href="/a%20%20b">' in written
    assert '<img src="/i%01.png"><a name="n">' in written


def test_an_image_that_is_a_block_goes() -> None:
    html = '<div><img src="/i/banner-spring.jpg"></div><p>a</p>'
    assert render_html(segmented(html), [False, True], html) == "<p>a</p>"


def test_the_title_always_stays() -> None:
    html = document("<p>Text</p><p>Menu</p>", title="Name")
    cleaned = without(html, "Name", "Menu")
    assert "<title>Name</title>" in cleaned
    assert "Menu" not in cleaned


# Documents and fragments

DOCUMENTS = [
    *("<!DOCTYPE html><p>a", "\n <!doctype html>\n<p>a", "<html><p>a", "<HTML lang=en><p>a", "<!-- c --><html\n>"),
    *("<head><title>a", "<body>a", "<frameset>", " \n" * 9_000 + "<html>", f"<!--{'a ' * 9_000}-->" * 2 + "<html>"),
]
FRAGMENTS = ["<p>a</p>", "<header>a</header>", "text", "<bodyguard>a", "&lt;html&gt;"]


@pytest.mark.parametrize("start", [*DOCUMENTS, *FRAGMENTS])
def test_documents_are_told_from_fragments(start: str) -> None:
    assert is_document(start) == (start in DOCUMENTS)


@pytest.mark.parametrize(
    "doctype",
    [
        "<!DOCTYPE html>",
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">',
        "",
    ],
)
def test_documents_keep_their_doctype_and_get_none(doctype: str) -> None:
    html = (
        f'{doctype}<html lang="en"><head><meta charset="utf-8"></head><body id="b"><p>Menu</p><p>a é</p></body></html>'
    )
    cleaned = without(html, "Menu")
    assert cleaned.replace("\n", "", 1) == html.replace("<p>Menu</p>", "")


def test_a_doctype_in_a_comment_is_none() -> None:
    html = "<!-- was <!DOCTYPE old> --><!DOCTYPE html><html><body><p>Menu</p><p>a</p></body></html>"
    assert without(html, "Menu").startswith("<!DOCTYPE html>")


def test_a_comment_around_the_page_is_not_written_behind_plain_text() -> None:
    html = without("<html><body><p>Menu</p></html><!-- beside - it --><div>a<plaintext>b", "Menu")
    assert html.endswith("<plaintext>b")
    assert texts(segmented(html)) == ["a", "b"]


def test_what_stands_behind_plain_text_that_went_is_not_in_it() -> None:
    html = "<p>a <a href=/>b<plaintext>Menu</p>"
    assert texts(segmented(without(html, "Menu</p>"))) == ["a b"]
    assert "<plaintext" not in without(f"<section>{html}", "Menu</p>")


# Random pages with random verdicts


def blocks(page: Page) -> list[tuple[str, tuple[str, ...]]]:
    return [(" ".join(block.text.split()), block.images) for block in page.blocks]


@pytest.mark.slow
@given(st.randoms(use_true_random=False), st.booleans())
def test_the_blocks_of_what_is_rendered_are_the_kept_ones(chooser: random.Random, whole: bool) -> None:
    body = f"<div>{random_page(chooser)}</div>"
    html = document(body, title="Name") if whole else body
    page = segmented(html)
    verdicts = [block.path == "html/head/title" or chooser.random() < 0.6 for block in page.blocks]
    note(f"{html}\n{verdicts}")
    cleaned = render_html(page, verdicts, html)
    assert render_html(segmented(html), verdicts, html) == cleaned
    expected = [block for block, keep in zip(blocks(page), verdicts, strict=True) if keep]
    again = segmented(cleaned or "<div></div>")
    texts = [render_text(again, [True] * len(again.blocks)).split(), render_text(page, verdicts).split()]
    if "<pre" not in html and "<code" not in html:
        assert blocks(again) == expected
    else:  # with less in it, a listing may be one block, without items
        texts = [[word for word in words if word != "-"] for words in texts]
    assert texts[0] == texts[1]
