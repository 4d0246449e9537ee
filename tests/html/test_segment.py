"""Segmenting: which text belongs together, what is no text, and that the walk survives any tree."""

from __future__ import annotations

import parsel
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from scrapy_blockfilter.html import PageCaches, UnfitPage, parse, segment
from scrapy_blockfilter.html.tags import OPAQUE, STRUCTURAL
from scrapy_blockfilter.options import DEFAULT_LIMITS
from stress.hostile import soup
from tests.support.pages import document, segmented, texts

BLOCKS = {
    "text and inline markup are one block between structural tags": (
        "<div>One <b>bold</b> and <a href=x>linked <i>word</i></a>, no more<p>Two</p>three</div>",
        ["One bold and linked word, no more", "Two", "three"],
    ),
    "a rule ends a block and holds none": ("<div>above<hr>below</div>", ["above", "below"]),
    "custom elements end a block": ("<div>a<my-card>b</my-card>c</div>", ["a", "b", "c"]),
    "comments and instructions do not divide": (
        "<!-- a --><p>one <!-- hidden <b>x</b> -->two <?php echo 3 ?>three<!-- end --></p><!-- z -->",
        ["one two three"],
    ),
    "a frameset has the text for browsers without frames": (
        "<html><frameset><frame src=a><noframes>No frames</noframes></frameset></html>",
        ["No frames"],
    ),
    "the title is the first block": (document("Text", title="The harbour"), ["The harbour", "Text"]),
    "a title inside an SVG is none": (document("x <svg><title>icon</title></svg> y", title="Name"), ["Name", "x y"]),
    "a document with text everywhere loses none": (
        "<table>a<tr>b<td>c</td>d</tr>e</table>f<ul>g<li>h</ul>i<dl>j<dt>k<dd>l</dl>m",
        [*"abcdefghijklm"],
    ),
    "white space is folded and a break is a line": (
        "<p>\n  one\u00a0 two<br>\n three <br/><br> four\t</p><p> \n </p><p>&nbsp;</p>",
        ["one two\nthree\n\nfour"],
    ),
    "control characters are no line breaks": ("<p>one&#1;two \x01 three<br>four</p>", ["one\1two \1 three\nfour"]),
    "preformatted text stays": ("<pre>\n\n  def f(x):\n      return  x\n</pre>", ["  def f(x):\n      return  x"]),
    "lines of highlighted code stay lines": (
        "<pre><span>def</span> <i>f</i>():\n    <b>pass</b>\n\n<span>f</span>()\n  <i>x</i><br>y</pre>",
        ["def f():\n    pass\n\nf()\n  x\ny"],
    ),
    "code keeps the indent of a first element": ("<pre>    <span>a</span>\n    <span>b</span></pre>", ["    a\n    b"]),
}


@pytest.mark.parametrize("name", BLOCKS)
def test_blocks_of_a_page(name: str) -> None:
    html, blocks = BLOCKS[name]
    assert texts(segmented(html)) == blocks


@pytest.mark.parametrize("tag", sorted(STRUCTURAL - {"html", "head", "body", "title", "frameset", "hr", "colgroup"}))
def test_each_structural_tag_ends_a_block(tag: str) -> None:
    page = segment(_tree("div", "before", (tag, "inside", "after")), PageCaches())
    assert texts(page) == ["before", "inside", "after"]
    assert page.blocks[1].path == f"html/div/{tag}"
    assert page.blocks[0].node == page.blocks[2].node


def test_an_inline_element_around_a_structural_one_acts_as_one() -> None:
    page = segmented("<div>before <a href=x>in <b>bold<div>inner</div>tail</b> end</a> after</div>")
    assert texts(page) == ["before in bold", "inner", "tail", "end", "after"]
    paths = ("div", "div/a/b/div", "div/a/b", "div/a", "div")
    assert [block.path for block in page.blocks] == [f"html/body/{path}" for path in paths]


@pytest.mark.parametrize("tag", sorted(OPAQUE - {"meta", "link", "embed"}))
def test_what_is_no_text_of_the_page_is_left_out_and_does_not_divide(tag: str) -> None:
    inner = etree.Element("p")
    inner.text = "deeper"
    root = _tree("p", "before ", (tag, "hidden", " after"))
    (element,) = root.iter(tag)
    element.append(inner)
    assert texts(segment(root, PageCaches())) == ["before after"]


def test_forms_hold_text_where_they_show_it() -> None:
    page = segmented(
        "<form><label>Name <input name=n value=hidden></label><select><option>One<option>Two</select>"
        "<textarea>a <b> c</textarea><button>Send</button></form>"
    )
    assert texts(page) == ["Name", "One Two", "a <b> c", "Send"]
    assert sum(block.counts[3] for block in page.blocks) == 4


def test_noscript_is_a_block_of_its_own() -> None:
    page = segmented("<p>with<noscript>without <img src=/i/fallback-chart.png></noscript>script</p>")
    assert [(block.text, block.images) for block in page.blocks] == [
        ("with", ()),
        ("without", ("fallback-chart i",)),
        ("script", ()),
    ]


def test_images_give_their_words_and_worthless_ones_only_count() -> None:
    page = segmented('<p>See <img src="/i/old-harbour.jpg" alt="The harbour"> <img src="spacer.gif"> now</p>')
    block = page.blocks[0]
    assert block.images == ("The harbour old-harbour i",)
    assert (block.text, block.counts[0]) == ("See now", 2)


def keys_of(html: str) -> list[int]:
    return [int(key) for key in segmented(html).keys]


