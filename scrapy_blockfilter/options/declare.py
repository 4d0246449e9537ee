"""Declare a setting, or an argument of a method: its default, the allowed values, and one line of documentation."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import Field, dataclass, field
from typing import Any, NamedTuple

from scrapy_blockfilter.options.converters import Values

PREFIX = "BLOCKFILTER_"
# The user and password of a URL.
PASSWORD = re.compile(r"(?<=://)[^/@\s]*@")


class OptionError(ValueError):
    """Raised for a value that is not allowed. The message names the setting, the value and what is allowed."""


class Rule(NamedTuple):
    """The declaration of a setting."""

    values: Values
    doc: str  # one line for the table of settings, which begins with the name ``of`` a method
    of: str | None = None  # the method that looks at the setting; None if it holds for all
    paper: Any = None  # the value of the method's paper, for the argument ``paper_defaults``; None for the default


def option(default: Any, values: Values, doc: str, of: str | None = None, paper: Any = None) -> Any:
    """Declare a setting or argument as a field of a dataclass, by its default and its :class:`Rule`."""
    rule = {"rule": Rule(values, f"{of}: {doc}" if of else doc, of, paper)}
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), metadata=rule)
    return field(default=default, metadata=rule)


@dataclass(frozen=True)
class Arguments:
    """The arguments of a method or a segmenter. A subclass, a frozen dataclass, declares each by :func:`option`."""


def checked(option: Field[Any], value: Any, name: str) -> Any:
    """Return the converted value of a setting or argument; OptionError, with its name, if it is not allowed."""
    rule: Rule = option.metadata["rule"]
    try:
        return rule.values.convert(value)
    except ImportError as missing:
        raise OptionError(f"{missing} (for {name})") from None
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
        detail = f" ({error})" if isinstance(error, ValueError) and error.__cause__ else ""
        shown = PASSWORD.sub("", repr(value))
        raise OptionError(f"{name} is {shown}, but must be {rule.values.allowed}{detail}") from None


def did_you_mean(typed: str, known: Iterable[str], prefix: str = "") -> str:
    """Return the end of a message with the known name nearest to a wrong one, or "".

    >>> did_you_mean("cleen", ["learn", "clean"])
    '; did you mean clean?'
    """
    close = difflib.get_close_matches(typed, list(known), n=1)
    return f"; did you mean {prefix}{close[0]}?" if close else ""
