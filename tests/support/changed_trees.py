"""Trees as their owners change them, by lxml's own functions."""

from __future__ import annotations

from random import Random

from lxml import etree

_TAGS = ("p", "b", "li", "div", "iframe", "x-y", "svg", "title", "pre", "script", "img", "br")
_NAMESPACES = (None, None, "urn:x", "http://www.w3.org/2000/svg")
_TEXTS = ("", "t", "a & <b>", " ", "é", "\n", "]]>")
_ATTRIBUTES = ("class", "id", "href", "{urn:y}k", "{http://www.w3.org/XML/1998/namespace}lang")
_MADE = (
    lambda: etree.Comment("<p>"),
    lambda: etree.ProcessingInstruction("name", "a=b"),
    lambda: etree.Entity("nbsp"),
    lambda: etree.Entity("#38"),
)


def change(root: etree._Element, chooser: Random) -> None:
    """Change a tree in one place: a text, an attribute, a name, or where an element stands."""
    elements = [element for element in root.iter() if isinstance(element.tag, str)]
    inner = [element for element in root.iter() if element is not root]
    element = chooser.choice(elements)
    other = chooser.choice(inner) if inner else etree.SubElement(root, "p")
    text = chooser.choice(_TEXTS)
    namespace = chooser.choice(_NAMESPACES)
    name = f"{{{namespace}}}{chooser.choice(_TAGS)}" if namespace else chooser.choice(_TAGS)
    match chooser.randrange(13):
        case 0:
            element.text = chooser.choice((text, None))
        case 1:
            other.tail = chooser.choice((text, None))
        case 2:
            root.tail = text
        case 3:
            element.set(chooser.choice(_ATTRIBUTES), text)
        case 4:
            etree.SubElement(element, name, nsmap=chooser.choice((None, {"q": "urn:x"}))).text = text
        case 5:
            element.append(chooser.choice(_MADE)())
        case 6:
            element.text = etree.CDATA(chooser.choice(("x", "a<b", "&amp;")))
        case 7 if element not in other.iter():
            element.insert(0, other)
        case 8 if (parent := other.getparent()) is not None:
            parent.remove(other)
        case 9 if element is not root:
            element.tag = name
        case 10:
            root.addnext(etree.Comment("after"))
        case 11:
            root.addprevious(etree.Comment("before"))
        case 12 if element is not root:
            element.clear(keep_tail=True)
