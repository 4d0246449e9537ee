"""Walk pages in native code, with the results of ``walk``, if a small page shows that it does.

Native code reads the tree and counts. It calls functions of Python where a rule is written in Python: for new steps of
style paths, and for the words of images, headings and figures.
"""

from __future__ import annotations

from functools import lru_cache, partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from lxml import etree

from scrapy_blockfilter._native import load
from scrapy_blockfilter.html.columns import TITLE_SIZES, WIDTH, agreement_of_words, hints_of_classes, is_slug, words_of
from scrapy_blockfilter.html.marks import is_marked
from scrapy_blockfilter.html.page import Page, PageCaches
from scrapy_blockfilter.html.paths import named
from scrapy_blockfilter.html.tags import CONTROLS, HEADINGS, KINDS
from scrapy_blockfilter.html.walk import walk_page
from scrapy_blockfilter.options.limits import DEFAULT_LIMITS, Limits
from scrapy_blockfilter.text.block_text import block_key
from scrapy_blockfilter.text.characters import DIGIT, kinds_of_codes
from scrapy_blockfilter.text.dates_and_prices import LONGEST, meaning_of_figures
from scrapy_blockfilter.text.image_words import MAX_CHARACTERS, NAMES_OF_JOBS, image_words

if TYPE_CHECKING:
    from array import array

# Columns of a page that native code gives under the same names, arrays of 64-bit integers first.
_INTEGERS = ("keys", "nodes", "slots", "tag_paths")
_SEQUENCES = (
    *("tags", "parents", "hints", "path_hints", "scripts", "pieces"),
    *("ordinals", "element_parents", "element_ends", "marked"),
)


class NativeWalk:
    """Walks pages in native code."""

    def __init__(self, module: ModuleType) -> None:
        tags = {tag: kind for tag, kind in KINDS.items() if isinstance(tag, str)}
        bits = {"script": module.IS_SCRIPT, "br": module.IS_BREAK, "img": module.IS_IMAGE, "option": module.IS_OPTION}
        bits |= {"pre": module.IS_PRE, "title": module.IS_TITLE, **dict.fromkeys(CONTROLS, module.IS_CONTROL)}
        bits |= dict.fromkeys(HEADINGS, module.IS_HEADING)
        flags = {tag: bits.get(tag, 0) for tag in tags}
        self._elements_at = module.elements_at
        self._walker = module.Walker(
            module.Tags(tags, flags),
            kinds=kinds_of_codes().tobytes(),
            width=WIDTH,
            digit=DIGIT,
            image_characters=MAX_CHARACTERS,
            image_jobs=module.Tags(dict.fromkeys(NAMES_OF_JOBS - {""}, 0), {}),
            title_sizes=TITLE_SIZES,
            figures_below=LONGEST,
            image_words=lru_cache(2_000)(image_words),  # logos and icons recur from page to page
            block_key=block_key,
            words_of=words_of,
            agreement_of_words=agreement_of_words,
            meaning_of_figures=meaning_of_figures,
            is_slug=is_slug,
            hints_of_classes=hints_of_classes,
            named=named,
            is_marked=is_marked,
        )

    def walk(self, root: etree._Element, known: PageCaches, limits: Limits) -> Page | None:
        """Return the page of a tree, or None if Python must walk it, as trees of XML."""
        table = known.paths_of_page()
        try:
            walked = self._walker.walk(root, table, limits.elements, limits.depth, limits.blocks)
        except UnicodeDecodeError:  # in a tree that no parser has made
            return None
        if walked is None:
            return None
        if walked.error:
            raise limits.unfit(walked.error)
        columns: dict[str, Any] = {name: getattr(walked, name) for name in _SEQUENCES}
        columns |= {name: _int64(getattr(walked, name)) for name in _INTEGERS}
        return Page(
            **columns,
            numbers=_int64(walked.numbers).reshape(-1, WIDTH),
            texts=walked,
            images=walked.images,
            sizes=walked.sizes(),
            ends=walked.piece_ends,
            known=known,
            path_table=table,
            find_nearest=walked.nearest,
            find_elements=partial(self._elements_at, root),
            root=root,
        )


def _int64(values: array[int]) -> npt.NDArray[np.int64]:
    return np.frombuffer(values, np.int64) if len(values) else np.zeros(0, np.int64)


# A page with each case that the walk distinguishes.
_PAGE = """<!DOCTYPE html><html lang=en id=top class="a-1 b"><head><title>Älter &amp; new: the Name</title>
<script>x<y</script></head><body class=home><!-- c --><h1 id=name>The Name</h1>
<div id="the-heading" hidden class="post  post-12 nav"><h2>The <i>heading</i></h2>
<p role=main itemtype=http://schema.org/Product><b itemprop="name x"
style=display:none>One</b>, two. 3 May 2024 <a href="/x?1">linked\u00a0text</a><a name=n>!</a>
<br>next <b> line</b>\u3000\u2003end</p>
<img src="/i/harbour-at-dawn.jpg?w=3" alt="The  harbour"><img src=spacer.gif>
<img alt="\u0e17\u0e30\u0e40\u0e25">x</div>
<a href=y>in <b>bold<div>\u6c34\u3002 \u00bd e\u0301 \U0001f600</div>tail</b> end</a>
after<my-card>$ 19.99</my-card><?php echo 1 ?><h3>Name the new</h3><h4>\u00c4LTER &</h4>
<h5>Name \u00e9</h5><div id=\u00fcber-reader class=menu><h6>Reader \u00dcber</h6></div>
<pre>
 a  b
<br>c </pre><ul><li>A<li><abbr>B</abbr><select name=s><option>1<option>2</select></ul><iframe>a<b</iframe><hr>
<form><input><button>Go</button><textarea> t </textarea></form><svg><title>no</title><p>x</p></svg>
<ol class=linenums></ol><plaintext>z</body>"""


def agrees(module: ModuleType) -> bool:
    """Return whether native code walks a small page as Python does."""
    parser = etree.HTMLParser(recover=True, encoding="utf-8", huge_tree=True)
    root = etree.fromstring(_PAGE.encode(), parser)
    known, walk = PageCaches(), NativeWalk(module)
    expected = walk_page(root, known, DEFAULT_LIMITS)
    # The second time, the steps of its paths are known.
    pages = [walk.walk(root, known, DEFAULT_LIMITS) for _ in range(2)]
    return all(page is not None and same(page, expected) for page in pages)


def same(one: Page, other: Page) -> bool:
    """Return whether two pages of the same tree are equal in all that a walk makes."""
    found = one.elements_at(range(len(one.element_parents)))
    return (
        list(found.values()) == one.elements == other.elements
        and one.images == other.images
        and np.array_equal(one.numbers, other.numbers)
        and all(
            list(getattr(one, name)) == list(getattr(other, name))
            for name in (*_INTEGERS, *_SEQUENCES, "texts", "sizes", "ends")
        )
    )


_module = load("walk", agrees)
# The walk in native code, None if Python walks all pages.
WALK = None if _module is None else NativeWalk(_module)