@pytest.mark.parametrize(
    "image",
    [
        "src=/photo-{}/large.jpg",
        "src='https://img.example/g/Ab%43{}/s-l1600.jpg?w=3'",
        "src=/assets/grey.gif data-src=/p/pier-{}.jpg",
        "src=/blur.jpg data-lazy-src=/{}/cover.jpg",
        "src=/blur.jpg data-src='' data-srcset='/p/pier-{}.jpg 800w'",
    ],
)
def test_pictures_of_pages_are_told_apart_though_files_are_named_alike(image: str) -> None:
    one, other, again = (keys_of(f"<p><img {image.format(name)} alt=''>") for name in ("a7", "b8", "a7"))
    assert one == again != other


@pytest.mark.parametrize("before", ["https://x.example/", "//x.example/", "/", "./", "../", "../../", ""])
def test_picture_is_the_same_however_its_address_is_written(before: str) -> None:
    assert keys_of(f"<p><img src={before}crest.svg>") == keys_of("<p><img src=crest.svg>")
    assert keys_of(f"<p><img src={before}art/crest.svg>") == keys_of("<p><img src=art/crest.svg>")


@pytest.mark.parametrize("source", ["/1x1.gif", "/i/lazyload.svg", "/ajax-loader.gif", "/t.gif", "/7/spacer.gif"])
def test_placeholder_is_no_picture_that_pages_share(source: str) -> None:
    assert keys_of(f"<p><img src={source}>") == []


def test_link_characters_never_exceed_the_text() -> None:
    for html in ("<p><a href=x>  wide \n\n   gap  </a></p>", "<p><a href=x>a<a href=y>b</a></p>"):
        for block in segmented(html).blocks:
            assert 0 < block.link_density <= 1


@pytest.mark.parametrize(
    ("attributes", "language"),
    [
        ("lang=en", "en"),
        ("lang=pt-BR", "pt"),
        ("lang='DE_at '", "de"),
        ("xml:lang=fr", "fr"),
        ("lang=''", ""),
        ("", ""),
    ],
)
def test_the_language_is_the_declared_one(attributes: str, language: str) -> None:
    assert segmented(f"<html {attributes}><body>x</body></html>").declared_language == language


# The walk


@pytest.mark.parametrize("tag", ["div", "b", "a", "svg"])
def test_two_thousand_levels_are_walked(tag: str) -> None:
    html = f"<html><body>{f'<{tag}>' * 2_000}deep{f'</{tag}>' * 2_000}<p>behind</p></body></html>"
    for root in (parse(html), parsel.Selector(text=html).root):
        assert texts(segment(root, PageCaches()))[-1] == "behind"


@pytest.mark.parametrize("tag", ["div", "b", "svg", "a><div"])
def test_a_tree_that_reaches_the_parsers_depth_is_refused(tag: str) -> None:
    html = f"<html><body>{f'<{tag}>' * 100_000}deep</body></html>"
    for root in (parse(html), parsel.Selector(text=html).root):
        with pytest.raises(UnfitPage) as refused:
            segment(root, PageCaches())
        assert refused.value.reason == "too_deep"


def test_the_deepest_trees_that_pass_are_whole() -> None:
    outcomes = []
    for depth in range(2_030, 2_050):
        html = f"<html><body>{'<div>' * depth}deep{'</div>' * depth}<p>behind</p></body></html>"
        try:
            outcomes.append(texts(segmented(html)))
        except UnfitPage:
            outcomes.append([])
    passed = [outcome for outcome in outcomes if outcome]
    assert passed == [["deep", "behind"]] * len(passed)
    assert outcomes[0]
    assert not outcomes[-1]


@pytest.mark.slow
@pytest.mark.parametrize("filling", ["<br>", "<b><i></i></b>"])
def test_too_many_elements_are_refused(filling: str) -> None:
    with pytest.raises(UnfitPage) as refused:
        segmented(
            f"<div>{filling * (DEFAULT_LIMITS.elements // filling.count('<') * (2 if '/' in filling else 1))}x</div>"
        )
    assert refused.value.reason == "too_many_elements"


# Random HTML. The text is told a second way: every text node without a hidden element around it.

_VISIBLE = etree.XPath(f"//text()[not(ancestor::*[{' or '.join(f'self::{name}' for name in sorted(OPAQUE))}])]")


# A CODE with boxes also has the text before its first box, which is in the block before.
_SOUP = st.builds(soup, st.randoms(use_true_random=False), st.integers(0, 40)).filter(lambda html: "<code" not in html)


@given(_SOUP)
def test_any_input_is_refused_or_has_its_visible_text_once_and_in_order(html: str) -> None:
    try:
        root = parse(html)
        page = segment(root, PageCaches())
    except UnfitPage:
        return
    visible = "".join("".join(_VISIBLE(root)).split())
    assert "".join("".join(texts(page)).split()) == visible
    assert len(page.element_parents) == sum(1 for _ in root.iter())
    pieces = [piece for block in page.blocks for piece in block.pieces]
    assert len(set(pieces)) == len(pieces)
    assert len(page.tags) == len(page.parents) == len(page.ordinals)
    assert all(parent < index for index, parent in enumerate(page.parents))
    for block in page.blocks:
        assert block.text.strip() or block.images or not block.text
        assert block.path
        assert all(0 <= term < 2**32 for term in block.terms)


def _tree(outer: str, text: str, inner: tuple[str, str, str]) -> etree._Element:
    """An element with text and a child, built by hand: a parser would move some tags."""
    root = etree.Element("html")
    around = etree.SubElement(root, outer)
    around.text = text
    child = etree.SubElement(around, inner[0])
    child.text, child.tail = inner[1:]
    return root
