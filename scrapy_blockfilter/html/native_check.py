"""Load the native walk, if it walks a small page as Python does."""

from __future__ import annotations

from types import ModuleType

from lxml import etree

from scrapy_blockfilter._native import load
from scrapy_blockfilter.html.columns import columns_of
from scrapy_blockfilter.html.known import Known
from scrapy_blockfilter.html.limits import DEFAULT_LIMITS
from scrapy_blockfilter.html.native import NativeWalk
from scrapy_blockfilter.html.page import Page
from scrapy_blockfilter.html.walk import walk_page


def load_walk() -> NativeWalk | None:
    """Return the native walk, or None if it is not built, switched off, or differs from Python."""
    module = load("walk", agrees)
    return None if module is None else NativeWalk(module)


# Has something of all that the walk tells apart.
_PAGE = """<!DOCTYPE html><html lang=en id=top class="a-1 b"><head><title>Älter &amp; new: the Name</title>
<script>x<y</script></head><body class=home><!-- c --><h1 id=name>The Name</h1>
<div id="the-heading" class="post  post-12 nav"><h2>The <i>heading</i></h2>
<p>One, two. 3 May 2024 <a href="/x?1">linked\u00a0text</a><a name=n>!</a><br>next <b> line</b>\u3000\u2003end</p>
<img src="/i/harbour-at-dawn.jpg?w=3" alt="The  harbour"><img src=spacer.gif>
<img alt="\u0e17\u0e30\u0e40\u0e25">x</div>
<a href=y>in <b>bold<div>\u6c34\u3002 \u00bd e\u0301 \U0001f600</div>tail</b> end</a>
after<my-card>$ 19.99</my-card><?php echo 1 ?><h3>Name the new</h3><h4>\u00c4LTER &</h4>
<h5>Name \u00e9</h5><div id=\u00fcber-reader class=menu><h6>Reader \u00dcber</h6></div>
<pre>
 a  b
<br>c </pre><ul><li>A<li><abbr>B</abbr><select name=s><option>1<option>2</select></ul><iframe>a<b</iframe><hr>
<form><input><button>Go</button><textarea> t </textarea></form><svg><title>no</title><p>x</p></svg>
<plaintext>z</body>"""


def agrees(module: ModuleType) -> bool:
    """Return whether native code walks a small page as Python does."""
    parser = etree.HTMLParser(recover=True, encoding="utf-8", huge_tree=True)
    root = etree.fromstring(_PAGE.encode(), parser)
    known = Known()
    expected, first, second = (Page(root, known, whole=True) for _ in range(3))
    walk_page(expected, root, DEFAULT_LIMITS)
    walk = NativeWalk(module)
    # The second time, the steps of its paths are known.
    return all(walk.fill(page, root, DEFAULT_LIMITS) and same(page, expected) for page in (first, second))


def same(one: Page, other: Page) -> bool:
    """Return whether two pages of the same tree are equal in all that a walk makes."""
    return all(mine == others for mine, others in zip(_parts(one), _parts(other), strict=True))


def _parts(page: Page) -> list[object]:
    columns = page.columns if page.made is not None else columns_of(page)
    return [
        page.structure.tags,
        *map(list, (page.structure.parents, page.ordinals, page.element_parents, page.pieces)),
        page.paths.tolist(),
        page.elements,
        [
            (block.text, block.key, block.images, block.node, block.chars, block.link_chars, block.tally, block.pieces)
            for block in page.chunks
        ],
        *(
            values.tolist()
            for values in (columns.keys, columns.nodes, columns.numbers, columns.slots, columns.tag_paths)
        ),
        page.texts_of_chunks(range(len(page.chunks))),
        *map(list, (page.nodes_of_chunks, page.ends_of_chunks)),
        *map(list, (columns.tags, columns.parents, columns.hints)),
    ]


# The walk in native code, None where it is not used.
WALK = load_walk()
