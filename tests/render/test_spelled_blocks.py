"""A page spelled out block by block has the text of its tree spelled out."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_blockfilter.render import html as rendering
from scrapy_blockfilter.render import render_text, spelled_blocks
from tests.support.made_sites import make_site
from tests.support.pages import document, segmented
from tests.support.random_pages import random_page

pytestmark = pytest.mark.skipif(rendering._native is None, reason="native code is not built")

PARTS = """\
<h2 id=a>Name <a class=headerlink href='#a'>¶</a></h2>
<h2><a href='#b'>#</a> Name <b>c</b><br>d</h2>
<h3>Name<div>of<a class=anchor href='#c'>#</a></div></h3>
<li id=n>Note <a href='#r'>↩</a><ul><li>i</ul>
<h2>Name</h2><a class=anchor href='#d'>§</a>
<a class=permalink href='#e'><div>#</div></a>
<p>x<sup>2</sup>
<p><ruby>a<rt>b</rt></ruby>
<p><math><mi>x</mi></math>
<p><span data-tex='x^2'>y</span>
<p><img class=tex alt='a_1' src=latex>
<p><script type='math/tex'>a</script>b
<p>one<br>\\<br>two<br>\\
<p><a href=a>one</a><a href=b>two</a>
<p><label>one</label>two
<p>19<small>99</small> €
<p>19<small>99</small> €<span>and a text<div>of another block</div></span>
<p><span>19</span><span class=price-fraction>99</span> €
<p><s>$5</s><ins>$4</ins>
<p class=row><b>one</b><b>two</b>
<p><a href=a>go<span class=sr-only> there</span></a>
<h2>Name<span class=mw-editsection>edit</span></h2>
<pre>a<br>b</pre>
<div class=copy-button>Run</div><pre>a</pre>
<div>Python</div><pre>a</pre>
<code>a</code>
<pre><button>Copy</button>a</pre>
<pre><span class=lineno>1</span> a</pre>
<pre><i data-line-number=1>1</i>a</pre>
<table><tr><td class=gutter><pre>1 2</pre><td class=code><pre>a<br>b</pre></table>
<table><tr><td class=gutter>1<td class=code>a<td>c</table>
<pre><code><table><tr><td class=lineno>1</td><td>a</td></tr></table></code></pre>
<table><tr><td class=gutter>x<td class=code><pre>a</pre></table>
<table><tr><td class=blob-code>a<tr><td class=blob-code>b</table>
<ol class=linenums><li>a<li>b</ol>
<p style='white-space:pre'>a<br>b
<code><div>a</div><div>b</div></code>
<h2>Contents</h2>
<ol><li>a<li>b<li>c <a class=anchor href='#f'>#</a></ol>
<ol><li>a <a class=anchor href='#f'>#</a><li><p>b<p>c</ol>
<table><tr><td>a<td>b<td>c<tr><td colspan=2>d<td>e</table>
<p>plain""".splitlines()


@given(st.lists(st.sampled_from(PARTS), min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_parts_that_are_spelled_out_have_the_text_of_their_tree(parts: list[str], chooser: random.Random) -> None:
    check("".join(parts), chooser)
    check("".join(f"<div>{part}</div>" for part in parts), chooser)
    check("".join(part + random_page(chooser) for part in parts), chooser)


def test_whole_pages_have_the_text_of_their_tree() -> None:
    for page in make_site(pages=6, rich=True, seed=3).pages:
        check(page.html, random.Random(1))


def check(body: str, chooser: random.Random) -> None:
    """Strip blocks at random, and compare the text with that of the tree."""
    html = document(body, title="Name")
    page = segmented(html)
    share = chooser.choice((0.5, 0.9, 1.0))
    keep = [chooser.random() < share for _ in page.blocks]
    text = render_text(*spelled_blocks.spelled_page(page, keep, html))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spelled_blocks, "noted_elements", lambda *_: None)
        assert text == render_text(*spelled_blocks.spelled_page(page, keep, html))
