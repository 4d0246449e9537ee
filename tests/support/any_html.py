"""Strategies for HTML of any kind: texts, and tags that may be open, closed or neither."""

from __future__ import annotations

from html import escape

from hypothesis import strategies as st

from stress.hostile import ATTRIBUTES, FRAGMENTS, TAGS

_TEXTS = st.text(max_size=20) | st.sampled_from(
    ["12 March 2009", "$ 19.99", "Price:", "A sentence, and more. ", "x" * 130, "港口。", "Home"]
)
_TAGS = st.sampled_from(
    ["p", "div class=comment", "div id=nav", "h1", "h2", "table", "td", "ul", "li", "a href=/x", "pre", "title", "br"]
)
ANY_HTML = st.lists(
    _TEXTS
    | st.sampled_from(["<img src=/i/pier.jpg>", "<input>", "<script>1</script>"])
    | _TAGS.map(lambda tag: f"<{tag}>")
    | _TAGS.map(lambda tag: f"</{tag.split()[0]}>"),
    max_size=25,
).map("".join)

# Those that readers, parsers and writers treat as special.
_SIGNS = "ab cé12.:,%{}€A\xa0\xad\u2003水\n\t\r&<>\"'/=!-;#\1\x0b\x0c\x1f\x7f\x85\u1680\u3000\u0301\ud83d\ufeff\uffff"
_SIGNS += "😀\u0e17\uac00\u1100"
_WILD_TEXTS = st.text(max_size=12) | st.text(st.sampled_from(_SIGNS), max_size=12)
_WILD_TEXTS |= _WILD_TEXTS.map(escape)
_TAGS_TOO = (
    "BR abbr basefont embed frame h1 h2 isindex keygen link my-card noembed o:p object param plaintext title xmp"
)
_NAMES = "action class checked data-x HREF href id lang on-x src style title x:y xlink:href xmlns @n é"
_KNOWN = (*ATTRIBUTES, "class='post-12 nav'", "id=the-name", 'src="/i/old-pier.jpg"', "src=spacer.gif alt='水 边'")
_VALUED = st.builds(
    "{}='{}'".format, st.sampled_from(_NAMES.split()), _WILD_TEXTS.map(lambda text: text.replace("'", '"'))
)
_ATTRIBUTES = st.lists(st.sampled_from([*_NAMES.split(), *_KNOWN]) | _VALUED | _VALUED.map(escape), max_size=4).map(
    " ".join
)
_TAG = st.builds(
    "<{}{} {}{}".format,
    st.sampled_from(["", "", "/"]),
    st.sampled_from([*TAGS, *_TAGS_TOO.split()]),
    _ATTRIBUTES,
    st.sampled_from([">", ">", ">", "/>", ""]),
)
WILD_HTML = st.lists(_WILD_TEXTS | _TAG | st.sampled_from([*FRAGMENTS, "<title>The name</title>"]), max_size=40).map(
    "".join
)
