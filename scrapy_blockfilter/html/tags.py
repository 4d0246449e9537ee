"""Which tags delimit blocks, and which hold no text of the page."""

from __future__ import annotations

TABLE_TAGS = frozenset({"table", "caption", "colgroup", "thead", "tbody", "tfoot", "tr", "td", "th"})

ROWS = frozenset({"tr"})

CELLS = frozenset({"td", "th"})

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

LISTS = frozenset({"ul", "ol", "dl", "menu", "dir"})

# Their parts belong together.
UNITS = LISTS | {"table"}

# Elements that a browser lays out as boxes of their own. An inline element with one of these inside acts as one too.
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

# Their content is no text of the page: not read, and neither kept nor stripped but as part of what is around it.
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

# Inline elements that pages hold most, so that only others are looked at more closely.
COMMON_INLINE = frozenset(
    ["b", "cite", "code", "em", "font", "i", "ins", "label", "small", "span", "strong", "sup", "time", "u"]
)

CONTROLS = frozenset({"input", "button", "select", "textarea"})


def is_structural(tag: str) -> bool:
    """Whether an element divides text: a box of its own, or a custom element."""
    return tag in STRUCTURAL or "-" in tag
