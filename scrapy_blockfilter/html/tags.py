"""Sets of tags: those that delimit blocks, those that hide their content, and others."""

from __future__ import annotations

TABLE_TAGS = frozenset({"table", "caption", "colgroup", "thead", "tbody", "tfoot", "tr", "td", "th"})

ROWS = frozenset({"tr"})

CELLS = frozenset({"td", "th"})

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

LISTS = frozenset({"ul", "ol", "dl", "menu", "dir"})

# Lists and tables are kept together.
UNITS = LISTS | {"table"}

# Elements that a browser lays out as boxes of their own. An inline element that contains one counts as structural, too.
STRUCTURAL = (
    TABLE_TAGS
    | HEADINGS
    | LISTS
    | frozenset(
        [
            "html",
            "head",
            "title",
            "body",
            "address",
            "article",
            "aside",
            "blockquote",
            "center",
            "dd",
            "details",
            "dialog",
            "div",
            "dt",
            "fieldset",
            "figcaption",
            "figure",
            "footer",
            "form",
            "frameset",
            "header",
            "hgroup",
            "hr",
            "legend",
            "li",
            "main",
            "marquee",
            "nav",
            "noembed",
            "noframes",
            "noscript",
            "object",
            "p",
            "plaintext",
            "pre",
            "search",
            "section",
            "select",
            "summary",
            "textarea",
            "xmp",
        ]
    )
)

# Their content is not text of the page. It is never read, and is kept or stripped with the element around it.
OPAQUE = frozenset(
    {
        "script",
        "style",
        "template",
        "svg",
        "math",
        "audio",
        "video",
        "canvas",
        "applet",
        "embed",
        "iframe",
        "meta",
        "link",
    }
)

# The most frequent inline elements, listed so that they need no further check.
COMMON_INLINE = frozenset(
    ["b", "cite", "code", "em", "font", "i", "ins", "label", "small", "span", "strong", "sup", "time", "u"]
)

CONTROLS = frozenset({"input", "button", "select", "textarea"})


def is_structural(tag: str) -> bool:
    """Return whether an element divides text: a box of its own, or a custom element."""
    return tag in STRUCTURAL or "-" in tag
