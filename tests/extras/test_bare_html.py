"""Bare HTML: the text of the kept blocks, the markup that means something, and nothing that acts."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import example, given
from lxml import etree

import scrapy_blockfilter as bf
from scrapy_blockfilter.extras.bare_html import render_bare_html
from scrapy_blockfilter.html import PageCaches, UnfitPage, build, parse, segment
from stress.hostile import KINDS, mutated, soup
from tests.support.any_html import ANY_HTML
from tests.support.hostile import hostile_page
from tests.support.made_sites import make_site
from tests.support.pages import document
from tests.support.random_pages import random_page
from tests.support.work import work_of

URL = "https://news.example/2026/harbour.html"
BAD = "https://bad.example"


def letters(html: str) -> str:
    """Texts of the blocks without white space: that of code is by elements that bare HTML may be without."""
    return "".join("".join(block_texts(html)).split())


def block_texts(html: str) -> list[str]:
    """Texts of the blocks but the TITLE, with their white space folded: XMP becomes PRE."""
    try:
        page = segment(parse(html), PageCaches())
    except UnfitPage:
        return []
    folded = (" ".join(block.text.split()) for block in page.blocks if block.tag != "title")
    return [text for text in folded if text]


def assert_text_stays(html: str, bare: str) -> None:
    """Assert that the text of blocks stays in its order; words of formulas, which blocks lack, may be between."""
    stays, written = letters(html), letters(bare)
    rest = iter(written)
    assert all(letter in rest for letter in stays) if re.search("(?i)<math|math/tex", html) else written == stays


def assert_inert(html: str) -> None:
    """Assert that no element or attribute is left that could act, load anything but images, or cover the page."""
    if not html:
        return
    for element in build(f"<div>{html}</div>").iter(etree.Element):
        assert element.tag not in _ACTING
        names = set(element.attrib)
        assert names <= _HARMLESS, names
        for name in names & {"href", "src", "cite"}:
            address = element.get(name, "")
            assert re.match(r"(?i)(https?|ftp|mailto|tel):|[^:]*(?:[/?#]|\Z)", address), address
    assert "<!--" not in html


_ACTING = frozenset(
    [
        *("script", "style", "svg", "math", "iframe", "frame", "object", "embed", "applet", "form", "input", "button"),
        *("select", "textarea", "audio", "video", "base", "template", "noscript", "xmp", "plaintext", "title", "head"),
    ]
)
_HARMLESS = frozenset(
    [
        *("href", "hreflang", "src", "alt", "title", "lang", "dir", "colspan", "rowspan", "scope", "span", "datetime"),
        *("cite", "itemprop", "itemscope", "itemtype", "itemid", "start", "reversed", "type", "value", "content"),
    ]
)


def test_what_is_for_looks_and_scripts_goes_and_what_means_something_stays() -> None:
    html = document(
        "<script>1</script><style>p {}</style><!-- c --><svg><path/></svg>",
        '<h1 class=x id=y style="color: red" onclick="a()" data-z=1>Head</h1>',
        '<p lang=de dir=ltr title=T>A <a href="/b" class=c target=_top rel=nofollow>link</a>, <em>so</em>.</p>',
        '<img src="i/pier.jpg" alt="A pier" srcset="x 2x" loading=lazy onerror="a()">',
        "<table class=t><tr><th colspan=2 scope=col width=9>Head<tr><td rowspan=1 bgcolor=red>1<td>2</table>",
        "<ol start=3><li value=7>Seven</ol><pre><code class=c>a\n  b</code></pre>",
        '<p><time datetime="2026-01-31">Now</time><i>or</i> <del cite="/why">out</del></p>',
        title="Name",
    )
    assert render_bare_html(html, URL).replace("\n<", "<") == (
        '<h1>Head</h1><p lang="de" dir="ltr" title="T">A <a href="https://news.example/b">link</a>, <em>so</em>.</p>'
        '<img src="https://news.example/2026/i/pier.jpg" alt="A pier">'
        '<table><tr><th colspan="2" scope="col">Head</th></tr><tr><td rowspan="1">1</td><td>2</td></tr>'
        '</table><ol start="3"><li value="7">Seven</li></ol><pre><code>a\n  b</code></pre>'
        '<p><time datetime="2026-01-31">Now</time> <i>or</i> <del cite="https://news.example/why">out</del></p>'
    )


def test_microdata_stays() -> None:
    html = (
        '<div itemscope itemtype="https://schema.org/Product"><meta itemprop="sku" content="K-2">'
        '<b itemprop="name">Kettle</b><link itemprop="url" href="/kettle"><meta name=generator content=x>'
        "<link rel=stylesheet href=/x.css></div>"
    )
    assert render_bare_html(html, URL) == (
        '<div itemscope="" itemtype="https://schema.org/Product"><meta itemprop="sku" content="K-2">'
        '<b itemprop="name">Kettle</b><link itemprop="url" href="https://news.example/kettle"></div>'
    )


@pytest.mark.parametrize(
    "html",
    [
        "<table><form><tr><td>a</td><td>b</td></tr></form></table>",
        "<table><tr><form><td>a</td><td>b</td></form></tr></table>",
    ],
)
def test_tables_in_forms_stay_tables(html: str) -> None:
    assert render_bare_html(html) == "<table><tr><td>a</td><td>b</td></tr></table>"


@pytest.mark.parametrize(
    "html",
    [
        "<table><div>a</div><div>b</div><tr><td>c</table>",
        "<table>a<tr><td>b</table>",
        "<tr><td>a</td><td>b</td></tr>",
        "<table><tr>a<td>b<td>c</table>",
        "<x-a>a</x-a><x-a>b</x-a>",
        "<p>a<section>b</section>c",
        "<a href=/x>a<div>b</div><a href=/y>c</a></a>",
        "<xmp>a <b> c</xmp>d",
        "<noscript><p>a</noscript>b",
        "a</body>b",
        "<frameset><noframes><p>a</noframes></frameset>",
    ],
)
def test_what_browsers_would_move_or_join_stays_in_place(html: str) -> None:
    assert block_texts(render_bare_html(html)) == block_texts(html) != []


@pytest.mark.parametrize(
    ("formula", "written"),
    [
        ("<math><mi>E</mi><mo>=</mo><mi href='javascript:x()'>m</mi></math>", "<span>E = m</span>"),
        ("<math display=block><msup><mi>x</mi><mn>2</mn></msup></math>", "<div>x^2</div>"),
        ("<b><math alttext=x></math></b><img class=mwe-math-fallback-image-inline src=x>", "<b><span>x</span></b>"),
        ('<span class=MathJax>X</span><script type="math/tex">x_1</script>', "<span>x_1</span>"),
        ("<math></math><script>x()</script>", ""),
    ],
)
def test_formulas_are_written_once_as_words(formula: str, written: str) -> None:
    assert render_bare_html(f"<td>Boats, {formula} long</td>") == f"<div>Boats, {written} long</div>"


def test_lazily_loaded_images_have_the_address_they_wait_for() -> None:
    html = "<img src=data:, data-src=/a alt=A><img alt=x><img src=javascript:1><picture><source srcset=/b {}><img{}>"
    for end, source, name in (("", "", "b"), ("/", "", "b"), ("", " src=/c", "c"), ("/", " src=data:,", "b")):
        images = f'<img src="https://news.example/a" alt="A"><img src="https://news.example/{name}">'
        assert render_bare_html(html.format(end, source), URL) == images


@given(ANY_HTML)
@example("<p><a href='<!--\" onclick=1-->'>x</a>")
@example("<pre>\n\nx</pre>")
@example("0<title>1</title>2")
def test_the_text_of_each_block_stays(html: str) -> None:
    bare = render_bare_html(html)
    assert_text_stays(html, bare)
    assert_inert(bare)


@pytest.mark.parametrize("seed", range(40))
def test_broken_pages_keep_the_text_of_each_block_and_nothing_acts(seed: int) -> None:
    random = Random(seed)
    pages = random_page(random), soup(random, 40), mutated(hostile_page(BAD, story="Story"), random, 4)
    for html in pages:
        bare = render_bare_html(html, URL)
        assert_text_stays(html, bare)
        assert_inert(bare)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_pages_of_any_kind_take_work_as_they_are_long(kind: str) -> None:
    shorter, longer = KINDS[kind](10_000), KINDS[kind](20_000)
    try:
        build(longer)
        segment(parse(longer), PageCaches())
    except UnfitPage:
        pytest.skip("passes unchanged")
    assert_inert(render_bare_html(longer, URL))
    assert work_of(lambda: render_bare_html(longer, URL)) < 2.5 * work_of(lambda: render_bare_html(shorter, URL))


def test_a_cleaned_page_gives_its_kept_blocks() -> None:
    site = make_site(pages=6, rich=True)
    model = bf.learn(page.html for page in site.pages)
    for page in site.pages:
        cleaned = model.clean(page.html, url=URL)
        assert block_texts(cleaned.bare_html) == block_texts(cleaned.html)
        assert [part for part in page.template if part in cleaned.bare_html] == []


def test_unchanged_pages_are_bare_as_well() -> None:
    same = bf.learn(["<p onclick=a()>Text", "<p>Other"]).clean("<p onclick=a()>Text")
    assert (same.unchanged, same.bare_html) == ("nothing_to_strip", "<p>Text</p>")


def test_bare_html_has_no_part_that_the_page_hides() -> None:
    prose = "The mill on the upper brook grinds spelt again, as it did for three hundred years."
    cleaned = bf.clean(document(f"<p>{prose}</p><p>Flour is sold <span hidden>secret</span>on Fridays. {prose}</p>"))
    assert f"<p>Flour is sold on Fridays. {prose}</p>" in cleaned.bare_html
