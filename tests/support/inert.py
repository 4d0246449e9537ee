"""What could act in outputs that people open: in a report on a page, and in Markdown that is read with its HTML."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from lxml import html as lxml_html

# Attributes that a page may have in the frame of a report.
_NAMES = (
    "class id style media alt type value disabled hidden dir lang align bgcolor border cellpadding cellspacing color "
    "colspan face height placeholder reversed rowspan size span start valign width"
)
ALLOWED = frozenset(_NAMES.split())
_REFUSED = frozenset({"script", "base", "link", "iframe", "object", "embed", "svg", "math", "template", "title"})
_LOADS = re.compile(r"(?i)(?<!-)(url|image-set)\(|@import")
# Tags of emphasis where Markdown has no form. No attribute is left of them.
_BARE = re.compile(r"</?[a-z0-9]+>")
_HARMLESS = re.compile(r"(?:https?|ftp|mailto|tel):|(?![a-z][a-z0-9+.-]*:)", re.IGNORECASE)


def acting(frame: str) -> list[str]:
    """Return what acts, loads or leads anywhere in the document of a frame; none where all is well."""
    found = []
    for node in lxml_html.document_fromstring(frame).iter():
        if not isinstance(node.tag, str):
            found.append(f"a comment or an instruction: {node}")
            continue
        if node.tag in _REFUSED:
            found.append(f"<{node.tag}>")
        if node.tag != "meta":
            found += [name for name in node.attrib if not (name in ALLOWED or name.startswith("data-"))]
        elif node.get("http-equiv") not in (None, "Content-Security-Policy"):
            found.append(f"<meta http-equiv={node.get('http-equiv')}>")
        sheet = (node.text or "") if node.tag == "style" else ""
        if "</" in sheet:
            found.append("a style sheet that ends within itself")
        found += [style for style in (node.get("style", ""), sheet) if _LOADS.search(style)]
    return found


def acting_in_report(report: str) -> list[str]:
    """Return what acts in a report beside its own script, and in the documents of its frames."""
    found = []
    root = lxml_html.document_fromstring(report)
    scripts = list(root.iter("script"))
    if len(scripts) != 1 or scripts[0].attrib:
        found.append(f"{len(scripts)} scripts in place of one")
    for node in root.iter():
        if not isinstance(node.tag, str):
            found.append(f"a comment or an instruction: {node}")
            continue
        found += [f"<{node.tag} {name}>" for name in node.attrib if name.startswith("on")]
        if node.tag in ("object", "embed", "base", "svg", "math") or node.get("src"):
            found.append(f"<{node.tag}>")
        if node.tag == "iframe":
            if "allow-scripts" in node.get("sandbox", "allow-scripts"):
                found.append("a frame without its sandbox")
            found += acting(node.get("srcdoc") or "<p>")
    return found


def _any_link(url: str) -> bool:
    """Take every link for one, even those that run scripts, which the parser would take for text."""
    return True


@cache
def reader() -> Any:
    """Return a CommonMark parser with tables that lets HTML through; raise ImportError without markdown-it-py."""
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark", {"html": True}).enable("table")
    made.validateLink = _any_link  # type: ignore[method-assign]
    return made


def live_markup(markdown: str) -> list[str]:
    """Return the markup in Markdown that a page could act with: tags with more than a name, links that run scripts."""
    tags: list[str] = []
    links: list[str] = []
    for token in reader().parse(markdown):
        for each in (token, *(token.children or ())):
            if each.type in ("html_inline", "html_block"):
                tags.append(each.content)
            elif each.type == "link_open":
                links.append(str(each.attrs["href"]))
    return [tag for tag in tags if not _BARE.fullmatch(tag)] + [link for link in links if not _HARMLESS.match(link)]
