"""Declare a setting: its default, the allowed values, and one line of documentation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any, NamedTuple


class OptionError(ValueError):
    """Raised for a value that is not allowed. The message names the setting, the value and what is allowed."""


class Rule(NamedTuple):
    """The allowed values of a setting.

    Attributes:
        allows: the allowed values in words, to follow "must be"; or a function, if other packages may add some.
        convert: converts a value from a settings module or the command line; raises ValueError, TypeError or KeyError
            if it is not allowed.
        doc: one line for the table of settings, which begins with the names in ``of``.
        of: the methods, or segmenters, that look at the setting; none if it holds for all.
    """

    allows: str | Callable[[], str]
    convert: Callable[[Any], Any]
    doc: str
    of: Sequence[str] = ()

    @property
    def allowed(self) -> str:
        """The allowed values in words, those that other packages add among them."""
        return self.allows if isinstance(self.allows, str) else self.allows()


def option(default: Any, allows: str | Callable[[], str], convert: Callable[[Any], Any], doc: str, *of: str) -> Any:
    """Declare a setting as a dataclass field. The arguments after the default are those of :class:`Rule`."""
    rule = {"rule": Rule(allows, convert, f"{', '.join(of)}: {doc}" if of else doc, of)}
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), metadata=rule)
    return field(default=default, metadata=rule)
