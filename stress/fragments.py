"""Kinds of pages that repeat one fragment, for measuring time: those of ``hostile``, and each tag in several ways."""

from __future__ import annotations

from collections.abc import Callable

from stress.hostile import KINDS, repeated

_TAGS = (
    "a b code span em p div section h2 ul li ol dl dt dd blockquote pre table tr td th caption thead form button label "
    "select option textarea svg math embed object noframes noembed noscript iframe script style template title q "
    "article nav x-card frameset plaintext xmp video details"
)
_PARTS = {
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
    "quotes": '"',
    "values without an end": "='",
    "values that open": '=" ',
    "values with brackets": "a='>' ",
    "tags without an end": "<a b",
    "tags with brackets in values": "<a b='>",
    "control characters in attributes": "<p a\x01='\x02'>\x03",
}


def fragments() -> dict[str, Callable[[int], str]]:
    """Return the kinds: name -> function from a size in characters to a page."""
    kinds = dict(KINDS)
    for tag in _TAGS.split():
        kinds[f"<{tag}>"] = repeated(f"<{tag}>x")
        kinds[f"<{tag}>x</{tag}>"] = repeated(f"<{tag} class=a>x</{tag}> ")
    kinds.update({name: repeated(part) for name, part in _PARTS.items()})
    return kinds
