"""The form ``bare_html``: its text with the elements and attributes that carry meaning, and nothing that acts.

The tree is brought into a form that every parser reads alike: forms and other elements that only act or look become DIV
or SPAN, and tables with something other than rows and cells become DIVs. No element with raw text, no comment and no
drawing is left, so what is written is read as it was. Only the tags and attributes listed here are written.
"""

from __future__ import annotations

from lxml import etree

from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.nearby import Known, nearest
from scrapy_blockfilter.html.parse import build
from scrapy_blockfilter.html.tags import CELLS, HEADINGS, OPAQUE, STRUCTURAL, TABLE_TAGS, is_structural
from scrapy_blockfilter.model.cleaned import Cleaned
from scrapy_blockfilter.options.output_forms import OutputForm
from scrapy_blockfilter.render.addresses import CONTROL, address_of
from scrapy_blockfilter.render.formulas import formula_of, second_forms
from scrapy_blockfilter.render.html import end_empty_items
from scrapy_blockfilter.render.images import written_address
from scrapy_blockfilter.render.markdown_tables import table_parts
from scrapy_blockfilter.render.side_by_side import set_apart

_INLINE = frozenset(
    [
        *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "br", "cite", "code", "col", "data", "del", "dfn", "em"),
        *("i", "img", "ins", "kbd", "mark", "q", "rb", "rp", "rt", "rtc", "ruby", "s", "samp", "small", "span"),
        *("strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr"),
    ]
)
# Structural elements whose meaning is that of DIV, or which only act.
_BOXES = frozenset(
    [
        *("html", "head", "title", "body", "center", "dialog", "fieldset", "form", "frameset", "legend", "marquee"),
        *("noembed", "noframes", "noscript", "object", "search", "select", "textarea"),
    ]
)
_OUTERMOST = frozenset({"html", "body"})  # only their content is written
_AS_PRE = frozenset({"plaintext", "xmp"})
# Values of microdata, which may be where no text is.
_VALUES = frozenset({"meta", "link"})
_TAGS = (STRUCTURAL - _BOXES - _AS_PRE) | _INLINE | _VALUES
_STAYING = _TAGS | _OUTERMOST | {"head", "picture", "source", "track"}
# Elements that end an open one of their kind, unless one of the second set is between them.
_ITEMS = STRUCTURAL - {"div", "p", "address"}
_ENDING = (({"a"}, {"a"}), ({"li"}, _ITEMS), ({"dd", "dt"}, _ITEMS))
# Beside what is opaque: these have no text.
_WITHOUT_TEXT = (OPAQUE - _VALUES) | {"input", "param", "area", "frame", "base"}

_ANYWHERE = frozenset({"lang", "dir", "title", "itemprop", "itemscope", "itemtype", "itemid", "content"})
_ATTRIBUTES = {
    "a": frozenset({"href", "hreflang"}),
    "img": frozenset({"src", "alt"}),
    "td": frozenset({"colspan", "rowspan"}),
    "th": frozenset({"colspan", "rowspan", "scope"}),
    "ol": frozenset({"start", "reversed", "type"}),
    "time": frozenset({"datetime"}),
    "link": frozenset({"href"}),
    **dict.fromkeys(("col", "colgroup"), frozenset({"span"})),
    **dict.fromkeys(("li", "data"), frozenset({"value"})),
    **dict.fromkeys(("del", "ins"), frozenset({"cite", "datetime"})),
    **dict.fromkeys(("blockquote", "q"), frozenset({"cite"})),
}
_ADDRESSES = {"a": "href", "link": "href", "img": "src", **dict.fromkeys(("blockquote", "q", "del", "ins"), "cite")}

# What may be directly in an element of a table. Anything else, browsers move before the table.
_CHILDREN = {
    "table": TABLE_TAGS - {"table"},
    **dict.fromkeys(("thead", "tbody", "tfoot"), frozenset({"tr", *CELLS})),
    "tr": CELLS,
    "colgroup": frozenset({"col"}),
}
_GONE, _UNWRAPPED = "GONE", "UNWRAPPED"  # the parser writes names in lower case


def bare_html(cleaned: Cleaned) -> str:
    """Return the kept blocks as HTML that shows and means the same but cannot act; "" if the page could not be read.

    Links and images have absolute addresses. There is no HEAD, SCRIPT, STYLE or form, and no attribute that only
    scripts or style sheets need. Microdata stays.
    """
    return "" if cleaned.page is None else render_bare_html(cleaned.shown_html, cleaned.base)


def render_bare_html(html: str, base: str = "") -> str:
    """Write HTML without what is not content: the text of its blocks stays, in the same order.

    Args:
        html: cleaned HTML of a page within limits.
        base: what links and images are relative to; "" leaves their addresses as they are.
    """
    if not html.strip():
        return ""
    try:
        root = build(html)
    except UnfitPage:  # no element is left of it
        return ""
    nodes = list(root.iter())  # lxml lets go of an element by climbing to one that is held, or to the root
    _drop_and_rename(root, base)
    _shape_tables(root)
    _take_out_of_each_other(root)
    end_empty_items(root.iter("li"))
    for element in root.iter(etree.Element):
        _keep_attributes(element)
    del nodes
    etree.strip_tags(root, *_OUTERMOST)
    root.tag = "div"
    root.attrib.clear()
    written = etree.tostring(root, encoding="unicode", method="html", with_tail=False)
    return written.removeprefix("<div>").removesuffix("</div>").strip()


