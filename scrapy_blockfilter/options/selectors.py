"""CSS selectors and XPath that compile, and what a person corrects with them."""

from __future__ import annotations

import contextlib
import json
import re
from typing import Any, NamedTuple

from cssselect import HTMLTranslator, SelectorError
from lxml import etree

from scrapy_blockfilter.options.converters import names_list


def css_selectors(value: Any) -> tuple[str, ...]:
    """CSS selectors, or XPath, that can be compiled: a list, JSON of one, or a single selector."""
    selectors: tuple[str, ...] = (value,)
    if not isinstance(value, str):
        selectors = names_list(value)
    elif value.lstrip().startswith("["):
        with contextlib.suppress(json.JSONDecodeError):  # an attribute selector begins like a list, too
            selectors = names_list(value)
    for selector in selectors:
        try:
            found = compiled_selector(selector)(etree.Element("html"))
        except (SelectorError, etree.XPathError) as error:
            raise ValueError(str(error)) from error
        if not isinstance(found, list):
            raise ValueError("it gives a value, not elements") from TypeError(type(found).__name__)
    return selectors


def compiled_selector(selector: str) -> etree.XPath:
    """A CSS selector, or XPath if it begins as no CSS does, with ``/`` or ``(``; without functions that are not XPath's
    own, as those for regular expressions, which can take for ever.

    Raises:
        SelectorError, XPathError: it is neither.
    """
    if not is_xpath(selector):
        return etree.XPath(HTMLTranslator().css_to_xpath(selector))
    # libxml2 looks for what a name stands for when it comes to it, on a page that has what is before it.
    for name, behind in _NAME.findall(_QUOTED.sub("''", selector)):
        if not name or behind == ":" or (behind.endswith("(") and name not in _CALLABLE):
            raise etree.XPathEvalError(f"{name or '$'}{behind.strip('( ')} is not known in XPath 1.0")
    return etree.XPath(selector, regexp=False)


_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_NAME = re.compile(r"\$|([\w.-]+)( {0,9}\(|::?)?")
# What may stand before a parenthesis: functions, kinds of nodes, operators.
_CALLABLE = frozenset(
    {
        "boolean",
        "ceiling",
        "concat",
        "contains",
        "count",
        "false",
        "floor",
        "id",
        "lang",
        "last",
        "local-name",
        "name",
        "namespace-uri",
        "normalize-space",
        "not",
        "number",
        "position",
        "round",
        "starts-with",
        "string",
        "string-length",
        "substring",
        "substring-after",
        "substring-before",
        "sum",
        "translate",
        "true",
        "comment",
        "node",
        "processing-instruction",
        "text",
        "and",
        "or",
        "div",
        "mod",
    }
)


def is_xpath(selector: str) -> bool:
    return selector.startswith(("/", "("))


def is_selector(text: str) -> bool:
    """Whether a text is a CSS selector that can be compiled."""
    try:
        return bool(css_selectors([text]))
    except (ValueError, TypeError):
        return False


class Corrections(NamedTuple):
    """What a person decided of one site: CSS selectors of what is always kept and always stripped there."""

    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
