"""Compile CSS selectors and XPath, and hold the corrections that people make with them."""

from __future__ import annotations

import contextlib
import json
import re
from typing import Any, NamedTuple

from cssselect import HTMLTranslator, SelectorError
from lxml import etree

from scrapy_blockfilter.options.converters import names_list


def css_selectors(value: Any) -> tuple[str, ...]:
    """Take CSS selectors or XPath that compile: a list, JSON of one, or a single selector."""
    selectors: tuple[str, ...] = (value,)
    if not isinstance(value, str):
        selectors = names_list(value)
    elif value.lstrip().startswith("["):
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


def compiled_selector(selector: str) -> etree.XPath:
    """Compile a CSS selector, or XPath if it begins with ``/`` or ``(``, which no CSS does.

    Only XPath's own functions are allowed: others, such as regular expressions, can take for ever.

    Raises:
        SelectorError, XPathError: the selector is neither.
    """
    if "\0" in selector:  # no command can pass it on, and newer versions of cssselect take it
        raise SelectorError("it holds a null character")
    if not is_xpath(selector):
        return etree.XPath(HTMLTranslator().css_to_xpath(selector))
    # libxml2 looks up names only when it evaluates them, which depends on the page. So unknown names are refused here.
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
    """A person's corrections for one site: selectors of elements that are always kept and always stripped."""

    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
