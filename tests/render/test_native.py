"""Native code writes the same bytes as Python, and leaves the tree as it is."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Iterable, Sequence
from types import SimpleNamespace

import parsel
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from scrapy_blockfilter.html import Page, PageCaches, Reader, UnfitPage, own_copy, parse, segment
from scrapy_blockfilter.html.tree_fingerprint import SharedTree
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.render import html as rendering
from scrapy_blockfilter.render import render_html
from stress.hostile import mutated, soup
from tests.support import parser_inputs
from tests.support.any_html import WILD_HTML
from tests.support.changed_trees import change
from tests.support.made_sites import make_site
from tests.support.pages import document, segmented
from tests.support.random_pages import random_page

NATIVE = rendering._native

pytestmark = pytest.mark.skipif(NATIVE is None, reason="native code is not built")

IF_WRITTEN_ALIKE = pytest.mark.skipif(etree.LIBXML_VERSION < (2, 14), reason="this libxml2 may write otherwise")
SITE = make_site(pages=3, rich=True, seed=3)
RAW = [
    *("<iframe>1 < 2</iframe>", "<xmp>a & b</xmp>", "<noembed><b></noembed>", "<plaintext>a < b", "<li></li>"),
    *("<a-b>c</a-b>", "<body>d", "<head>e", "</body>f", "</html>g<p>h</p>", "<script>i < j</script>", "<?k l?>"),
    *("<script><!--<script>m</script>n", "<![CDATA[o]]>", "<title>p</title>", "<li><!-- q --></li>", '<a"b-c>r</p>'),
    *("<a title='<!-- a < b -->&'>c</a>", "<a href='&{x};&y'>c</a>", "<br>a</br>", "<iframe><!-- a -->&</iframe>"),
    *("<script>a<!-- b</script><p>c</p>", "<script><!-- a --></script>", "<pre>\n\na</pre>", "<p CLASS=a>b</p>"),
    *("<template><p>a</p></template>", "<noscript><img src=' a'></noscript>", "<svg viewBox=a></svg>"),
    "<textarea>\na</textarea>",
]


def seen(root: etree._Element) -> object:
    """Return all that can be seen of a tree: what is written of it, and each of its elements itself."""
    elements = list(root.iter())
    written = etree.tostring(root.getroottree(), encoding="unicode", method="html")
    return written, [(element, element.tag, element.text, element.tail, element.items()) for element in elements]


def compare(page: Page, same: Page, keep: Sequence[bool], html: str) -> None:
    """Write a page twice by native code, and the same page in Python."""
    assert page.root is not None
    before = seen(page.root)
    written = render_html(page, keep, html)
    assert seen(page.root) == before
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rendering, "_native", None)
        assert written == render_html(same, keep, html)
    assert written == render_html(page, keep, html)


def check(html: str, chooser: random.Random) -> None:
    """Strip blocks at random, in runs, so that whole elements go."""
    try:
        page, same = segmented(html), segmented(html)
    except UnfitPage:
        return
    share = chooser.choice((0.0, 0.1, 0.5, 0.9))
    keep: list[bool] = []
    for _ in page.blocks:
        keep.append(chooser.random() < share if not keep or chooser.random() < 0.4 else keep[-1])
    compare(page, same, keep, html)


@given(st.randoms(use_true_random=False), st.booleans())
def test_random_pages_are_written_alike(chooser: random.Random, whole: bool) -> None:
    body = "".join(random_page(chooser) + chooser.choice(RAW) for _ in range(chooser.randint(1, 4)))
    check(document(body, title="Name") if whole else body, chooser)


@given(st.randoms(use_true_random=False))
def test_broken_pages_are_written_alike(chooser: random.Random) -> None:
    check(soup(chooser, 60), chooser)
    check(mutated(chooser.choice(SITE.pages).html, chooser, 8), chooser)


@given(WILD_HTML, st.randoms(use_true_random=False))
def test_any_markup_is_written_alike(markup: str, chooser: random.Random) -> None:
    check(document(f"<p>a</p>{markup}", title="Name"), chooser)
    check(markup, chooser)


@pytest.mark.slow
@pytest.mark.parametrize("inputs", [parser_inputs.tokenizer_inputs, parser_inputs.tree_inputs])
def test_inputs_of_parser_tests_are_written_alike(inputs: Callable[[], Iterable[str]]) -> None:
    chooser = random.Random(1)
    for html in inputs():
        check(f"<p>a</p>{html}<div>b<p>c</p></div>", chooser)
        check(document(html), chooser)
        check(html, chooser)


@pytest.mark.parametrize("markup", RAW)
def test_rare_markup_is_written_alike(markup: str) -> None:
    for seed in range(4):
        check(document(f"<p>a</p>{markup}<div>b</div>", title="Name"), random.Random(seed))
        check(document(f"<p>a</p><div>b</div>{markup}", title="Name"), random.Random(seed))


@IF_WRITTEN_ALIKE
def test_usual_pages_are_not_left_to_libxml2(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [(segmented(page.html), page.html) for page in SITE.pages]
    outputs = []
    for written in (False, True):
        monkeypatch.setattr(rendering, "_writes", written)
        outputs.append([render_html(page, [True] * len(page.blocks), html) for page, html in pages])
        monkeypatch.setattr(rendering, "stripped_tree", failing)
    assert outputs[0] == outputs[1]


@IF_WRITTEN_ALIKE
def test_libxml2_writes_where_it_writes_otherwise() -> None:
    assert NATIVE is not None

    class Otherwise(NATIVE.Tree):  # type: ignore[misc,name-defined]
        def write(self, fillers: dict[int, bytes]) -> object:
            return super().write(fillers).replace("%7F", "\x7f")

    assert rendering._writes_alike(NATIVE)
    assert not rendering._writes_alike(SimpleNamespace(Tree=Otherwise))  # type: ignore[arg-type]


@given(st.randoms(use_true_random=False))
def test_trees_changed_by_hand_are_written_alike(chooser: random.Random) -> None:
    html = document("".join(random_page(chooser) for _ in range(2)), title="Name")
    selector = parsel.Selector(text=html)
    for _ in range(chooser.randint(1, 5)):
        change(selector.root, chooser)
    check_tree(selector.root, html, chooser)


@pytest.mark.parametrize(
    "changed",
    [
        lambda root: setattr(root, "tail", "behind"),
        lambda root: setattr(root[-1][0], "tag", "{urn:x}x-y"),
        lambda root: root.set("{urn:y}k", "v") or root[-1][0].set("{urn:y}k", "v"),
        lambda root: etree.SubElement(root[-1], "{urn:x}p").set("{urn:y}k", "v"),
        lambda root: root[-1][0].set("{http://www.w3.org/XML/1998/namespace}lang", "de"),
        lambda root: root[-1].append(etree.Entity("nbsp")),
        lambda root: root[-1].append(etree.ProcessingInstruction("a", "b")),
        lambda root: setattr(root[-1][0], "text", etree.CDATA("a < b")),
        lambda root: setattr(root[-1], "tag", "XMP"),
        lambda root: root[-1][0].set("Checked", "v"),
        lambda root: setattr(etree.SubElement(root[-1], "br"), "text", "a"),
        lambda root: etree.SubElement(etree.SubElement(root[-1], "style"), "p"),
        lambda root: root.append(unescaped(root[-1][0])),
    ],
    ids=[
        *("tail of the root", "name", "attributes", "element", "xml:lang", "entity", "instruction", "CDATA"),
        *("raw in upper case", "attribute in mixed case", "filled BR", "element in STYLE", "unescaped text"),
    ],
)
def test_trees_that_no_parser_makes_are_written_alike(changed: Callable[[etree._Element], object]) -> None:
    html = document("<b>a</b><p>b</p><div>c<p>d</p>e</div>", title="Name")
    root = parsel.Selector(text=html).root
    changed(root)
    for seed in range(20):
        check_tree(root, html, random.Random(seed))


def unescaped(element: etree._Element) -> etree._Element:
    """Return a copy of an element whose text is written as it is."""
    style = """<x:stylesheet version="1.0" xmlns:x="http://www.w3.org/1999/XSL/Transform"><x:template match="*">
        <p><x:text disable-output-escaping="yes">a &lt; b</x:text></p></x:template></x:stylesheet>"""
    made: etree._Element = etree.XSLT(etree.XML(style))(element).getroot()
    return made


def check_tree(root: etree._Element, html: str, chooser: random.Random) -> None:
    """Strip blocks at random of a tree that someone else holds, by native code and of a copy in Python."""
    page = Reader(Options()).read(html, SharedTree.of(root))
    compare(page, segment(own_copy(root), PageCaches()), [chooser.random() < 0.5 for _ in page.blocks], html)


def test_the_tree_stays_when_it_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    html = "<p>Menu</p><p>a</p><iframe><b></iframe>"
    page = segmented(html)
    assert page.root is not None
    before = seen(page.root)
    monkeypatch.setattr(rendering, "_hide_raw_text", failing)
    with pytest.raises(RuntimeError, match="no memory"):
        render_html(page, [False, True], html)
    monkeypatch.undo()
    assert seen(page.root) == before
    assert render_html(page, [False, True], html) == "<p>a</p><iframe><b></iframe>"


def failing(*_: object) -> Callable[[str], str]:
    raise RuntimeError("no memory")


@pytest.mark.parametrize("change", ["append", "remove", "move"])
def test_a_tree_that_has_changed_since_is_refused(change: str) -> None:
    html = document("<div><p>a</p></div><p>b</p><p>c</p>")
    page = segmented(html)
    assert page.root is not None
    (body,) = page.root.iter("body")
    if change == "append":
        etree.SubElement(body, "p")
    elif change == "remove":
        body.remove(body[2])
    else:
        body[0].append(body[1])
    with pytest.raises(ValueError, match="changed"):
        render_html(page, [True, True, True], html)


@pytest.mark.parametrize(
    ("parents", "pieces", "ends", "stays"),
    [
        ([], [], [], []),
        ([0], [], [], []),
        ([-1, 1], [], [], []),
        ([-1, -1], [], [], []),
        ([-1, 0], [8], [1], [True]),
        ([-1, 0], [-4], [1], [False]),
        ([-1, 0], [1], [1], [False]),
        ([-1, 0], [4], [2], [True]),
        ([-1, 0], [4], [1, 0], [True, True]),
        ([-1, 0], [4], [1], [True, False]),
        ([-1, 0], [4], [1], []),
    ],
)
def test_numbers_that_fit_no_tree_are_refused(
    parents: list[int], pieces: list[int], ends: list[int], stays: list[bool]
) -> None:
    assert NATIVE is not None
    with pytest.raises(ValueError):  # noqa: PT011 - which of them is told does not matter
        NATIVE.Tree(parse("<p>a</p>"), *(array("i", numbers) for numbers in (parents, pieces, ends)), array("B", stays))
