"""A strategy for HTML of any kind: texts, and tags that may be open, closed or neither."""

from __future__ import annotations

from hypothesis import strategies as st

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
