"""Compile CSS selectors and XPath, and hold the corrections that people make with them.

Selectors of others are refused if they could search a page for too long: libxml2 cannot be interrupted. A search that
is repeated for each result of another one multiplies: ``//*[count(//*[count(//*) > 5]) > 5]`` takes the cube of a page.
Values that are made of text multiply, too: ``//a[contains(/, 'x')]`` reads the page for each link. One line of an
imported file could thus stop a crawl. Selectors in settings are their owner's, and may be anything.
"""

from __future__ import annotations

import contextlib
import json
import re
from typing import Any, NamedTuple

from cssselect import SelectorError
from lxml import etree

from scrapy_blockfilter.options.converters import names_list
from scrapy_blockfilter.options.css_search import CssSearch


def css_selectors(value: Any) -> tuple[str, ...]:
    """Take CSS selectors or XPath that compile: a list, JSON of one, or a single selector."""
    selectors: tuple[str, ...] = (value,)
    if not isinstance(value, str) or value.lstrip().startswith("["):
        with contextlib.suppress(json.JSONDecodeError):  # an attribute selector also begins with a bracket
            selectors = names_list(value)
    for selector in selectors:
        try:
            found = compiled_selector(selector)(etree.Element("html"))
        except (SelectorError, etree.XPathError) as error:
            raise ValueError(str(error)) from error
        if not isinstance(found, list):
            raise ValueError("it gives a value, not elements") from TypeError(type(found).__name__)
    return selectors


def compiled_selector(selector: str) -> CssSearch | etree.XPath:
    """Compile CSS, or XPath if a selector begins with ``/`` or ``(``; raise SelectorError or XPathError for others."""
    if "\0" in selector:  # no command can pass it on, and newer versions of cssselect take it
        raise SelectorError("it holds a null character")
    if not is_xpath(selector):
        return CssSearch(selector)
    # libxml2 looks up a name only when it evaluates it, which depends on the page. So all names but XPath's own are
    # refused here: others, such as regular expressions, can take for ever.
    for name, behind in _NAME.findall(_QUOTED.sub("''", selector)):
        if not name or behind == ":" or (behind.endswith("(") and name not in _CALLABLE):
            raise etree.XPathEvalError(f"{name or '$'}{behind.strip('( ')} is not known in XPath 1.0")
    return etree.XPath(selector, regexp=False)


_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_NAME = re.compile(r"\$|([\w.-]+)( {0,9}\(|::?)?")
# Names that may precede a parenthesis: functions, node types, operators.
_NAMES = (
    "boolean ceiling concat contains count false floor id lang last local-name name namespace-uri normalize-space "
    "not number position round starts-with string string-length substring substring-after substring-before sum "
    "translate true comment node processing-instruction text and or div mod"
)
_CALLABLE = frozenset(_NAMES.split())


def is_xpath(selector: str) -> bool:
    """Return whether a selector is XPath rather than CSS, by its first character."""
    return selector.startswith(("/", "("))


class Corrections(NamedTuple):
    """Selectors of one site whose elements are always kept and always stripped; ``by`` names the teachers of some."""

    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    by: tuple[tuple[str, str], ...] = ()


# Characters of a selector. People write no longer ones.
MAX_SELECTOR = 1_000
# Searches of a selector; and those that follow each other, as libxml2 compares their results with all found so far.
MOST_SEARCHES = 20
_MOST_IN_A_ROW = 5
SEARCH = re.compile(r"//|(?:descendant|ancestor|(?:following|preceding)-sibling)(?:-or-self)?\s*::")
_ANYWHERE = re.compile(r"(?:following|preceding)\s*::")
_FIRST = re.compile(r"\)\s*\[\s*\d+\s*\]")
_PARTS = re.compile(r"[\[\]]|[^\[\]]+")
# Questions of predicates that lead out of an element, but are harmless.
_HARMLESS = re.compile(
    r"count\((?:preceding|following)-sibling::[\w*-]+\)"
    r"|(?<=not\()ancestor(?:-or-self)?::[\w*-]+(?=\))|(?<=\[)ancestor(?:-or-self)?::[\w*-]+(?=\])"
    r"|\.\./@[\w-]+"
)
# Paths that lead out of an element: from the root, also behind an operator, upwards, sidewards, or to an ID.
_OUTSIDE = re.compile(
    r"(?<![^\w.]\.)//|(?<![\w*)\]./])/|[\s\w)'\]](?:and|or|div|mod)/|[^/:\[(,|=<>@]\*/"
    r"|\.\.|\bid\s*\(|(?:ancestor|parent|following|preceding)[\w-]*\s*::"
)

# The last step of a path, outside of predicates, that leads to something else than elements.
_NO_ELEMENT = re.compile(
    r"(?:(?:@|\battribute\s*::)\s*[\w:.*-]+|\b(?:text|comment|processing-instruction)\s*\(\s*\))[\s)#]*$"
)


def why_unusable(selector: str) -> str:
    """Return why a selector cannot be used in a correction, "" if it can."""
    if not selector.strip():
        return "it is empty"
    if len(selector) > MAX_SELECTOR:
        return f"as a selector it has more than {MAX_SELECTOR:,} characters"
    try:
        css_selectors([selector])
    except ValueError as error:
        return str(error).rstrip(".")
    return why_slow(selector)


def why_slow(selector: str) -> str:
    """Return why a selector could search a page for too long, "" if it cannot.

    >>> why_slow("ul > li:has(a)"), why_slow("//a[//b]")
    ('', 'in [ ] it may look only inside of the element, and search that once, as in //div[.//a]')
    """
    path = _FIRST.sub(")#", _HARMLESS.sub("1", _QUOTED.sub("''", compiled_selector(selector).path)))
    if len(SEARCH.findall(path)) > MOST_SEARCHES:
        return f"it has more than {MOST_SEARCHES} searches (// or a space): write it as several"
    if _ANYWHERE.search(path):
        return "it may not have following:: or preceding::"
    in_a_row, outside = 0, ""
    around: list[bool] = []  # for each open predicate, whether it is evaluated for many elements
    is_one = False
    for part in _PARTS.findall(path):
        if part == "[":
            around.append(not is_one or any(around))
        elif part == "]":
            is_one = not around.pop()
            in_a_row *= not is_one
        elif any(around):
            is_one = False
            searches = [len(SEARCH.findall(side)) for side in re.split(r"\b(?:and|or)\b", part)]
            if _OUTSIDE.search(f"[{part}") or max(searches) > (sum(around) == 1):
                return "in [ ] it may look only inside of the element, and search that once, as in //div[.//a]"
        else:
            outside += part
            is_one = part.endswith("#")
            first, *others = re.split(r"[|#,]", part)
            rows = [in_a_row + len(SEARCH.findall(first)), *(len(SEARCH.findall(other)) for other in others)]
            if max(rows) > _MOST_IN_A_ROW:
                return f"more than {_MOST_IN_A_ROW} searches (// or a space) follow each other"
            in_a_row = rows[-1]
    if all(map(_NO_ELEMENT.search, outside.split("|"))):
        return "it finds texts, comments or attributes, not elements"
    return ""
