"""How a setting is declared: its default, what is allowed, and a line that says what it does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any, NamedTuple


class OptionError(ValueError):
    """A setting has a value that is not allowed. The message names the setting, the value and what is allowed."""


class Rule(NamedTuple):
    """What a setting may be.

    Attributes:
        allowed: in words, to follow "must be".
        convert: from what a settings module or the command line gives to the value that is used; raises ValueError,
            TypeError or KeyError where it is not allowed.
        doc: one line for the table of settings.
    """

    allowed: str
    convert: Callable[[Any], Any]
    doc: str


def option(default: Any, allowed: str, convert: Callable[[Any], Any], doc: str) -> Any:
    rule = {"rule": Rule(allowed, convert, doc)}
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), metadata=rule)
    return field(default=default, metadata=rule)