def _keep_attributes(element: etree._Element) -> None:
    """Remove the attributes that are not listed. Others are not read, as lxml refuses some: ``<p {{attributes}}>``."""
    names = _ANYWHERE | _ATTRIBUTES.get(str(element.tag), frozenset())
    kept = {name: element.get(name, "") for name in element.keys() if name in names}  # noqa: SIM118 - refused, too
    element.attrib.clear()
    for name, value in kept.items():
        element.set(name, CONTROL.sub("", value))


def _drop_and_rename(root: etree._Element, base: str) -> None:
    """Remove elements without text, give others their place among the few that stay, and make addresses absolute."""
    etree.strip_elements(root, etree.Comment, etree.ProcessingInstruction, with_tail=False)
    _write_formulas(root)
    set_apart(root)
    for choice in list(root.iter("option")):
        space = choice.makeelement("span")
        space.text = " "
        choice.addprevious(space)
    for element in root.iter(etree.Element):
        tag = str(element.tag)
        if tag in _WITHOUT_TEXT or (tag in _VALUES and not element.get("itemprop")):
            element.tag = _GONE
        elif attribute := _ADDRESSES.get(tag):
            _make_absolute(element, attribute, base)
        elif tag == "title":  # it divides the text around it, but is no part of it
            element.tag, element.text = "div", None
        elif tag in _AS_PRE:
            element.tag = "pre"
        elif tag not in _STAYING:
            element.tag = "div" if is_structural(tag) else "span"
    etree.strip_elements(root, _GONE, with_tail=False)
    etree.strip_tags(root, "picture", "source", "track")  # parsers put what follows a SOURCE or TRACK into it
    for head in root.iterchildren("head"):
        head.tag = "div" if "".join(head.itertext()).strip() else _GONE  # the parser leaves a SECTION in HEAD
    etree.strip_elements(root, _GONE, with_tail=False)
    for body in root.iter("body"):
        if (body.tail or "").strip() or body.getnext() is not None:
            body.tag = "div"  # text behind it must not join the text in it


def _write_formulas(root: etree._Element) -> None:
    """Write MathML and formulas of scripts as words: a MATH can act, and some readers do not show it."""
    parts: set[etree._Element] = set()
    for element in list(root.iter("math", "script")):
        around = element.getparent()
        if element not in parts and around is not None and (formula := formula_of(element)):
            parts.update(element.iter("math", "script"))
            for shown_again in second_forms(element, around):
                shown_again.tag = _GONE
            element.clear(keep_tail=True)
            element.tag, element.text = "div" if formula.is_apart else "span", CONTROL.sub("", formula.words)
    etree.strip_elements(root, _GONE, with_tail=False)


def _make_absolute(element: etree._Element, attribute: str, base: str) -> None:
    is_image = element.tag == "img"
    if address := address_of(written_address(element) or None if is_image else element.get(attribute), base):
        element.set(attribute, address)
    elif is_image:
        element.tag = _GONE
    else:
        element.attrib.pop(attribute, None)


def _shape_tables(root: etree._Element) -> None:
    """Turn tables into DIVs if they have more than rows and cells, and so parts of tables that are in none."""
    for element in root.iter("div", "span"):
        parent = element.getparent()
        children = None if parent is None else _CHILDREN.get(str(parent.tag))
        if children is not None and not _is_empty(element) and _holds_only(element, children):
            element.tag = _UNWRAPPED  # a FORM around rows
    etree.strip_tags(root, _UNWRAPPED)
    of_tables = set()
    for table in list(root.iter("table")):
        parts = [table, *table_parts(table)]
        if all(part.tag not in _CHILDREN or _holds_only(part, _CHILDREN[str(part.tag)]) for part in parts):
            of_tables.update(parts)
    for part in list(root.iter(*TABLE_TAGS)):
        if part not in of_tables:
            part.tag = "div"
    for column in list(root.iter("col")):
        if column.getparent() not in of_tables:
            column.tag = "span"


def _take_out_of_each_other(root: etree._Element) -> None:
    """Rename elements at whose start browsers would end the one they are in: a link in a link, an item in an item."""
    for tags, between in _ENDING:
        around: Known = {}
        for element in list(root.iter(*tags)):
            outer = nearest(element.getparent(), between, around)
            if outer is not None and outer.tag in tags:
                element.tag = "div" if is_structural(str(element.tag)) else "span"
    for heading in list(root.iter(*HEADINGS)):
        parent = heading.getparent()
        if parent is not None and parent.tag in HEADINGS:
            heading.tag = "div"


def _holds_only(element: etree._Element, tags: frozenset[str]) -> bool:
    return not (element.text or "").strip() and all(
        (child.tag in tags or _is_empty(child)) and not (child.tail or "").strip() for child in element
    )


def _is_empty(element: etree._Element) -> bool:
    return len(element) == 0 and not (element.text or "").strip()


BARE_HTML = OutputForm(
    "its HTML without head, scripts, styles, forms and attributes for looks: safe to show", bare_html
)
