"""Kinds of pages for measuring time: pages that repeat one fragment, and families whose cost may be a product.

Fragments are those of :mod:`stress.hostile`, each tag in two ways, and others. A page of a family chooses two numbers:

- depth by width: nested elements of each tag of HTML, MathML and SVG, around many small children;
- one parent with many children of each tag, in the elements where the tag means something, and long attributes around;
- references that multiply: elements and statements that name others, which name others;
- marks in an order that normalisation has to sort.

Each is made from a number of elements. Twice the number is twice the depth and twice the width.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from stress.hostile import KINDS, repeated

Make = Callable[[int], str]

_HTML = (
    "a abbr acronym address applet area article aside audio b base bdi bdo big blockquote body br button canvas "
    "caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset "
    "figcaption figure font footer form frame frameset h1 h2 h6 head header hgroup hr html i iframe img input ins kbd "
    "label legend li link listing main map mark marquee menu meta meter nav nobr noembed noframes noscript object ol "
    "optgroup option output p param picture plaintext pre progress q rb rp rt rtc ruby s samp script search section "
    "select slot small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th "
    "thead time title tr track tt u ul unknown var video wbr x-card xmp"
)
_MATHML = (
    "annotation annotation-xml maction math menclose merror mfenced mfrac mi mmultiscripts mn mo mover mpadded "
    "mphantom mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover semantics"
)
_SVG = "a defs desc foreignobject g image metadata path style svg switch symbol text textpath title tspan use"
# What decides by attributes reads these.
_ATTRIBUTES = (
    " href='#a' rel=author class='headerlink anchor gutter comment' itemprop=name itemscope datetime=2020-01-01"
    " itemtype='http://schema.org/Product' id=comments"
)
_SMALL = {"texts": "<b>x</b>", "empty": "<b></b>", "images": "<img src=x.gif>"}
# The parser keeps 2,040 levels, and the page takes some. Without a box between, it would end many elements at the next.
_DEEPEST = 900
_CHILDREN_A_LEVEL = 8

# Parents in which tags mean something: their start, and their children.
_PARENTS = {
    "<p><ruby>a": "rb rt rp rtc ruby",
    "<table>": "caption colgroup thead tbody tfoot tr col",
    "<table><colgroup>": "col",
    "<table><tr>": "td th",
    "<dl>": "dt dd div",
    "<ol reversed>": "li ol ul",
    "<select>": "option optgroup",
    "<math>": _MATHML,
    "<p><span><math><mi>x</mi></math></span>": "span",
    "<svg>": _SVG,
    "<svg><foreignobject>": "svg p b",
    "<picture><source srcset='a.png 1x'>": "img source",
    "<figure>": "figcaption img pre table",
    "<h2>Contents <a href='#a' class=anchor>": "span sup svg img b",
    "<pre class=gutter>": "span i a td div pre code br",
    "<p>word": "sup sub a br img code em math q time script",
    "<a href='#a'>": "sup span div img",
    "<h2>Contents</h2>": "h2 h3 p b script",
    "<details>": "summary",
    "<fieldset>": "legend",
    "<map name=a>": "area",
    "<video>": "source track",
    "<object>": "param embed",
    "<frameset>": "frame",
    "<form>": "input label button textarea",
    "<div id=comments>": "article div p time",
    "<div itemscope>": "a div meta time link",
    "<head>": "meta link script style base title section",
}
_MARKS = "\u0301\u0327\u0323"  # of the classes 230, 202 and 220
_WORDLESS = ("<!---->", "<?a?>")
# Attributes that are read for what is in an element, or beside it, and a part of a value that is repeated.
_LONG = {
    "class": "comment ",
    "id": "comments ",
    "href": "a/",
    "srcset": "a.png 1x, ",
    "title": "a ",
    "content": "a ",
    "lang": "a-",
    "style": "a:b;",
}


_REPEATED_TAGS = (
    "a b code span em section h2 ul li ol dl dt dd blockquote pre table tr td th caption thead form button label "
    "select option textarea svg math embed object noframes noembed noscript iframe script style template title q "
    "article nav x-card frameset plaintext xmp video details"
)
_FRAGMENTS = {
    "images with words": "<p><img src='a/harbour.jpg' alt='the `harbour` ]('></p>",
    "links to everywhere": "<a href='http://example.com/?a=b&c=(d)'>e</a> ",
    "names of code": "<pre class='hljs x`'>a</pre>",
    "fences in code": "<pre>```\n</pre>",
    "backticks": "`",
    "stars": "*_",
    "brackets": "[](",
    "brackets and images": "![](a",
    "entities of brackets": "&lt;b&gt;",
    "pipes": "<table><tr><td>|<td>\\</table>",
    "short rows": "<tr><td>a",
    "spans of rows": "<tr><td rowspan=9>a<td colspan=9>b",
    "spans of columns": "<tr><td colspan=1000>",
    "captions": "<table><caption>a</caption><tr><td>b<td>c</table>",
    "numbers": "<p>12,345.67 EUR on 2026-01-31</p>",
    "paragraphs": "<p class=a>x</p> ",
    "boxes": "<div class=a>x</div> ",
    "same sentence": "<p>This is a sentence of some length, as in all paragraphs.</p>",
    "inline boxes": "<i><div>x</div></i>",
    "boxes in links": "<a href=x><p>a</p></a>",
    "slugs": "<section id=a-title><h2>A title</h2>",
    "classes of comments": "<div class='comment reply'>x</div>",
    "unclosed drawings": "<svg><p>a",
    "nested drawings": "<svg><g>",
    "drawings that hold HTML": "<svg><foreignObject><p>a",
    "controls": "<form><input name=a value=b><button>c</button></form>",
    "attributes of templates": "<p {{a}} {% b %}>c",
    "closed twice": "<p>a</p></p></div>",
    "wrong order": "<b><i>a</b></i>",
    "formatting that is open": "<b><font color=red>a<p>",
    "long words": "a" * 500 + " ",
    "letters without spaces": "水曜日",
    "surrogates in elements": "<p>\ud800</p>",
    "double quotes": '"',
    "values without an end": "='",
    "values that open": '=" ',
    "values with brackets": "a='>' ",
    "tags without an end": "<a b",
    "tags with brackets in values": "<a b='>",
    "control characters in attributes": "<p a\x01='\x02'>\x03",
}


def fragments() -> dict[str, Make]:
    """Return the kinds of pages that repeat a fragment: name -> function from a size in characters to a page."""
    kinds = dict(KINDS)
    for tag in _REPEATED_TAGS.split():
        kinds[f"<{tag}>"] = repeated(f"<{tag}>x")
        kinds[f"<{tag}>x</{tag}>"] = repeated(f"<{tag} class=a>x</{tag}> ")
    return kinds | {name: repeated(part) for name, part in _FRAGMENTS.items()}


def families() -> dict[str, Make]:
    """Return the kinds of pages: name -> function from a number of elements to the content of a page."""
    return {**dict(_deep_and_wide()), **dict(_many_children()), **_references(), **_marks()}


def _deep_and_wide() -> Iterator[tuple[str, Make]]:
    for tag in _HTML.split():
        for kind, child in _SMALL.items():
            yield f"<{tag}> around {kind}", _nested("", f"<{tag}>", child)
            yield f"<{tag} …><div> around {kind}", _nested("", f"<{tag}{_ATTRIBUTES}><div>", child)
    for around, tags, children in (("<math>", _MATHML, ("<mi>x</mi>", "<mi></mi>")), ("<svg>", _SVG, ("<g>x</g>",))):
        for tag in tags.split():
            for child in children:
                yield f"{around}<{tag}> around {child}", _nested(around, f"<{tag}>", child)
                yield f"{around}<{tag} …> around {child}", _nested(around, f"<{tag}{_ATTRIBUTES} open='((('>", child)


def _nested(before: str, tag: str, child: str) -> Make:
    return lambda count: f"{before}{tag * min(_DEEPEST, count // _CHILDREN_A_LEVEL)}{child * count}z"


def _many_children() -> Iterator[tuple[str, Make]]:
    for parent, tags in _PARENTS.items():
        for tag in tags.split():
            yield f"{parent} with <{tag} …>", _children(parent, f"<{tag}{_ATTRIBUTES}>x</{tag}>")
            yield f"{parent} with <{tag}>, then comments", _before_comments(parent, f"<{tag}>x</{tag}>")
        for node in _WORDLESS:
            yield f"{parent} with {node}", _children(parent, node)
    for tag in _HTML.split():
        yield f"<source …> with <{tag} …>", _in_long_attributes(f"<{tag}{_ATTRIBUTES}>x</{tag}>")


def _children(parent: str, child: str) -> Make:
    return lambda count: f"{parent}{child * count}"


def _before_comments(parent: str, child: str) -> Make:
    return lambda count: f"{parent}{child * (count // 2)}{'<!---->' * (count // 2)}"


def _in_long_attributes(child: str) -> Make:
    def make(count: int) -> str:
        given = " ".join(f"{name}='{value * (count // 8)}'" for name, value in _LONG.items())
        return f"<section {given}><figure><source {given}>{child * count}"

    return make


def _references() -> Mapping[str, Make]:
    return {
        "JSON-LD: offers named often": lambda count: _json_ld(
            {"@id": "x", "@type": "Offer", "priceSpecification": [{"price": "on request"}] * (count // 20)},
            *({"@type": "Product", "offers": [{"@id": "x"}] * (count // 20)} for _ in range(8)),
        ),
        "JSON-LD: offers of many products": lambda count: _json_ld(
            {"@id": "x", "@type": "Offer", "price": ["on request"] * (count // 8)},
            *({"@type": "Product", "offers": {"@id": "x"}} for _ in range(count // 8)),
        ),
        "JSON-LD: ingredients that double": lambda count: _json_ld(
            *(
                {"@id": f"{number}", "@type": "Recipe", "recipeIngredient": [{"@id": f"{number + 1}"}] * 2}
                for number in range(count // 8)
            )
        ),
        "JSON-LD: a chain of authors": lambda count: _json_ld(
            *({"@id": f"{n}", "@type": "Article", "author": {"@id": f"{n + 1}"}} for n in range(count // 8))
        ),
        "aria-labelledby, headers, for and usemap of one": lambda count: (
            f"<table><tr><th id=a>{'<b>x</b>' * count}"
            + "<td headers=a aria-labelledby=a>x<label for=a><img usemap='#a'><input list=a form=a>" * (count // 8)
        ),
        "aria-labelledby of many": lambda count: f"<p aria-labelledby='{'a ' * count}' id=a>x</p>" * 8 + "<p>x" * count,
        "itemref of one": lambda count: (
            f"<div id=a><div itemprop=name>{'<b>x</b>' * count}</div></div>"
            + "<div itemscope itemtype='http://schema.org/Product' itemref=a></div>" * (count // 8)
        ),
        "itemref of each other": lambda count: (
            f"<div itemscope itemprop=offers id=a itemref='{'a b ' * (count // 8)}'>x</div>" * 2 + "<p>x" * count
        ),
        "links to one place": lambda count: f"<h2 id=a>{'<b>x</b>' * count}</h2>" + "<p><a href='#a'>x</a>" * count,
        "links to places": lambda count: "".join(f"<p id=i{n}><a href='#i{n + 1}'>x</a>" for n in range(count)),
        "USE that doubles": lambda count: (
            "<svg>" + "".join(f"<g id=g{n}>{f'<use href=#g{n + 1} />' * 2}</g>" for n in range(count // 4))
        ),
        "a long base": lambda count: f"<base href='http://a.example/{'a' * count}/'>" + "<p><a href=b>x</a>" * count,
        "a long srcset": lambda count: (
            f"<picture><source srcset='{'a.png 1x, ' * count}'>{'<img alt=a>' * count}</picture>"
        ),
        "sources within each other": lambda count: (
            "<picture>" + f"<source srcset='{'a.png 1x, ' * 40}'>" * min(_DEEPEST, count // 8) + "<img alt=a>" * count
        ),
        "formulas beside a long class": lambda count: (
            f"<p><span>{'<math><mi>x</mi></math>' * count}</span><span class='{'a ' * count}'>b</span>"
        ),
        "formulas beside comments": lambda count: (
            f"<p><span>{'<math><mi>x</mi></math>' * count}</span>{'<!---->' * count}"
        ),
        "fences of long formulas": lambda count: "<p>" + f"$x^{'*' * 2_000}$ and " * (count // 200),
        "long signs of formulas": lambda count: (
            "<p><math>" + f"<mfenced open={'(' * 40}>" * (count // 4) + "<mi>x</mi>"
        ),
        "long formulas of many levels": lambda count: (
            f"<p><math>{'<msqrt>' * 50}{'x' * 3_900}{'</msqrt>' * 50}</math>" * (count // 500)
        ),
        "texts that go between those that stay": lambda count: "own<p class=gone>x</p>" * count,
        "items that go beside those that stay": lambda count: "<ul><li class=gone>x<li>own</ul>" * (count // 2),
        "texts in a link": lambda count: "<a href=x>" + "t<b></b>" * count,
        "texts at each level": lambda count: ("<i>x" * _DEEPEST + "</i>" * _DEEPEST) * (1 + count // _DEEPEST),
        "blocks below many levels": lambda count: "<i>" * min(1_800, count // 4) + "<p>a" * count,
        "drawings below many levels": lambda count: "<i>" * min(1_800, count // 4) + "<svg></svg>" * count,
        "HTML in drawings below many levels": lambda count: (
            "<svg><foreignobject>" + "<i>" * min(1_800, count // 4) + "<b>x</b>" * count
        ),
        "drawings not closed": lambda count: "<svg><p>a" + "<svg><desc>" * count + "</b>" * (count // 2),
    }


def _marks() -> Mapping[str, Make]:
    return {
        "marks in a text": lambda count: f"<p>a{_MARKS * count}",
        "marks in the TITLE": lambda count: f"<title>a{_MARKS * count}</title><p>b",
        "marks in an address": lambda count: f"<p>a <a href='http://a{_MARKS * count}/'>b</a>",
        "marks in the BASE": lambda count: f"<base href='http://a{_MARKS * count}/'><p>a <a href=b>c</a>",
    }


def _json_ld(*things: Mapping[str, Any]) -> str:
    return f"<script type=application/ld+json>{json.dumps({'@graph': things})}</script><p>x"
